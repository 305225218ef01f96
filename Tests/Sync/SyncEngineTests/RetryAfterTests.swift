@testable import SyncEngine

@Suite("Servers that say when to ask again") final class RetryAfterTests: EngineSuite {
  @Test("A 429 pauses only its host, and later requests report it without asking")
  func pausedHostIsReported() async throws {
    let urls = (1...6).map { "http://busy.example/feed\($0)" }
    fixture.web.onAnythingElse { _ in .status(429, [("Retry-After", "600")]) }
    fixture.web.on("http://other.example/feed", .feed(rss("Other")))
    let feeds = try await fixture.subscribe(urls + ["http://other.example/feed"])
    let controller = fixture.controller()
    let summary = await controller.runUntilIdle()
    #expect(summary.done == 7)
    #expect(summary.newArticles == 3)
    // Two requests were in flight at the first 429, which pauses one address; another may have
    // started before the second 429, which pauses the host. None starts after that.
    #expect(fixture.web.log.count { $0.url.contains("busy") } <= 3)
    for feed in feeds.dropLast() {
      let record = try #require(try fixture.record(feed))
      #expect(record.failure?.kind == .rateLimited)
      #expect(record.notBefore == fixture.now + 600)
    }
    fixture.web.forget()
    let request = try await fixture.requests.requestRefresh(.feed(feeds[0]))
    _ = await controller.runUntilIdle()
    #expect(fixture.web.log.isEmpty)
    #expect(try fixture.requests.refreshRequest(request.id)?.isFinished == true)
    #expect(try fixture.requests.refreshRequest(request.id)?.failed == 1)
    // The request was not sent, so no failure is added.
    #expect(try fixture.state(feeds[0])?.failure?.count == 1)

    // A new process knows the pause, too.
    _ = try await fixture.requests.requestRefresh(.feed(feeds[1]))
    _ = await fixture.controller().runUntilIdle()
    #expect(fixture.web.log.isEmpty)
    fixture.manual.advance(by: .seconds(700))
    _ = await controller.runUntilIdle()
    #expect(!fixture.web.log.isEmpty)
  }

  @Test("Pauses of hosts survive a restart") func pausesSurviveRestart() async throws {
    fixture.web.onAnythingElse { _ in .status(429, [("Retry-After", "7200")]) }
    try await fixture.subscribe("http://a.example/1", "http://a.example/2")
    _ = await fixture.controller().runUntilIdle()
    try await fixture.subscribe("http://a.example/3")
    fixture.web.forget()
    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.failed == 1)
    #expect(fixture.web.log.isEmpty)
  }

  @Test("After a restart, single refusals do not pause the whole host")
  func loneRefusalsPauseNoHost() async throws {
    fixture.web.onAnythingElse { request in
      request.url.contains("busy")
        ? .status(503, [("Retry-After", "600000")]) : .feed(rss(request.url))
    }
    let controller = fixture.controller()
    // A sibling answers after each refusal.
    for path in ["busy/1", "2", "busy/3"] {
      try await fixture.subscribe("http://a.example/\(path)")
      _ = await controller.runUntilIdle()
      fixture.manual.advance(by: .seconds(86_400))
    }
    _ = await controller.runUntilIdle()
    #expect(try fixture.store.engine.fetches.waitingFeeds(at: fixture.now).count == 2)
    try await fixture.subscribe("http://a.example/4")
    fixture.web.forget()
    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.failed == 0)
    #expect(fixture.web.urls == ["http://a.example/4"])
  }

  @Test("The Retry-After of any refusal is observed") func retryAfterIsObserved() async throws {
    fixture.web.on("http://a.example/", .status(500, [("Retry-After", "90000")]))
    let feed = try await fixture.subscribe("http://a.example/")[0]
    _ = await fixture.controller().runUntilIdle()
    #expect(try fixture.state(feed)?.nextCheckAt == fixture.now + 90_000)
    #expect(try fixture.state(feed)?.nextCheckReasons == [.failed(1), .retryAfter(90_000)])
  }

  @Test("A 304 without freshness keeps the previous freshness")
  func bare304KeepsFreshness() async throws {
    let url = "http://a.example/feed"
    let days = 172_800.0
    let document = rss("A", extra: "<ttl>90</ttl>")
    fixture.web.on(url) { request in
      request.header("If-None-Match") == "\"1\""
        ? .status(304) : .feed(document, [("ETag", "\"1\""), ("Cache-Control", "max-age=172800")])
    }
    let feed = try await fixture.subscribe(url)[0]
    let controller = fixture.controller()
    for _ in 0..<3 {
      _ = await controller.runUntilIdle()
      #expect(try fixture.state(feed)?.nextCheckAt == fixture.now + days)
      #expect(try fixture.record(feed)?.freshFor == days)
      #expect(try fixture.record(feed)?.updateHints?.interval == 5_400)
      fixture.manual.advance(by: .seconds(days))
    }
    #expect(fixture.web.log.count == 3)
    // A new value counts, and a document without one has none.
    fixture.web.on(url, .status(304, [("Cache-Control", "max-age=259200")]))
    _ = await controller.runUntilIdle()
    #expect(try fixture.state(feed)?.nextCheckAt == fixture.now + 259_200)
    fixture.web.on(url, .feed(document))
    fixture.manual.advance(by: .seconds(259_200))
    _ = await controller.runUntilIdle()
    #expect(try fixture.record(feed)?.freshFor == nil)
    #expect(try fixture.record(feed)?.updateHints?.interval == 5_400)
  }
}
