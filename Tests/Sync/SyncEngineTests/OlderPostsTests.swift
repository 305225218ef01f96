@testable import SyncEngine

@Suite("Fetching older posts") struct OlderPostsTests {
  private static let home = "http://a.example/feed"

  /// A page of three posts that names the next page.
  private static func page(_ name: String, older: String?) -> String {
    let link = older.map {
      "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='next' href='\($0)'/>"
    }
    return rss(name, extra: link ?? "")
  }

  private func fixture(_ document: String, at url: String = home) async throws -> (
    EngineFixture, FeedID
  ) {
    let fixture = try EngineFixture()
    fixture.web.on(
      url,
      { $0.header("If-None-Match") == nil ? .feed(document, [("ETag", "\"1\"")]) : .status(304) })
    let feed = try #require(try await fixture.subscribe(url).first)
    _ = await fixture.controller().runUntilIdle()
    fixture.web.forget()
    return (fixture, feed)
  }

  /// Requests pages and runs until nothing waits.
  private func load(
    _ fixture: EngineFixture, _ feed: FeedID, pages: Int = 1
  ) async throws -> OlderPosts.State? {
    fixture.web.forget()
    _ = try await fixture.olderPosts.request(feed, pages: pages)
    _ = await fixture.controller().runUntilIdle(.requested)
    return try fixture.olderPosts.request(of: feed)?.state
  }

  private func failure(_ state: OlderPosts.State?) -> RefreshFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  private func titles(_ fixture: EngineFixture, unread: Bool = false) throws -> [String] {
    try fixture.articles.page(
      ArticleQuery(scope: .all, filter: unread ? .unread : .all), .top, limit: 1_000
    ).map(\.title)
  }

