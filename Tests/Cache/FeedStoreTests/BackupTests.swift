import GRDB

@testable import CacheCore
@testable import SearchStore

@Suite("Backup and recovery of the cache", .countsFailures) struct BackupTests {
  private func filled() async throws -> (cache: TestCache, ids: [ArticleID]) {
    let cache = try TestCache()
    let feed = try await cache.feed("a", folder: ["F"])
    let ids = try await cache.merge(feed, (0..<300).map { .dated($0) }).added
    try await cache.store.reader.states.set(.starred, Array(ids.prefix(5)), true)
    try await cache.store.reader.states.set(.read, Array(ids.suffix(50)), true)
    return (cache, ids)
  }

  @Test("A backup taken during writes is complete and can be restored")
  func backupDuringWrites() async throws {
    let (cache, ids) = try await filled()
    let file = cache.directory + "/copy.db"
    let before = try cache.store.reader.feeds.subscriptions()
    let rows = try cache.all(ArticleQuery(scope: .all))
    let store = cache.store
    let writing = Task {
      for _ in 0..<40 { try await store.reader.states.set(.read, Array(ids.prefix(3)), false) }
    }
    try cache.store.file.backup(to: file)
    try await writing.value
    #expect(throws: StoreError.exists(path: file)) { try cache.store.file.backup(to: file) }
    try cache.store.file.backup(to: file, replacing: true)
    #expect(throws: StoreError.self) {
      try cache.store.file.backup(to: cache.directory + "/weir.db", replacing: true)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: cache.directory)
        .filter { $0.hasPrefix("copy") } == ["copy.db"])

    try await cache.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    try await cache.store.reader.feeds.unsubscribe([before.feeds[0].id])
    cache.store.close()
    let done = try CacheFile.restore(from: file, directory: cache.directory)
    #expect(done.feeds == 1)
    #expect(done.articles == 300)
    let aside = try #require(done.setAside)
    #expect(FileManager.default.fileExists(atPath: aside))
    let again = try cache.another()
    defer { again.close() }
    #expect(try again.reader.feeds.subscriptions() == before)
    #expect(try again.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 999) == rows)
    #expect(try again.file.integrityProblems().isEmpty)
  }

  @Test("Restoring a backup into a missing folder creates the cache")
  func restoreCreatesTheCache() async throws {
    let (cache, _) = try await filled()
    let file = cache.directory + "/copy.db"
    try cache.store.file.backup(to: file)
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let done = try CacheFile.restore(from: file, directory: directory)
    #expect(done.setAside == nil)
    let store = try FeedStore.open(directory: directory)
    defer { store.close() }
    #expect(try store.reader.articles.count(ArticleQuery(scope: .all)) == 300)
  }

  @Test("A file that is not an intact backup is rejected, and the cache stays unchanged")
  func otherFilesAreRejected() async throws {
    let (cache, _) = try await filled()
    let good = cache.directory + "/good.db"
    try cache.store.file.backup(to: good)
    cache.store.close()
    let place = cache.directory + "/weir.db"
    let before = try Data(contentsOf: URL(fileURLWithPath: place))
    let file = cache.directory + "/bad.db"
    var damaged = try Data(contentsOf: URL(fileURLWithPath: good))
    for page in 3..<9 {
      damaged.replaceSubrange(
        page * Damage.pageSize..<page * Damage.pageSize + 900, with: Data(count: 900))
    }
    for bytes in [Data("A letter.".utf8), Data(), damaged] {
      try bytes.write(to: URL(fileURLWithPath: file))
      #expect(throws: StoreError.self) {
        try CacheFile.restore(from: file, directory: cache.directory)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == before)
    }
    try FileManager.default.removeItem(atPath: file)
    let other = try DatabaseQueue(path: file)
    try await other.write { db in try db.execute(sql: "CREATE TABLE feed (id INTEGER)") }
    try other.close()
    #expect(throws: StoreError.notACache(path: file)) {
      try CacheFile.restore(from: file, directory: cache.directory)
    }
    #expect(throws: StoreError.self) {
      try CacheFile.restore(from: cache.directory + "/none", directory: cache.directory)
    }
  }

  @Test("A damaged cache is rebuilt from its readable pages")
  func damagedFileIsRebuilt() async throws {
    let (cache, ids) = try await filled()
    let store = cache.store
    let total = try store.reader.articles.count(ArticleQuery(scope: .all))
    #expect(total == 300)
    store.close()
    let place = cache.directory + "/weir.db"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: place))
    // Zeroes one page of the article table. An index and the texts contain parts of its rows.
    try Self.zero("article", in: place, &bytes)
    try bytes.write(to: URL(fileURLWithPath: place))

    let recovery = try CacheFile.recover(directory: cache.directory)
    #expect(recovery.feeds == 1)
    #expect(recovery.articlesBefore == 300)
    #expect(recovery.articles == 300)
    #expect(recovery.gaps >= 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.setAside)) == bytes)
    let again = try cache.another()
    defer { again.close() }
    #expect(try again.file.integrityProblems().isEmpty)
    #expect(try again.reader.articles.count(ArticleQuery(scope: .all)) == recovery.articles)
    let rows = try again.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 999)
    #expect(rows.count == recovery.articles)
    for row in rows {
      #expect(try again.reader.articles.article(row.id)?.bodyHTML.contains("Body of") == true)
      #expect(row.status.isRead == ids.suffix(50).contains(row.id))
      #expect(row.status.isStarred == ids.prefix(5).contains(row.id))
    }
    #expect(rows.contains { $0.title.hasPrefix("Body of") })
    // The feed's next refresh restores the lost columns and duplicates nothing.
    let feed = try #require(try again.reader.feeds.subscriptions().feeds.first)
    let outcome = try await again.engine.fetches.merge(
      [.parsed(feed.id, (0..<300).map { .dated($0) }, at: TestCache.start)])
    #expect(outcome[0].added.isEmpty)
    let later = try again.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 999)
    #expect(later.allSatisfy { $0.title.hasPrefix("Article ") })
  }

  @Test("Articles survive the loss of their feed's row and of their status")
  func articlesOutliveTheirFeed() async throws {
    let (cache, _) = try await filled()
    cache.store.close()
    let place = cache.directory + "/weir.db"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: place))
    for table in ["feed", "articleStatus"] { try Self.zero(table, in: place, &bytes) }
    try bytes.write(to: URL(fileURLWithPath: place))
    let recovery = try CacheFile.recover(directory: cache.directory)
    // Indexes hold the address and the states.
    #expect(recovery.nameless == 0)
    #expect(recovery.withoutStatus == 0)
    #expect(recovery.articles == 300)
    #expect(recovery.outcomes[.stars] == CacheFile.Outcome(saved: 5, lost: 0))
    #expect(recovery.outcomes[.readMarks] == CacheFile.Outcome(saved: 50, lost: 0))
    let again = try cache.another()
    defer { again.close() }
    #expect(try again.file.integrityProblems().isEmpty)
    #expect(try again.reader.feeds.outline().map(\.url) == ["https://example.org/a"])
  }

  @Test("Recovery changes nothing if nothing can be read") func unreadableIsUnchanged() throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let bytes = Data(repeating: 7, count: 100_000)
    try bytes.write(to: URL(fileURLWithPath: directory + "/weir.db"))
    #expect(throws: StoreError.self) { try CacheFile.recover(directory: directory) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["weir.db"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory + "/weir.db")) == bytes)
  }

  @Test("A damaged file is either recovered without problems or left unchanged")
  func recoveredOrUnchanged() async throws {
    let (cache, _) = try await filled()
    cache.store.close()
    let good = try Data(contentsOf: URL(fileURLWithPath: cache.directory + "/weir.db"))
    var saved = 0
    var articles = 0
    let rounds = Soak.length(short: 8, long: 200)
    for round in 0..<rounds {
      let directory = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let bytes = Damage.round(round, of: good)
      try bytes.write(to: URL(fileURLWithPath: directory + "/weir.db"))
      guard let recovery = try? CacheFile.recover(directory: directory) else {
        #expect(
          try Data(contentsOf: URL(fileURLWithPath: directory + "/weir.db")) == bytes,
          "round \(round)")
        continue
      }
      saved += 1
      articles += recovery.articles
      let store = try FeedStore.open(directory: directory)
      defer { store.close() }
      #expect(try store.file.integrityProblems() == [], "round \(round)")
      let count = try store.reader.articles.count(ArticleQuery(scope: .all))
      #expect(
        try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 999).count == count,
        "round \(round)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.setAside)) == bytes)
    }
    #expect(saved > rounds / 3)
    Soak.report(
      "damaged databases, repaired", "\(rounds) files",
      "\(saved) rebuilt with \(articles * 100 / (saved * 300)) % of their articles, the others left as they were"
    )
  }

  /// Zeroes a leaf page of a table in the bytes of its file: the root, or its first child.
  private static func zero(_ table: String, in path: String, _ bytes: inout Data) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
    var page = try queue.read { db in try Int.fetchOne(db, sql: sql, arguments: [table]) } ?? 0
    let file = bytes.dropFirst((page - 1) * Damage.pageSize)
    func byte(_ at: Int) -> Int { Int(file[file.startIndex + at]) }
    if byte(0) == 5 {
      // In an interior page, the first cell is a child's number (sqlite.org/fileformat2.html, 1.6).
      let cell = byte(12) << 8 | byte(13)
      page = (0..<4).reduce(0) { $0 << 8 | byte(cell + $1) }
    }
    bytes.replaceSubrange(
      (page - 1) * Damage.pageSize..<page * Damage.pageSize, with: Data(count: Damage.pageSize))
  }
}
