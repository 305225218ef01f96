public import Foundation
package import GRDB

// Read and star states. Each call records exactly its changes in the journal. An article is marked
// read with its duplicates, as if the user had marked each; other marks concern it alone.

extension StateCache {
  @discardableResult
  public func setRead(
    _ ids: [ArticleID], _ isRead: Bool
  ) async throws(StoreError) -> MarkedArticles {
    try await set(.read, isRead, ids)
  }

  /// Marks an opened article read like `setRead`, in an entry that `undo` skips.
  public func markOpened(_ id: ArticleID) async throws(StoreError) {
    try await database.change { transaction in
      let ids = try Deduplication.together([id.rawValue], isSubscribed: true, transaction.db)
      let changed = try StatusRows.set(.read, true, ids, transaction)
      try Journal.add(
        transaction.db, .open, [.marks(.read, true, changed)], subject: nil, at: transaction.now)
    }
  }

  @discardableResult
  public func setStarred(
    _ ids: [ArticleID], _ isStarred: Bool
  ) async throws(StoreError) -> MarkedArticles {
    try await set(.starred, isStarred, ids)
  }

  private func set(
    _ state: ArticleMark, _ value: Bool, _ ids: [ArticleID]
  ) async throws(StoreError) -> MarkedArticles {
    guard !ids.isEmpty else { return MarkedArticles(articles: 0) }
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      let ids = ids.map(\.rawValue)
      let all =
        state == .read && value ? try Deduplication.together(ids, isSubscribed: true, db) : ids
      let changed = try StatusRows.set(state, value, all, transaction)
      if state == .read, !value { try KeptUnread.add(ids, db) }
      let subject = changed.count == 1 ? try StatusRows.title(changed[0], db) : nil
      let kind: JournalEntry.Kind =
        switch state {
        case .read: value ? .markRead : .markUnread
        case .starred: value ? .star : .unstar
        }
      try Journal.add(db, kind, [.marks(state, value, changed)], subject: subject, at: now)
      let duplicates = Set(changed).subtracting(ids).count
      return MarkedArticles(articles: changed.count - duplicates, duplicates: duplicates)
    }
  }

  /// Marks articles read that the selection passed, except those kept unread.
  public func markPassed(_ ids: [ArticleID]) async throws(StoreError) {
    try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      let free = try KeptUnread.removing(from: ids.map(\.rawValue), db)
      let ids = try KeptUnread.removing(
        from: Deduplication.together(free, isSubscribed: true, db), db)
      let changed = try StatusRows.set(.read, true, ids, transaction)
      let subject = changed.count == 1 ? try StatusRows.title(changed[0], db) : nil
      try Journal.add(
        db, .markRead, [.marks(.read, true, changed)], subject: subject, at: now)
    }
  }

  /// Marks exactly the articles of the list read, up to `query.asOf`, except those kept unread
  /// and those of high priority within it. Returns the number of changed ones.
  @discardableResult
  public func markAllRead(_ query: ArticleQuery) async throws(StoreError) -> Int {
    let marked = try await markShownRead(query)
    return marked.articles + marked.duplicates
  }

  /// Marks a list read like `markAllRead`, but counts duplicates in other feeds separately.
  public func markShownRead(
    _ query: ArticleQuery
  ) async throws(StoreError) -> MarkedArticles {
    let midnight = database.midnight
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      var list = try ArticleList(query, db, midnight: midnight)
      let kept = try list.keptKeys(db)
      list.unread = true
      let all = try (list.allKeys(db) + kept).map(\.id)
      let free = try KeptUnread.removing(from: all, db)
      let ids = try SparedArticles.removing(from: free, in: query.scope, db)
      let copies = try SparedArticles.removing(
        from: list.unreadDuplicates(db), in: query.scope, db)
      let changed = try StatusRows.set(
        .read, true,
        KeptUnread.removing(from: Deduplication.together(ids + copies, isSubscribed: true, db), db),
        transaction)
      try Journal.add(
        db, .markAllRead, [.marks(.read, true, changed)],
        subject: try Self.subject(query.scope, db), at: now)
      let duplicates = Set(changed).subtracting(ids).count
      return MarkedArticles(
        articles: changed.count - duplicates, duplicates: duplicates, kept: all.count - free.count,
        spared: free.count - ids.count)
    }
  }

  /// Marks articles older than `date` read, in one feed or all. Returns how many changed.
  @discardableResult
  public func markRead(olderThan date: Date, in feed: FeedID?) async throws(StoreError) -> Int {
    let midnight = database.midnight
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      let scope = feed.map { ArticleQuery.Scope.feed($0) } ?? .all
      let list = try ArticleList(ArticleQuery(scope: scope), db, midnight: midnight)
      let ids = try list.unread(.olderThan(date), db).ids.map(\.rawValue)
      let changed = try StatusRows.set(
        .read, true,
        KeptUnread.removing(from: Deduplication.together(ids, isSubscribed: true, db), db),
        transaction)
      try Journal.add(
        db, .markAllRead, [.marks(.read, true, changed)], subject: try Self.subject(scope, db),
        at: now)
      return changed.count
    }
  }

  private static func subject(_ scope: ArticleQuery.Scope, _ db: Database) throws -> String? {
    switch scope {
    case .all, .exceptQuiet, .smart: nil
    case .tag(let tag): tag
    case .feed(let feed):
      try db.value("SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ?", [feed.rawValue])
    case .folder(let folder):
      try db.value("SELECT title FROM folder WHERE id = ?", [folder.rawValue])
    }
  }
}

