import FeedModel
import TextRules

/// What an article shows where its item leaves a gap, and how much of an item is kept.
enum ItemText {
  /// Bytes of UTF-8. What is longer is cut between characters; an address that is longer is
  /// ignored.
  enum Limit {
    static let title = 2_000
    static let address = 8_192
    static let identifier = 1_024
    static let summary = 65_536
    static let body = 4_194_304
    static let label = 512
  }

  /// At most this many authors, tags, enclosures.
  static let mostParts = 64

  static func cut(_ text: String, _ limit: Int) -> String { DerivedTitle.cut(text, limit) }

  /// At most `Limit.label` of it.
  static func label(_ text: String) -> String { cut(text, Limit.label) }

  static func address(_ text: String?) -> String? {
    guard let text, !text.isEmpty, text.utf8.count <= Limit.address else { return nil }
    return text
  }

  // MARK: Titles

  /// Never empty: the item's title, else what is derived of the item, else its id.
  static func title(_ item: ParsedItem) -> String {
    let title =
      nonBlank(item.title) ?? DerivedTitle.of(item) ?? nonBlank(visible(item.id)) ?? "·"
    return cut(title, Limit.title)
  }

  /// An id is kept as it was written; what is read of it is not.
  private static func visible(_ text: String) -> String {
    var text = text
    return text.withUTF8(PlainText.line)
  }

  private static func nonBlank(_ text: String?) -> String? { DerivedTitle.nonBlank(text) }

  // MARK: Bodies

  /// Sanitised HTML of what an item says; empty if it says no more than a summary.
  static func body(_ item: ParsedItem) -> String {
    if let html = nonBlank(item.contentHTML) { return cut(html, Limit.body) }
    if let text = nonBlank(item.contentText) { return PlainBody.html(cut(text, Limit.body)) }
    return ""
  }
}
