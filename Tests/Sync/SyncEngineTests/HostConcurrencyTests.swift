@testable import SyncEngine

/// A host's answers to simultaneous requests, as a pure value without a network.
private struct SimulatedHost {
  /// Seconds to the first byte at a number of simultaneous requests.
  var latency: (Int) -> Double
  var concurrency = HostConcurrency()
  private(set) var most = 0

  /// Sends requests repeatedly, as many at once as the limit allows.
  mutating func ask(_ requests: Int, at date: Date = EngineFixture.start) {
    var left = requests
    while left > 0 {
      let atOnce = min(concurrency.limit, left)
      most = max(most, atOnce)
      for _ in 0..<atOnce {
        concurrency.answered(
          latency: HostLatency(own: .seconds(latency(atOnce))),
          isFull: atOnce >= concurrency.limit, at: date)
      }
      left -= atOnce
    }
  }
}

@Suite("Concurrency limits of hosts") final class HostConcurrencyTests {
  var concurrency = HostConcurrency()
  private let usual = HostLatency(own: .milliseconds(70))

  @Test("A host that answers as fast with more requests gets one more each round, up to six")
  func growth() {
    var host = SimulatedHost { _ in 0.07 }
    var limits: [Int] = []
    for _ in 0..<6 {
      limits.append(host.concurrency.limit)
      host.ask(host.concurrency.limit)
    }
    #expect(limits == [2, 3, 4, 5, 6, 6])
    #expect(host.concurrency.reason == .fast)
    #expect(host.concurrency.until == nil)
  }

  @Test("A host that becomes slower with more requests gets two at once for a day") func slowing() {
    var host = SimulatedHost { $0 > 3 ? 0.07 * Double($0) : 0.07 }
    host.ask(100)
    #expect(host.most == 4)
    #expect(host.concurrency.limit == 2)
    #expect(host.concurrency.reason == .slower)
    #expect(host.concurrency.until == EngineFixture.start + 86_400)
    host.latency = { _ in 0.07 }
    host.ask(100, at: EngineFixture.start + 86_000)
    #expect(host.concurrency.limit == 2)
    host.ask(100, at: EngineFixture.start + 86_500)
    #expect(host.concurrency.limit == 6)
  }

  @Test("A host whose limit is not used up is not measured") func idle() {
    for _ in 0..<50 {
      concurrency.answered(latency: usual, isFull: false, at: EngineFixture.start)
    }
    #expect(concurrency.limit == 2)
  }

  @Test("One slow page does not count as a slow host") func oneSlowPage() {
    for latency in [0.07, 2, 0.07, 0.08, 2].map({ Duration.seconds($0) }) {
      concurrency.answered(
        latency: HostLatency(own: latency), isFull: true, at: EngineFixture.start)
    }
    #expect(concurrency.limit == 4)
  }

  @Test("A time to first byte has grown if it exceeds the least by half and by 50 ms")
  func grownTime() {
    /// The limit after full rounds with answers of these milliseconds.
    func limit(_ rounds: [Int], queue: Int = 0) -> Int {
      var concurrency = HostConcurrency()
      for milliseconds in rounds {
        let latency = HostLatency(own: .milliseconds(milliseconds), queue: .milliseconds(queue))
        for _ in 0..<concurrency.limit {
          concurrency.answered(latency: latency, isFull: true, at: EngineFixture.start)
        }
      }
      return concurrency.limit
    }
    #expect(limit([200]) == 3)
    #expect(limit([200, 300]) == 4)
    #expect(limit([200, 301]) == 2)
    // Short times may grow by 50 ms.
    #expect(limit([10, 60]) == 4)
    #expect(limit([10, 61]) == 2)
    #expect(limit([10, 80], queue: 40) == 4)
    #expect(limit([10, 81], queue: 40) == 2)
    // The limit is never below two, however slow the host is.
    #expect(limit([10, 61, 500]) == 2)
    var slow = HostConcurrency()
    for (milliseconds, isFull) in [(10, false), (61, true), (61, true)] {
      let latency = HostLatency(own: .milliseconds(milliseconds))
      slow.answered(latency: latency, isFull: isFull, at: EngineFixture.start)
    }
    #expect(slow.limit == 2 && slow.reason == .usual)
    // The least of all answers counts, not a slower first round.
    #expect(limit([300, 200, 300]) == 5)
    #expect(limit([300, 200, 301]) == 2)
  }

  @Test("The median of a round counts") func median() {
    for milliseconds in [100, 100, 10, 100, 100] {
      let latency = HostLatency(own: .milliseconds(milliseconds))
      concurrency.answered(latency: latency, isFull: true, at: EngineFixture.start)
    }
    #expect(concurrency.limit == 2 && concurrency.reason == .slower)
  }

  @Test("Four answers with two requests at once decide whether the number was the cause")
  func decision() {
    func judged(_ milliseconds: Int, answers: Int = 4) -> HostConcurrency {
      var concurrency = HostConcurrency()
      func answer(_ milliseconds: Int) {
        let latency = HostLatency(own: .milliseconds(milliseconds))
        concurrency.answered(latency: latency, isFull: true, at: EngineFixture.start)
      }
      for _ in 0..<2 { answer(100) }
      for _ in 0..<3 { answer(200) }
      #expect(concurrency.limit == 2 && concurrency.reason == .slower && concurrency.until == nil)
      for _ in 0..<answers { answer(milliseconds) }
      return concurrency
    }
    #expect(judged(149, answers: 3).until == nil)
    let slower = judged(149)
    #expect(slower.until == EngineFixture.start + 86_400 && slower.limit == 2)
    // The host is as slow with two requests: the cause is elsewhere, so the limit rises.
    #expect(judged(150).until == nil && judged(150).limit == 3)
    // The new least is that of the slow answers.
    var raised = judged(200)
    for _ in 0..<3 {
      raised.answered(
        latency: HostLatency(own: .milliseconds(300)), isFull: true, at: EngineFixture.start)
    }
    #expect(raised.limit == 4)
  }

