@testable import SyncEngine

@Suite("Telemetry and steering of the engine") final class TelemetryTests: EngineSuite {
  /// A watched sync whose answers are held; six of its feeds are on one host.
  private func heldSync(_ fixture: EngineFixture) async throws -> (NetworkController, [FeedID]) {
    fixture.web.onAnythingElse { .feed(rss($0.url)) }
    let feeds = try await fixture.subscribe(
      (1...6).map { "http://busy.example/\($0)" } + (1...6).map { "http://h\($0).example/" })
    fixture.web.pause()
    try await fixture.requests.setWatchesTelemetry(true)
    let controller = fixture.startedController { $0.connections = 5 }
    await fixture.web.waitForRequests(5)
    return (controller, feeds)
  }

  private func told(
    _ fixture: EngineFixture, _ condition: (SyncTelemetry) -> Bool
  ) async throws -> SyncTelemetry {
    try await expectEventually(advancing: fixture.manual) {
      condition(try fixture.requests.telemetry())
    }
    return try fixture.requests.telemetry()
  }

  @Test("Running and waiting operations are published with their reasons")
  func operationsHaveReasons() async throws {
    let (controller, feeds) = try await heldSync(fixture)
    let telemetry = try await told(fixture) { told in told.operations.count { $0.isRunning } == 5 }
    let running = telemetry.operations.filter(\.isRunning)
    #expect(running.count { $0.host == "busy.example" } == 2)
    #expect(running.allSatisfy { $0.state == .running(.connecting) })
    #expect(running.allSatisfy { $0.attempt == 1 })
    #expect(telemetry.waiting == [.hostBusy: 4, .limitReached: 3])
    let waiting = telemetry.operations.filter { !$0.isRunning }
    #expect(waiting.count == 7)
    #expect(waiting.first?.key == .refresh(feeds[2]))
    #expect(waiting.first?.state == .waiting(.hostBusy))
    let busy = try #require(telemetry.hosts.first { $0.host == "busy.example" })
    #expect((busy.inFlight, busy.waiting) == (2, 4))
    #expect(telemetry.ceiling == 5)
    #expect(telemetry.reason != nil)
    let sample = try #require(telemetry.samples.last)
    #expect((sample.inFlight, sample.waiting) == (5, 7))
    fixture.web.release()
    let end = try await told(fixture) { $0.operations.isEmpty }
    #expect(end.hosts.first { $0.host == "busy.example" }?.status == 200)
    #expect(end.hosts.first { $0.host == "busy.example" }?.latency == 0.02)
    #expect(end.samples.last?.latency == 0.01)
    #expect(end.waiting.isEmpty)
    await controller.end()
  }

  @Test("A run that ends leaves no operations in the telemetry")
  func endedRunLeavesNothing() async throws {
    fixture.serve()
    try await fixture.subscribe((1...20).map { "http://h\($0).example/" })
    try await fixture.requests.setWatchesTelemetry(true)
    _ = await fixture.controller().runUntilIdle()
    let telemetry = try fixture.requests.telemetry()
    #expect(telemetry.at != nil)
    #expect(telemetry.operations.isEmpty)
    #expect(telemetry.waiting.isEmpty)
  }

  @Test("Telemetry is not written unless it is watched")
  func unwatchedWritesNothing() async throws {
    fixture.serve()
    try await fixture.subscribe((1...20).map { "http://h\($0).example/" })
    _ = await fixture.controller().runUntilIdle()
    let telemetry = try fixture.requests.telemetry()
    #expect(telemetry == SyncTelemetry())
  }

