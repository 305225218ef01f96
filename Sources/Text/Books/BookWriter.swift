public import Foundation
import HTMLContent
import TextRules

/// A reason for which a book cannot be written.
public enum BookFailure: Error, Equatable {
  /// More than 65,535 files or 4 GiB.
  case tooLarge
}

/// An article of a book.
public struct BookArticle: Sendable {
  public var title: String
  /// The line below the title: feed, author, date, minutes.
  public var source: String
  /// The web address of the article, which its last line links to.
  public var address: String?
  /// Clean HTML (`HTMLContent.sanitise`).
  public var html: String
  /// The language as in BCP 47; invalid values are ignored.
  public var language: String?
  /// The pictures by their addresses in `html`.
  public var pictures: [String: BookPicture]

  public init(
    title: String, source: String, address: String?, html: String, language: String? = nil,
    pictures: [String: BookPicture] = [:]
  ) {
    (self.title, self.source, self.address, self.html) = (title, source, address, html)
    (self.language, self.pictures) = (language, pictures)
  }
}

/// The file of a picture.
public struct BookPicture: Sendable {
  /// The formats that every e-book reader supports (EPUB 3.3, §3.2).
  public enum Format: String, Sendable { case png, jpeg }
  public var bytes: [UInt8]
  public var format: Format

  public init(bytes: [UInt8], format: Format) { (self.bytes, self.format) = (bytes, format) }
}

/// Writes a book of articles as EPUB 3.3 (https://www.w3.org/TR/epub-33/), with a table of contents
/// also for readers of EPUB 2. Articles are written as they are added; only their titles stay in
/// memory.
public struct BookWriter {
  private struct Chapter {
    var title: String
    var file: String
  }

  private struct Item {
    var id: String
    var file: String
    var type: String
  }

  private let title: String
  private let identifier: String
  private let language: String
  private let modified: Date
  private var archive: ZipArchive
  private var sections: [(title: String, chapters: [Chapter])] = []
  private var items: [Item] = []
  private var articles = 0
  private var pictures = 0

  /// Begins the file.
  /// - Parameters:
  ///   - identifier: identifies the book; a newer version of the same book has the same one.
  ///   - language: the language of the titles, as in BCP 47.
  ///   - write: receives the bytes of the file in order.
  /// - Throws: the errors of `write`.
  public init(
    title: String, identifier: UUID, language: String, modified: Date,
    write: @escaping ([UInt8]) throws -> Void
  ) throws {
    self.title = title
    self.identifier = "urn:uuid:" + identifier.uuidString.lowercased()
    self.language = BookValues.isLanguage(language) ? language : "en"
    self.modified = modified
    archive = ZipArchive(write: write)
    // The first file names the format at a fixed place (OCF, §4.3).
    try archive.add("mimetype", Array("application/epub+zip".utf8), isCompressed: false)
    try add("META-INF/container.xml", Self.container)
    try add("EPUB/book.css", Self.styles)
    items.append(Item(id: "styles", file: "book.css", type: "text/css"))
  }

  /// Begins the articles of a feed.
  public mutating func beginSection(_ title: String) { sections.append((title, [])) }

  /// Writes an article at the end of the current section.
  /// - Throws: `BookFailure.tooLarge`, or the errors of `write`.
  public mutating func add(_ article: BookArticle) throws {
    articles += 1
    let number = String(repeating: "0", count: max(0, 4 - String(articles).count)) + "\(articles)"
    var files: [String: String] = [:]
    for (address, picture) in article.pictures.sorted(by: { $0.key < $1.key }) {
      pictures += 1
      let file = "picture\(pictures).\(picture.format.rawValue)"
      try archive.add("EPUB/" + file, picture.bytes, isCompressed: false)
      items.append(
        Item(id: "picture\(pictures)", file: file, type: "image/\(picture.format.rawValue)"))
      files[address] = file
    }
    let title = article.title.isEmpty ? "Untitled" : article.title
    let file = "article\(number).xhtml"
    let link = article.address.flatMap(BookValues.address).map {
      "<p class=\"source\"><a href=\"\(XMLEscaping.escaped($0))\">\(XMLEscaping.escaped($0))</a></p>"
    }
    let body = XHTMLWriter.body(
      HTMLContent.parse(article.html), pictures: files, page: article.address)
    try add(
      "EPUB/" + file,
      page(
        title, language: article.language,
        """
        <h1>\(XMLEscaping.escaped(title))</h1>
        <p class="source">\(XMLEscaping.escaped(article.source))</p>
        \(body)
        \(link ?? "")
        """))
    items.append(Item(id: "article\(number)", file: file, type: Self.pageType))
    if sections.isEmpty { beginSection(self.title) }
    sections[sections.count - 1].chapters.append(Chapter(title: title, file: file))
  }