  @Test("A held limit ends after exactly a day and is measured again") func heldForADay() {
    func limit(after seconds: Double) -> Int {
      var concurrency = HostConcurrency()
      concurrency.refused(at: EngineFixture.start)
      for _ in 0..<2 {
        concurrency.answered(latency: usual, isFull: true, at: EngineFixture.start + seconds)
      }
      return concurrency.limit
    }
    #expect(limit(after: 86_399) == 1)
    #expect(limit(after: 86_400) == 3)
    // A clock set back by less than a day changes nothing.
    #expect(limit(after: 0) == 1)
    #expect(limit(after: -1) == 3)
    var stored = HostConcurrency(
      HostLimit(host: "h", atOnce: 1, reason: .refused, until: EngineFixture.start + 60))
    #expect(stored.limit == 1 && stored.reason == .refused)
    stored.answered(latency: nil, isFull: true, at: EngineFixture.start)
    #expect(stored.limit == 1)
    stored.answered(latency: nil, isFull: true, at: EngineFixture.start + 60)
    #expect(stored == HostConcurrency())
  }

  @Test("A missing answer ends a round, and holds only a limit that was raised")
  func missingAnswers() {
    concurrency.answered(latency: usual, isFull: true, at: EngineFixture.start)
    concurrency.slowed(at: EngineFixture.start)
    concurrency.answered(latency: usual, isFull: true, at: EngineFixture.start)
    #expect(concurrency.limit == 2 && concurrency.until == nil)
    concurrency.answered(latency: usual, isFull: true, at: EngineFixture.start)
    #expect(concurrency.limit == 3)
    concurrency.slowed(at: EngineFixture.start)
    #expect(concurrency.limit == 2 && concurrency.reason == .slower)
    #expect(concurrency.until == EngineFixture.start + 86_400)
    // Unknown times are in no round.
    var unknown = HostConcurrency()
    for _ in 0..<9 { unknown.answered(latency: nil, isFull: true, at: EngineFixture.start) }
    #expect(unknown == HostConcurrency())
  }

  /// Syncs 40 feeds on one host.
  private func sync(
    _ fixture: EngineFixture, _ configure: (inout SyncConfiguration) -> Void = { _ in },
    answer: @escaping FakeWeb.Handler
  ) async throws -> SyncSummary {
    fixture.web.onAnythingElse(answer)
    try await fixture.subscribe((1...40).map { "http://busy.example/\($0)" })
    return await fixture.controller(configure).runUntilIdle()
  }

  @Test("A fast host gets six requests at once, and never more") func engineWidens() async throws {
    let fixture = try EngineFixture()
    let summary = try await sync(fixture) { .feed(rss($0.url)) }
    #expect(summary.done == 40)
    #expect((3...6).contains(fixture.web.peak))
  }

  @Test("A configured limit applies to connections and streams; otherwise limits are measured")
  func configured() {
    var configuration = SyncConfiguration()
    let usual = configuration.hostLimits
    #expect(usual.perHost == 2 && usual.perMultiplexingHost == 6 && usual.isMeasured)
    configuration.perHost = 4
    let own = configuration.hostLimits
    #expect(own.perHost == 4 && own.perMultiplexingHost == 4 && !own.isMeasured)
  }

  @Test("A configured limit is kept, whatever is measured") func ownLimit() async throws {
    let fixture = try EngineFixture()
    _ = try await sync(fixture, { $0.perHost = 2 }) {
      .feed(rss($0.url))
    }
    #expect(fixture.web.peak == 2)
  }

  @Test("A host that limits by rate gets one request at once, and the cache stores it")
  func rateLimit() async throws {
    let fixture = try EngineFixture()
    let asked = Mutex(0)
    _ = try await sync(fixture) { request in
      asked.withLock { count in
        count += 1
        return count
      } > 12
        ? .status(429, [("Retry-After", "120")]) : .feed(rss(request.url))
    }
    let limits = try fixture.store.engine.requests.hostLimits(at: fixture.now)
    #expect(limits.map(\.host) == ["busy.example"])
    #expect(limits.first?.atOnce == 1)
    #expect(limits.first?.reason == .refused)
    #expect(try fixture.store.engine.requests.hostLimits(at: fixture.now + 86_401).isEmpty)
    // Another process uses the stored limit.
    fixture.manual.advance(by: .seconds(8_000))
    let web = FakeWeb()
    web.onAnythingElse { .feed(rss($0.url)) }
    var configuration = SyncConfiguration(directory: fixture.directory)
    configuration.initialSpread = .zero
    let other = NetworkController(
      store: fixture.store.engine, accounts: fixture.store.accountSync, transport: { web },
      configuration: configuration, clock: fixture.clock)
    _ = await other.runUntilIdle()
    #expect(web.log.count > 10)
    #expect(web.peak == 1)
  }
}
