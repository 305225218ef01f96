public import FeedModel
public import FeedStore

/// What the cache could not do, what it undid, and what a refresh came to.
public nonisolated enum StoreWording {
  /// What went wrong with the cache, without a full stop.
  public static func sentence(_ error: StoreError) -> String {
    switch error {
    case .newerSchema: return "The database was made by a newer Weir; nothing was changed"
    case .readOnly(let path): return "\(path) cannot be written to; nothing was changed"
    case .diskFull: return "There is no room left on the disk; nothing was changed"
    case .diskFailed(let detail): return "The disk failed (\(detail)); nothing was changed"
    case .corrupt: return "The database is damaged; \u{201C}weir doctor\u{201D} says more"
    case .cannotOpen(let path, let detail): return "\(path) cannot be opened (\(detail))"
    case .busy: return "Another program holds the database; try again"
    case .inUse(let process):
      return "Another Weir has the database open (process \(process)); quit it first"
    case .exists(let path): return "\(path) exists already"
    case .notACache(let path): return "\(path) is not a database of Weir"
    case .notFound: return "It is no longer there"
    case .folderExists: return "There is a folder of that name already"
    case .accountExists: return "That account is there already"
    case .alreadySubscribed: return "That feed is subscribed to already"
    case .notAllowed:
      return "Programs and files become feeds by \u{201C}weir add\u{201D} or \u{201C}weir import "
        + "--with-programs\u{201D} only"
    case .other(let detail): return "The database says: \(detail)"
    }
  }

  /// "Undone: 12 articles marked read".
  public static func undone(_ entry: JournalEntry) -> String { "Undone: \(what(entry))" }
  /// "Done again: 12 articles marked read".
  public static func redone(_ entry: JournalEntry) -> String { "Done again: \(what(entry))" }

  private static func what(_ entry: JournalEntry) -> String {
    let articles = AmountWording.count(entry.count, "article", "articles")
    let one = entry.count == 1 ? entry.subject.map { "\u{201C}\($0)\u{201D}" } : nil
    switch entry.kind {
    case .markRead, .markAllRead: return "\(one ?? articles) marked read"
    case .markUnread: return "\(one ?? articles) marked unread"
    case .star: return "\(one ?? articles) starred"
    case .unstar: return "star taken from \(one ?? articles)"
    case .delete: return "\(one ?? articles) deleted"
    case .tag: return "tags of \(one ?? articles)"
    case .editFeed: return "\(one ?? "a feed") edited"
    case .moveFeed, .moveFolder: return "\(one ?? "a feed") moved"
    case .reorder: return "\(one ?? "a feed") put elsewhere"
    case .renameFolder: return "folder \(one ?? "") renamed"
    case .deleteFolder: return "folder \(one ?? "") deleted"
    case .unsubscribe:
      return "unsubscribed from \(one ?? AmountWording.count(entry.count, "feed", "feeds"))"
    case .saveSearch: return "search \(one ?? "") kept"
    case .renameSearch: return "search \(one ?? "") renamed"
    case .removeSearch: return "search \(one ?? "") removed"
    }
  }

  /// "12 feeds, 7 new, 1 failed".
  public static func result(_ request: RefreshRequest) -> String {
    var parts = [
      AmountWording.count(request.total, "feed", "feeds"),
      request.newArticles == 0
        ? "nothing new" : "\(AmountWording.grouped(request.newArticles)) new",
    ]
    if request.failed > 0 { parts.append("\(AmountWording.grouped(request.failed)) failed") }
    return parts.joined(separator: ", ")
  }

  /// "⟳ 3 of 12 · 48 kB/s · fair".
  public static func progress(
    _ request: RefreshRequest, _ status: SyncStatus, isPaused: Bool = false
  ) -> String {
    if isPaused { return "⏸ \(request.done) of \(request.total) · paused" }
    if status.grade == .offline { return "⟳ waiting for the line · offline" }
    guard request.total > 0 else { return "⟳ waiting" }
    var parts = [
      "⟳ \(AmountWording.grouped(request.done)) of \(AmountWording.grouped(request.total))"
    ]
    if status.rate > 0 { parts.append(AmountWording.rate(status.rate)) }
    if let grade = status.grade { parts.append(grade.rawValue) }
    return parts.joined(separator: " · ")
  }
}
