public import FeedStore

/// The limits up to which articles of a feed are kept: "500 articles", "90 days", both, or none.
public enum RetentionWording {
  /// Returns the limits as text; "all" if everything is kept; empty for `nil`.
  public static func text(_ retention: Retention?) -> String {
    guard let retention else { return "" }
    let parts = [
      amount(retention.articles, "article"), amount(retention.days, "day"),
    ].compactMap { $0 }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }

  /// Returns an amount without a separator between thousands, as `read` expects it.
  private static func amount(_ number: Int, _ noun: String) -> String? {
    number > 0 ? "\(number) \(noun)\(number == 1 ? "" : "s")" : nil
  }

  /// The meaning of a text; if `retention` is `nil`, the default applies.
  public struct Answer: Equatable {
    public var retention: Retention?
  }

  /// Parses a text; `nil` if it is invalid.
  public static func read(_ text: String) -> Answer? {
    let words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
    if words.isEmpty { return Answer(retention: nil) }
    if words == ["all"] { return Answer(retention: Retention()) }
    var retention = Retention()
    var index = 0
    while index + 1 < words.count {
      guard let number = Int(words[index]), (1...1_000_000).contains(number) else { return nil }
      switch words[index + 1].first {
      case "a": retention.articles = number
      case "d": retention.days = number
      default: return nil
      }
      index += 2
    }
    return index == words.count ? Answer(retention: retention) : nil
  }
}
