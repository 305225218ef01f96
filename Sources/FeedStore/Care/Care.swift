import FeedModel
import Foundation
import GRDB

extension FeedStore {
  /// SQLite's own integrity check; empty where all is well. Reads the whole file.
  public func integrityProblems() throws(StoreError) -> [String] {
    try read { db in
      var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)")
      if problems == ["ok"] { problems = [] }
      let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
      let tables = Set(orphans.map { $0[0] as String })
      problems += tables.sorted().map { "rows of \($0) refer to rows that do not exist" }
      return problems
    }
  }

  /// What needs doing now and then, in small transactions that let others in between: forgets old
  /// undo entries and the feeds that only they could bring back, and gives free pages back to the disk.
  public func tidy() async throws(StoreError) {
    let now = options.now()
    try await write(.engine) { db in
      let newest: Int64 = try db.first("SELECT max(id) FROM journal") { $0[0] as Int64? ?? 0 } ?? 0
      try Journal.trim(db, newest: newest, at: now)
      try SavedSearchRows.purge(db)
    }
    while try await purgeSome() {}
    try await write(.engine) { db in
      try db.execute(sql: "PRAGMA incremental_vacuum(256)")
    }
  }

  /// Deletes a few hundred articles of a feed that nothing can bring back. False: there are none.
  private func purgeSome() async throws(StoreError) -> Bool {
    try await write(.engine) { db in
      let feed: Int64? = try db.first(
        """
        SELECT id FROM feed WHERE removedAt IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM journalFeed WHERE feedID = feed.id) LIMIT 1
        """
      ) { $0[0] }
      guard let feed else { return false }
      let deleted = try db.run(
        "DELETE FROM article WHERE id IN (SELECT id FROM article WHERE feedID = ? LIMIT 400)",
        [feed])
      if deleted == 0 { try db.run("DELETE FROM feed WHERE id = ?", [feed]) }
      return true
    }
  }
}
