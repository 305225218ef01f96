import GRDB

@Suite("Limits of hosts") struct HostLimitTests {
  @Test("A host's limit is stored until it expires or is replaced") func limits() async throws {
    let cache = try TestCache()
    let now = cache.clock.now
    let limit = HostLimit(host: "a.example", atOnce: 1, reason: .refused, until: now + 86_400)
    try await cache.store.engine.requests.setHostLimits([limit])
    #expect(try cache.store.engine.requests.hostLimits(at: now) == [limit])
    #expect(try cache.store.engine.requests.hostLimits(at: now + 86_400).isEmpty)
    let slower = HostLimit(host: "a.example", atOnce: 2, reason: .slower, until: now + 90_000)
    try await cache.store.engine.requests.setHostLimits([slower])
    #expect(try cache.store.engine.requests.hostLimits(at: now) == [slower])
    cache.clock.now = now + 90_000
    try await cache.store.engine.requests.setHostLimits([])
    #expect(try cache.store.engine.requests.hostLimits(at: now).isEmpty)
  }

  @Test("A check's reasons are stored as codes and read back as they were") func checkReasons() {
    let reasons: [CheckReason] = [
      .retryAfter(90_000), .freshFor(3_600), .interval(5_400), .articlesPerDay(0.286), .failed(4),
      .backoff(120), .skippedHours, .skippedDays, .hourly, .stoppedByUser,
    ]
    let text = CheckReason.text(reasons)
    #expect(CheckReason.reasons(text) == reasons)
    #expect(
      text == "retry-after:90000;max-age:3600;interval:5400;per-day:0.286;failed:4;back-off:120;"
        + "skip-hours;skip-days;hourly;stopped")
    #expect(CheckReason.text([]) == nil)
    #expect(CheckReason.reasons("of-a-newer-version:7;hourly") == [.hourly])
  }
}
