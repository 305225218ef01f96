@testable import NetworkMeasurement
@testable import SyncEngine

@Suite("Actions of the limiter", .timeLimit(.minutes(120)))
final class LimiterActionTests: EngineSuite {
  /// Returns the actions that a test sets, and records the calls.
  private final class Script: Sendable {
    struct State {
      var actions: [LimiterAction] = []
      var started: [(OperationID, OperationPriority)] = []
      var ended: [(OperationID, OperationEnd)] = []
      var mayBeTheNetwork = false
    }
    let state = Mutex(State())
    func say(_ actions: LimiterAction...) { state.withLock { $0.actions += actions } }
    var started: [OperationID] { state.withLock { $0.started.map(\.0) } }
    var ended: [OperationEnd] { state.withLock { $0.ended.map(\.1) } }
  }

  private struct ScriptedLimiter: ConcurrencyLimiter {
    let script: Script
    mutating func operationStarted(_ id: OperationID, _ priority: OperationPriority, at now: Double)
    {
      script.state.withLock { $0.started.append((id, priority)) }
    }
    mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
    mutating func operationEnded(
      _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
    ) -> Bool {
      script.state.withLock {
        $0.ended.append((id, end))
        return $0.mayBeTheNetwork
      }
    }
    var expected: ConnectionQuality?
    mutating func probeEnded(reached: Bool, at now: Double) {}
    mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] {
      script.state.withLock { state in
        defer { state.actions = [] }
        return state.actions
      }
    }
    func mayStart(_ priority: OperationPriority) -> Bool { true }
    var limit: Int { 8 }
    var quality: ConnectionQuality? { .good }
    var failedProbes: Int { 0 }
    func outage(at now: Double) -> Double { 0 }
    var hasHeard: Bool { true }
    var isInDoubt: Bool { false }
    var rate: Double { 0 }
    var timeouts: ConnectionTimeouts {
      ConnectionTimeouts(silence: 45, connect: 30, receiveBuffer: 32_768)
    }
    var reason: LimitReason { .steady }
  }

  private func begin(_ fixture: EngineFixture, _ script: Script) -> Task<SyncSummary, Never> {
    let controller = fixture.controller { $0.limiter = { _ in ScriptedLimiter(script: script) } }
    return Task { [fixture] in await fixture.runWithTime(controller) }
  }

  @Test("A requeued operation is done later") func requeuedWorkIsDoneLater() async throws {
    fixture.serve()
    try await fixture.subscribe((1...3).map { "http://h\($0).example/" })
    fixture.web.pause()
    let script = Script()
    let run = begin(fixture, script)
    await fixture.web.waitForRequests(3)
    script.say(.requeue(script.started[0]))
    await fixture.web.waitForRequests(4)
    #expect(fixture.web.requests(to: "http://h1.example/").count == 2)
    fixture.web.release()
    let summary = await run.value
    #expect(summary.done == 3)
    #expect(summary.failed == 0)
    #expect(script.ended.count { $0 == .cancelled } == 1)
    #expect(try fixture.store.reader.articles.count(ArticleQuery(scope: .all)) == 9)
  }

  @Test("A paused transfer is not read until it is resumed")
  func pausedTransferIsNotRead() async throws {
    fixture.serve()
    try await fixture.subscribe("http://a.example/")
    fixture.web.pause()
    let script = Script()
    let run = begin(fixture, script)
    await fixture.web.waitForRequests(1)
    let request = try #require(fixture.web.log.first)
    let token = try #require(request.pauseToken)
    #expect(request.limits.silence == 45)
    #expect(request.limits.connect == 30)
    #expect(request.limits.receiveBuffer == 32_768)
    let id = script.started[0]
    script.say(.pause(id))
    try await expectEventually { token.isPaused }
    script.say(.resume(id))
    try await expectEventually { !token.isPaused }
    fixture.web.release()
    #expect(await run.value.done == 1)
  }

  @Test("A timeout that the network may have caused is retried once", arguments: [true, false])
  func doubtfulTimeoutIsRetried(mayBe: Bool) async throws {
    fixture.web.onAnythingElse { _ in .failure(.stalled) }
    let feed = try await fixture.subscribe("http://a.example/")[0]
    let script = Script()
    script.state.withLock { $0.mayBeTheNetwork = mayBe }
    let summary = await begin(fixture, script).value
    #expect(summary.done == 1)
    #expect(summary.failed == 1)
    #expect(fixture.web.log.count == (mayBe ? 2 : 1))
    #expect(script.ended.allSatisfy { $0 == .timedOut })
    #expect(try fixture.state(feed)?.failure?.kind == .stalled)
  }

  @Test("A probe sends a HEAD request to a host that has answered")
  func probeAsksKnownHost() async throws {
    fixture.serve()
    try await fixture.subscribe("http://a.example/")
    let script = Script()
    let proxy = ProxyChoice.server("socks5h://p.example", hasExceptions: false)
    let controller = fixture.controller {
      $0.limiter = { _ in ScriptedLimiter(script: script) }
      $0.settings = { _ in FeedSettings(proxy: proxy) }
    }
    _ = await fixture.runWithTime(controller)
    try await fixture.subscribe("http://b.example/")
    fixture.web.on("http://b.example/", .hang)
    fixture.web.forget()
    let run = Task { [fixture] in await fixture.runWithTime(controller) }
    await fixture.web.waitForRequests(1)
    script.say(.probe)
    await fixture.web.waitForRequests(2)
    #expect(fixture.web.log.last?.method == .head)
    #expect(fixture.web.log.last?.url == "http://a.example/")
    #expect(fixture.web.log.last?.identity.proxy == proxy)
    run.cancel()
    _ = await run.value
  }

  /// Uses the adaptive limiter: half of the hosts answer, then the network is silent.
  @Test("A network that goes silent counts as no feed's failure")
  func silentNetworkIsNoFailure() async throws {
    let isGone = Mutex(false)
    fixture.web.onAnythingElse { request in
      if isGone.withLock({ $0 }) { return .hang }
      return .feed(rss(request.url))
    }
    let feeds = try await fixture.subscribe((1...40).map { "http://h\($0).example/" })
    fixture.web.pause()
    let controller = fixture.controller()
    let run = Task { [fixture] in await fixture.runWithTime(controller) }
    await fixture.web.waitForRequests(12)
    for _ in 0..<6 { fixture.web.releaseOne() }
    isGone.withLock { $0 = true }
    try await expectEventually {
      try fixture.store.reader.requests.syncStatus().quality == .offline
    }
    // All running operations were stopped.
    isGone.withLock { $0 = false }
    fixture.web.release()
    let summary = await run.value
    #expect(summary.done == 40)
    #expect(summary.failed == 0)
    for feed in feeds { #expect(try fixture.state(feed)?.failure == nil) }
    #expect(try fixture.store.reader.requests.syncStatus().quality != .offline)
  }
}
