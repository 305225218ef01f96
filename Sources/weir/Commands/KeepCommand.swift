import ArgumentParser
import FeedModel
import FeedStore
import ReaderUI

/// `weir keep`: how much of one feed is kept.
struct KeepCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep",
    abstract: "Say how much of a feed is kept, or ask.",
    discussion: """
      For all feeds together: [keep] in the configuration. What is starred or tagged is never thrown away, nor \
      what is unread before its term; what was thrown away does not return.
      """)

  @Argument(help: "The feed: number, address, or part of its name.")
  var feed: String

  @Option(help: ArgumentHelp("The newest so many articles; 0: all.", valueName: "n"))
  var articles: Int?

  @Option(help: ArgumentHelp("The articles of so many days; 0: all.", valueName: "n"))
  var days: Int?

  @Flag(help: "As for the other feeds.")
  var `default` = false

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  private static let most = 1_000_000

  func validate() throws {
    for number in [articles, days].compactMap({ $0 }) {
      if number < 0 { throw ValidationError("\(number) is less than nothing.") }
      if number > Self.most {
        throw ValidationError("\(number) is more than \(Self.most); 0 keeps everything.")
      }
    }
    if `default`, articles != nil || days != nil {
      throw ValidationError("Give --default, or --articles and --days, not both.")
    }
  }

  func run(in session: Session) async throws {
    let feed = try FeedArgument.find(feed, in: session.store)
    if `default` {
      try await session.store.setRetention(feed.id, nil)
    } else if articles != nil || days != nil {
      try await session.store.setRetention(
        feed.id, Retention(articles: articles ?? 0, days: days ?? 0))
    }
    let own = try session.store.retention(of: feed.id)
    let said = Self.sentence(own ?? session.configuration.retention)
    try Console.print("\(feed.name): \(said)\(own == nil ? ", as for the other feeds" : "")")
  }

  private static func sentence(_ retention: Retention) -> String {
    var parts: [String] = []
    if retention.articles > 0 {
      parts.append("the newest \(AmountWording.count(retention.articles, "article", "articles"))")
    }
    if retention.days > 0 {
      parts.append("the articles of \(AmountWording.count(retention.days, "day", "days"))")
    }
    return parts.isEmpty
      ? "everything is kept" : "kept are " + parts.joined(separator: ", and of those ")
  }
}
