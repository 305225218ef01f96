@testable import SyncEngine

/// Compares the requests of a fixed scenario and the console's rows of a fixed state with recorded
/// texts. `WEIR_RECORD_GOLDEN=1` records both again.
@Suite("Records of the engine") struct EngineRecordTests {
  @Test("An origin receives the same requests in the same order as recorded")
  func originLog() async throws {
    let fixture = try EngineFixture()
    let web = fixture.web
    var urls: [String] = []
    func on(_ url: String, _ handler: @escaping FakeWeb.Handler) {
      urls.append(url)
      web.on(url, handler)
    }
    for number in 1...6 {
      on("http://big.example/\(number)") { request in
        request.header("If-None-Match") == "\"\(number)\""
          ? .status(304, [("Cache-Control", "max-age=7200")])
          : .feed(rss("Big \(number)"), [("ETag", "\"\(number)\"")])
      }
    }
    for number in 1...4 {
      let date = "Sat, 21 Nov 2026 1\(number):00:00 GMT"
      on("http://good\(number).example/feed") { _ in
        .feed(rss("Good \(number)"), [("Last-Modified", date)])
      }
    }
    on("http://moved.example/") { _ in .status(301, [("Location", "http://big.example/new")]) }
    web.on("http://big.example/new", .feed(rss("Moved"), [("ETag", "\"new\"")]))
    on("http://lent.example/") { _ in .status(302, [("Location", "http://good1.example/feed")]) }
    on("http://missing.example/") { _ in .status(404) }
    on("http://gone.example/") { _ in .status(410) }
    for number in 1...3 {
      on("http://busy.example/\(number)") { _ in .status(429, [("Retry-After", "5400")]) }
    }
    on("http://down.example/") { _ in .status(503) }
    on("http://broken.example/") { _ in .status(500) }
    on("http://nohost.example/") { _ in .failure(.hostNotFound) }
    on("http://closed.example/") { _ in .failure(.connectionRefused) }
    on("http://cut.example/") { _ in .failure(.truncated) }
    on("http://mute.example/") { _ in .failure(.stalled) }
    on("http://login.example/") { _ in .page("<html><body>Sign in</body></html>") }
    let feeds = try await fixture.subscribe(urls)
    let controller = fixture.controller { $0.connections = 1 }

    var lines: [String] = []
    func sync(_ name: String) async throws {
      web.forget()
      let summary = await controller.runUntilIdle()
      lines.append(
        "\(name): \(summary.done) done, \(summary.failed) failed, "
          + "\(summary.unchanged) unchanged, \(summary.newArticles) new")
      for request in web.log {
        let validators = ["If-None-Match", "If-Modified-Since"].compactMap { name in
          request.header(name).map { "\(name): \($0)" }
        }
        lines.append((["  \(request.method) \(request.url)"] + validators).joined(separator: " | "))
      }
    }
    func rows() throws {
      for (url, feed) in zip(urls, feeds) {
        let state = try #require(try fixture.state(feed))
        let failure = state.failure.map { "\($0.kind.rawValue) ×\($0.count)" } ?? "well"
        let next = state.nextCheckAt.map { "in \(Int($0.timeIntervalSince(fixture.now))) s" }
        lines.append("  \(url): \(failure), next \(next ?? "never")")
      }
    }
    try await sync("first")
    try rows()
    fixture.manual.advance(by: .seconds(3_700))
    try await fixture.requests.requestRefresh(.feed(feeds[2]))
    try await sync("an hour later, one asked for")
    fixture.manual.advance(by: .seconds(90_000))
    try await sync("a day later")
    fixture.manual.advance(by: .seconds(700_000))
    try await sync("a week later")
    try rows()
    try compare(lines, with: "origin.txt")
  }

  @Test("The console shows the same rows as recorded") func consoleRows() async throws {
    let fixture = try EngineFixture.serving()
    let urls =
      (1...5).map { "http://busy.example/\($0)" } + (1...5).map { "http://h\($0).example/" }
      + (1...2).map { "http://held.example/\($0)" }
    let feeds = try await fixture.subscribe(urls)
    fixture.web.pause()
    try await fixture.requests.setWatchesTelemetry(true)
    try await fixture.requests.setPaused(.host("held.example"), true)
    try await fixture.requests.setVisibleFeeds([feeds[9]])
    let controller = fixture.startedController { $0.connections = 4 }
    await fixture.web.waitForRequests(4)
    _ = try await fixture.requests.requestDiscovery(url: "http://new.example/")
    await fixture.web.waitForRequests(5)
    try await fixture.requests.requestRefresh(.feed(feeds[3]))
    try await expectEventually(advancing: fixture.manual) {
      let told = try fixture.requests.telemetry()
      return told.operations.count { $0.isRunning } == 5
        && told.operations.contains {
          $0.key == .refresh(feeds[3]) && $0.priority == .userInitiated
        }
    }
    let told = try fixture.requests.telemetry()
    var lines = told.operations.map { operation in
      "\(operation.key.words(feeds)) | \(operation.host) | \(operation.priority.rawValue) | "
        + "\(operation.state.words) | try \(operation.attempt)"
    }
    lines += told.waiting.map { "waiting: \($0.key) \($0.value)" }.sorted()
    lines += told.hosts.map { "host \($0.host): \($0.inFlight) in flight, \($0.waiting) waiting" }
    let sample = try #require(told.samples.last)
    lines.append("\(sample.inFlight) in flight, \(sample.waiting) waiting, ceiling \(told.ceiling)")
    fixture.web.release()
    try await fixture.requests.setPaused(.host("held.example"), false)
    await controller.end()
    try compare(lines, with: "console.txt")
  }

  private func compare(_ lines: [String], with name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Records/\(name)")
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
  }
}

extension OperationKey {
  fileprivate func words(_ feeds: [FeedID]) -> String {
    feed.map { "feed \((feeds.firstIndex(of: $0) ?? -1) + 1)" } ?? "\(kind)"
  }
}

extension OperationStatus.State {
  fileprivate var words: String {
    switch self {
    case .running(let stage): "running \(stage)"
    case .waiting(let reason): "waiting \(reason)"
    }
  }
}
