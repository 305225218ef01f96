import TextRules

/// Texts that an article shows if its item lacks them, and limits on stored parts of an item.
package enum ItemText {
  /// Bytes of UTF-8. Longer texts are cut between characters; longer addresses are ignored.
  package enum Limit {
    package static let title = 2_000
    package static let address = WebAddress.maximumLength
    static let identifier = 1_024
    static let summary = 65_536
    package static let body = 4_194_304
    package static let label = 512
  }

  /// Largest number of authors, tags or enclosures that are stored.
  static let mostParts = 64

  package static func cut(_ text: String, _ limit: Int) -> String { PlainText.cut(text, to: limit) }

  package static func label(_ text: String) -> String { cut(text, Limit.label) }

  package static func address(_ text: String?) -> String? {
    guard let text, !text.isEmpty, text.utf8.count <= Limit.address else { return nil }
    return text
  }

  /// Returns the item's title, or one derived from the item, or its ID; never an empty text.
  package static func title(_ item: ParsedItem) -> String {
    let title = nonBlank(item.title) ?? DerivedTitle.of(item) ?? nonBlank(visible(item.id)) ?? "·"
    return cut(title, Limit.title)
  }

  /// Removes characters of an ID that cannot be shown.
  private static func visible(_ text: String) -> String {
    var text = text
    return text.withUTF8(PlainText.line)
  }

  private static func nonBlank(_ text: String?) -> String? { DerivedTitle.nonBlank(text) }

  /// Returns the sanitised HTML of an item; empty if it has only a summary.
  package static func body(_ item: ParsedItem) -> String {
    if let html = nonBlank(item.contentHTML) { return cut(html, Limit.body) }
    if let text = nonBlank(item.contentText) { return PlainBody.html(cut(text, Limit.body)) }
    return ""
  }

  /// Counts the words of an item's text, or of its summary if it has only that.
  static func words(_ html: String, _ item: ParsedItem) -> Int {
    html.isEmpty
      ? ReadingTime.words(in: item.summary ?? "", isMarkup: false) : ReadingTime.words(in: html)
  }
}