package enum StatusRows {
  /// Number of transactions that are kept; listeners read them soon after.
  private static let mostChanges: Int64 = 1_000

  /// Sets a state of articles, and queues it for the servers.
  /// - Returns: the changed articles, ascending.
  package static func set(
    _ state: ArticleMark, _ value: Bool, _ ids: [Int64], _ transaction: Transaction
  ) throws -> [Int64] {
    let changed = try write(state, value, ids, transaction.db)
    try transaction.participants.recorder?.record(state, value, of: changed, in: transaction)
    return changed
  }

  /// Writes a state of articles, such as a server's.
  /// - Returns: the changed articles, ascending.
  package static func write(
    _ state: ArticleMark, _ value: Bool, _ ids: [Int64], _ db: Database
  ) throws -> [Int64] {
    let column = state.rawValue
    // An article that became read, however that happened, is no longer kept unread.
    let change = state == .read && value ? "isRead = ?1, isKeptUnread = 0" : "\(column) = ?1"
    return try ids.filter { id in
      try db.run(
        "UPDATE articleStatus SET \(change) WHERE articleID = ?2 AND \(column) <> ?1",
        [value, id]) > 0
    }.sorted()
  }

  /// Records changes that have no journal entry, for observers of events.
  package static func note(_ articles: [Int64], _ db: Database) throws {
    guard !articles.isEmpty else { return }
    try db.run("INSERT INTO statusChange (articles) VALUES (?)", [IDList.data(articles)])
    try db.run(
      "DELETE FROM statusChange WHERE id <= ?", [db.lastInsertedRowID - mostChanges])
  }

  package static func title(_ id: Int64, _ db: Database) throws -> String? {
    try db.value("SELECT title FROM article WHERE id = ?", [id])
  }
}

/// Articles that the user marked unread by hand. Marking a list, a part of a list or passed rows
/// read leaves them unread; so do rules. An article that the user marks read individually is no
/// longer kept unread.
package enum KeptUnread {
  static func add(_ ids: [Int64], _ db: Database) throws {
    for id in ids {
      try db.run(
        "UPDATE articleStatus SET isKeptUnread = 1 WHERE articleID = ? AND isRead = 0", [id])
    }
  }

  /// Returns articles without those that are kept unread, in the same order.
  package static func removing(from ids: [Int64], _ db: Database) throws -> [Int64] {
    let kept: Set<Int64> = try Set(
      db.values("SELECT articleID FROM articleStatus WHERE isKeptUnread = 1"))
    return kept.isEmpty ? ids : ids.filter { !kept.contains($0) }
  }
}

/// Writes the states that only rules and snoozes change.
package enum RuledOut {
  /// Hides articles and returns those that were not hidden for this reason before.
  package static func hide(
    _ ids: [Int64], _ db: Database, reason: Int64 = HiddenReason.rule
  ) throws -> [Int64] {
    try ids.filter { id in
      try db.run(
        "UPDATE articleStatus SET isHidden = isHidden | ?1 WHERE articleID = ?2 AND isHidden & ?1 = 0",
        [reason, id]) > 0
    }
  }

  package static func show(
    _ ids: [Int64], _ db: Database, reason: Int64 = HiddenReason.rule
  ) throws {
    for id in ids {
      try db.run(
        "UPDATE articleStatus SET isHidden = isHidden & ~?1 WHERE articleID = ?2 AND isHidden & ?1 <> 0",
        [reason, id])
    }
  }
}
