import ArgumentParser
import FeedModel
import FeedStore
import Foundation

struct WatchCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a line for every new article, change and sync from every Weir process.",
    discussion: """
      Ends with Ctrl-C, or when its output is closed. With --json each line is an object \
      whose "event" says what happened: "arrived", "changed" and "marked" carry the article as weir \
      articles --json prints it; "deleted" its id; "subscribed" and "unsubscribed" the feed’s id, and \
      its name and url; "synced" an account’s, and the failure where there was one; "sync" says running, \
      done, total, failed, new, rate (bytes a second) and grade.
      """)

  @Flag(help: "As JSON, one object a line.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  /// Positions on screen and fetch records are private.
  private static let interest: StoreChange = [
    .subscriptions, .articles, .statuses, .journal, .accounts, .syncStatus,
  ]

  func run(in session: Session) async throws {
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let interrupt = Interrupt { wake.finish() }
    defer { interrupt.end() }
    var mark = try session.store.reader.eventMark()
    let observation = session.store.reader.observe(Self.interest) { _ in wake.yield() }
    defer { observation.cancel() }
    // Events between the mark and the observation.
    wake.yield()
    for await _ in wakes {
      for event in try session.store.reader.events(since: &mark) {
        if interrupt.hasFired { return }
        try print(event, session.store)
      }
    }
  }

  private func print(_ event: StoreEvent, _ store: FeedStore) throws {
    guard let (object, cells) = try line(event, store) else { return }
    if json { return try JSONOutput.print(object.adding("event", event.name)) }
    try Console.print(cells.joined(separator: "\t"))
  }

  /// The event's object and the cells of its line; `nil` if the row is gone.
  private func line(_ event: StoreEvent, _ store: FeedStore) throws -> (JSONObject, [String])? {
    func named(_ id: Int64, _ name: String?, _ url: String?, failure: String? = nil) -> (
      JSONObject, [String]
    ) {
      let cells = [event.name, String(id), name, url, failure].compactMap { $0 }
      return (
        ["id": id, "name": name, "url": url, "failure": failure], cells.filter { !$0.isEmpty }
      )
    }
    switch event {
    case .arrived(let id), .changed(let id), .marked(let id):
      guard let row = try store.reader.articleRow(id) else { return nil }
      let state =
        (row.status.isRead ? " read" : " unread")
        + (row.status.isStarred ? ", starred" : "")
      let mark = if case .marked = event { state } else { "" }
      return (
        ["id": id.rawValue, "article": row.json],
        [event.name + mark, "\(id.rawValue)", row.feedName, row.title]
      )
    case .deleted(let id): return named(id.rawValue, nil, nil)
    case .subscribed(let id), .unsubscribed(let id):
      let feed = try store.reader.feed(id)
      return named(
        id.rawValue, feed.map { SafeText.withoutSecrets($0.name) },
        feed.map { SafeText.withoutSecrets($0.url) })
    case .synced(let id):
      return try store.reader.account(id).map {
        named(id.rawValue, $0.title, $0.url, failure: $0.state.failure?.kind.rawValue)
      }
    case .sync(let status):
      let object: JSONObject = [
        "running": status.isRunning, "done": status.done, "total": status.total,
        "failed": status.failed, "new": status.newArticles, "rate": status.rate,
        "grade": status.quality?.rawValue,
      ]
      let state = status.isRunning ? "running" : "idle"
      return (
        ["sync": object],
        [event.name, state, "\(status.done)/\(status.total)", "\(status.newArticles) new"]
      )
    }
  }
}

extension StoreEvent {
  fileprivate var name: String {
    switch self {
    case .arrived: "arrived"
    case .changed: "changed"
    case .marked: "marked"
    case .deleted: "deleted"
    case .subscribed: "subscribed"
    case .unsubscribed: "unsubscribed"
    case .synced: "synced"
    case .sync: "sync"
    }
  }
}
