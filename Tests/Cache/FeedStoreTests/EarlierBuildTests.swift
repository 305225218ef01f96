import Foundation
import GRDB
import Synchronization
import Testing

@testable import CacheCore
@testable import FeedStore

/// Databases of builds before the first release, filled through commands and screens:
/// `Fixtures/build-….sql`.
@Suite("Databases of builds before the first release") struct EarlierBuildTests {
  static let builds = ["39025ee", "8914565c"]

  /// A folder with the database of a build.
  static func folder(_ build: String) throws -> String {
    let directory = TestCache.freshDirectory()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/build-\(build).sql")
    let sql = try String(contentsOf: file, encoding: .utf8)
    let queue = try DatabaseQueue(path: directory + "/weir.db")
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
    return directory
  }

  /// Tables with the user's data, and their columns; a renamed column is "old>new".
  private static let kinds: [(table: String, columns: String)] = [
    ("folder", "id parentID title position isExpanded"),
    ("feed", "id url title userTitle folderID position isPaused accountID keepArticles removedAt"),
    ("article", "id feedID identity title author url firstSeenAt"),
    ("articleBody", "articleID itemID html publishedAt"),
    ("enclosure", "articleID position url mimeType size"),
    ("articleStatus", "articleID feedID sortDate isRead isStarred isHidden copyOf>duplicateOf"),
    ("articleTag", "articleID tag"), ("articleNote", "articleID program html"),
    ("readingPosition", "articleID block share"), ("savedSearch", "id name query position"),
    ("rule", "id name query actions isEnabled position revision createdAt"),
    ("ruleHit", "articleID ruleID revision did"), ("tombstone", "feedID identity"),
    ("account", "id kind url user title passwordCommand folderID"),
    ("remoteFeed", "feedID accountID remoteID"), ("remoteArticle", "articleID accountID remoteID"),
    ("outbox", "accountID item key want changedAt state"),
    ("download", "articleID url path received place>position"),
    ("feedFetch", "feedID etag bodyHash succeededAt"),
  ]

  /// Returns the rows of each table in both files as text, with the columns of the first file.
  private func rows(_ old: String, _ new: String) throws -> [String: (old: [String], new: [String])]
  {
    let queues = try [old, new].map { try DatabaseQueue(path: $0) }
    defer { for queue in queues { try? queue.close() } }
    var result: [String: (old: [String], new: [String])] = [:]
    for kind in Self.kinds {
      let present = try queues[0].read { db in
        try db.tableExists(kind.table) ? Set(db.columns(in: kind.table).map(\.name)) : []
      }
      let isFormer = try queues[1].read { db in
        try db.columns(in: kind.table).contains { Takeover.formerColumns[$0.name] != nil }
      }
      let names = kind.columns.split(separator: " ").map {
        $0.split(separator: ">").map(String.init)
      }
      .filter { present.contains($0[0]) }
      guard !names.isEmpty else { continue }
      let texts = try zip(
        queues, [names.map { $0[0] }, names.compactMap(isFormer ? \.first : \.last)]
      ).map {
        queue, columns in
        try queue.read { db in
          try Row.fetchAll(
            db,
            sql: "SELECT \(columns.joined(separator: ", ")) FROM \(kind.table) ORDER BY 1, 2"
          ).map { row in row.databaseValues.map { "\($0)" }.joined(separator: " ") }
        }
      }
      result[kind.table] = (texts[0], texts[1])
    }
    return result
  }