  @Test("Each request fetches one page, the first after the feed's document, until the last page")
  func pages() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/2"))
    fixture.web.on("http://a.example/2", .feed(Self.page("Old", older: "/3")))
    fixture.web.on("http://a.example/3", .feed(Self.page("Oldest", older: nil)))
    let before = try fixture.record(feed)
    #expect(try await load(fixture, feed) == .found(3, oldest: nil))
    #expect(fixture.web.urls == [Self.home, "http://a.example/2"])
    #expect(fixture.web.log.allSatisfy { $0.header("If-None-Match") == nil })
    #expect(try await load(fixture, feed) == .ended(3))
    #expect(fixture.web.urls == ["http://a.example/3"])
    #expect(try titles(fixture).count == 9)
    #expect(try titles(fixture, unread: true).allSatisfy { $0.hasPrefix("New") })
    #expect(try await load(fixture, feed) == .ended(3))
    #expect(fixture.web.urls.isEmpty)
    // Neither validators nor schedule have changed.
    #expect(try fixture.record(feed) == before)
  }

  @Test("A feed whose document names no page has no older posts") func none() async throws {
    let (fixture, feed) = try await fixture(rss("New"))
    #expect(try await load(fixture, feed) == .ended(0))
    #expect(fixture.web.urls == [Self.home])
  }

  @Test("Endless pages end after ten, and go on after the next request")
  func endless() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/1"))
    fixture.web.onAnythingElse { request in
      let number = Int(request.url.split(separator: "/").last ?? "") ?? 0
      return .feed(Self.page("Page \(number)", older: "/\(number + 1)"))
    }
    #expect(try await load(fixture, feed, pages: 50) == .found(30, oldest: nil))
    #expect(fixture.web.urls.count == 11)
    #expect(try await load(fixture, feed) == .found(3, oldest: nil))
    #expect(fixture.web.urls == ["http://a.example/11"])
  }

  @Test(
    "A page that names itself, the feed or an earlier page is the last one",
    arguments: ["/2", "/feed", "/1"])
  func loops(target: String) async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/1"))
    fixture.web.on("http://a.example/1", .feed(Self.page("Old", older: "/2")))
    fixture.web.on("http://a.example/2", .feed(Self.page("Oldest", older: target)))
    #expect(try await load(fixture, feed, pages: 9) == .ended(6))
    #expect(fixture.web.urls.count == 3)
  }

  @Test("A page that redirects to an earlier one, or is the same document, is not stored")
  func repetitions() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/1"))
    fixture.web.on("http://a.example/1", .feed(Self.page("Old", older: "/2?x")))
    fixture.web.on("http://a.example/2?x", .status(302, [("Location", "/1")]))
    #expect(try await load(fixture, feed, pages: 9) == .ended(3))
    let other = try await self.fixture(Self.page("New", older: "/feed?page=2"))
    other.0.web.on(Self.home + "?page=2", .feed(Self.page("New", older: "/feed?page=2")))
    #expect(try await load(other.0, other.1, pages: 9) == .ended(0))
    #expect(other.0.web.urls == [Self.home, Self.home + "?page=2"])
  }

  @Test("WordPress is asked for numbered pages until it answers 404, and other sites are not")
  func wordPress() async throws {
    let generator = "<generator>https://wordpress.org/?v=6.7</generator>"
    let (fixture, feed) = try await fixture(rss("New", extra: generator))
    fixture.web.on(Self.home + "?paged=2", .feed(rss("Old", extra: generator)))
    #expect(try await load(fixture, feed, pages: 5) == .ended(3))
    #expect(fixture.web.urls == [Self.home, Self.home + "?paged=2", Self.home + "?paged=3"])
  }

  @Test("A named page that is missing is a failure, and the next request tries it again")
  func missing() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/2"))
    #expect(try await failure(load(fixture, feed, pages: 3))?.status == 404)
    fixture.web.on("http://a.example/2", .feed(Self.page("Old", older: nil)))
    #expect(try await load(fixture, feed) == .ended(3))
  }

  @Test("A host in back-off gets no request") func backOff() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/2"))
    fixture.web.on("http://a.example/2", .status(429, [("Retry-After", "600")]))
    let controller = fixture.controller()
    _ = try await fixture.olderPosts.request(feed, pages: 1)
    _ = await controller.runUntilIdle(.requested)
    fixture.web.forget()
    _ = try await fixture.olderPosts.request(feed, pages: 1)
    _ = await controller.runUntilIdle(.requested)
    #expect(fixture.web.urls.isEmpty)
    let request = try fixture.olderPosts.request(of: feed)
    #expect(failure(request?.state)?.kind == .rateLimited)
  }

  @Test("Another server gets neither the feed's headers nor access to a private network")
  func strangers() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "http://b.example/2"))
    fixture.web.on(
      "http://b.example/2", .feed(Self.page("Old", older: "http://192.168.1.1/reboot")))
    fixture.web.on("http://192.168.1.1/reboot", .failure(.forbiddenAddress))
    var options = FeedOptions()
    options.set(.headers, to: "X-Key: 1")
    try await fixture.feeds.edit(
      feed, FeedEdit(title: nil, url: Self.home, folder: [], isPaused: false, options: options))
    #expect(try await failure(load(fixture, feed, pages: 3))?.kind == .forbiddenAddress)
    #expect(fixture.web.log.map { $0.header("X-Key") } == ["1", nil, nil])
    #expect(fixture.web.log.map(\.privateAccess) == [.allowed, .denied, .denied])
  }

  @Test("A feed in a private network may lead to the server that answered it")
  func privateNetwork() async throws {
    let url = "http://192.168.1.9/feed"
    let (fixture, feed) = try await fixture(Self.page("New", older: "/2"), at: url)
    fixture.web.on("http://192.168.1.9/2", .feed(Self.page("Old", older: nil)))
    #expect(try await load(fixture, feed) == .ended(3))
    let server = try #require(ServerAddress("192.168.1.9 80"))
    #expect(fixture.web.log.last?.privateAccess == .only(server))
  }

  @Test("The console stops a request that runs") func stopping() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/2"))
    fixture.web.on("http://a.example/2", .hang)
    _ = try await fixture.olderPosts.request(feed, pages: 1)
    let controller = fixture.controller()
    try await fixture.requests.setWatchesTelemetry(true)
    controller.start()
    try await expectEventually(advancing: fixture.manual) {
      try fixture.web.log.count == 2
        && fixture.requests.telemetry().operations
          .contains { $0.title == "Older posts of New" && $0.key.kind == .olderPosts }
    }
    try await fixture.olderPosts.cancel(feed)
    try await expectEventually(advancing: fixture.manual) {
      try fixture.requests.telemetry().operations.isEmpty
    }
    await controller.end()
    #expect(try titles(fixture).count == 3)
  }

  @Test("Without a network, a request stays until there is one") func offline() async throws {
    let (fixture, feed) = try await fixture(Self.page("New", older: "/2"))
    fixture.web.onAnythingElse { _ in .failure(.offline) }
    fixture.web.on(Self.home, .failure(.offline))
    _ = try await fixture.olderPosts.request(feed, pages: 1)
    _ = await fixture.runWithTime(fixture.controller())
    #expect(try fixture.olderPosts.request(of: feed)?.state == .waiting)
    fixture.web.on(Self.home, .feed(Self.page("New", older: "/2")))
    fixture.web.on("http://a.example/2", .feed(Self.page("Old", older: nil)))
    _ = await fixture.runWithTime(fixture.controller())
    #expect(try fixture.olderPosts.request(of: feed)?.state == .ended(3))
  }

  @Test("Pages are fetched over real sockets from an origin that pages its feed")
  func sockets() async throws {
    let fixture = try EngineFixture()
    let origin = try Origin()
    defer { origin.stop() }
    origin.on("/feed", .answer(Self.page("New", older: "feed?page=2")))
    origin.on("/feed?page=2", .answer(Self.page("Old", older: nil)))
    let feed = try #require(try await fixture.subscribe(origin.url("/feed")).first)
    func run() async {
      var configuration = SyncConfiguration(directory: fixture.directory)
      configuration.initialSpread = .zero
      let controller = NetworkController(
        store: fixture.store.engine, accounts: fixture.store.accountSync,
        transport: { CurlTransport(userAgent: "Weir/test (+http://weir.example)") },
        configuration: configuration)
      _ = await controller.runUntilIdle()
    }
    await run()
    _ = try await fixture.olderPosts.request(feed, pages: 2)
    await run()
    #expect(try fixture.olderPosts.request(of: feed)?.state == .ended(3))
    #expect(origin.log.map(\.target) == ["/feed", "/feed", "/feed?page=2"])
  }
}
