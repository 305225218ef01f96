internal import Foundation

/// The settings of a feed for its form, and the source of each default.
public struct FeedOptionWording {
  private let sources: FeedOptionSources

  public init(_ sources: FeedOptionSources) { self.sources = sources }

  /// Returns the text of a field; empty if the feed has no such setting.
  public func written(_ option: FeedOption) -> String {
    Self.shown(option, sources.own) ?? ""
  }

  /// Returns the value that applies without a setting of the feed: "30 minutes (config.toml)".
  public func unset(_ option: FeedOption) -> String {
    Self.shown(option, sources.configured).map { "\($0) (config.toml)" } ?? "default"
  }

  /// The retention that applies without a setting of the feed.
  public var unsetKeeping: String {
    sources.configured.retention.map { "\(RetentionWording.text($0)) (config.toml)" } ?? "default"
  }

  private static func shown(_ option: FeedOption, _ options: FeedOptions) -> String? {
    guard let text = options.text(of: option) else { return nil }
    switch option {
    case .interval: return options.interval.map(IntervalWording.text)
    case .proxy: return text.isEmpty ? "none" : text
    case .headers: return text.replacing("\n", with: " | ")
    case .fullText, .sort, .markRead: return choice(text)
    case .userAgent, .cookies, .download, .keepArticles, .keepDays: return text
    }
  }

  public static func choice(_ name: String) -> String {
    switch name {
    case "true": "fetch it"
    case "false": "don\u{2019}t fetch it"
    case "newest": "newest first"
    case "oldest": "oldest first"
    case "title": "by title"
    case "author": "by author"
    case "feed": "by feed"
    case "unread": "unread first"
    case "length": "shortest first"
    case "opened": "when opened"
    case "passed": "when opened or passed"
    case "never": "only by hand"
    default: name
    }
  }
}

/// Intervals between checks as users write them: "30 minutes", "2 hours", "1 day".
public enum IntervalWording {
  private static let units: [(name: String, minutes: Int)] = [
    ("week", 10_080), ("day", 1_440), ("hour", 60), ("minute", 1),
  ]

  /// Returns the interval in the largest unit that divides it.
  public static func text(_ interval: Duration) -> String {
    let minutes = Int(interval.components.seconds / 60)
    let unit = units.first { minutes % $0.minutes == 0 && minutes >= $0.minutes } ?? units[3]
    return AmountWording.count(minutes / unit.minutes, unit.name, unit.name + "s")
  }

  /// The meaning of a text.
  public enum Answer: Equatable {
    case none
    case every(Duration)
    case invalid
  }

  /// Parses an interval. A number without a unit means minutes.
  public static func read(_ text: String) -> Answer {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let first = words.first else { return .none }
    let digits = first.prefix { $0.isASCII && $0.isNumber }
    let rest = String(first.dropFirst(digits.count)) + words.dropFirst().joined()
    guard let number = Int(digits), number > 0, number <= FeedOptions.intervals.upperBound else {
      return .invalid
    }
    let names = ["m": 1, "min": 1, "h": 60, "d": 1_440, "w": 10_080, "": 1]
    let named = units.first { rest == $0.name || rest == $0.name + "s" }?.minutes
    guard let unit = named ?? names[rest] else { return .invalid }
    let minutes = number * unit
    return FeedOptions.intervals.contains(minutes) ? .every(.seconds(60 * minutes)) : .invalid
  }
}
