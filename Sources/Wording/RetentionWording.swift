public import FeedStore

/// How much of a feed is kept: "500 articles", "90 days", both, or nothing.
public enum RetentionWording {
  /// "all" if everything is kept; empty for `nil`.
  public static func text(_ retention: Retention?) -> String {
    guard let retention else { return "" }
    let parts = [
      amount(retention.articles, "article"), amount(retention.days, "day"),
    ].compactMap { $0 }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }

  /// Without a separator between thousands, as `read` expects it.
  private static func amount(_ number: Int, _ noun: String) -> String? {
    number > 0 ? "\(number) \(noun)\(number == 1 ? "" : "s")" : nil
  }

  /// The meaning of a text; without `retention` the default applies.
  public struct Answer: Equatable {
    public var retention: Retention?
  }

  /// `nil` if the text has no meaning.
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
