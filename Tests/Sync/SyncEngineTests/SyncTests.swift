@testable import SyncEngine

@Suite("Syncs") final class SyncTests: EngineSuite {
  @Test("A sync of twenty feeds reports the outcome of each")
  func twentyFeedsAreReported() async throws {
    var urls: [String] = []
    func feed(_ host: String, _ answer: FakeWeb.Answer) {
      let url = "http://\(host).example/feed"
      urls.append(url)
      fixture.web.on(url, answer)
    }
    for number in 1...10 { feed("good\(number)", .feed(rss("Good \(number)"))) }
    feed("missing", .status(404))
    feed("gone", .status(410))
    feed("busy", .status(429, [("Retry-After", "300")]))
    feed("broken", .status(500))
    feed("page", .page("<html><body>Please sign in</body></html>"))
    feed("empty", .feed(""))
    feed("cut", .failure(.truncated))
    feed("nohost", .failure(.hostNotFound))
    feed("moved", .status(301, [("Location", "http://good1.example/feed")]))
    feed("secret", .status(401))
    let feeds = try await fixture.subscribe(urls)

    let summary = await fixture.controller().runUntilIdle()

    #expect(summary.done == 20)
    #expect(summary.failed == 9)
    #expect(summary.newArticles == 33)
    let states = try feeds.map { try #require(try fixture.state($0)) }
    let kinds = states.map { $0.failure?.kind }
    #expect(Array(kinds[..<10]) == Array(repeating: nil, count: 10))
    #expect(
      Array(kinds[10...]) == [
        .httpStatus, .gone, .rateLimited, .httpStatus, .notAFeed, .empty, .truncated,
        .hostNotFound, nil, .unauthorized,
      ])
    #expect(states[11].nextCheckAt == nil)
    #expect(try fixture.record(feeds[11])?.isGone == true)
    #expect(try fixture.record(feeds[12])?.notBefore == fixture.now + 300)
    #expect(!states[0].nextCheckReasons.isEmpty)
    for (index, state) in states.enumerated() where index != 11 {
      #expect((state.nextCheckAt ?? .distantPast) > fixture.now)
    }
    #expect(states[18].movedTo == "http://good1.example/feed")
    #expect(try fixture.articles.count(.all) == 33)
    let status = try fixture.requests.syncStatus()
    #expect(!status.isRunning)
    #expect(status.done == 20)
    #expect(status.total == 20)
    #expect(status.failed == 9)
    #expect(status.newArticles == 33)
    #expect(status.endedAt != nil)
  }

  @Test("A feed's host that answers 407 itself is not reported as a proxy")
  func statusOfAProxy() async throws {
    let url = "http://a.example/feed"
    fixture.web.on(url, .status(407, [("Proxy-Authenticate", "Basic realm=\"x\"")]))
    let feed = try #require(try await fixture.subscribe(url).first)
    _ = await fixture.controller().runUntilIdle()
    #expect(try fixture.state(feed)?.failure?.kind == .httpStatus)
    #expect(try fixture.state(feed)?.failure?.status == 407)
  }

  @Test("The second sync sends validators byte for byte") func validatorsAreExact() async throws {
    let etag = "W/\"a b'\\c==\""
    let modified = "Sat,  21 Nov 2026 11:00:00 GMT"
    let both = "http://both.example/feed"
    let plain = "http://plain.example/feed"
    fixture.web.on(both) { request in
      request.header("If-None-Match") == etag
        ? .status(304) : .feed(rss("Both"), [("ETag", etag), ("Last-Modified", modified)])
    }
    fixture.web.on(plain, .feed(rss("Plain")))
    let feeds = try await fixture.subscribe(both, plain)
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    #expect(fixture.web.log.allSatisfy { $0.header("If-None-Match") == nil })

    // No feed is due yet, so none is requested.
    let idle = await controller.runUntilIdle()
    #expect(idle.done == 0)
    #expect(fixture.web.log.count == 2)

    fixture.manual.advance(by: .seconds(90_000))
    fixture.web.forget()
    let summary = await controller.runUntilIdle()
    #expect(summary.unchanged == 2)
    #expect(summary.newArticles == 0)
    let request = try #require(fixture.web.requests(to: both).first)
    #expect(request.header("If-None-Match") == etag)
    #expect(request.header("If-Modified-Since") == modified)
    #expect(fixture.web.requests(to: plain).count == 1)
    #expect(try fixture.state(feeds[0])?.succeededAt == fixture.now)
    #expect(try fixture.record(feeds[0])?.etag == etag)
  }