  /// Writes the contents and ends the file. A book without articles has a page that says so.
  public mutating func finish() throws {
    if articles == 0 {
      try add(BookArticle(title: title, source: "There are no articles.", address: nil, html: ""))
    }
    sections.removeAll { $0.chapters.isEmpty }
    try add("EPUB/contents.xhtml", contents)
    try add("EPUB/contents.ncx", oldContents)
    try add("EPUB/book.opf", package)
    try archive.finish()
  }

  private mutating func add(_ name: String, _ text: String) throws {
    try archive.add(name, Array(text.utf8), isCompressed: true)
  }

  // MARK: Files

  private static let pageType = "application/xhtml+xml"

  private static let container = """
    <?xml version="1.0" encoding="UTF-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
      <rootfiles>
        <rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/>
      </rootfiles>
    </container>
    """

  private static let styles = """
    img { max-width: 100%; height: auto; }
    pre { white-space: pre-wrap; }
    table { border-collapse: collapse; }
    td, th { border: 1px solid; padding: 0.2em 0.4em; text-align: start; }
    figure { margin: 1em 0; }
    .source { font-size: 0.85em; text-indent: 0; }
    nav ol { list-style: none; }
    """

  private func page(_ title: String, language: String?, _ body: String) -> String {
    let tag = language.flatMap { BookValues.isLanguage($0) ? $0 : nil } ?? self.language
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
      lang="\(tag)" xml:lang="\(tag)">
      <head>
      <title>\(XMLEscaping.escaped(title))</title>
      <link rel="stylesheet" type="text/css" href="book.css"/>
      </head>
      <body>
      \(body)
      </body>
      </html>
      """
  }

  private var contents: String {
    let list = sections.map { section in
      let chapters = section.chapters.map {
        "<li><a href=\"\($0.file)\">\(XMLEscaping.escaped($0.title))</a></li>"
      }
      let name = section.title.isEmpty ? "Untitled" : section.title
      return
        "<li><span>\(XMLEscaping.escaped(name))</span><ol>\n\(chapters.joined(separator: "\n"))\n</ol></li>"
    }
    return page(
      title, language: nil,
      """
      <nav epub:type="toc">
      <h1>\(XMLEscaping.escaped(title))</h1>
      <ol>
      \(list.joined(separator: "\n"))
      </ol>
      </nav>
      """)
  }

  /// The table of contents of EPUB 2 (NCX), which old devices need.
  private var oldContents: String {
    let points = sections.flatMap(\.chapters).enumerated().map { number, chapter in
      """
      <navPoint id="point\(number + 1)" playOrder="\(number + 1)">\
      <navLabel><text>\(XMLEscaping.escaped(chapter.title))</text></navLabel>\
      <content src="\(chapter.file)"/></navPoint>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
      <head><meta name="dtb:uid" content="\(identifier)"/></head>
      <docTitle><text>\(XMLEscaping.escaped(title))</text></docTitle>
      <navMap>
      \(points.joined(separator: "\n"))
      </navMap>
      </ncx>
      """
  }

  private var package: String {
    let manifest = items.map { item in
      "<item id=\"\(item.id)\" href=\"\(item.file)\" media-type=\"\(item.type)\"/>"
    }
    let spine = items.filter { $0.type == Self.pageType }.map { "<itemref idref=\"\($0.id)\"/>" }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:identifier id="id">\(identifier)</dc:identifier>
      <dc:title>\(XMLEscaping.escaped(title))</dc:title>
      <dc:language>\(language)</dc:language>
      <meta property="dcterms:modified">\(modified.formatted(.iso8601))</meta>
      </metadata>
      <manifest>
      <item id="contents" href="contents.xhtml" media-type="\(Self.pageType)" properties="nav"/>
      <item id="ncx" href="contents.ncx" media-type="application/x-dtbncx+xml"/>
      \(manifest.joined(separator: "\n"))
      </manifest>
      <spine toc="ncx">
      <itemref idref="contents"/>
      \(spine.joined(separator: "\n"))
      </spine>
      </package>
      """
  }
}
