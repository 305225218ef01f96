@Suite("Telemetry and steering as rows") final class TelemetryTests: CacheSuite {
  private func telemetry(_ feeds: [FeedID], at date: Date = TestCache.start) -> SyncTelemetry {
    SyncTelemetry(
      at: date, reason: .goodputGrowing, ceiling: 128,
      operations: [
        OperationStatus(
          key: .refresh(feeds[0]), name: "A", host: "a.example", priority: .userInitiated,
          state: .running(.receiving), bytes: 4_096, since: date, attempt: 3),
        OperationStatus(
          key: .refresh(feeds[2]), name: "C", host: "c.example", priority: .visible,
          state: .waiting(.limitReached), since: date),
        OperationStatus(
          key: OperationKey(kind: .pull, row: 1), name: "Account", host: "b.example",
          priority: .scheduled, state: .waiting(.hostBusy), since: date),
      ],
      waiting: [.hostBusy: 7, .limitReached: 2],
      hosts: [
        HostTelemetry(host: "a.example", inFlight: 1, status: 200, answeredAt: date, latency: 0.25),
        HostTelemetry(host: "b.example", waiting: 7, pausedUntil: date + 60),
      ],
      samples: [
        NetworkSample(
          at: date, rate: 48_000, latency: 0.04, queueing: 0.01, limit: 8, inFlight: 7,
          waiting: 9, quality: .fair)
      ])
  }

  @Test("Telemetry is read back unchanged") func whatIsToldIsReadAsItWas() async throws {
    let feeds = [try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")]
    try await cache.store.engine.requests.setTelemetry(telemetry(feeds))
    let told = try cache.requests.telemetry()
    #expect(told == telemetry(feeds))
  }

  @Test("New telemetry replaces the previous one") func newTelemetryReplaces() async throws {
    let feeds = [try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")]
    try await cache.store.engine.requests.setTelemetry(telemetry(feeds))
    var next = telemetry(feeds, at: TestCache.start + 1)
    next.operations.removeFirst()
    next.operations[0].since = TestCache.start + 0.5
    next.hosts = [HostTelemetry(host: "b.example", inFlight: 2)]
    try await cache.store.engine.requests.setTelemetry(next)
    let told = try cache.requests.telemetry()
    #expect(told == next)
  }

  @Test("Telemetry of a closed engine is empty") func closedEngineIsEmpty() async throws {
    let feeds = [try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")]
    let engine = try cache.another()
    try await engine.engine.requests.setTelemetry(telemetry(feeds))
    #expect(try cache.requests.telemetry().operations.count == 3)
    engine.close()
    let told = try cache.requests.telemetry()
    #expect(told.operations.isEmpty)
    #expect(told.hosts.isEmpty)
    #expect(told.at == nil)
  }

  @Test("Watching telemetry is visible to other stores and ends with its store")
  func watchingEndsWithStore() async throws {
    let feeds = [try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")]
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
    let reader = try cache.another()
    try await reader.reader.requests.setWatchesTelemetry(true)
    try await reader.reader.requests.setWatchesTelemetry(true)
    #expect(try cache.store.engine.requests.isTelemetryWatched())
    try await cache.store.engine.requests.setTelemetry(telemetry(feeds))
    try await reader.reader.requests.setWatchesTelemetry(false)
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
    #expect(try cache.requests.telemetry().operations.isEmpty)
    try await reader.reader.requests.setWatchesTelemetry(true)
    reader.close()
    #expect(try !cache.store.engine.requests.isTelemetryWatched())
  }

  @Test("Pauses are rows that end with the reader that requested them")
  func pausesEndWithTheReader() async throws {
    let reader = try cache.another()
    for _ in 0..<3 { try await reader.reader.requests.setPaused(.everything, true) }
    cache.clock.now += 5
    try await cache.requests.setPaused(.host("a.example"), true)
    #expect(
      try cache.requests.syncPauses() == [
        SyncPause(scope: .everything, since: TestCache.start),
        SyncPause(scope: .host("a.example"), since: TestCache.start + 5),
      ])
    // Any reader may resume.
    try await cache.requests.setPaused(.everything, false)
    #expect(try reader.reader.requests.syncPauses().map(\.scope) == [.host("a.example")])
    try await reader.reader.requests.setPaused(.everything, true)
    reader.close()
    #expect(try cache.requests.syncPauses().map(\.scope) == [.host("a.example")])
  }

  @Test("A cancellation is handled once, and old cancellations expire")
  func cancellationIsUsedOnce() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let request = try await cache.requests.requestRefresh(.all)
    for _ in 0..<3 { try await cache.requests.cancel(.feed(a)) }
    #expect(try cache.store.engine.requests.cancellations() == [.feed(a)])
    let next = TestCache.start + 3_600
    // A cancellation that arrives while another is handled is not lost.
    try await cache.requests.cancel(.feed(b))
    try await cache.store.engine.requests.complete([.feed(a)], of: [a], next: next)
    #expect(try cache.store.engine.requests.cancellations() == [.feed(b)])
    try await cache.store.engine.requests.complete([.feed(b)], of: [], next: next)
    #expect(try cache.store.engine.requests.pendingFeeds(of: request.id).map(\.feed) == [b])
    #expect(try cache.requests.refreshRequest(request.id)?.total == 1)
    #expect(try cache.feeds.feed(a)?.state.nextCheckAt == next)
    #expect(try cache.feeds.feed(a)?.state.nextCheckReasons == [.stoppedByUser])
    #expect(try cache.feeds.feed(b)?.state.nextCheckAt != next)
    try await cache.requests.cancel(.waiting)
    #expect(try cache.store.engine.requests.cancellations() == [.waiting])
    cache.clock.now += 61
    #expect(try cache.store.engine.requests.cancellations().isEmpty)
  }

  @Test("Observers of telemetry and steering receive only these changes")
  func observersOfTelemetry() async throws {
    let heard = Mutex(StoreChange())
    let observation = cache.store.reader.observe(.everything) { change in
      heard.withLock { $0.formUnion(change) }
    }
    defer { observation.cancel() }
    try await cache.store.engine.requests.setTelemetry(SyncTelemetry(at: TestCache.start))
    #expect(await eventually { heard.withLock { $0 } == [.telemetry] })
    try await cache.requests.setPaused(.everything, true)
    #expect(await eventually { heard.withLock { $0 } == [.telemetry, .steering] })
  }

  @Test("A request reports which feeds it waits for and how many were unchanged")
  func requestReportsProgress() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let c = try await cache.feed("c")
    let request = try await cache.requests.requestRefresh(.all)
    try await cache.store.engine.requests.setSyncStatus(SyncStatus(refreshing: [b]))
    let waits = try cache.requests.waits(of: request.id)
    #expect(waits.count == 3)
    #expect(waits.first.map(\.name) == ["https://example.org/b"])
    #expect(waits.first.map(\.host) == ["example.org"])
    try await cache.merge(a, [.dated(1)])
    _ = try await cache.store.engine.fetches.merge([
      RefreshResult(feed: b, at: cache.clock.now, outcome: .unchanged),
      RefreshResult(
        feed: c, at: cache.clock.now, outcome: .failed(.httpStatus, status: 404, detail: nil)),
    ])
    let end = try #require(try cache.requests.refreshRequest(request.id))
    #expect(end.isFinished)
    #expect((end.newArticles, end.unchanged, end.failed) == (1, 1, 1))
    #expect(try cache.requests.failedFeeds(of: end).map(\.id) == [c])
  }
}
