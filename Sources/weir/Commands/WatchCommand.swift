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

  @Flag(help: "As JSON, one object a line.")
  var json = false

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

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
    guard let line = try Line(event, store) else { return }
    if json { try JSONOutput.print(line) } else { try Console.print(line.sentence) }
  }

  private struct Line: Encodable {
    var event: String
    var article: ArticleRowDocument?
    var id: Int64?
    var name: String?
    var url: String?
    var failure: String?
    var sync: Sync?

    struct Sync: Encodable {
      var running: Bool
      var done: Int
      var total: Int
      var failed: Int
      var new: Int
      var rate: Double
      var grade: String?
    }

    /// `nil` if the row is gone.
    init?(_ event: StoreEvent, _ store: FeedStore) throws {
      switch event {
      case .arrived(let id), .changed(let id), .marked(let id):
        guard let row = try store.reader.articleRow(id) else { return nil }
        article = ArticleRowDocument(row)
        self.id = id.rawValue
      case .deleted(let id): self.id = id.rawValue
      case .subscribed(let id), .unsubscribed(let id):
        self.id = id.rawValue
        if let feed = try store.reader.feed(id) {
          name = SafeText.withoutSecrets(feed.name)
          url = SafeText.withoutSecrets(feed.url)
        }
      case .synced(let id):
        guard let account = try store.reader.account(id) else { return nil }
        (self.id, name, url) = (id.rawValue, account.title, account.url)
        failure = account.state.failure?.kind.rawValue
      case .sync(let status):
        sync = Sync(
          running: status.isRunning, done: status.done, total: status.total,
          failed: status.failed, new: status.newArticles, rate: status.rate,
          grade: status.quality?.rawValue)
      }
      self.event =
        switch event {
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

    var sentence: String {
      if let article {
        let state = "\(article.read ? "read" : "unread")\(article.starred ? ", starred" : "")"
        let mark = event == "marked" ? " \(state)" : ""
        return "\(event)\(mark)\t\(article.id)\t\(article.feedName)\t\(article.title)"
      }
      if let sync {
        return
          "sync\t\(sync.running ? "running" : "idle")\t\(sync.done)/\(sync.total)\t\(sync.new) new"
      }
      let parts = [event, id.map(String.init), name, url, failure]
      return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\t")
    }
  }
}
