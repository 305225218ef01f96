import FaultyDisk

/// Serialized because the faulty disk watches one folder at a time.
@Suite("Faults of the disk", .serialized, .countsFailures) struct FaultTests {
  // MARK: A disk that fails

  /// A session of writes, and which of them the store acknowledged.
  private struct Sitting {
    var merged: [[ArticleID]] = []
    var starred: [ArticleID] = []
    var unread: [ArticleID] = []
    var failures = 0

    mutating func go(_ directory: String) async {
      let store: FeedStore
      do {
        store = try FeedStore.open(
          directory: directory,
          options: StoreOptions(now: { TestCache.start }, calendar: TestCache.calendar))
      } catch {
        failures += 1
        return
      }
      defer { store.close() }
      var feeds: [FeedID] = []
      for name in ["a", "b"] {
        await attempt {
          feeds.append(
            try await store.reader.feeds.subscribe(
              url: "https://e.org/\(name)", title: nil, folder: nil))
        }
      }
      for (number, feed) in feeds.enumerated() {
        var added: [ArticleID] = []
        await attempt {
          added =
            try await store.engine.fetches.merge([
              .parsed(feed, (0..<40).map { .dated(number * 100 + $0) }, at: TestCache.start)
            ])
            .flatMap(\.added)
        }
        merged.append(added)
        guard added.count == 40 else { continue }
        await attempt {
          try await store.reader.states.set(.starred, Array(added.prefix(3)), true)
        } then: {
          $0.starred += added.prefix(3)
        }
        await attempt {
          try await store.reader.states.set(.read, Array(added.suffix(10)), true)
          try await store.reader.states.set(.read, Array(added.suffix(2)), false)
        } then: {
          $0.unread += added.suffix(2)
        }
      }
    }

    private mutating func attempt(
      _ action: () async throws -> Void, then: (inout Sitting) -> Void = { _ in }
    ) async {
      do {
        try await action()
        then(&self)
      } catch {
        failures += 1
      }
    }
  }

