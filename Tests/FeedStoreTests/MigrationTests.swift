import FeedModel
import Foundation
import GRDB
import Synchronization
import Testing

@testable import FeedStore

/// Every schema that was ever released, as its version left it: Fixtures/schema-NNNN.sql.
@Suite struct MigrationTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  static let released: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? [])
    .filter { $0.hasSuffix(".sql") }.sorted()

  @Test(arguments: released)
  func anOldCacheKeepsEverythingAndACopyIsKept(fixture: String) async throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let sql = try String(contentsOf: Self.fixtures.appending(path: fixture), encoding: .utf8)
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try old.close()

    let store = try FeedStore.open(
      directory: directory, options: StoreOptions(now: { TestCache.start }))
    defer { store.close() }
    let subscriptions = try store.reader.subscriptions()
    #expect(subscriptions.folders.map(\.title) == ["Systems"])
    #expect(subscriptions.feeds.map(\.name) == ["Mine", "B"])
    #expect(
      subscriptions.feeds.map(\.counts) == [
        ArticleCounts(total: 2, unread: 1, starred: 1), ArticleCounts(total: 1, unread: 1),
      ])
    #expect(try store.engine.fetchRecord(subscriptions.feeds[0].id)?.etag == "W/\"x:1\"")
    let rows = try store.reader.articles(ArticleQuery(scope: .all), .top, limit: 9)
    #expect(rows.map(\.title) == ["科技", "Second", "First"])
    let first = try #require(try store.reader.article(rows[2].id))
    #expect(first.row.status == ArticleStatus(isRead: false, isStarred: true))
    #expect(first.bodyHTML == "<p>Body of the first</p>")
    #expect(first.authors == [Author(name: "Ann")])
    #expect(first.tags == ["t"])
    #expect(first.enclosures.map(\.url) == ["https://example.org/a/1.mp3"])
    #expect(try await store.reader.undo()?.subject == "Second")
    #expect(try store.maintenance.integrityProblems().isEmpty)

    let number = fixture.dropFirst("schema-".count).prefix(4)
    let copy = try DatabaseQueue(path: directory + "/weir-schema-\(number).db")
    defer { try? copy.close() }
    let titles = try await copy.read { db in
      try String.fetchAll(db, sql: "SELECT title FROM article ORDER BY id")
    }
    #expect(titles == ["First", "Second", "科技"])
  }

  /// A folder with the cache of the earliest released schema.
  static func releasedCache() async throws -> String {
    let directory = TestCache.freshDirectory()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let fixture = try #require(released.first)
    let sql = try String(contentsOf: fixtures.appending(path: fixture), encoding: .utf8)
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try old.close()
    return directory
  }

  private static func copies(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasPrefix("weir-schema-") }
  }

  @Test("Each step of an upgrade is reported, and an up-to-date cache reports none")
  func steps() async throws {
    let directory = try await Self.releasedCache()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let size = try StoreFiles.size(of: directory + "/weir.db")
    let steps = Mutex<[UpgradeStep]>([])
    let options = StoreOptions(onUpgrade: { step in steps.withLock { $0.append(step) } })
    try FeedStore.open(directory: directory, options: options).close()
    let count = Schema.migrator.migrations.count - 1
    #expect(
      steps.withLock { $0 } == [.copying(bytes: size)]
        + (1...count).map { .migrating(number: $0, count: count) } + [.ended])
    steps.withLock { $0 = [] }
    try FeedStore.open(directory: directory, options: options).close()
    #expect(steps.withLock { $0 } == [])
  }

  @Test("An upgrade that was interrupted goes on where it was, and makes no second copy")
  func interruptedUpgrade() async throws {
    struct Interruption: Error {}
    let directory = try await Self.releasedCache()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/weir.db"
    // As a kill between two migrations leaves it.
    let queue = try DatabaseQueue(path: path)
    let found = try Schema.look(path: path, Schema.migrator, queue.configuration)
    try queue.close()
    let upgrade = Upgrade(path: path, found: found, freeSpace: { _ in nil }, report: { _ in })
    try upgrade.keepCopy()
    let pool = try DatabasePool(path: path, configuration: DatabaseCopy.writing)
    var stopping = DatabaseMigrator()
    stopping.registerMigration("0002 telemetry") { _ in throw Interruption() }
    #expect(throws: Interruption.self) { try upgrade.run({ _ in stopping }, in: pool) }
    try pool.close()
    let between = try DatabaseQueue(path: path)
    #expect(try Schema.look(path: path, Schema.migrator, between.configuration).unfinished == 1)
    try between.close()

    let steps = Mutex<[UpgradeStep]>([])
    let store = try FeedStore.open(
      directory: directory,
      options: StoreOptions(onUpgrade: { step in steps.withLock { $0.append(step) } }))
    defer { store.close() }
    #expect(
      steps.withLock { $0.first }
        == .migrating(number: 1, count: Schema.migrator.migrations.count - 1))
    #expect(try Self.copies(in: directory) == ["weir-schema-0001.db"])
    #expect(try store.reader.articles(ArticleQuery(scope: .all), .top, limit: 9).count == 3)
    let unfinished = try await store.database.pool.read { db in
      try Int.fetchOne(db, sql: "PRAGMA user_version")
    }
    #expect(unfinished == 0)
  }

  @Test("Where the disk has no room for a copy the upgrade goes on without one")
  func noRoomForACopy() async throws {
    let directory = try await Self.releasedCache()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/weir.db"
    let size = try StoreFiles.size(of: path)
    let steps = Mutex<[UpgradeStep]>([])
    let pool = try Schema.openPool(
      path: path, onUpgrade: { step in steps.withLock { $0.append(step) } },
      freeSpace: { _ in size })
    defer { try? pool.close() }
    #expect(steps.withLock { $0.first } == .withoutCopy(bytes: size))
    #expect(try Self.copies(in: directory) == [])
    #expect(
      try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM article") } == 3)
  }

  @Test("Reasons of checks that were sentences become codes")
  func checkReasons() async throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let fixture = try #require(Self.released.last)
    let sql = try String(contentsOf: Self.fixtures.appending(path: fixture), encoding: .utf8)
    let sentences = [
      "max-age 3600; 2 articles a week; skipHours", "failed 3 times; Retry-After 90000; of old",
    ]
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      for (place, text) in sentences.enumerated() {
        try db.execute(
          sql: """
            UPDATE feedFetch SET nextCheckReason = ?
            WHERE feedID = (SELECT id FROM feed ORDER BY id LIMIT 1 OFFSET ?)
            """, arguments: [text, place])
      }
    }
    try old.close()
    let store = try FeedStore.open(
      directory: directory, options: StoreOptions(now: { TestCache.start }))
    defer { store.close() }
    let feeds = try store.reader.subscriptions().feeds.sorted { $0.id < $1.id }
    #expect(
      feeds.prefix(2).map(\.state.nextCheckReasons) == [
        [.freshFor(3_600), .articlesPerDay(2.0 / 7), .skippedHours],
        [.failed(3), .retryAfter(90_000)],
      ])
  }

  @Test("Details of failures that were English become codes")
  func failureDetails() async throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let details: [(english: String, code: String)] = [
      ("exit code 7", "exit-code:7"), ("no end in 60 s", "time-limit:60"),
      ("password-command: exit code 1", "password-command:exit-code:1"),
      ("cookies: No such file", "cookies:No such file"),
      ("it cannot be started (No such file)", "cannot-start:No such file"),
      ("a web page, and it doesn't link to a feed", "web-page-without-feed"),
      ("XML of another kind, <svg>", "other-xml:svg"), ("more than 9 bytes", "byte-limit:9"),
      ("more than 9 bytes of headers", "more than 9 bytes of headers"), ("lwn.net", "lwn.net"),
    ]
    var store = try FeedStore.open(directory: directory)
    for place in details.indices {
      _ = try await store.reader.subscribe(
        url: "https://example.org/\(place)", title: nil, folder: nil)
    }
    store.close()
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in
      try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '0049 failure details'")
      for (place, detail) in details.enumerated() {
        try db.execute(
          sql: """
            UPDATE feedFetch SET failureKind = 'programFailed', failureSince = 1, failureDetail = ?
            WHERE feedID = (SELECT id FROM feed ORDER BY id LIMIT 1 OFFSET ?)
            """, arguments: [detail.english, place])
      }
    }
    try old.close()
    store = try FeedStore.open(directory: directory)
    defer { store.close() }
    let feeds = try store.reader.subscriptions().feeds.sorted { $0.id < $1.id }
    #expect(feeds.map(\.state.failure?.detail) == details.map(\.code))
  }

  @Test("Changes that an earlier version set aside because of a server's own error wait again")
  func refusedByAnOutage() async throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var store = try FeedStore.open(directory: directory)
    let account = try await store.accounts.addAccount(
      kind: .googleReader, url: "https://a.example/api", user: "ann")
    store.close()
    // As the schema before left it.
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DELETE FROM grdb_migrations WHERE identifier = '0012 sending';
          ALTER TABLE outbox RENAME COLUMN isUnanswered TO isRepeat;
          ALTER TABLE outbox DROP COLUMN checkedAt;
          ALTER TABLE account DROP COLUMN pausedUntil;
          """)
      for (item, detail) in [
        ("1", "500: oops"), ("2", "502"), ("3", "400: Bad Request!"), ("4", "unsupported"),
        ("5", "5000 items"),
      ] {
        try db.execute(
          sql: """
            INSERT INTO outbox (accountID, item, key, want, changedAt, attempts, state, detail)
            VALUES (?, ?, 'read', '1', 1, 4, 2, ?)
            """, arguments: [account.rawValue, item, detail])
      }
    }
    try old.close()
    store = try FeedStore.open(directory: directory)
    defer { store.close() }
    let outbox = try store.reader.outbox(of: account, limit: 9)
    #expect(outbox.map(\.state) == [.pending, .pending, .refused, .refused, .refused])
  }

  @Test("Saved searches that an earlier version renamed and removed can still be undone")
  func savedSearches() async throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FeedStore.open(directory: directory).close()
    // As the schema before left it: saved as A, renamed to B, removed; C saved, and that undone.
    let old = try DatabaseQueue(path: directory + "/weir.db")
    try await old.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DELETE FROM grdb_migrations WHERE identifier = '0018 one undo';
          ALTER TABLE savedSearch ADD COLUMN removedAt INTEGER;
          ALTER TABLE journal ADD COLUMN searchID INTEGER;
          ALTER TABLE journal ADD COLUMN otherName TEXT;
          INSERT INTO savedSearch (id, name, query, position, removedAt)
          VALUES (1, 'B', 'sqlite', 0, 9), (2, 'C', 'wal', 1, 9);
          INSERT INTO journal (kind, count, subject, at, isUndone, searchID, otherName)
          VALUES ('saveSearch', 1, 'A', 4102444800000, 0, 1, NULL),
            ('renameSearch', 1, 'B', 4102444800000, 0, 1, 'A'),
            ('removeSearch', 1, 'B', 4102444800000, 0, 1, NULL),
            ('saveSearch', 1, 'C', 4102444800000, 1, 2, NULL);
          """)
    }
    try old.close()
    let store = try FeedStore.open(directory: directory)
    defer { store.close() }
    func searches() throws -> [String] {
      try store.reader.subscriptions().searches.map { "\($0.id.rawValue) \($0.name) \($0.query)" }
    }
    #expect(try searches() == [])
    #expect(try await store.reader.redo()?.subject == "C")
    #expect(try searches() == ["2 C wal"])
    for expected in [[], ["1 B sqlite"], ["1 A sqlite"], []] {
      _ = try await store.reader.undo()
      #expect(try searches() == expected)
    }
    _ = try await store.reader.redo()
    #expect(try searches() == ["1 A sqlite"])
    _ = try await store.reader.redo()
    #expect(try searches() == ["1 B sqlite"])
  }
}
