import ArgumentParser
import Foundation
import ProgramSettings

struct SnoozeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: "Hide articles or a feed until a time, or wake them.",
    usage: """
      weir snooze --until 3d ARTICLE...
      weir snooze --until mon --feed FEED
      weir snooze --wake ARTICLE...
      """,
    discussion: "weir articles is:asleep lists the articles; weir undo takes a snooze back.")

  @Argument(help: ArgumentHelp("Numbers, as weir articles prints them.", valueName: "article"))
  var articles: [String] = []

  @Option(help: "A feed: number, address, or part of its name.", completion: .feeds)
  var feed: String?

  @Option(
    help: ArgumentHelp(
      "A time: 2h, 3d, tomorrow 18:00, mon, 2030-12-24 9:30.", valueName: "time"))
  var until: String?

  @Flag(help: "Wake them now.") var wake = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard articles.isEmpty == (feed != nil) else {
      throw ValidationError("Give articles by number, or a feed with --feed.")
    }
    guard wake == (until == nil) else { throw ValidationError("Give --until or --wake.") }
    if until != nil, date == nil {
      throw ValidationError(
        "--until takes a time in the future: 2h, 3d, tomorrow 18:00, mon or 2030-12-24 9:30.")
    }
  }

  private var date: Date? { until.flatMap { SnoozeTime.date($0, after: Date(), .current) } }

  func run(in session: Session) async throws {
    let (store, date) = (session.store, date)
    let end = date.map { "asleep until \(DateWording.current.moment($0))" } ?? "awake"
    if let feed {
      let found = try FeedArgument.find(feed, in: store)
      try await store.reader.plan.snooze(found.id, until: date)
      return try Console.print("\(SafeText.withoutSecrets(found.name)) is \(end)")
    }
    let ids = try ArticleArgument.find(articles, in: store)
    try await store.reader.plan.snooze(ids, until: date)
    try Console.print("\(AmountWording.articles(ids.count)) \(end)")
  }
}
