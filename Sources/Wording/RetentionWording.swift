public import FeedStore

/// How much of a feed is kept, as people write it: "500 articles", "90 days", both, or nothing.
public enum RetentionWording {
  /// "all" where everything is kept; empty for nil: nothing is set.
  public static func text(_ retention: Retention?) -> String {
    guard let retention else { return "" }
    let parts = [
      amount(retention.articles, "article"), amount(retention.days, "day"),
    ].compactMap { $0 }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }

  /// As it is read again: without a mark between thousands.
  private static func amount(_ number: Int, _ noun: String) -> String? {
    number > 0 ? "\(number) \(noun)\(number == 1 ? "" : "s")" : nil
  }

  /// What a text means.
  public struct Answer: Equatable {
    /// Nil: as everywhere.
    public var retention: Retention?
  }

  /// Nil if it means nothing.
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
