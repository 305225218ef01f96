public import FeedModel
public import FeedStore

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
    let configured = sources.configured
    guard configured.keepArticles != nil || configured.keepDays != nil else { return "default" }
    let retention = Retention(
      articles: configured.keepArticles ?? 0, days: configured.keepDays ?? 0)
    return "\(RetentionWording.text(retention)) (config.toml)"
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

  /// Returns the words for a choice's name.
  public func choice(_ name: String) -> String { Self.choice(name) }

  private static func choice(_ name: String) -> String {
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
