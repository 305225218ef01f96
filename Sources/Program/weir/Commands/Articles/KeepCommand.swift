import ArgumentParser
import ProgramSettings

struct KeepCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep",
    abstract: "Set or show how much of a feed is kept.",
    discussion: """
      [keep] in the configuration is for all feeds. Starred and tagged articles are never deleted, unread \
      ones not before their time; deleted articles do not come back.
      """)

  @Argument(help: "The feed: number, address, or part of its name.", completion: .feeds)
  var feed: String

  @Option(help: ArgumentHelp("Keep this many of the newest articles; 0: all.", valueName: "n"))
  var articles: Int?

  @Option(help: ArgumentHelp("Keep articles for this many days; 0: all.", valueName: "n"))
  var days: Int?

  @Flag(help: "Use the default again.") var `default` = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let most = 1_000_000

  func validate() throws {
    for number in [articles, days].compactMap({ $0 }) {
      if number < 0 { throw ValidationError("\(number) is below 0.") }
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
      try await session.store.reader.feeds.setRetention(feed.id, nil)
    } else if articles != nil || days != nil {
      try await session.store.reader.feeds.setRetention(
        feed.id, Retention(articles: articles ?? 0, days: days ?? 0))
    }
    let own = try session.store.reader.feeds.retention(of: feed.id)
    let said = Self.sentence(own ?? session.configuration.retention)
    try Console.print("\(feed.name): \(said)\(own == nil ? " (default)" : "")")
  }

  private static func sentence(_ retention: Retention) -> String {
    let count = AmountWording.articles(retention.articles)
    let days = AmountWording.count(retention.days, "day", "days")
    return switch (retention.articles > 0, retention.days > 0) {
    case (true, true): "keeps the newest \(count), and none older than \(days)"
    case (true, false): "keeps the newest \(count)"
    case (false, true): "keeps articles for \(days)"
    case (false, false): "keeps all articles"
    }
  }
}
