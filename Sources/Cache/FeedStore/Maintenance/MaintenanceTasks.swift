import Foundation
import GRDB

extension Maintenance {
  /// Runs one small step of maintenance: removes old journal entries, feeds and articles that are
  /// no longer kept, and returns free pages to the disk. A step takes a few milliseconds, so that a
  /// user's write never waits long; the next step continues, in any process. No step stores
  /// statistics: with them, SQLite would choose other plans than the tests check.
  /// - Returns: `false` if nothing is left to do today.
  public func maintenanceStep() async throws(StoreError) -> Bool {
    let now = database.now
    try await PlanCache(database: database).endDueSnoozes()
    let due = try database.read { db in try MaintenanceTask.due(at: now, db) }
    guard let (task, place) = due else { return false }
    let next = try await step(task, place, at: now)
    try await database.run(
      .engine,
      """
      INSERT INTO maintenanceTask (task, doneAt, position) VALUES (?1, ?2, ?3)
      ON CONFLICT (task) DO UPDATE SET doneAt = ?2, position = ?3
      """, [task.rawValue, next == nil ? now.milliseconds : 0, next ?? 0])
    return true
  }

  /// Returns the position where the task continues; `nil` if it is done.
  private func step(
    _ task: MaintenanceTask, _ place: Int64, at now: Date
  ) async throws(StoreError) -> Int64? {
    switch task {
    case .journal:
      try await database.write(.engine) { db in
        let newest: Int64 = try db.value("SELECT max(id) FROM journal") ?? 0
        try Journal.trim(db, newest: newest, at: now)
        try RuleProgramRows.removeOld(db, at: now)
        try OlderPostRows.removeOld(db, at: now)
      }
    case .removedFeeds: return try await purgeFeeds(at: now)
    case .deletedArticles: return try await purgeArticles(at: now)
    case .retention: return try await expire(after: place, at: now)
    case .dates: return try await correctDates(at: now)
    case .upgradeCopies:
      StoreFiles.removeOldCopies(beside: database.path, at: now)
    case .freePages: return try await vacuum()
    case .log:
      try await checkpoint()
    }
    return nil
  }

  // MARK: Tasks

  /// Number of rows that one step deletes.
  private static let batch = 100

  /// Purges feeds that were removed too long ago for undo or belong to a removed account. Others
  /// stay, because an account's server may list them again, and so do kept articles.
  private func purgeFeeds(at now: Date) async throws(StoreError) -> Int64? {
    try await database.write(.engine) { db in
      let feed: Int64? = try db.value(
        """
        SELECT f.id FROM feed f WHERE f.removedAt IS NOT NULL
          AND (f.removedAt < ? OR f.accountID IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM account WHERE id = f.accountID)) AND \(FeedRemoval.isPurgeable) LIMIT 1
        """, [now.milliseconds - Journal.memory])
      guard let feed else { return nil }
      _ = try FeedRemoval.purge(feed, db)
      return 1
    }
  }

  /// Purges articles that the user deleted too long ago for undo.
  private func purgeArticles(at now: Date) async throws(StoreError) -> Int64? {
    let purged = try await database.run(
      .engine,
      """
      DELETE FROM article WHERE id IN (
        SELECT a.id FROM tombstone t INDEXED BY tombstone_at
        JOIN article a ON a.feedID = t.feedID AND a.identity = t.identity
        JOIN articleStatus s ON s.articleID = a.id AND s.isHidden & \(HiddenReason.deleted) <> 0
        WHERE t.at < ? LIMIT ?)
      """, [now.milliseconds - Journal.memory, Self.batch])
    return purged == 0 ? nil : 1
  }

  private func expire(after place: Int64, at now: Date) async throws(StoreError) -> Int64? {
    let expiry = Expiry(
      retention: database.options.retention, now: now,
      configured: database.options.feedOptions)
    guard
      let next = try database.read({ db in try expiry.next(after: place, limit: Self.batch, db) })
    else {
      return nil
    }
    if !next.articles.isEmpty {
      try await database.write(.engine) { db in try expiry.delete(next.articles, db) }
    }
    return next.place
  }

  /// Corrects sort dates that a wrong clock put into the future.
  private func correctDates(at now: Date) async throws(StoreError) -> Int64? {
    let changed = try await database.run(
      .engine,
      """
      UPDATE articleStatus SET sortDate = ?1 WHERE articleID IN (
        SELECT articleID FROM articleStatus INDEXED BY list_all
        WHERE isHidden = 0 AND duplicateOf IS NULL AND isRead IN (0, 1)
          AND sortDate > ?1 + \(Duration.days(2).milliseconds) LIMIT ?2)
      """, [now.milliseconds, Self.batch])
    return changed == 0 ? nil : 1
  }

  /// Number of pages that stay free for later use.
  private static let freePages = 256

  private func vacuum() async throws(StoreError) -> Int64? {
    try await database.write(.engine) { db in
      let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      guard free > Self.freePages else { return nil }
      try db.execute(sql: "PRAGMA incremental_vacuum(\(min(64, free - Self.freePages)))")
      return 1
    }
  }

  /// Copies the write-ahead log into the database, except for pages that readers still need.
  private func checkpoint() async throws(StoreError) {
    do {
      try await database.core.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
    } catch {
      if !Task.isCancelled { throw StoreError(error, path: database.path) }
    }
  }
}
