import GRDB

@testable import CacheCore

@Suite("Upgrades of the cache") struct MigrationTests {
  /// Migrations of a hypothetical later release.
  private static let later = [
    Migrator.Migration(name: "2 colours") { db in
      try db.execute(sql: "ALTER TABLE feed ADD COLUMN colour TEXT")
    },
    Migrator.Migration(name: "3 blue") { db in
      try db.execute(sql: "UPDATE feed SET colour = 'blue'")
    },
  ]

  /// A closed cache of this version with a feed and three articles; one is starred.
  private func cache() async throws -> TestCache {
    let cache = try TestCache()
    let ids = try await cache.merge(try await cache.feed("a"), (0..<3).map { .dated($0) }).added
    try await cache.store.reader.states.set(.starred, [ids[0]], true)
    cache.store.close()
    return cache
  }

  private func colours(_ pool: DatabasePool) async throws -> [String] {
    try await pool.read { db in try String.fetchAll(db, sql: "SELECT colour FROM feed") }
  }

  private static func copies(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasPrefix("weir-schema-") }
  }

  @Test("An upgrade keeps every row, reports each step and copies the file beforehand")
  func steps() async throws {
    let cache = try await cache()
    let path = cache.directory + "/weir.db"
    let size = try StoreFiles.size(of: path)
    let steps = Mutex<[UpgradeStep]>([])
    func open() throws -> DatabasePool {
      try Schema.openPool(
        path: path, onUpgrade: { step in steps.withLock { $0.append(step) } },
        migrator: Migrator(later: Self.later))
    }
    var pool = try open()
    #expect(
      steps.withLock { $0 } == [
        .copying(bytes: size), .migrating(number: 1, count: 2), .migrating(number: 2, count: 2),
        .ended,
      ])
    #expect(try await colours(pool) == ["blue"])
    let starred = try await pool.read { db in
      try Int.fetchOne(db, sql: "SELECT sum(isStarred) FROM articleStatus")
    }
    #expect(starred == 1)
    try pool.close()

    steps.withLock { $0 = [] }
    pool = try open()
    try pool.close()
    #expect(steps.withLock { $0 } == [], "a current cache is only opened")
    let copy = try DatabaseQueue(path: cache.directory + "/weir-schema-0001.db")
    defer { try? copy.close() }
    let columns = try await copy.read { db in try db.columns(in: "feed").map(\.name) }
    #expect(columns.contains("url") && !columns.contains("colour"))
  }

  @Test("An interrupted upgrade continues without a second copy")
  func interruptedUpgrade() async throws {
    struct Interruption: Error {}
    let cache = try await cache()
    let path = cache.directory + "/weir.db"
    let failing = Migrator.Migration(name: "3 blue") { _ in throw Interruption() }
    #expect(throws: Interruption.self) {
      try Schema.openPool(path: path, migrator: Migrator(later: [Self.later[0], failing]))
    }
    let steps = Mutex<[UpgradeStep]>([])
    let pool = try Schema.openPool(
      path: path, onUpgrade: { step in steps.withLock { $0.append(step) } },
      migrator: Migrator(later: Self.later))
    defer { try? pool.close() }
    #expect(steps.withLock { $0 } == [.migrating(number: 1, count: 1), .ended])
    #expect(try Self.copies(in: cache.directory) == ["weir-schema-0001.db"])
    #expect(try await colours(pool) == ["blue"])
    let unfinished = try await pool.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
    #expect(unfinished == 0)
  }

  @Test("Without disk space for a copy, the upgrade continues without one")
  func noRoomForACopy() async throws {
    let cache = try await cache()
    let path = cache.directory + "/weir.db"
    let size = try StoreFiles.size(of: path)
    let steps = Mutex<[UpgradeStep]>([])
    let pool = try Schema.openPool(
      path: path, onUpgrade: { step in steps.withLock { $0.append(step) } },
      freeSpace: { _ in size }, migrator: Migrator(later: Self.later))
    defer { try? pool.close() }
    #expect(steps.withLock { $0.first } == .withoutCopy(bytes: size))
    #expect(try Self.copies(in: cache.directory) == [])
    #expect(try await colours(pool) == ["blue"])
  }

  @Test("An older schema with foreign changes is not upgraded") func foreign() async throws {
    let cache = try await cache()
    let path = cache.directory + "/weir.db"
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in
      try db.execute(sql: "CREATE TRIGGER evil AFTER UPDATE ON feed BEGIN DELETE FROM article; END")
    }
    try queue.close()
    #expect(throws: StoreError.foreignSchema(found: ["trigger evil"])) {
      try Schema.openPool(path: path, migrator: Migrator(later: Self.later))
    }
  }
}
