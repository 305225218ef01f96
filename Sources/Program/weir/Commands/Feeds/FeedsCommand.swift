import ArgumentParser
import Foundation
import ProgramSettings

struct FeedsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "List the feeds with folder, unread, state and next check.",
    discussion: "Feeds are in the order of the tree. A terminal shows a heading.")

  @Flag(help: "Only feeds whose settings differ from the general ones, with the differences.")
  var changed = false

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let subscriptions = try session.store.reader.feeds.subscriptions()
    let wording = FailureWording.now
    if changed { return try printChanged(subscriptions, session.store) }
    let refreshing = try session.store.reader.requests.syncStatus().refreshing
    if json {
      return try JSONOutput.print(
        elements: subscriptions.feeds.lazy.map {
          $0.json(
            folder: subscriptions.path(of: $0.folder), isRefreshing: refreshing.contains($0.id),
            wording)
        })
    }
    if subscriptions.feeds.isEmpty { return Console.noteNoFeeds() }
    var table = Table(
      [.number, .number, .text(limit: 40), .text(limit: 24), .last],
      heading: ["id", "unread", "feed", "folder", "state"])
    for feed in subscriptions.feedsInTreeOrder {
      table.add(
        [
          String(feed.id.rawValue), String(feed.counts.unread),
          SafeText.withoutSecrets(subscriptions.name(of: feed.id, feed.name)),
          subscriptions.path(of: feed.folder).joined(separator: "/"),
          Self.state(feed, isRefreshing: refreshing.contains(feed.id), wording),
        ], isEmphasised: feed.counts.unread > 0)
    }
    try table.print()
  }

  private func printChanged(_ subscriptions: Subscriptions, _ store: FeedStore) throws {
    let changed = try subscriptions.feedsInTreeOrder.map { feed in
      let name = SafeText.withoutSecrets(subscriptions.name(of: feed.id, feed.name))
      return (feed.id, name, FeedChanges(feed, try store.reader.feeds.options(of: feed.id)))
    }.filter { !$0.2.changes.isEmpty }
    if json { return try JSONOutput.print(elements: changed.map { $2.json($0, $1) }) }
    if changed.isEmpty { return Console.note("No feed has settings of its own.") }
    var table = Table(
      [.number, .text(limit: 40), .last], heading: ["id", "feed", "settings of its own"])
    for (id, name, found) in changed {
      table.add([String(id.rawValue), name, found.changes.map(\.text).joined(separator: ", ")])
    }
    try table.print()
  }

  private static func state(
    _ feed: Feed, isRefreshing: Bool, _ wording: FailureWording
  ) -> String {
    if let sentence = wording.sentence(for: feed) { return SafeText.withoutSecrets(sentence) }
    switch FeedCondition(feed, isRefreshing: isRefreshing) {
    case .paused: return "paused"
    case .refreshing: return "refreshing"
    case .moved:
      return "moved to \(Confusables.shown(HiddenSecrets.name(of: feed.state.movedTo ?? "")))"
    case .new: return "not fetched yet"
    default:
      let next = NextCheckWording(dates: wording.dates).sentence(for: feed)
      return feed.isList ? "a followed list; \(next)" : next
    }
  }
}
