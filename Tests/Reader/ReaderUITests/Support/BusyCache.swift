extension TestCache {
  /// Returns the daily cache in the middle of a sync, with an engine's telemetry.
  static func busy() async throws -> TestCache {
    let cache = try await TestCache.daily()
    let feeds = try cache.store.reader.feeds.subscriptions().feeds
    for number in 1...8 {
      let id = try await cache.feed(
        "Mirror \(number)", url: "https://mirrors.example/\(number).xml")
      if number <= 3 { try await cache.fail(id, .connectTimedOut) }
      if number == 4 { try await cache.fail(id, .httpStatus, status: 404) }
    }
    try await cache.publish(Self.telemetry(feeds))
    try await cache.store.engine.requests.setSyncStatus(
      SyncStatus(
        quality: .fair, isRunning: true, done: 212, total: 1_000, failed: 3, newArticles: 96,
        bytes: 4_200_000, rate: 348_000, limit: 9, inFlight: 6, startedAt: start - 20))
    return cache
  }

  func publish(_ telemetry: SyncTelemetry) async throws {
    try await store.engine.requests.setTelemetry(telemetry)
  }

  private static func telemetry(_ feeds: [Feed]) -> SyncTelemetry {
    let stages: [OperationStatus.Stage] = [
      .receiving, .waitingForAnswer, .connecting, .parsing, .storing, .waitingForHost,
    ]
    let running = zip(feeds, stages).enumerated().map { index, work in
      OperationStatus(
        key: .refresh(work.0.id), name: work.0.name, host: WebAddress(work.0.url).host ?? "",
        priority: index == 0 ? .userInitiated : index == 3 ? .visible : .scheduled,
        state: .running(work.1), bytes: [48_200, 0, 0, 312_000, 9_100, 0][index],
        since: start - 0.4 * Double(12 - 2 * index), attempt: index == 1 ? 3 : 1)
    }
    let waiting = feeds.suffix(1).map {
      OperationStatus(
        key: .refresh($0.id), name: $0.name, host: WebAddress($0.url).host ?? "",
        priority: .scheduled, state: .waiting(.hostBusy), since: start - 14)
    }
    let samples = (0..<90).map { second in
      let x = Double(second)
      let rate = second < 60 ? 0 : 348_000 * min(1, (x - 60) / 12) * (0.8 + 0.2 * sin(x / 2))
      return NetworkSample(
        at: start - 89 + x, rate: rate, latency: second < 62 ? nil : 0.05 + 0.03 * abs(sin(x / 5)),
        queueing: 0.012, limit: second < 66 ? 8 : 9, inFlight: second < 60 ? 0 : 4 + second % 5,
        waiting: 782, quality: .fair)
    }
    return SyncTelemetry(
      at: start, reason: .queueing, ceiling: 128,
      operations: running + waiting, waiting: [.limitReached: 640, .hostBusy: 142],
      hosts: [
        HostTelemetry(
          host: "lwn.example", inFlight: 2, waiting: 5, status: 200, answeredAt: start,
          latency: 0.084),
        HostTelemetry(
          host: "busy.example", waiting: 12, pausedUntil: start + 600, status: 429,
          answeredAt: start - 60, latency: 0.31),
        HostTelemetry(
          host: "ruanyifeng.example", inFlight: 1, status: 304, answeredAt: start - 9, latency: 1.42
        ),
        HostTelemetry(host: "gazette.example", status: 503, answeredAt: start - 70, latency: 0.2),
      ], samples: samples)
  }
}
