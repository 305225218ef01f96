import GRDB

@testable import CacheCore

@Suite("Checks of the schema") struct SchemaCheckTests {
  private static let evil = [
    "CREATE TRIGGER evil AFTER UPDATE ON articleStatus BEGIN DELETE FROM feed; END",
    "CREATE VIEW evil AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c",
    "CREATE INDEX evil ON feed (abs(position))",
    "CREATE TABLE evil (a INTEGER, b AS (a + 1))",
    "DROP TRIGGER status_added",
  ]

  private func cache(_ sql: String) async throws -> (directory: String, starred: Int) {
    let cache = try TestCache()
    let feed = try await cache.feed("a", folder: ["F"])
    let ids = try await cache.merge(feed, (0..<20).map { .dated($0) }).added
    try await cache.store.reader.states.set(.starred, Array(ids.prefix(3)), true)
    let directory = TestCache.freshDirectory()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try cache.store.file.backup(to: directory + "/weir.db")
    let queue = try DatabaseQueue(path: directory + "/weir.db")
    try await queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
    return (directory, 3)
  }

  @Test("The fingerprint equals that of a new database's schema") func fingerprint() throws {
    let cache = try TestCache()
    let queue = try DatabaseQueue(path: cache.directory + "/weir.db")
    defer { try? queue.close() }
    let entries = try queue.read { db in try Schema.entries(db) }
    #expect(Schema.fingerprint(of: entries) == Schema.fingerprint)
  }

  @Test("A database with a foreign schema is not opened, but a repair copies its rows")
  func opening() async throws {
    for sql in Self.evil {
      let (directory, starred) = try await cache(sql)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      do {
        try FeedStore.open(directory: directory).close()
        Issue.record("\(sql) was opened")
      } catch {
        guard case .foreignSchema = error else {
          Issue.record("\(sql): \(error)")
          continue
        }
      }
      let recovery = try CacheFile.recover(directory: directory)
      #expect(
        recovery.foreign
          == (sql.hasPrefix("DROP") ? [] : ["\(sql.split(separator: " ")[1].lowercased()) evil"]))
      let store = try FeedStore.open(directory: directory)
      defer { store.close() }
      let rows = try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 99)
      #expect(rows.count == 20)
      #expect(rows.count { $0.status.isStarred } == starred)
      try await store.reader.states.set(.read, rows.map(\.id), true)
      #expect(try store.reader.feeds.subscriptions().feeds.count == 1)
    }
  }

  @Test("A restore copies only rows from a backup with a foreign schema")
  func restoring() async throws {
    for sql in Self.evil {
      let (directory, starred) = try await cache(sql)
      let target = TestCache.freshDirectory()
      defer {
        for path in [directory, target] { try? FileManager.default.removeItem(atPath: path) }
      }
      let done = try CacheFile.restore(
        from: directory + "/weir.db", directory: target, programs: .ask)
      #expect(done.articles == 20)
      #expect(!done.foreign.isEmpty)
      let store = try FeedStore.open(directory: target)
      defer { store.close() }
      let rows = try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 99)
      #expect(rows.count { $0.status.isStarred } == starred)
    }
  }

  @Test("A database whose table of migrations is an endless view is rejected")
  func endlessView() async throws {
    let (directory, _) = try await cache(
      """
      ALTER TABLE grdb_migrations RENAME TO other;
      CREATE VIEW grdb_migrations AS
        WITH RECURSIVE c(identifier) AS (SELECT 'x' UNION ALL SELECT identifier FROM c)
        SELECT identifier FROM c
      """)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(throws: StoreError.foreignSchema(found: ["view grdb_migrations"])) {
      try FeedStore.open(directory: directory)
    }
  }

  @Test("Programs in a backup are listed, and restored or left out as requested")
  func programs() async throws {
    let (directory, _) = try await cache(
      """
      UPDATE feed SET proxy = 'http://evil/' WHERE id = 1;
      INSERT INTO feed (id, url, position, addedAt) VALUES (2, 'exec:/bin/evil', 1, 1);
      INSERT INTO feed (id, url, position, addedAt)
        VALUES (3, 'filter:/bin/evil:https://e.org/', 1, 1);
      INSERT INTO rule (name, query, actions, isEnabled, position, createdAt)
        VALUES ('r', '', 'star run:evil', 1, 1, 1);
      INSERT INTO account (kind, url, user, title, passwordCommand, addedAt)
        VALUES ('fever', 'https://e.org/', 'a', 'A', '["/bin/evil"]', 1)
      """)
    let target = TestCache.freshDirectory()
    defer {
      for path in [directory, target] { try? FileManager.default.removeItem(atPath: path) }
    }
    let file = directory + "/weir.db"
    let names = [
      "proxy of https://example.org/a", "exec:/bin/evil", "filter:/bin/evil:https://e.org/",
      #"password-command of A: ["/bin/evil"]"#, "rule r: run:evil",
    ]
    #expect(throws: StoreError.programs(names)) {
      try CacheFile.restore(from: file, directory: target, programs: .ask)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target) == [])
    let done = try CacheFile.restore(from: file, directory: target, programs: .leaveOut)
    #expect(done.leftOut == names)
    #expect(done.feeds == 1)
    let queue = try DatabaseQueue(path: target + "/weir.db")
    let rest = try await queue.read { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT (SELECT count(*) FROM feed WHERE proxy IS NOT NULL)
            + (SELECT count(*) FROM rule WHERE isEnabled = 1)
            + (SELECT count(*) FROM account WHERE passwordCommand IS NOT NULL)
          """)
    }
    #expect(rest == [0])
    try queue.close()
    #expect(try CacheFile.restore(from: file, directory: target, programs: .accept).feeds == 3)
  }
}
