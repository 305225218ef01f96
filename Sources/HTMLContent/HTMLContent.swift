// HTML as feeds and pages carry it: read, cleaned, turned into text. Nothing here touches network
// or disk, and everything takes time in proportion to its input, whatever the input.
//
// Reading/ turns bytes into tags and text, Cleaning/ decides what of it a reader may see, Pages/
// finds things in web pages.

package import FeedModel
internal import TextRules

/// The operations on HTML.
public enum HTMLContent {
  /// The tree of a fragment or document; nesting beyond `HTMLContent.maximumDepth` is flattened.
  /// Never fails.
  public static func parse(_ html: String) -> [HTMLNode] {
    var html = html
    return html.withUTF8 { bytes in
      var reader = HTMLReader(bytes, sink: TreeBuilder())
      reader.run()
      return reader.sink.finished()
    }
  }

  /// Elements nested deeper than this lose their tags and keep their text.
  public static let maximumDepth = 256

  /// HTML that holds only allowed elements, attributes and address schemes, with addresses made
  /// absolute against `baseURL`; balanced, escaped, without control and bidi-control characters,
  /// and without clusters beyond `GraphemeLimit`. Names of places (`id`, `name`) and links to them
  /// (`#part`) stay: footnotes find their text. Idempotent.
  public static func sanitise(_ html: String, baseURL: String? = nil) -> String {
    let bytes = Array(html.utf8)
    if isCleanText(bytes) { return GraphemeLimit.limited(html) }
    return String(decoding: sanitise(bytes, baseURL: baseURL), as: UTF8.self)
  }

  /// `sanitise(_:baseURL:)` on well-formed UTF-8.
  public static func sanitise(_ html: [UInt8], baseURL: String? = nil) -> [UInt8] {
    let base = baseURL.map { WebAddress($0) }
    return html.withUnsafeBufferPointer { sanitise($0, base: base) }
  }

  /// `sanitise(_:baseURL:)` on well-formed UTF-8, with the base read already.
  package static func sanitise(_ html: UnsafeBufferPointer<UInt8>, base: WebAddress?) -> [UInt8] {
    var reader = HTMLReader(
      html, sink: Sanitiser(base: base, capacity: html.count + html.count / 8))
    reader.run()
    return GraphemeLimit.limited(reader.sink.writer.out)
  }

  private static func isCleanText(_ bytes: [UInt8]) -> Bool {
    let needsLook = ForbiddenCharacters.needsLook
    return bytes.allSatisfy { !needsLook[Int($0)] || $0 == UInt8(ascii: "\"") }
  }

  /// Plain text in one line: markup removed, references decoded, the content of script and style
  /// dropped, white space collapsed, control, bidi-control and invisible characters removed. What
  /// only looks like markup ("a < b", "List<String>") stays.
  public static func plainText(_ html: String) -> String {
    var html = html
    return html.withUTF8 { plainText($0) }
  }

  /// `plainText(_:)` of well-formed UTF-8.
  package static func plainText(_ html: UnsafeBufferPointer<UInt8>) -> String {
    PlainText.isClean(html, isHTML: true) ? html.string : PlainTextReader.line(html).text
  }

  /// `plainText(_:)` as UTF-8: for what looks through many texts.
  public static func plainTextBytes(_ html: String) -> [UInt8] {
    var html = html
    return html.withUTF8 {
      PlainText.isClean($0, isHTML: true) ? Array($0) : PlainTextReader.line($0).bytes
    }
  }

  /// `text`, which is no HTML, fit to be shown in one line: control, bidi-control, tag and
  /// invisible characters removed, white space collapsed. For titles, names, addresses, messages of
  /// servers.
  public static func cleanText(_ text: String) -> String {
    var text = text
    return text.withUTF8 { PlainText.line($0) }
  }

  /// `text`, which is no HTML, with its lines and spaces: only what must not reach a reader is
  /// removed.
  package static func cleanLines(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var writer = HTMLWriter()
    writer.write(text, text.indices, decodes: false, escaping: .none)
    return GraphemeLimit.limited(writer.out)
  }

  /// Whether HTML has an element of this name, in whatever case.
  package static func isElement(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let tag = HTMLTag.byName[PackedName(name, name.indices)] else { return false }
    return tag.traits.isDisjoint(with: [.isMath, .isDrawing])
  }

  /// Whether an element of this name has no end tag: `<br></br>` would be two line breaks.
  package static func isVoid(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    HTMLTag.byName[PackedName(name, name.indices)]?.traits.contains(.isVoid) == true
  }

  /// Whether the value of an attribute of this name is one address.
  package static func holdsAddress(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch AttributePolicy.table[PackedName(name, name.indices)]?.rule {
    case .link, .citation, .media, .poster: true
    default: name.matches("data")
    }
  }
}