  private func keptFile(in directory: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasPrefix("weir-before-upgrade-") && $0.hasSuffix(".db") }
    #expect(names.count == 1)
    return directory + "/" + (names.first ?? "")
  }

  @Test("All of the user's rows are converted, and the old file is kept", arguments: builds)
  func takeOver(build: String) throws {
    let directory = try Self.folder(build)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/weir.db"
    let bytes = try Data(contentsOf: URL(filePath: path))
    let steps = Mutex<[UpgradeStep]>([])
    let store = try FeedStore.open(
      directory: directory,
      options: StoreOptions(onUpgrade: { step in steps.withLock { $0.append(step) } }))
    #expect(try store.file.integrityProblems() == [])
    store.close()
    let kept = try keptFile(in: directory)
    #expect(try Data(contentsOf: URL(filePath: kept)) == bytes)
    let rows = try rows(kept, path)
    for (table, rows) in rows { #expect(rows.old == rows.new, "\(table)") }
    #expect(rows["articleTag"]?.new.count ?? 0 >= 3)
    #expect(rows["outbox"]?.new.count == 2)
    #expect(rows["download"]?.new.count == 1)
    #expect(steps.withLock { $0 } == [.takingOver(bytes: Int64(bytes.count)), .ended])
  }

  @Test("A removed saved search that was kept for undo is not restored by the conversion")
  func removedSearch() throws {
    let directory = try Self.folder("39025ee")
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let queue = try DatabaseQueue(path: directory + "/weir.db")
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          INSERT INTO savedSearch (name, query, position, removedAt) VALUES ('Old', 'x', 1, 5)
          """)
    }
    try queue.close()
    let store = try FeedStore.open(directory: directory)
    defer { store.close() }
    #expect(try store.reader.feeds.subscriptions().searches.map(\.name) == ["sqliteDatabases"])
  }

  @Test("The write-ahead log is converted too, and the kept file is complete without it")
  func log() throws {
    let directory = try Self.folder("8914565c")
    defer { try? FileManager.default.removeItem(atPath: directory) }
    // Copies of an open database and its log equal the files after a crash.
    let live = directory + "/live.db"
    let path = directory + "/weir.db"
    try FileManager.default.moveItem(atPath: path, toPath: live)
    let pool = try DatabasePool(path: live)
    try pool.write { db in try db.execute(sql: "UPDATE articleStatus SET isStarred = 1") }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: live + suffix, toPath: path + suffix)
    }
    try pool.close()
    let store = try FeedStore.open(directory: directory)
    #expect(try store.reader.feeds.subscriptions().smartCounts[.starred] == 42)
    store.close()
    let states = try rows(live, try keptFile(in: directory))["articleStatus"]
    #expect(states?.old.count == 42)
    #expect(states?.old == states?.new)
  }

  @Test("Without room for the new file, nothing changes and the message names the needed space")
  func noSpace() throws {
    let directory = try Self.folder("8914565c")
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/weir.db"
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(throws: StoreError.needsSpace(bytes: Int64(bytes.count), path: directory)) {
      try Schema.openPool(path: path, freeSpace: { _ in 1_000 })
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["weir.db"])
  }

  @Test("A damaged file is not converted, but is repaired on request")
  func damaged() throws {
    let directory = try Self.folder("8914565c")
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/weir.db"
    let queue = try DatabaseQueue(path: path)
    let (root, pageSize) = try queue.read { db in
      (
        try Int.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'articleTag_tag'") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      )
    }
    try queue.close()
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64((root - 1) * pageSize))
    try file.write(contentsOf: Data(repeating: 0x55, count: pageSize))
    try file.close()
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(throws: StoreError.corrupt(detail: .unreadablePages)) {
      try FeedStore.open(directory: directory)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    let recovery = try CacheFile.recover(directory: directory)
    #expect(recovery.outcomes[.tags]?.saved == 39)
    #expect(recovery.foreign == [])
  }

  @Test("A backup of an earlier build is restored")
  func restore() throws {
    let source = try Self.folder("39025ee")
    let target = TestCache.freshDirectory()
    defer {
      for path in [source, target] { try? FileManager.default.removeItem(atPath: path) }
    }
    let done = try CacheFile.restore(from: source + "/weir.db", directory: target)
    #expect((done.feeds, done.articles) == (4, 42))
    let store = try FeedStore.open(directory: target)
    defer { store.close() }
    #expect(try store.reader.feeds.subscriptions().searches.map(\.name) == ["sqliteDatabases"])
  }
}
