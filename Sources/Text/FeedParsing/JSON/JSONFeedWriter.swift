public import FeedModel
internal import Foundation
internal import TextRules

/// Writes a feed as JSON Feed 1.1 (jsonfeed.org/version/1.1).
public enum JSONFeedWriter {
  /// The extension member that names the writer. The parser restores a feed by Weir exactly.
  static let generatorMember = "_generator"
  static let generator = "Weir"
  /// The extension member that marks an item whose title was derived from its text.
  static let derivedTitleMember = "_title_is_derived"

  /// Writes the feed as UTF-8 with a final newline, in pieces of about 64 KiB. Every item gets
  /// `content_html` or `content_text`, as the format requires; an item without content gets an
  /// empty text. An HTML item without a title gets the title that lists derive from its text.
  public static func write<Failure>(
    _ feed: ParsedFeed, to output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("version", "https://jsonfeed.org/version/1.1")
    writer.member(generatorMember, generator)
    writer.member("title", feed.title)
    writer.member("description", feed.summary)
    writer.member("home_page_url", feed.homePageURL)
    writer.member("feed_url", feed.feedURL)
    writer.member("icon", feed.iconURL)
    writer.member("favicon", feed.faviconURL)
    writer.member("language", feed.language)
    writer.authors(feed.authors)
    writer.beginArray("items")
    for item in feed.items {
      writer.object { $0.item(item) }
      if writer.bytes.count > 1 << 16 { try output(writer.removeBytes()) }
    }
    writer.endArray()
    writer.endObject()
    writer.endLine()
    try output(writer.removeBytes())
  }
}

extension JSONWriter {
  fileprivate mutating func item(_ item: ParsedItem) {
    member("id", item.id)
    member("url", item.url)
    member("external_url", item.externalURL)
    if let title = item.title {
      member("title", title)
    } else if item.contentText == nil, let title = DerivedTitle.of(item) {
      member("title", title)
      member(JSONFeedWriter.derivedTitleMember, number: "true")
    }
    member("content_html", item.contentHTML)
    member("content_text", item.contentText ?? (item.contentHTML == nil ? "" : nil))
    member("summary", item.summary)
    member("image", item.imageURL)
    member("date_published", item.datePublished.flatMap(DateParser.rfc3339))
    member("date_modified", item.dateModified.flatMap(DateParser.rfc3339))
    authors(item.authors)
    if !item.tags.isEmpty { array("tags", item.tags) { $0.string($1) } }
    member("language", item.language)
    guard !item.enclosures.isEmpty else { return }
    array("attachments", item.enclosures) { writer, file in
      writer.object {
        $0.member("url", file.url)
        $0.member("mime_type", file.mimeType)
        $0.member("title", file.title)
        $0.member("size_in_bytes", number: file.size.map { String($0) })
        $0.member("duration_in_seconds", number: file.duration.map(Self.shortest))
      }
    }
  }

  fileprivate mutating func authors(_ authors: [Author]) {
    guard !authors.isEmpty else { return }
    array("authors", authors) { writer, author in
      writer.object {
        $0.member("name", author.name)
        $0.member("url", author.url)
      }
    }
  }

  /// Writes 90 instead of 90.0.
  private static func shortest(_ value: Double) -> String {
    value == value.rounded() && value < 1e15 ? String(Int64(value)) : String(value)
  }
}

/// Writes JSON (RFC 8259) to bytes.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func removeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  mutating func endObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func beginArray(_ name: String? = nil) {
    if let name { key(name) } else { separate() }
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  mutating func endArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  mutating func array<Element>(
    _ name: String? = nil, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    beginArray(name)
    for element in elements { body(&self, element) }
    endArray()
  }

  /// Writes nothing for `nil`.
  mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    quote(value)
    needsComma = true
  }

  mutating func member(_ name: String, number: String?) {
    guard let number else { return }
    key(name)
    bytes.append(contentsOf: number.utf8)
    needsComma = true
  }

  mutating func string(_ value: String) {
    separate()
    quote(value)
    needsComma = true
  }

  mutating func endLine() { bytes.append(0x0A) }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func quote(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { source in
      var copied = 0
      for index in source.indices where Self.needsEscape(source[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[copied..<index]))
        escape(source[index])
        copied = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[copied...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: (digits.utf8.count < 2 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: digits.utf8)
    }
  }
}
