public import FeedModel
internal import Foundation

/// A feed as JSON Feed 1.1 (jsonfeed.org/version/1.1).
public enum JSONFeedWriter {
  /// UTF-8, with a line end. Every item has `content_html` or `content_text`, as the format demands:
  /// an empty text where the feed gave none.
  public static func document(_ feed: ParsedFeed) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("version", "https://jsonfeed.org/version/1.1")
      $0.member("title", feed.title)
      $0.member("description", feed.summary)
      $0.member("home_page_url", feed.homePageURL)
      $0.member("feed_url", feed.feedURL)
      $0.member("icon", feed.iconURL)
      $0.member("favicon", feed.faviconURL)
      $0.member("language", feed.language)
      $0.authors(feed.authors)
      $0.array("items", feed.items) { writer, item in writer.object { $0.item(item) } }
    }
    writer.endLine()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func item(_ item: ParsedItem) {
    member("id", item.id)
    member("url", item.url)
    member("external_url", item.externalURL)
    member("title", item.title)
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

  /// 90, not 90.0.
  private static func shortest(_ value: Double) -> String {
    value == value.rounded() && value < 1e15 ? String(Int64(value)) : String(value)
  }
}

/// Writes JSON (RFC 8259) to bytes.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether the innermost object or array needs a comma before its next entry.
  private var needsComma = false

  mutating func object(_ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func array<Element>(
    _ name: String? = nil, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    if let name { key(name) } else { separate() }
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements { body(&self, element) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Nothing where there is no value.
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
    let hex = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7F:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(hex[Int(byte >> 4)])
        bytes.append(hex[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
