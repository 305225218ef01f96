import ArgumentParser
import Foundation
import Wording

struct MarkCommand: SessionCommand {
  enum Mark: String, ExpressibleByArgument, CaseIterable {
    case read, unread, starred, unstarred, later
    case notLater = "not-later"
  }

  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Mark articles read, unread, starred, or kept for later.",
    usage: """
      weir mark read|unread|starred|unstarred|later|not-later ARTICLE...
      weir mark read|unread --feed FEED
      weir mark read --older-than 30d [--feed FEED]
      """,
    discussion: "u in the reader undoes it.")

  @Argument(help: "read, unread, starred, unstarred, later or not-later.") var mark: Mark

  @Argument(help: ArgumentHelp("Numbers, as weir articles prints them.", valueName: "article"))
  var articles: [String] = []

  @Option(
    help: "All articles of this feed: number, address, or part of its name.", completion: .feeds)
  var feed: String?

  @Option(
    name: .customLong("older-than"),
    help: ArgumentHelp("Articles older than this: 30d, 12h, 2w.", valueName: "age"))
  var olderThan: Age?

  @OptionGroup(title: "Global options") var global: GlobalOptions

  private static let pageSize = 1_000

  func validate() throws {
    let isBulk = feed != nil || olderThan != nil
    if articles.isEmpty, !isBulk {
      throw ValidationError("Say which articles: by number, --feed or --older-than.")
    }
    if !articles.isEmpty, isBulk {
      throw ValidationError("Give articles by number, or --feed and --older-than, not both.")
    }
    if olderThan != nil, mark != .read {
      throw ValidationError("--older-than goes with \u{201C}mark read\u{201D} only.")
    }
    if feed != nil, mark != .read, mark != .unread {
      throw ValidationError(
        "--feed goes with \u{201C}mark read\u{201D} and \u{201C}mark unread\u{201D}.")
    }
  }

  func run(in session: Session) async throws {
    let store = session.store
    let count: Int
    var duplicates = 0
    if articles.isEmpty {
      count = try await markMany(store)
    } else {
      // All articles are found before any is marked.
      let ids = try articles.map { try ArticleArgument.find($0, in: store).id }
      count = ids.count
      switch mark {
      case .read, .unread: duplicates = try await store.reader.states.setRead(ids, mark == .read)
      case .starred, .unstarred: try await store.reader.states.setStarred(ids, mark == .starred)
      case .later, .notLater: try await store.reader.plan.setLater(ids, mark == .later)
      }
    }
    let done =
      switch mark {
      case .later: "kept for later"
      case .notLater: "removed from Later"
      default: "marked \(mark.rawValue)"
      }
    try Console.print("\(MarkWording.amount(count, duplicates: duplicates)) \(done)")
  }

  private func markMany(_ store: FeedStore) async throws -> Int {
    let target = try feed.map { try FeedArgument.find($0, in: store).id }
    if let olderThan {
      return try await store.reader.states.markRead(
        olderThan: Date() - olderThan.seconds, in: target)
    }
    guard let target else { return 0 }
    let query = ArticleQuery(
      scope: .feed(target), asOf: try store.reader.articles.latestArticleID())
    if mark == .read { return try await store.reader.states.markAllRead(query) }

    var ids: [ArticleID] = []
    var start = PageStart.top
    while true {
      let rows = try store.reader.articles.page(query, start, limit: Self.pageSize)
      ids += rows.lazy.filter { $0.status.isRead }.map(\.id)
      guard rows.count == Self.pageSize, let last = rows.last else { break }
      start = .after(last.key)
    }
    if !ids.isEmpty { try await store.reader.states.setRead(ids, false) }
    return ids.count
  }
}
