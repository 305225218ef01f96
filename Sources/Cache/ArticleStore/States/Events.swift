import Foundation
import GRDB

/// A change in the cache, made by any process.
public enum StoreEvent: Sendable, Equatable {
  case subscribed(FeedID)
  case unsubscribed(FeedID)
  case arrived(ArticleID)
  /// The publisher changed the text.
  case changed(ArticleID)
  /// Marked by the user, here or at a server: read, unread, starred, unstarred, restored.
  case marked(ArticleID)
  case deleted(ArticleID)
  /// An account was synchronised, or its sync failed.
  case synced(AccountID)
  /// A sync began, continued or ended.
  case sync(SyncStatus)
}

/// The state of the cache up to which a listener has received the events.
public struct EventMark: Sendable {
  fileprivate var article: Int64
  fileprivate var revision: Int64
  /// Newest journal entries, each with true if it is undone.
  fileprivate var journal: [Int64: Bool]
  fileprivate var statusChange: Int64
  /// Last sync and number of failures since, by account.
  fileprivate var accounts: [Int64: String]
  fileprivate var feeds: Set<Int64>
  fileprivate var status: String?
}

extension ArticleCache {
  public func eventMark() throws(StoreError) -> EventMark {
    try database.read { db in try Events.mark(db) }
  }

  /// Returns each event since a mark once, in the order of `StoreEvent`, and advances the mark.
  /// Events are derived from the journal and from rows of accounts, articles and feeds.
  public func events(since mark: inout EventMark) throws(StoreError) -> [StoreEvent] {
    let old = mark
    let (events, new) = try database.read { db in
      let new = try Events.mark(db)
      return (try Events.between(old, new, db), new)
    }
    mark = new
    return events
  }
}

private enum Events {
  static func mark(_ db: Database) throws -> EventMark {
    EventMark(
      article: try db.value("SELECT max(id) FROM article") ?? 0,
      revision: try db.value("SELECT max(id) FROM articleRevision") ?? 0,
      journal: try db.dictionary("SELECT id, isUndone FROM journal") { ($0["id"], $0["isUndone"]) },
      statusChange: try db.value("SELECT max(id) FROM statusChange") ?? 0,
      accounts: try db.dictionary(
        "SELECT id, ifnull(syncedAt, '') || ' ' || failureCount AS mark FROM account"
      ) { ($0["id"], $0["mark"]) },
      feeds: Set(try db.values("SELECT id FROM feed WHERE removedAt IS NULL")),
      status: try db.value("SELECT json FROM syncStatus WHERE id = 1"))
  }

  static func between(_ old: EventMark, _ new: EventMark, _ db: Database) throws -> [StoreEvent] {
    var events: [StoreEvent] = new.feeds.subtracting(old.feeds).sorted().map {
      .subscribed(FeedID(rawValue: $0))
    }
    events += try db.all("SELECT id FROM article WHERE id > ? ORDER BY id", [old.article]) {
      .arrived($0.id("id"))
    }
    events += try db.all(
      "SELECT DISTINCT articleID FROM articleRevision WHERE id > ? ORDER BY articleID",
      [old.revision]
    ) { .changed($0.id("articleID")) }
    events += try acts(old, new, db)
    events += old.feeds.subtracting(new.feeds).sorted().map {
      .unsubscribed(FeedID(rawValue: $0))
    }
    events += new.accounts.keys.sorted().compactMap { account in
      guard let before = old.accounts[account], before != new.accounts[account] else { return nil }
      return .synced(AccountID(rawValue: account))
    }
    if new.status != old.status, let status: SyncStatus = StoredJSON.value(new.status) {
      events.append(.sync(status))
    }
    return events
  }

  /// Returns the events of new, undone and redone entries, then those of marks made elsewhere.
  private static func acts(
    _ old: EventMark, _ new: EventMark, _ db: Database
  ) throws -> [StoreEvent] {
    let changed = new.journal.filter { entry, isUndone in
      old.journal[entry].map { $0 != isUndone } ?? !isUndone
    }
    var (deleted, marked): (Set<Int64>, Set<Int64>) = ([], [])
    var events: [StoreEvent] = []
    for (entry, isUndone) in changed.sorted(by: { $0.key < $1.key }) {
      let row: (kind: String, articles: [Int64])? = try db.first(
        "SELECT kind, images FROM journal WHERE id = ? AND (kind = ? OR kind IN \(Journal.marks))",
        [entry, JournalEntry.Kind.delete.rawValue]
      ) { ($0["kind"], Journal.articles($0)) }
      guard let row else { continue }
      let isDeleting = row.kind == JournalEntry.Kind.delete.rawValue && !isUndone
      for article in row.articles {
        let id = ArticleID(rawValue: article)
        if isDeleting {
          if deleted.insert(article).inserted { events.append(.deleted(id)) }
        } else if marked.insert(article).inserted {
          events.append(.marked(id))
        }
      }
    }
    let elsewhere: [Data] = try db.values(
      "SELECT articles FROM statusChange WHERE id > ? ORDER BY id", [old.statusChange])
    for article in elsewhere.flatMap(IDList.ids) where marked.insert(article).inserted {
      events.append(.marked(ArticleID(rawValue: article)))
    }
    return events
  }
}
