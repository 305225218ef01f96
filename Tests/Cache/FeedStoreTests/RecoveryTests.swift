import GRDB

@testable import CacheCore
@testable import SearchStore

@Suite("Recovery of damaged databases", .countsFailures) struct RecoveryTests {
  /// Damaged files in a folder that is removed at the end.
  private final class Lab {
    let good: Data
    let before: UserData
    private let directory = TestCache.freshDirectory()

    init() throws {
      good = try UserData.makeCache(directory)
      before = try UserData(directory + "/weir.db")
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var pages: Int { good.count / Damage.pageSize }

    /// Repairs a file of these bytes.
    func repair(
      _ bytes: Data, log: Data? = nil
    ) throws -> (lost: [String: Int], recovery: CacheFile.Recovery) {
      let directory = TestCache.freshDirectory()
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let path = directory + "/weir.db"
      try bytes.write(to: URL(fileURLWithPath: path))
      try log?.write(to: URL(fileURLWithPath: path + "-wal"))
      let recovery = try CacheFile.recover(directory: directory)
      let store = try FeedStore.open(directory: directory)
      #expect(try store.file.integrityProblems() == [])
      store.close()
      #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.setAside)) == bytes)
      return (before.lost(in: try UserData(path)), recovery)
    }

    func overwriting(_ pages: [Int], seed: Int) -> Data {
      var random = SeededRandom(seed: UInt64(seed) + 1)
      var bytes = good
      for page in pages {
        let noise = (0..<Damage.pageSize).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.replaceSubrange((page - 1) * Damage.pageSize..<page * Damage.pageSize, with: noise)
      }
      return bytes
    }

    func root(_ table: String) throws -> Int {
      let queue = try DatabaseQueue(path: directory + "/weir.db")
      defer { try? queue.close() }
      return try queue.read { db in
        try Int.fetchOne(
          db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table]) ?? 0
      }
    }
  }

  @Test("Data that another page also contains is recovered, whichever page is overwritten")
  func anyPage() throws {
    let lab = try Lab()
    // Small tables have one page, and no index has their texts.
    let single = try [
      "articleNote": "notes", "rule": "rules", "savedSearch": "searches", "outbox": "outbox",
    ]
    .reduce(into: [:]) { $0[try lab.root($1.key)] = $1.value }
    let step = Soak.length(short: 127, long: 1)
    let tables = [
      "article", "articleStatus", "feed", "folder", "articleTag", "rule", "sqlite_sequence",
    ]
    let pages = Set(stride(from: 1, through: lab.pages, by: step)).union(try tables.map(lab.root))
    for page in pages.sorted() {
      let (lost, recovery) = try lab.repair(lab.overwriting([page], seed: page))
      #expect(lost.keys.allSatisfy { $0 == single[page] }, "page \(page): \(lost)")
      if single[page] == "rules" {
        #expect(recovery.outcomes[.rules] == CacheFile.Outcome(saved: 0, lost: 2))
      }
    }
  }

  @Test("A repair reports feeds known only by address and folder, and what was lost of each kind")
  func feedsWithoutSettings() throws {
    let lab = try Lab()
    let recovery = try lab.repair(lab.overwriting([lab.root("feed")], seed: 4)).recovery
    #expect(recovery.withoutSettings == recovery.feeds)
    #expect(recovery.outcomes[.subscriptions]?.lost == 0)
    #expect(
      try lab.repair(lab.overwriting([lab.root("rule")], seed: 4)).recovery.withoutSettings == 0)
    // The index of links does not have all states.
    for (table, kind, lost) in [
      ("folderRegister", CacheFile.Kind.sharedStates, nil), ("syncFolder", .membership, nil),
      ("readingPosition", .positions, 30 as Int?),
    ] {
      let recovery = try lab.repair(lab.overwriting([lab.root(table)], seed: 4)).recovery
      #expect(recovery.outcomes[kind] == CacheFile.Outcome(saved: 0, lost: lost))
    }
  }

  @Test("With ten pages overwritten, 95 % of the user's data is recovered") func tenPages() throws {
    let lab = try Lab()
    let rounds = Soak.length(short: 2, long: 200)
    var kept: [Double] = []
    for round in 0..<rounds {
      var random = SeededRandom(seed: UInt64(round) + 77)
      let pages = (1...lab.pages).shuffled(using: &random).prefix(10)
      let lost = try lab.repair(lab.overwriting(Array(pages), seed: round)).lost
      kept.append(1 - Double(lost.values.reduce(0, +)) / Double(lab.before.count))
    }
    let mean = kept.reduce(0, +) / Double(rounds)
    #expect(mean >= 0.95, "\(kept)")
    Soak.report(
      "ten pages overwritten, repaired", "\(rounds) files",
      "\(Int(mean * 1_000)) ‰ of what the user made, at worst \(Int((kept.min() ?? 0) * 1_000)) ‰")
  }

  @Test("A damaged first page, a damaged page map and a short file are repaired")
  func header() throws {
    let lab = try Lab()
    for bytes in [
      lab.overwriting([1], seed: 1), lab.overwriting([2], seed: 2),
      lab.overwriting([1, 2], seed: 3),
      Data(count: 16) + lab.good.dropFirst(16), Data(count: 100) + lab.good.dropFirst(100),
    ] {
      #expect(try lab.repair(bytes).lost == [:])
    }
    let half = try lab.repair(lab.good.prefix(lab.good.count / 2))
    for kind in ["feeds", "folders", "stars", "read marks"] { #expect(half.lost[kind] == nil) }
  }

  @Test("Changes that only the log contains are recovered, and the log covers damage in the file")
  func log() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let ids = try await cache.merge(feed, (0..<50).map { .dated($0) }).added
    try await cache.store.reader.states.set(.starred, Array(ids.prefix(7)), true)
    let path = cache.directory + "/weir.db"
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    #expect(log.count > 100_000)
    let result = try Lab().repair(Data(count: 4_096), log: log)
    #expect(result.recovery.outcomes[.stars]?.saved == 7)
    #expect(result.recovery.feeds == 1)
  }

  @Test("Random bytes in the pages neither crash nor hang the scan") func noise() throws {
    let lab = try Lab()
    for round in 0..<Soak.length(short: 2, long: 200) {
      var random = SeededRandom(seed: UInt64(round) + 900)
      var bytes = lab.good
      for _ in 0..<3_000 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? lab.repair(bytes)
    }
  }
}