  @Test("Telemetry is written at most twice a second, and not when idle")
  func writesTwiceASecond() async throws {
    let (controller, _) = try await heldSync(fixture)
    var dates: Set<Date> = []
    for _ in 0..<100 {
      fixture.manual.advance(by: .milliseconds(50))
      try await Task.sleep(for: .milliseconds(2))
      if let at = try fixture.requests.telemetry().at { dates.insert(at) }
    }
    #expect(dates.count <= 11)
    for (a, b) in zip(dates.sorted(), dates.sorted().dropFirst()) {
      #expect(b.timeIntervalSince(a) > 0.499)
    }
    fixture.web.release()
    let end = try await told(fixture) { $0.operations.isEmpty }
    let samples = end.samples.count
    for _ in 0..<40 {
      fixture.manual.advance(by: .milliseconds(500))
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(try fixture.requests.telemetry().samples.count == samples)
    await controller.end()
  }

  @Test("While a sync is paused, only feeds that the user requests by name start")
  func pauseAllowsNamedFeeds() async throws {
    let (controller, feeds) = try await heldSync(fixture)
    try await fixture.requests.setPaused(.everything, true)
    let telemetry = try await told(fixture) { $0.waiting.keys.contains(.paused) }
    #expect(telemetry.waiting == [.paused: 7])
    for _ in 0..<5 { fixture.web.releaseOne() }
    try await expectEventually(advancing: fixture.manual) {
      try fixture.requests.syncStatus().done == 5
    }
    try await fixture.requests.requestRefresh(.feed(feeds[11]))
    await fixture.web.waitForRequests(6)
    #expect(fixture.web.urls.last == "http://h6.example/")
    #expect(fixture.web.log.count == 6)
    fixture.web.release()
    try await fixture.requests.setPaused(.everything, false)
    try await expectEventually(advancing: fixture.manual) {
      try !fixture.requests.syncStatus().isRunning
    }
    #expect(fixture.web.log.count == 12)
    await controller.end()
  }

  @Test("A pause ends with the reader that requested it") func pauseEndsWithReader() async throws {
    fixture.serve()
    try await fixture.subscribe("http://a.example/")
    let reader = try EngineFixture.open(fixture.directory, fixture.manual)
    try await reader.reader.requests.setPaused(.everything, true)
    let controller = fixture.startedController()
    try await expectEventually { try fixture.requests.syncStatus().isRunning }
    reader.close()
    try await expectEventually(advancing: fixture.manual, by: .seconds(1)) {
      try fixture.articles.count(.all) == 3
    }
    await controller.end()
  }

  @Test("A run until idle does not wait for a pause") func runIgnoresPause() async throws {
    fixture.serve()
    let feeds = try await fixture.subscribe("http://a.example/", "http://b.example/")
    let request = try await fixture.requests.requestRefresh(.feeds(feeds))
    try await fixture.requests.setPaused(.everything, true)
    let summary = await fixture.controller().runUntilIdle(.requested)
    #expect(summary.isPaused)
    #expect(fixture.web.log.isEmpty)
    #expect(try fixture.requests.refreshRequest(request.id)?.isFinished == false)
    // A feed requested by name is refreshed all the same.
    try await fixture.requests.requestRefresh(.feed(feeds[1]))
    let named = await fixture.controller().runUntilIdle(.requested)
    #expect(named.done == 1)
    #expect(fixture.web.urls == ["http://b.example/"])
  }

  /// No other operation runs that could show whether the network is the cause.
  @Test(
    "A feed requested during a pause fails without other operations to compare with",
    arguments: [TransportError.Kind.hostNotFound, .connectionRefused])
  func pausedRequestCanFail(kind: TransportError.Kind) async throws {
    fixture.web.onAnythingElse { _ in .failure(kind) }
    let feeds = try await fixture.subscribe("http://a.example/", "http://b.example/")
    try await fixture.requests.setPaused(.everything, true)
    let controller = fixture.startedController()
    let request = try await fixture.requests.requestRefresh(.feed(feeds[1]))
    let isFinished = try await fixture.pass(30) {
      try fixture.requests.refreshRequest(request.id)?.isFinished == true
    }
    #expect(isFinished)
    #expect(try fixture.requests.refreshRequest(request.id)?.failed == 1)
    #expect(fixture.web.urls == ["http://b.example/"])
    await controller.end()
  }

  @Test("A pause during a doubtful failure resolves the doubt")
  func pauseResolvesDoubt() async throws {
    fixture.web.onAnythingElse { _ in .hang }
    fixture.web.on("http://b.example/", .failure(.hostNotFound))
    let urls = (1...3).map { "http://a.example/\($0)" } + ["http://b.example/"]
    let feeds = try await fixture.subscribe(urls)
    try await fixture.requests.setWatchesTelemetry(true)
    let controller = fixture.startedController()
    let isInDoubt = try await fixture.pass(3) {
      try fixture.requests.telemetry().waiting[.checkingNetwork] == 1
    }
    #expect(isInDoubt)
    try await fixture.requests.setPaused(.everything, true)
    // Hanging operations end; one waits for the end of the pause.
    #expect(fixture.web.log.count == 3)
    for (feed, url) in zip(feeds, urls.prefix(3)) where fixture.web.urls.contains(url) {
      try await fixture.requests.cancel(.feed(feed))
    }
    let isSettled = try await fixture.pass(10) { try fixture.state(feeds[3])?.failure != nil }
    #expect(isSettled)
    await controller.end()
  }

  @Test("A paused host is not asked, and other hosts are") func onlyPausedHostWaits() async throws {
    fixture.serve()
    try await fixture.subscribe(
      (1...3).map { "http://busy.example/\($0)" } + (1...3).map { "http://h\($0).example/" })
    try await fixture.requests.setPaused(.host("busy.example"), true)
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(3)
    try await expectEventually(advancing: fixture.manual) {
      try fixture.requests.syncStatus().done == 3
    }
    #expect(Set(fixture.web.urls) == Set((1...3).map { "http://h\($0).example/" }))
    try await fixture.requests.setPaused(.host("busy.example"), false)
    await fixture.web.waitForRequests(6)
    try await expectEventually(advancing: fixture.manual) {
      try !fixture.requests.syncStatus().isRunning
    }
    await controller.end()
  }

  @Test("A cancelled operation ends and does not start again by itself")
  func cancelledStaysEnded() async throws {
    let (controller, feeds) = try await heldSync(fixture)
    // A running and a waiting operation.
    try await fixture.requests.cancel(.feed(feeds[0]))
    try await fixture.requests.cancel(.feed(feeds[5]))
    try await expectEventually {
      let isRunning = fixture.web.urls.filter { $0 == "http://busy.example/1" }.count == 1
      return try isRunning && fixture.store.engine.requests.cancellations().isEmpty
    }
    fixture.web.release()
    try await expectEventually(advancing: fixture.manual) {
      let status = try fixture.requests.syncStatus()
      return !status.isRunning && status.done == 10 && status.total == 10
    }
    #expect(!fixture.web.urls.contains("http://busy.example/6"))
    for feed in [feeds[0], feeds[5]] {
      let state = try #require(try fixture.state(feed))
      #expect(state.failure == nil)
      #expect(state.checkedAt == nil)
      #expect(state.nextCheckReasons == [.stoppedByUser])
      #expect(try #require(state.nextCheckAt) > fixture.now + 3_000)
    }
    await controller.end()
  }

  @Test("Cancelling all waiting operations finishes their request")
  func cancellingAllFinishes() async throws {
    let (controller, feeds) = try await heldSync(fixture)
    let request = try await fixture.requests.requestRefresh(.feeds(Array(feeds[5...])))
    try await fixture.requests.cancel(.waiting)
    try await expectEventually(advancing: fixture.manual) {
      try fixture.store.engine.requests.cancellations().isEmpty
    }
    fixture.web.release()
    try await expectEventually(advancing: fixture.manual) {
      try !fixture.requests.syncStatus().isRunning
        && fixture.requests.refreshRequest(request.id)?.isFinished == true
    }
    #expect(fixture.web.log.count == 5)
    #expect(try fixture.requests.syncStatus().done == 5)
    await controller.end()
  }

  @Test("The monitor knows latencies, the hosts' last answers, and whether a transfer runs")
  func monitor() {
    let monitor = TransferMonitor()
    let now = Instant(uptime: .zero, date: EngineFixture.start)
    let page = monitor.entry(of: 7)
    #expect(!monitor.isFetching)
    page.asks("a.example")
    page.observed(.connected(0.2), at: now)
    page.observed(.firstByte(0.5), at: now)
    page.answered("a.example", status: 302, at: EngineFixture.start)
    #expect(
      monitor.answers["a.example"]
        == TransferMonitor.Answer(status: 302, at: EngineFixture.start, latency: .milliseconds(500))
    )
    page.asks("b.example")
    page.observed(.connected(0.3), at: now)
    page.answered("b.example", status: 200, at: EngineFixture.start)
    #expect(monitor.answers["b.example"]?.latency == nil)
    #expect(monitor.latency?.median == .seconds(0.3))
    #expect(abs((monitor.latency?.queueing ?? .zero) / .seconds(1) - 0.1) < 1e-9)
    page.reaches(.parsing)
    #expect(monitor.isFetching)
    page.reaches(.storing)
    #expect(!monitor.isFetching)
    monitor.entry(of: 8).asks("c.example")
    #expect(monitor.isFetching && monitor.drain().count == 8 && monitor.drain().isEmpty)
    monitor.close(8)
    #expect(!monitor.isFetching)
    for number in 0..<1_000 {
      page.answered("h\(number)", status: 200, at: EngineFixture.start + Double(number))
    }
    #expect(monitor.answers.count <= 4 * SyncTelemetry.hostLimit)
    #expect(monitor.answers["h999"] != nil)
  }
}

extension TelemetryTests {
  private func sample(_ seconds: Double) -> NetworkSample {
    NetworkSample(
      at: Date(timeIntervalSince1970: seconds), rate: seconds, limit: 2, inFlight: 1, waiting: 0)
  }

  @Test("Samples are kept as long as graphs show them, and none is later than the newest")
  func memory() {
    var samples: [NetworkSample] = []
    for second in 0..<400 { samples.remember(sample(Double(second))) }
    #expect(samples.map(\.rate) == (249...399).map(Double.init))
    samples.remember(sample(-86_400))
    #expect(samples.map(\.rate) == [-86_400])
  }
}
