public import FeedModel
public import Foundation
import GRDB

// Read and star states. Each call journals exactly what it changed.

extension FeedStore {
  public func setRead(_ ids: [ArticleID], _ isRead: Bool) async throws(StoreError) {
    try await set(.read, isRead, ids)
  }

  public func setStarred(_ ids: [ArticleID], _ isStarred: Bool) async throws(StoreError) {
    try await set(.starred, isStarred, ids)
  }

  private func set(
    _ state: StatusRows.State, _ value: Bool, _ ids: [ArticleID]
  ) async throws(StoreError) {
    guard !ids.isEmpty else { return }
    let now = options.now()
    try await write(.user) { db in
      let changed = try StatusRows.set(state, value, ids.map(\.rawValue), db, at: now)
      let subject = changed.count == 1 ? try StatusRows.title(changed[0], db) : nil
      let kind: JournalEntry.Kind =
        switch state {
        case .read: value ? .markRead : .markUnread
        case .starred: value ? .star : .unstar
        }
      try Journal.add(db, kind, articles: changed, subject: subject, at: now)
    }
  }

  /// Marks read exactly what the list holds (`query.asOf` included). Returns how many changed.
  @discardableResult
  public func markAllRead(_ query: ArticleQuery) async throws(StoreError) -> Int {
    let (now, midnight) = (options.now(), midnight)
    return try await write(.user) { db in
      var list = try ArticleList(query, db, midnight: midnight)
      let kept = try list.keptKeys(db)
      list.unread = true
      let ids = (try list.allKeys(db) + kept).map(\.id)
      let changed = try StatusRows.set(.read, true, ids, db, at: now)
      try Journal.add(
        db, .markAllRead, articles: changed, subject: try Self.subject(query.scope, db), at: now)
      return changed.count
    }
  }

  /// Marks read what is older than `date`, in one feed or all. Returns how many changed.
  @discardableResult
  public func markRead(olderThan date: Date, in feed: FeedID?) async throws(StoreError) -> Int {
    let (now, midnight) = (options.now(), midnight)
    return try await write(.user) { db in
      let scope = feed.map { ArticleQuery.Scope.feed($0) } ?? .all
      let query = ArticleQuery(scope: scope, filter: .unread)
      let ids = try ArticleList(query, db, midnight: midnight).allKeys(db)
        .filter { $0.sortDate < date.milliseconds }.map(\.id)
      let changed = try StatusRows.set(.read, true, ids, db, at: now)
      try Journal.add(
        db, .markAllRead, articles: changed, subject: try Self.subject(scope, db), at: now)
      return changed.count
    }
  }

  private static func subject(_ scope: ArticleQuery.Scope, _ db: Database) throws -> String? {
    switch scope {
    case .all, .smart: nil
    case .tag(let tag): tag
    case .feed(let feed):
      try db.first("SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ?", [feed.rawValue]) {
        $0[0]
      }
    case .folder(let folder):
      try db.first("SELECT title FROM folder WHERE id = ?", [folder.rawValue]) { $0[0] }
    }
  }
}

enum StatusRows {
  enum State: String {
    case read = "isRead"
    case starred = "isStarred"
  }

  /// Of the articles and of their copies in other feeds. Those that come from an account are put in its
  /// outbox. Returns those that were otherwise before.
  /// - Parameter known: of which their servers said so themselves.
  static func set(
    _ state: State, _ value: Bool, _ ids: [Int64], _ db: Database, at now: Date,
    known: Set<Int64> = []
  ) throws -> [Int64] {
    let ids = try Folding.together(ids, db)
    let column = state.rawValue
    let statement = try db.cachedStatement(
      sql: "UPDATE articleStatus SET \(column) = ?1 WHERE articleID = ?2 AND \(column) <> ?1")
    let changed = try ids.filter { id in
      try statement.execute(arguments: [value, id])
      return db.changesCount > 0
    }
    let news = known.isEmpty ? changed : changed.filter { !known.contains($0) }
    try OutboxRows.record(state, value, news, db, at: now)
    return changed
  }

  /// Changes without the user's doing that are remembered: who listens looks after each of them.
  private static let mostChanges: Int64 = 1_000

  /// Notes what changed without an entry of the journal, for who listens to events.
  static func note(_ articles: [Int64], _ db: Database) throws {
    guard !articles.isEmpty else { return }
    try db.run("INSERT INTO statusChange (articles) VALUES (?)", [IDList.data(articles)])
    try db.run(
      "DELETE FROM statusChange WHERE id <= ?", [db.lastInsertedRowID - mostChanges])
  }

  static func title(_ id: Int64, _ db: Database) throws -> String? {
    try db.first("SELECT title FROM article WHERE id = ?", [id]) { $0[0] }
  }
}
