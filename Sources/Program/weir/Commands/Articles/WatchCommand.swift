import ArgumentParser
import Foundation
import ProgramSettings

struct WatchCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a line for every new article, change and sync from every Weir process.",
    discussion: """
      Ends with Ctrl-C, or when its output is closed. With --json each line is an object \
      whose "event" says what happened: "arrived", "changed" and "marked" carry the article as weir \
      articles --json prints it; "deleted" carries the article’s id; "subscribed" and "unsubscribed" carry \
      the feed’s id, name and url; "synced" carries those of the account, and a failure if there was one; \
      "sync" says running, done, total, failed, new, rate (bytes a second) and grade.
      """)

  @Flag(help: "As JSON, one object a line.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  /// Changes that are printed; positions on screen and fetch records are not.
  private static let interest: StoreChange = [
    .subscriptions, .articles, .statuses, .journal, .accounts, .syncStatus,
  ]

  func run(in session: Session) async throws {
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let interrupt = Interrupt { _ in wake.finish() }
    defer { interrupt.end() }
    var mark = try session.store.reader.articles.eventMark()
    let observation = session.store.reader.observe(Self.interest) { _ in wake.yield() }
    defer { observation.cancel() }
    // The first read finds events between the mark and the observation.
    wake.yield()
    for await _ in wakes {
      for event in try session.store.reader.articles.events(since: &mark) {
        if interrupt.hasFired { break }
        try print(event, session.store)
      }
    }
    throw ExitCode(CommandFailure.Code.interrupted.rawValue)
  }

  private typealias Line = (event: String, object: JSONObject, cells: [String])

  private func print(_ event: StoreEvent, _ store: FeedStore) throws {
    guard let line = try line(event, store) else { return }
    if json { return try JSONOutput.print(line.object.adding("event", line.event)) }
    try Console.print(line.cells.joined(separator: "\t"))
  }

  /// Returns the event's name, its object and the cells of its line; `nil` if the row is gone.
  private func line(_ event: StoreEvent, _ store: FeedStore) throws -> Line? {
    func named(
      _ event: String, _ id: Int64, _ name: String? = nil, _ url: String? = nil,
      failure: String? = nil
    ) -> Line {
      let cells = [event, String(id), name, url, failure].compactMap { $0 }
      return (
        event, ["id": id, "name": name, "url": url, "failure": failure],
        cells.filter { !$0.isEmpty }
      )
    }
    func feed(_ event: String, _ id: FeedID) throws -> Line {
      let feed = try store.reader.feeds.feed(id)
      return named(
        event, id.rawValue, feed.map { SafeText.withoutSecrets($0.name) },
        feed.map { SafeText.withoutSecrets($0.url) })
    }
    func article(_ event: String, _ id: ArticleID, showsMarks: Bool = false) throws -> Line? {
      try store.reader.articles.articleRow(id).map { row in
        let marks =
          (row.status.isRead ? " read" : " unread") + (row.status.isStarred ? ", starred" : "")
          + (row.status.isLater ? ", later" : "")
        return (
          event, ["id": id.rawValue, "article": try store.reader.json([row])[0]],
          [event + (showsMarks ? marks : ""), "\(id.rawValue)", row.feedName, row.title]
        )
      }
    }
    switch event {
    case .arrived(let id): return try article("arrived", id)
    case .changed(let id): return try article("changed", id)
    case .marked(let id): return try article("marked", id, showsMarks: true)
    case .deleted(let id): return named("deleted", id.rawValue)
    case .subscribed(let id): return try feed("subscribed", id)
    case .unsubscribed(let id): return try feed("unsubscribed", id)
    case .synced(let id):
      return try store.reader.accounts.account(id).map {
        named("synced", id.rawValue, $0.title, $0.url, failure: $0.state.failure?.kind.rawValue)
      }
    case .sync(let status):
      let object: JSONObject = [
        "running": status.isRunning, "done": status.done, "total": status.total,
        "failed": status.failed, "new": status.newArticles, "rate": status.rate,
        "grade": status.quality?.rawValue,
      ]
      let state = status.isRunning ? "running" : "idle"
      return (
        "sync", ["sync": object],
        ["sync", state, "\(status.done)/\(status.total)", "\(status.newArticles) new"]
      )
    }
  }
}
