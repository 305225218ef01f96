public import FeedModel
public import FeedStore

/// What is set for a feed, as its form says it, and where what holds otherwise comes from.
public struct FeedOptionWording {
  private let sources: FeedOptionSources

  /// - Parameter sources: the settings of one feed.
  public init(_ sources: FeedOptionSources) { self.sources = sources }

  /// As it is written in a field; empty if the feed has none of its own.
  public func written(_ option: FeedOption) -> String {
    Self.shown(option, sources.own) ?? ""
  }

  /// What holds without a setting of the feed's own: "30 minutes (config.toml)", "default".
  public func unset(_ option: FeedOption) -> String {
    Self.shown(option, sources.configured).map { "\($0) (config.toml)" } ?? "default"
  }

  /// The same of how much is kept.
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

  /// One of an option's names.
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
