// HTML as feeds and pages carry it: read, cleaned, turned into text. Nothing here touches network or
// disk, and everything takes time in proportion to its input, whatever the input.
//
// Reading/ turns bytes into tags and text, Cleaning/ decides what of it a reader may see, Pages/ finds
// things in web pages.

/// The operations on HTML.
public enum HTMLContent {
  /// The tree of a fragment or document; nesting beyond `HTMLContent.maximumDepth` is flattened.
  /// Never fails.
  public static func parse(_ html: String) -> [HTMLNode] {
    let bytes = Array(html.utf8)
    var reader = HTMLReader(bytes, sink: TreeBuilder())
    reader.run()
    return reader.sink.finished()
  }

  /// Elements nested deeper than this lose their tags and keep their text.
  public static let maximumDepth = 256

  /// HTML that holds only allowed elements, attributes and address schemes, with addresses made
  /// absolute against `baseURL`; balanced, escaped, without control and bidi-control characters.
  /// Idempotent.
  public static func sanitise(_ html: String, baseURL: String? = nil) -> String {
    let bytes = Array(html.utf8)
    if isCleanText(bytes) { return html }
    return String(decoding: sanitise(bytes, baseURL: baseURL), as: UTF8.self)
  }

  /// `sanitise(_:baseURL:)` on well-formed UTF-8.
  public static func sanitise(_ html: [UInt8], baseURL: String? = nil) -> [UInt8] {
    var reader = HTMLReader(
      html, sink: Sanitiser(baseURL: baseURL, capacity: html.count + html.count / 8))
    reader.run()
    return reader.sink.writer.out
  }

  private static func isCleanText(_ bytes: [UInt8]) -> Bool {
    let needsLook = TextFilter.needsLook
    return bytes.allSatisfy { !needsLook[Int($0)] || $0 == UInt8(ascii: "\"") }
  }

  /// Plain text in one line: markup removed, references decoded, the content of script and style
  /// dropped, white space collapsed, control, bidi-control and invisible characters removed. What
  /// only looks like markup ("a < b", "List<String>") stays.
  public static func plainText(_ html: String) -> String {
    if PlainText.isClean(html.utf8), !html.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C }) {
      return html
    }
    return PlainTextReader.text(Array(html.utf8))
  }

  /// `text`, which is no HTML, fit to be shown in one line: control, bidi-control, tag and invisible
  /// characters removed, white space collapsed. For titles, names, addresses, messages of servers.
  public static func cleanText(_ text: String) -> String {
    if PlainText.isClean(text.utf8) { return text }
    let bytes = Array(text.utf8)
    var plain = PlainText(capacity: bytes.count)
    plain.write(bytes, bytes.indices, decodes: false)
    return plain.text
  }
}