  @Test("A requested feed is fetched early, but conditionally")
  func requestedIsConditional() async throws {
    let url = "http://a.example/feed"
    fixture.web.on(url) { request in
      request.header("If-None-Match") == "\"1\""
        ? .status(304) : .feed(rss("A"), [("ETag", "\"1\"")])
    }
    let feed = try await fixture.subscribe(url)[0]
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    let request = try await fixture.requests.requestRefresh(.feed(feed))
    let summary = await controller.runUntilIdle()
    #expect(summary.unchanged == 1)
    #expect(fixture.web.log.count == 2)
    let row = try #require(try fixture.requests.refreshRequest(request.id))
    #expect(row.isFinished)
    #expect(row.done == 1)
    #expect(row.failed == 0)
  }

  @Test("Ten key presses make one request and one fetch") func tenPressesFetchOnce() async throws {
    let url = "http://a.example/feed"
    fixture.web.on(url, .feed(rss("A")))
    let feed = try await fixture.subscribe(url)[0]
    var ids: Set<Int64> = []
    for _ in 0..<10 {
      ids.insert(try await fixture.requests.requestRefresh(.feed(feed)).id)
    }
    #expect(ids.count == 1)
    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.done == 1)
    #expect(fixture.web.log.count == 1)
  }

  @Test("A new subscription to a page changes to the only feed that the page announces")
  func pageBecomesItsFeed() async throws {
    let page = "http://site.example/"
    let link = { (url: String) in
      "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(url)\">"
    }
    fixture.web.on(page, .page("<html><head>\(link("/feed.xml"))</head><body>Hi</body></html>"))
    fixture.web.on("http://site.example/feed.xml", .feed(rss("Site")))
    let many = "http://many.example/"
    fixture.web.on(
      many, .page("<html><head>\(link("/a"))\(link("/b"))</head><body>Hi</body></html>"))
    let feeds = try await fixture.subscribe(page, many)
    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.newArticles == 3)
    #expect(try fixture.feeds.feed(feeds[0])?.url == "http://site.example/feed.xml")
    #expect(try fixture.feeds.feed(feeds[1])?.url == many)
    #expect(try fixture.state(feeds[1])?.failure?.kind == .notAFeed)
  }

  @Test("A page of a public host gives no access to feeds in a private network")
  func pageGivesNoPrivateAccess() async throws {
    func page(_ url: String, announcing feed: String) {
      let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(feed)\">"
      fixture.web.on(url, .page("<html><head>\(link)</head><body>Hi</body></html>"))
    }
    page("http://out.example/", announcing: "http://192.168.1.1/x")
    page("http://own.example/", announcing: "/feed")
    page("http://lan.example/", announcing: "http://192.168.1.2/feed")
    fixture.web.resolve("out.example", to: "1.1.1.1")
    fixture.web.resolve("lan.example", to: "192.168.1.3")
    try await fixture.subscribe("http://out.example/", "http://own.example/", "http://lan.example/")
    _ = await fixture.controller().runUntilIdle()
    let allowed = { [fixture] (url: String) in fixture.web.requests(to: url).map(\.privateAccess) }
    #expect(allowed("http://192.168.1.1/x") == [.denied])
    #expect(allowed("http://own.example/feed") == [.allowed])
    #expect(allowed("http://192.168.1.2/feed") == [.allowed])
    // An address that the user typed may lead anywhere.
    #expect(allowed("http://out.example/") == [.allowed])
  }

  @Test("A login page changes neither articles nor validators")
  func loginPageChangesNothing() async throws {
    let url = "http://a.example/feed"
    fixture.web.on(url, .feed(rss("A"), [("ETag", "\"good\"")]))
    let feed = try await fixture.subscribe(url)[0]
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    for answer in [
      FakeWeb.Answer.reply(
        200, [("Content-Type", "text/html"), ("ETag", "\"login\"")],
        "<html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/x\"></head></html>"
      ), .reply(200, [("ETag", "\"empty\"")], " \r\n"), .failure(.truncated),
    ] {
      fixture.web.on(url, answer)
      fixture.manual.advance(by: .seconds(7 * 86_400))
      let summary = await controller.runUntilIdle()
      #expect(summary.failed == 1)
      #expect(try fixture.record(feed)?.etag == "\"good\"")
      #expect(try fixture.feeds.feed(feed)?.url == url)
      #expect(try fixture.articles.count(ArticleQuery(scope: .feed(feed))) == 3)
    }
    #expect(try fixture.state(feed)?.failure?.count == 3)
    fixture.web.on(url, .status(304))
    fixture.manual.advance(by: .seconds(7 * 86_400))
    _ = await controller.runUntilIdle()
    #expect(try fixture.state(feed)?.failure == nil)
  }

  @Test("Other schemes are rejected without the network")
  func otherSchemesAreRejected() async throws {
    let feeds = try await fixture.subscribe("ftp://a.example/feed", "javascript:alert(1)")
    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.failed == 2)
    #expect(fixture.web.log.isEmpty)
    for feed in feeds {
      #expect(try fixture.state(feed)?.failure?.kind == .unsupportedScheme)
    }
  }

  @Test("A host receives at most two requests at once, including redirects")
  func hostGetsTwoAtOnce() async throws {
    let direct = (1...30).map { "http://big.example/\($0)" }
    let around = (1...10).map { "http://other\($0).example/" }
    fixture.web.onAnythingElse { request in
      request.url.contains("other")
        ? .status(302, [("Location", "http://big.example/target")]) : .feed(rss(request.url))
    }
    try await fixture.subscribe(direct + around)
    let summary = await fixture.controller { $0.measuresHosts = false }.runUntilIdle()
    #expect(summary.done == 40)
    #expect(summary.failed == 0)
    #expect(fixture.web.peak == 2)
  }

  @Test("Three spellings of a host count as one host") func spellingsAreOneHost() async throws {
    let names = ["bücher.example", "xn--bcher-kva.example", "BÜCHER.example."]
    func urls(_ path: String) -> [String] { names.map { "http://\($0)/\(path)-\($0.count)" } }
    fixture.web.onAnythingElse { .feed(rss($0.url)) }
    try await fixture.subscribe((1...4).flatMap { urls("\($0)") })
    let summary = await fixture.controller { $0.measuresHosts = false }.runUntilIdle()
    #expect(summary.done == 12)
    #expect(fixture.web.peak <= 2)
    // The wait that was requested under two of the spellings applies to the third.
    fixture.web.onAnythingElse { _ in .status(429, [("Retry-After", "600")]) }
    try await fixture.subscribe(Array(urls("busy").prefix(2)))
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    fixture.web.forget()
    try await fixture.subscribe(Array(urls("busy").suffix(1)))
    #expect(await controller.runUntilIdle().failed == 1)
    #expect(fixture.web.log.isEmpty)
  }

  @Test("The transport is created only when work starts") func transportIsLazy() async throws {
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    #expect(fixture.transportsMade.withLock { $0 } == 0)
    fixture.web.on("http://a.example/", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/")
    _ = await controller.runUntilIdle()
    _ = await controller.runUntilIdle()
    #expect(fixture.transportsMade.withLock { $0 } == 1)
  }

  @Test("Events report each step of a sync") func eventsTellTheStory() async throws {
    fixture.web.on("http://a.example/", .feed(rss("A")))
    try await fixture.subscribe("http://a.example/")
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    var names: [String] = []
    for await event in controller.events {
      switch event {
      case .becameEngine: names.append("engine")
      case .syncStarted: names.append("start")
      case .refreshStarted(_, let url, let priority): names.append("fetch \(url) \(priority)")
      case .refreshEnded(let report): names.append("\(report.outcome)")
      case .syncEnded: names.append("end")
      default: break
      }
      if case .syncEnded = event { break }
    }
    #expect(
      names == [
        "engine", "start", "fetch http://a.example/ scheduled", "refreshed(added: 3, updated: 0)",
        "end",
      ])
  }
}
