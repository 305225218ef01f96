// HTML of feeds and pages: parsing, sanitising, plain text. No network or disk; linear time for
// every input.
//
// Reading/ parses bytes, Cleaning/ sanitises, Pages/ extracts data from web pages.

import FeedModel
internal import TextRules

/// The operations on HTML.
public enum HTMLContent {
  /// Returns the tree of any fragment or document, flattened beyond `HTMLContent.maximumDepth`.
  public static func parse(_ html: String) -> [HTMLNode] {
    var html = html
    return html.withUTF8 { bytes in
      var reader = HTMLReader(bytes, sink: TreeBuilder())
      reader.run()
      return reader.sink.finished()
    }
  }

  /// Maximum depth; deeper elements lose their tags and keep their text.
  public static let maximumDepth = 256

  /// Returns HTML with only allowed elements, attributes and schemes, and addresses absolute
  /// against `baseURL`; balanced, escaped, without control and bidi-control characters, and without
  /// clusters beyond `GraphemeLimit`. Keeps places (`id`, `name`) and links to them (`#part`) for
  /// footnotes. Omits what a browser does not show, unless nothing else is left. Idempotent. At
  /// most four times the length of `html` plus 64 kB, and at most about 16 MiB: near this limit,
  /// first addresses and then the rest of the text are left out.
  public static func sanitise(_ html: String, baseURL: String? = nil) -> String {
    let bytes = Array(html.utf8)
    if isCleanText(bytes) { return GraphemeLimit.limited(html) }
    return String(decoding: sanitise(bytes, baseURL: baseURL), as: UTF8.self)
  }

  /// Sanitises well-formed UTF-8 like `sanitise(_:baseURL:)`.
  public static func sanitise(_ html: [UInt8], baseURL: String? = nil) -> [UInt8] {
    let base = baseURL.map { WebAddress($0) }
    return html.withUnsafeBufferPointer { sanitise($0, base: base) }
  }

  /// Sanitises well-formed UTF-8 like `sanitise(_:baseURL:)`, with a parsed base.
  package static func sanitise(_ html: UnsafeBufferPointer<UInt8>, base: WebAddress?) -> [UInt8] {
    var reader = HTMLReader(html, sink: Sanitiser(base: base, source: html.count))
    reader.run { !$0.isFull }
    return GraphemeLimit.limited(reader.sink.clean)
  }

  private static func isCleanText(_ bytes: [UInt8]) -> Bool {
    let needsCheck = ForbiddenCharacters.needsCheck
    return bytes.allSatisfy { !needsCheck[Int($0)] || $0 == UInt8(ascii: "\"") }
  }

  /// Returns plain text in one line: decodes references, collapses white space, and removes markup,
  /// script, style, control, bidi-control and invisible characters. Text that resembles markup ("a
  /// < b", "List<String>") is kept.
  public static func plainText(_ html: String) -> String {
    var html = html
    return html.withUTF8 { plainText($0) }
  }

  /// Returns the `plainText(_:)` of well-formed UTF-8.
  package static func plainText(_ html: UnsafeBufferPointer<UInt8>) -> String {
    PlainText.isClean(html, isHTML: true) ? html.string : PlainTextReader.line(html).text
  }

  /// Returns the `plainText(_:)` as UTF-8, for fast searches.
  package static func plainTextBytes(_ html: String) -> [UInt8] {
    var html = html
    return html.withUTF8 {
      PlainText.isClean($0, isHTML: true) ? Array($0) : PlainTextReader.line($0).bytes
    }
  }

  /// Returns plain `text` for display in one line: collapses white space and removes control,
  /// bidi-control, tag and invisible characters. For titles, names, addresses, messages of servers.
  public static func cleanText(_ text: String) -> String {
    var text = text
    return text.withUTF8 { PlainText.line($0) }
  }

  /// Returns plain `text` with its lines and spaces; removes only unsafe characters.
  package static func cleanLines(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var writer = HTMLWriter()
    writer.write(text, text.indices, decodes: false, escaping: .none)
    return GraphemeLimit.limited(writer.out)
  }

  /// True for the name of an HTML element, ignoring case.
  package static func isElement(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let tag = HTMLTag.byName[PackedName(name, name.indices)] else { return false }
    return tag.traits.isDisjoint(with: [.isMath, .isDrawing])
  }

  /// True for elements without an end tag, as `<br></br>` would be two line breaks.
  package static func isVoid(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    HTMLTag.byName[PackedName(name, name.indices)]?.traits.contains(.isVoid) == true
  }

  /// True for attributes with one address as value.
  package static func holdsAddress(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch AttributePolicy.table[PackedName(name, name.indices)]?.rule {
    case .link, .citation, .media, .poster: true
    default: name.matches("data")
    }
  }
}
