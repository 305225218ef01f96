import ArgumentParser
import FeedModel
import FeedStore
import Foundation
import ProgramSettings
import Wording

struct FeedsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "List the feeds with folder, unread, state and next check.",
    discussion: "Feeds are in the order of the tree. A terminal shows a heading.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let subscriptions = try session.store.reader.feeds.subscriptions()
    let wording = FailureWording.now
    if json {
      var elements = JSONOutput.Elements()
      for feed in subscriptions.feeds {
        try elements.add(feed.json(folder: subscriptions.path(of: feed.folder), wording))
      }
      return try elements.end()
    }
    if subscriptions.feeds.isEmpty {
      return Console.note(
        "There are no feeds yet. Add one with weir add URL, or import a list with weir import FILE."
      )
    }
    var table = Table(
      [.number, .number, .text(limit: 40), .text(limit: 24), .last],
      heading: ["id", "unread", "feed", "folder", "state"])
    for feed in subscriptions.feedsInTreeOrder {
      table.add(
        [
          String(feed.id.rawValue), String(feed.counts.unread),
          SafeText.withoutSecrets(subscriptions.name(of: feed.id, feed.name)),
          subscriptions.path(of: feed.folder).joined(separator: "/"),
          Self.state(feed, wording),
        ], isEmphasised: feed.counts.unread > 0)
    }
    try table.print()
  }

  private static func state(_ feed: Feed, _ wording: FailureWording) -> String {
    if let sentence = wording.sentence(for: feed) { return SafeText.withoutSecrets(sentence) }
    switch FeedCondition(feed) {
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
