import GRDB

@testable import FeedStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Serialized because the umask belongs to the whole process.
@Suite("Opening the cache", .serialized) final class OpeningTests: CacheSuite {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  @Test("Files and folders are private whatever the umask") func filesArePrivate() async throws {
    let old = umask(0)
    defer { umask(old) }
    let directory = TestCache.freshDirectory() + "/deep/er"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try FeedStore.open(directory: directory)
    defer { store.close() }
    _ = try await store.reader.feeds.subscribe(url: "https://e.org", title: nil, folder: nil)
    #expect(try mode(directory) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      #expect(try mode(directory + "/" + name) == 0o600, "\(name)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        == ["weir.db", "weir.db-shm", "weir.db-wal"])
  }

  @Test("A file format unknown to SQLite is reported as damage")
  func unknownFormatIsDamage() throws {
    cache.store.close()
    let place = URL(fileURLWithPath: cache.directory + "/weir.db")
    var bytes = try Data(contentsOf: place)
    // The schema format number (sqlite.org/fileformat2.html, 1.3.13).
    bytes[47] = 9
    try bytes.write(to: place)
    #expect(throws: StoreError.corrupt(detail: .said("unsupported file format"))) {
      try FeedStore.open(directory: cache.directory)
    }
  }

  @Test("A database that others can read is made private when it is opened")
  func openingMakesPrivate() async throws {
    cache.store.close()
    let path = cache.directory + "/weir.db"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let store = try cache.another()
    defer { store.close() }
    #expect(try mode(path) == 0o600)
  }

  @Test("A reopened cache contains everything") func reopeningFindsAll() async throws {
    let feed = try await cache.feed("a", folder: ["F"])
    try await cache.merge(feed, [.dated(1)])
    let before = try cache.feeds.subscriptions()
    cache.store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.directory) == ["weir.db"])
    let store = try cache.another()
    defer { store.close() }
    #expect(try store.reader.feeds.subscriptions() == before)
    #expect(try store.file.integrityProblems().isEmpty)
  }

  @Test("Every call after closing throws an error") func closedStoreThrows() async throws {
    cache.store.close()
    cache.store.close()
    #expect(throws: StoreError.self) { try cache.feeds.subscriptions() }
    await #expect(throws: StoreError.self) { _ = try await cache.feed("a") }
  }

  @Test("A read that begins while the cache closes has an answer or throws") func lateReads() throws
  {
    for _ in 0..<20 {
      let (cache, readers) = (try TestCache(), DispatchGroup())
      for _ in 0..<4 {
        readers.enter()
        Thread {
          while (try? cache.feeds.subscriptions()) != nil {}
          readers.leave()
        }.start()
      }
      cache.store.close()
      readers.wait()
    }
  }

  @Test("A new database has pages of 16 KiB, a write-ahead log and incremental vacuum")
  func theFileIsMadeAsMeant() throws {
    let pragmas = try Foreign.pragmas(in: cache.directory)
    #expect(pragmas.pageSize == 16_384)
    #expect(pragmas.journalMode == "wal")
    #expect(pragmas.autoVacuum == 2)
  }

  @Test("A newer schema is rejected and its file stays unchanged")
  func newerSchemaIsRejected() async throws {
    _ = try await cache.feed("a")
    cache.store.close()
    try Foreign.addMigration("9999 from the future", in: cache.directory)
    let path = cache.directory + "/weir.db"
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StoreError.newerSchema(found: "9999 from the future")) {
      try FeedStore.open(directory: cache.directory)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("A file that is no database is rejected and stays unchanged")
  func otherFileIsRejected() throws {
    let directory = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = directory + "/weir.db"
    let bytes = Data(String(repeating: "This is a letter to my aunt.\n", count: 2_000).utf8)
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try FeedStore.open(directory: directory) }
    guard case .corrupt = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("A path that cannot be a folder throws a specific error") func badPathThrows() throws {
    let file = TestCache.freshDirectory()
    try Data().write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    for path in [file, file + "/below"] {
      let error = #expect(throws: StoreError.self) { try FeedStore.open(directory: path) }
      guard case .cannotOpen = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test(
    "A read-only folder or file throws an error with its path",
    .disabled(if: geteuid() == 0, "root may write anywhere"))
  func aReadOnlyFolderIsSaidSo() async throws {
    _ = try await cache.feed("a")
    cache.store.close()
    for (path, mode) in [(cache.directory, 0o500), (cache.directory + "/weir.db", 0o400)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      }
      #expect(throws: StoreError.readOnly(path: path)) {
        try FeedStore.open(directory: cache.directory)
      }
    }
    #expect(throws: StoreError.readOnly(path: "/usr/weir")) {
      try FeedStore.open(directory: "/usr/weir")
    }
  }

  @Test("Writes of the user are synchronized to disk; writes of the engine are not")
  func userWritesAreSynced() async throws {
    let user = try await cache.store.database.write(.user) {
      try Int.fetchOne($0, sql: "PRAGMA synchronous")
    }
    let engine = try await cache.store.database.write(.engine) {
      try Int.fetchOne($0, sql: "PRAGMA synchronous")
    }
    // FULL and NORMAL (sqlite.org/pragma.html).
    #expect(user == 2 && engine == 1)
  }

  @Test("No statement can modify the schema table directly")
  func schemaTableIsReadOnly() async throws {
    await #expect(throws: StoreError.self) {
      try await cache.store.database.write(.engine) { db in
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(sql: "UPDATE sqlite_master SET sql = 'x' WHERE name = 'feed'")
      }
    }
  }

  @Test("Four stores that create the same cache at the same time all open it")
  func concurrentCreation() async throws {
    for _ in 0..<12 {
      let directory = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let urls = try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let store = try FeedStore.open(directory: directory)
            defer { store.close() }
            _ = try await store.reader.feeds.subscribe(
              url: "https://e.org/\(number)", title: nil, folder: nil)
          }
        }
        try await group.waitForAll()
        let store = try FeedStore.open(directory: directory)
        defer { store.close() }
        return try store.reader.feeds.subscriptions().feeds.map(\.url)
      }
      #expect(urls.count == 4)
    }
  }
}
