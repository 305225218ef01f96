import Books
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A book as a file.
@Suite("Books for e-readers") struct BookTests {
  @Test("The first file is the type of the book, at its fixed place") func mimetype() throws {
    let book = try Self.book()
    #expect(Array(book[30..<38]) == Array("mimetype".utf8))
    #expect(Array(book[38..<58]) == Array("application/epub+zip".utf8))
  }

  @Test("Python's zipfile reads each file of the book") func archive() throws {
    let names = try Self.unpacked { folder in
      try #require(FileManager.default.subpaths(atPath: folder)?.sorted())
    }
    #expect(
      names == [
        "EPUB", "EPUB/article0001.xhtml", "EPUB/article0002.xhtml", "EPUB/book.css",
        "EPUB/book.opf", "EPUB/contents.ncx", "EPUB/contents.xhtml", "EPUB/picture1.png",
        "META-INF", "META-INF/container.xml", "mimetype",
      ])
  }

  @Test("All pages are well-formed XML, and the contents name each article below its feed")
  func pages() throws {
    try Self.unpacked { folder in
      let files = try #require(FileManager.default.subpaths(atPath: folder))
      for file in files where !file.hasSuffix(".css") && !file.hasSuffix(".png") {
        guard let data = FileManager.default.contents(atPath: folder + "/" + file),
          file != "mimetype"
        else { continue }
        #expect(XMLParser(data: data).parse(), "\(file)")
      }
      let contents = try String(contentsOfFile: folder + "/EPUB/contents.xhtml", encoding: .utf8)
      #expect(contents.contains("<span>A &amp; B</span>"))
      #expect(contents.contains("<a href=\"article0001.xhtml\">One &lt; two</a>"))
      #expect(contents.contains("<a href=\"article0002.xhtml\">Untitled</a>"))
      let article = try String(contentsOfFile: folder + "/EPUB/article0001.xhtml", encoding: .utf8)
      #expect(article.contains("<img src=\"picture1.png\" alt=\"\"/>"))
      #expect(article.contains("lang=\"de\""))
    }
  }

  @Test("A book without articles has a page that says so") func empty() throws {
    var bytes: [UInt8] = []
    var book = try BookWriter(
      title: "Nothing", identifier: UUID(), language: "en", modified: Date(timeIntervalSince1970: 0)
    ) { bytes += $0 }
    try book.finish()
    #expect(String(decoding: bytes, as: UTF8.self).contains("article0001.xhtml"))
  }

  @Test("An error of the file ends the writing") func failure() throws {
    struct Full: Error {}
    #expect(throws: Full.self) {
      _ = try BookWriter(
        title: "", identifier: UUID(), language: "en", modified: Date()
      ) { _ in throw Full() }
    }
  }

  private static func book() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var book = try BookWriter(
      title: "Evening", identifier: UUID(), language: "en", modified: Date(timeIntervalSince1970: 0)
    ) { bytes += $0 }
    book.beginSection("Empty")
    book.beginSection("A & B")
    try book.add(
      BookArticle(
        title: "One < two", source: "A & B · 3 min", address: "https://e.org/1",
        html: "<p>Text</p><img src=\"https://e.org/1.png\">", language: "de",
        pictures: ["https://e.org/1.png": BookPicture(bytes: [1, 2, 3], format: .png)]))
    try book.add(BookArticle(title: "", source: "", address: nil, html: ""))
    try book.finish()
    return bytes
  }

  private static func unpacked<T>(_ body: (String) throws -> T) throws -> T {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(book()).write(to: URL(filePath: folder + ".epub"))
    defer { try? FileManager.default.removeItem(atPath: folder + ".epub") }
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = ["python3", "-m", "zipfile", "-e", folder + ".epub", folder]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    return try body(folder)
  }
}
