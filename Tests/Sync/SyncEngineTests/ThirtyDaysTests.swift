@testable import SyncEngine

/// A month with a scoring origin: restarts, pulls, and a clock that is ten years off. The long form
/// (`make etiquette`) uses `WEIR_SIMULATED_DAYS`.
@Suite("Etiquette over thirty days") struct ThirtyDaysTests {
  /// The true time, and the time of the reader's clock.
  private final class SimulatedTime: Sendable {
    static let start = Date(timeIntervalSince1970: 1_795_262_400)
    private let state = Mutex((elapsed: 0.0, error: 0.0))

    var time: Date { state.withLock { Self.start + $0.elapsed } }
    var readersTime: Date { state.withLock { Self.start + $0.elapsed + $0.error } }
    var elapsed: Double { state.withLock { $0.elapsed } }
    func pass(_ seconds: Double) { state.withLock { $0.elapsed += seconds } }
    func setClock(off seconds: Double) { state.withLock { $0.error = seconds } }

    var clock: EngineClock {
      EngineClock(
        now: { Instant(uptime: .seconds(self.elapsed), date: self.readersTime) },
        sleep: { _ in try await Task.sleep(for: .seconds(86_400)) })
    }
  }

  private static let decade = 10 * 365.25 * 86_400
  /// Errors of the reader's clock from each day on.
  private static let jumps = [8: decade, 9: 0, 15: -decade, 16: 0]

  private static let simulatedDays =
    ProcessInfo.processInfo.environment["WEIR_SIMULATED_DAYS"].flatMap { Int($0) }

  @Test(
    "A month of syncs violates no etiquette, though restarts and clock errors occur",
    arguments: simulatedDays == nil ? [1] : [1, 2, 3, 4])
  func aMonthOfEtiquette(seed: UInt64) async throws {
    let isLong = Self.simulatedDays != nil
    let days = Self.simulatedDays ?? 30
    let step = isLong ? 900.0 : 3_600.0
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "weir-month-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let simulated = SimulatedTime()
    let origin = ScoringOrigin(now: { simulated.time })
    let web = FakeWeb()
    web.onAnythingElse { origin.answer($0) }
    var random = SeededRandom(seed: seed)
    let jitter = Mutex(SeededRandom(seed: seed &+ 100))

    func open() throws -> (FeedStore, NetworkController) {
      let store = try FeedStore.open(
        directory: folder, options: StoreOptions(now: { simulated.readersTime }))
      var configuration = SyncConfiguration(directory: folder)
      configuration.jitter = { jitter.withLock { Double.random(in: 0..<1, using: &$0) } }
      return (
        store,
        NetworkController(
          store: store.engine, accounts: store.accountSync, transport: { web },
          configuration: configuration, clock: simulated.clock)
      )
    }
    var (store, controller) = try open()
    let urls = origin.publish(sets: isLong ? 4 : 1)
    let feeds = try await store.reader.feeds.subscribe(urls.map { OutlineEntry(url: $0) }).added
    var day = -1
    while simulated.elapsed < Double(days) * 86_400 {
      if Int(simulated.elapsed / 86_400) != day {
        day = Int(simulated.elapsed / 86_400)
        if let error = Self.jumps[day] {
          if error > 0 || day == 16 { origin.excuseEverybodyOnce() }
          simulated.setClock(off: error)
        }
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        store.close()
        (store, controller) = try open()
      }
      if Int.random(in: 0..<40, using: &random) == 0 {
        let feed = Int.random(in: 0..<feeds.count, using: &random)
        origin.expect([urls[feed]])
        try await store.reader.requests.requestRefresh(.feed(feeds[feed]))
      }
      _ = await controller.runUntilIdle()
      origin.expectNothingMore()
      simulated.pass(step * Double.random(in: 0.2..<1.8, using: &random))
    }
    let faults = origin.faults
    #expect(faults.isEmpty, "\(faults.count) faults: \(faults.prefix(20).joined(separator: "\n"))")
    // Every remaining feed was checked until the end.
    for (url, feed) in zip(urls, feeds) {
      let record = try #require(try store.engine.fetches.fetchRecord(feed))
      if url.contains("//goes.") {
        #expect(record.isGone)
        continue
      }
      let next = try #require(record.nextCheckAt, "\(url)")
      #expect(
        next > simulated.readersTime - 86_400 && next < simulated.readersTime + 8 * 86_400, "\(url)"
      )
      let expected =
        switch url {
        case _ where url.contains("//moves."): url + "/new"
        case _ where url.contains("//movesToTLS."): "https" + url.dropFirst(4)
        default: url
        }
      #expect(record.url == expected)
    }
    #expect(origin.requests > days * 24)
    store.close()
  }

  /// The same with a single process, which detects the jump itself.
  @Test("A running engine notices that the clock was set back")
  func clockSetBackIsNoticed() async throws {
    let fixture = try EngineFixture()
    let error = Mutex(Self.decade)
    let clock = fixture.clock
    let shifted = EngineClock(
      now: {
        let now = clock.now()
        return Instant(uptime: now.uptime, date: now.date + error.withLock { $0 })
      }, sleep: clock.sleep)
    fixture.web.onAnythingElse { .feed(rss($0.url)) }
    let feed = try await fixture.subscribe("http://a.example/")[0]
    var configuration = SyncConfiguration(directory: fixture.directory)
    configuration.initialSpread = .zero
    let web = fixture.web
    let controller = NetworkController(
      store: fixture.store.engine, accounts: fixture.store.accountSync, transport: { web },
      configuration: configuration, clock: shifted)
    controller.start()
    try await expectEventually { try fixture.record(feed)?.hasBeenFetched == true }
    error.withLock { $0 = 0 }
    // Another event occurs, as it always does.
    try await fixture.subscribe("http://b.example/")
    try await expectEventually {
      let next = try fixture.record(feed)?.nextCheckAt ?? .distantFuture
      return next < fixture.now + 8 * 86_400
    }
    #expect(fixture.web.requests(to: "http://a.example/").count == 1)
    await controller.end()
  }
}