  @Test(
    "An error at the n-th write damages nothing and loses nothing that was acknowledged",
    arguments: [false, true])
  func failedWriteLosesNothing(forEver: Bool) async throws {
    faulty_disk_install()
    let whole = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: whole) }
    faulty_disk_arm(whole, 0, false)
    var sitting = Sitting()
    await sitting.go(whole)
    let writes = faulty_disk_disarm()
    #expect(sitting.failures == 0)
    #expect(writes > 50)

    let stride = Soak.length(short: 127, long: 1)
    var rounds = 0
    var refused = 0
    for number in Swift.stride(from: 1, through: Int(writes), by: stride) {
      let directory = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: directory) }
      faulty_disk_arm(directory, number, forEver)
      var sitting = Sitting()
      await sitting.go(directory)
      _ = faulty_disk_disarm()
      rounds += 1
      if sitting.failures > 0 { refused += 1 }

      let store = try FeedStore.open(directory: directory)
      defer { store.close() }
      #expect(try store.file.integrityProblems() == [], "write \(number)")
      // Acknowledged changes are in the database, and further writes succeed.
      for ids in sitting.merged {
        for id in ids { #expect(try store.reader.articles.article(id) != nil, "write \(number)") }
      }
      for id in sitting.starred {
        #expect(
          try store.reader.articles.article(id)?.row.status.isStarred == true, "write \(number)")
      }
      for id in sitting.unread {
        #expect(
          try store.reader.articles.article(id)?.row.status.isRead == false, "write \(number)")
      }
      let feed = try await store.reader.feeds.subscribe(
        url: "https://e.org/later", title: nil, folder: nil)
      let later = try await store.engine.fetches.merge([
        .parsed(feed, [.dated(999)], at: TestCache.start)
      ])
      #expect(later[0].added.count == 1)
    }
    // The last writes are those of closing, whose result no caller awaits.
    if forEver { #expect(refused > rounds / 2) }
    Soak.report(
      "I/O error at the n-th write, \(forEver ? "for ever" : "once")",
      "\(rounds) of \(writes) places", "database ok \(rounds) times, refused plainly \(refused)")
  }

  @Test("An interrupted repair loses nothing at any write", arguments: [false, true])
  func repair(forEver: Bool) async throws {
    faulty_disk_install()
    let whole = TestCache.freshDirectory()
    defer { try? FileManager.default.removeItem(atPath: whole) }
    let bytes = try UserData.makeCache(whole)
    let before = try UserData(whole + "/weir.db")
    /// Repairs a copy and returns the number of writes until the repair ended or failed.
    func repair(_ directory: String, failing number: Int) throws -> Int {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try bytes.write(to: URL(filePath: directory + "/weir.db"))
      faulty_disk_arm(directory, number, forEver)
      _ = try? CacheFile.recover(directory: directory)
      return faulty_disk_disarm()
    }
    let writes = try repair(whole, failing: 0)
    #expect(writes > 50)

    let stride = Soak.length(short: 509, long: 1)
    var rounds = 0
    for number in Swift.stride(from: 1, through: writes, by: stride) {
      let directory = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: directory) }
      _ = try repair(directory, failing: number)
      rounds += 1
      let store = try FeedStore.open(directory: directory)
      #expect(try store.file.integrityProblems() == [], "write \(number)")
      store.close()
      #expect(before.lost(in: try UserData(directory + "/weir.db")) == [:], "write \(number)")
    }
    Soak.report(
      "I/O error at the n-th write of a repair, \(forEver ? "for ever" : "once")",
      "\(rounds) of \(writes) places", "database ok \(rounds) times, nothing lost")
  }

  // MARK: A file that is damaged

  @Test("A damaged file never crashes the store, and a rejected file stays unchanged")
  func damagedFilesNeverCrash() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("a", folder: ["F"])
    try await cache.merge(feed, (0..<400).map { .dated($0) })
    try await cache.states.set(.starred, try cache.all(.all).prefix(9).map(\.id), true)
    try await cache.store.reader.feeds.unsubscribe([try await cache.feed("b")])
    cache.store.close()
    let good = try Data(contentsOf: URL(fileURLWithPath: cache.directory + "/weir.db"))

    var refused = 0
    let rounds = Soak.length(short: 8, long: 200)
    for round in 0..<rounds {
      let directory = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let path = directory + "/weir.db"
      let bytes = Damage.round(round, of: good)
      try bytes.write(to: URL(fileURLWithPath: path))
      do {
        let store = try FeedStore.open(directory: directory)
        defer { store.close() }
        await use(store, feed, round)
      } catch {
        refused += 1
        #expect(
          try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "round \(round): \(error)")
        switch error {
        case .corrupt, .newerSchema, .foreignSchema, .other, .diskFailed: break
        default: Issue.record("round \(round): \(error)")
        }
      }
    }
    Soak.report(
      "damaged databases, in the store", "\(rounds) files",
      "no crash; \(refused) refused at opening and left as they were")
  }

  /// Calls all reads and some of the writes.
  private func use(_ store: FeedStore, _ feed: FeedID, _ round: Int) async {
    _ = try? store.reader.feeds.subscriptions()
    _ = try? store.reader.feeds.outline()
    for filter in [ArticleQuery.Filter.all, .unread, .starred] {
      let query = ArticleQuery(scope: .all, filter: filter)
      let rows = try? store.reader.articles.page(query, .top, limit: 1_000)
      for row in rows ?? [] { _ = try? store.reader.articles.article(row.id) }
      _ = try? store.reader.articles.page(
        ArticleQuery(scope: .folder(FolderID(rawValue: 1)), titleContains: "7"), .bottom, limit: 99)
      _ = try? store.reader.articles.count(query)
      _ = try? store.reader.articles.count(
        ArticleQuery(scope: .folder(FolderID(rawValue: 1)), filter: filter))
    }
    _ = try? store.engine.fetches.dueFeeds(at: .distantFuture, limit: 99)
    _ = try? store.reader.requests.syncStatus()
    _ = try? store.file.integrityProblems()
    _ = try? await store.engine.fetches.merge([.parsed(feed, [.dated(round)], at: TestCache.start)])
    _ = try? await store.reader.states.markShownRead(ArticleQuery(scope: .all))
    _ = try? await store.reader.journal.undo()
    _ = try? await store.reader.requests.requestRefresh(.all)
  }
}

/// Ways of damaging a file; the same number gives the same damage.
enum Damage {
  /// The page size of each cache (`theFileIsMadeAsMeant`).
  static let pageSize = 16_384

  static func round(_ round: Int, of good: Data) -> Data {
    var random = SeededRandom(seed: UInt64(round) + 1)
    var bytes = [UInt8](good)
    func scatter(_ count: Int, from start: Int, values: ClosedRange<UInt8>) {
      for _ in 0..<count {
        let at = Int.random(in: start..<bytes.count, using: &random)
        bytes[at] = UInt8.random(in: values, using: &random)
      }
    }
    switch round % 8 {
    case 0: scatter(2_000, from: 0, values: 0...255)
    case 1: scatter(20, from: 100, values: 0...255)
    case 2: scatter(2_000, from: Damage.pageSize, values: 0...255)
    // Zeros in record headers read as NULL.
    case 3: scatter(4_000, from: Damage.pageSize, values: 0...0)
    case 4: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case 5, 6:
      for _ in 0...(round % 5) {
        let page = Int.random(
          in: (round % 8 == 5 ? 0 : 1)..<(bytes.count / Damage.pageSize), using: &random)
        for at in 0..<Damage.pageSize {
          bytes[page * Damage.pageSize + at] =
            round % 3 == 0 ? UInt8.random(in: 0...255, using: &random) : 0
        }
      }
    default: scatter(8, from: 0, values: 0...255)
    }
    return Data(bytes)
  }
}
