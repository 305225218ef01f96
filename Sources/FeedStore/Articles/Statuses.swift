public import FeedModel
public import Foundation
import GRDB

// Read and star states. Each call journals exactly what it changed.

extension ReaderCache {
  /// Marks articles read or unread, with the copies of them that belong to the same account (or, of
  /// a local feed, to no account). Copies of other accounts are shown so, and their servers hear
  /// nothing.
  /// - Returns: how many articles beside these changed with them.
  @discardableResult
  public func setRead(_ ids: [ArticleID], _ isRead: Bool) async throws(StoreError) -> Int {
    try await set(.read, isRead, ids)
  }

  /// Marks an opened article read, as `setRead` does. `undo` skips it.
  public func markOpened(_ id: ArticleID) async throws(StoreError) {
    try await database.write(.user) { db, now in
      let changed = try StatusRows.set(.read, true, [id.rawValue], db, at: now)
      try Journal.add(db, .open, articles: changed, subject: nil, at: now)
    }
  }

  /// Stars articles or removes their stars, with their copies as `setRead` does.
  /// - Returns: how many articles beside these changed with them.
  @discardableResult
  public func setStarred(_ ids: [ArticleID], _ isStarred: Bool) async throws(StoreError) -> Int {
    try await set(.starred, isStarred, ids)
  }

  private func set(
    _ state: StatusRows.State, _ value: Bool, _ ids: [ArticleID]
  ) async throws(StoreError) -> Int {
    guard !ids.isEmpty else { return 0 }
    return try await database.write(.user) { db, now in
      let ids = ids.map(\.rawValue)
      let changed = try StatusRows.set(state, value, ids, db, at: now)
      let subject = changed.count == 1 ? try StatusRows.title(changed[0], db) : nil
      let kind: JournalEntry.Kind =
        switch state {
        case .read: value ? .markRead : .markUnread
        case .starred: value ? .star : .unstar
        }
      try Journal.add(db, kind, articles: changed, subject: subject, at: now)
      return Set(changed).subtracting(ids).count
    }
  }

  /// Marks read exactly what the list holds (`query.asOf` included). Returns how many changed.
  @discardableResult
  public func markAllRead(_ query: ArticleQuery) async throws(StoreError) -> Int {
    let marked = try await markShownRead(query)
    return marked.articles + marked.copies
  }

  /// The same; tells the list's own articles from their copies in other feeds.
  public func markShownRead(
    _ query: ArticleQuery
  ) async throws(StoreError) -> (articles: Int, copies: Int) {
    let (now, midnight) = (database.options.now(), database.midnight)
    return try await database.write(.user) { db in
      var list = try ArticleList(query, db, midnight: midnight)
      let kept = try list.keptKeys(db)
      list.unread = true
      let ids = try (list.allKeys(db) + kept).map(\.id) + list.shownReadOnly(db)
      let changed = try StatusRows.set(.read, true, ids, db, at: now)
      try Journal.add(
        db, .markAllRead, articles: changed, subject: try Self.subject(query.scope, db), at: now)
      let copies = Set(changed).subtracting(ids).count
      return (changed.count - copies, copies)
    }
  }

  /// Marks read what is older than `date`, in one feed or all. Returns how many changed.
  @discardableResult
  public func markRead(olderThan date: Date, in feed: FeedID?) async throws(StoreError) -> Int {
    let (now, midnight) = (database.options.now(), database.midnight)
    return try await database.write(.user) { db in
      let scope = feed.map { ArticleQuery.Scope.feed($0) } ?? .all
      let list = try ArticleList(ArticleQuery(scope: scope), db, midnight: midnight)
      let ids = try list.unread(.olderThan(date), db).map(\.id)
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
      try db.value("SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ?", [feed.rawValue])
    case .folder(let folder):
      try db.value("SELECT title FROM folder WHERE id = ?", [folder.rawValue])
    }
  }
}

enum StatusRows {
  enum State: String {
    case read = "isRead"
    case starred = "isStarred"
  }

  /// Changes that nobody made here, as many as are remembered: who listens looks after each of
  /// them.
  private static let mostChanges: Int64 = 1_000

  /// What the user does to articles goes to their copies of the same account too, and what belongs
  /// to an account is put in its outbox. Copies of other accounts are only shown so. What is taken
  /// away is taken from copies in local feeds as well: no server has them.
  /// - Returns: the articles that the user changed.
  static func set(
    _ state: State, _ value: Bool, _ ids: [Int64], _ db: Database, at now: Date
  ) throws -> [Int64] {
    let writer = try StatusWriter(state, db)
    let (alone, stories) = try Deduplication.stories(ids, db)
    var changed: [Int64] = []
    var sent: [Int64] = []
    var shown: [Int64] = []
    func act(_ id: Int64) throws {
      let (isOwn, isShown) = try writer.setBoth(id, value)
      if isOwn { sent.append(id) }
      if isOwn || isShown { changed.append(id) }
    }
    for id in alone { try act(id) }
    for story in stories {
      let accounts = Set(story.copies.filter { story.chosen.contains($0.id) }.map(\.account))
      for copy in story.copies {
        if accounts.contains(copy.account) {
          try act(copy.id)
        } else if !value, copy.account == nil, try writer.own(copy.id) {
          try act(copy.id)
        } else if try writer.show(copy.id, value) {
          shown.append(copy.id)
        }
      }
    }
    try note(shown, db)
    try OutboxRows.record(state, value, sent.sorted(), db, at: now)
    return changed.sorted()
  }

  /// What the server of an account says of its articles. Their copies are shown so too; what was
  /// done to a copy itself stays, and keeps the story as it is shown where the server takes a state
  /// away.
  /// - Parameter isNew: the articles have just arrived: they change no state of what was here.
  /// - Returns: the articles that are shown otherwise.
  static func accept(
    _ state: State, _ value: Bool, _ ids: [Int64], _ db: Database, isNew: Bool = false
  ) throws -> [Int64] {
    let writer = try StatusWriter(state, db)
    let (alone, stories) = try Deduplication.stories(ids, db)
    var shown = try alone.filter { try writer.setBoth($0, value).isShown }
    for story in stories {
      for id in story.chosen { try writer.setOwn(id, value) }
      let showsIt: Bool
      if value {
        showsIt = true
      } else {
        showsIt = try isNew || story.copies.contains { try !$0.isHidden && writer.own($0.id) }
      }
      guard value || !showsIt else { continue }
      shown += try story.copies.map(\.id).filter { try writer.show($0, showsIt) }
    }
    return shown
  }

  /// Notes what changed without an entry of the journal, for who listens to events.
  static func note(_ articles: [Int64], _ db: Database) throws {
    guard !articles.isEmpty else { return }
    try db.run("INSERT INTO statusChange (articles) VALUES (?)", [IDList.data(articles)])
    try db.run(
      "DELETE FROM statusChange WHERE id <= ?", [db.lastInsertedRowID - mostChanges])
  }

  static func title(_ id: Int64, _ db: Database) throws -> String? {
    try db.value("SELECT title FROM article WHERE id = ?", [id])
  }
}
