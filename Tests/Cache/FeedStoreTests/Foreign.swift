import GRDB

@testable import FeedStore
@testable import WorkStore

/// Access to the file past the store: query plans of SQLite, and rows as a newer version or a
/// killed process would leave them.
enum Foreign {
  private static func open(_ directory: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: directory + "/weir.db")
  }

  static func create(owner: String, feed: Int64, in directory: String) throws {
    let queue = try open(directory)
    try queue.write { db in
      try db.execute(sql: "INSERT INTO attention VALUES (?, 0, ?)", arguments: [owner, feed])
    }
    try queue.close()
  }

  /// Writes the pause of a process that was killed.
  static func pause(owner: String, in directory: String) throws {
    let queue = try open(directory)
    try queue.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO syncPause (scope, owner, since) VALUES (?, ?, 0)",
        arguments: [#"{"everything":{}}"#, owner])
    }
    try queue.close()
  }

  static func owners(in directory: String) throws -> [String] {
    let queue = try open(directory)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(db, sql: "SELECT owner FROM attention")
    }
  }

  static func journalLength(in directory: String) throws -> Int? {
    let queue = try open(directory)
    defer { try? queue.close() }
    return try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM journal") }
  }

  static func addMigration(_ name: String, in directory: String) throws {
    let queue = try open(directory)
    try queue.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
    }
    try queue.close()
  }

  static func pragmas(
    in directory: String
  ) throws -> (pageSize: Int?, journalMode: String?, autoVacuum: Int?) {
    let queue = try open(directory)
    defer { try? queue.close() }
    return try queue.read { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA page_size"),
        try String.fetchOne(db, sql: "PRAGMA journal_mode"),
        try Int.fetchOne(db, sql: "PRAGMA auto_vacuum")
      )
    }
  }

  static func analyse(_ directory: String) throws {
    let queue = try open(directory)
    try queue.write { db in try db.execute(sql: "ANALYZE") }
    try queue.close()
  }

  /// Query plans of the engine's statements for waiting files and pages.
  static func waitingPlans(in store: FeedStore) throws -> [String] {
    try store.database.core.pool.read { db in
      var statements: [String] = []
      db.trace { statements.append("\($0)") }
      _ = try DownloadCache.table.list(db, DownloadCache.table.queue)
      _ = try FullTextCache.table.list(db, "ORDER BY t.askedAt LIMIT 500")
      db.trace(nil)
      return try statements.map { statement in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + statement)
          .map { $0["detail"] as String }.joined(separator: "; ")
      }
    }
  }

  /// Query plans of the statements that page through lists.
  static func listPlans(in directory: String) throws -> [String] {
    let queue = try open(directory)
    defer { try? queue.close() }
    return try queue.read { db in
      var plans: [String] = []
      for (index, condition) in [
        ("list_all", "s.duplicateOf IS NULL AND s.isRead = 1"),
        ("list_all", "s.duplicateOf IS NULL AND s.isRead = 0"),
        ("list_starred", "s.isStarred = 1"),
        ("list_all_feed", "s.feedID = 1"),
        ("list_unread_feed", "s.feedID = 1 AND s.isRead = 0"),
        ("list_starred_feed", "s.feedID = 1 AND s.isStarred = 1"),
      ] {
        for (sign, direction) in [("<", "DESC"), (">=", "ASC")] {
          let rows = try Row.fetchAll(
            db,
            sql: """
              EXPLAIN QUERY PLAN SELECT s.sortDate, s.articleID FROM articleStatus s
              INDEXED BY \(index) WHERE s.isHidden = 0 AND \(condition)
              AND (s.sortDate, s.articleID) \(sign) (5, 5)
              ORDER BY s.sortDate \(direction), s.articleID \(direction) LIMIT 5
              """)
          plans.append(rows.map { $0["detail"] as String }.joined(separator: "; "))
        }
      }
      return plans
    }
  }
}
