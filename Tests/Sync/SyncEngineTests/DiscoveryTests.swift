@testable import ArticleStore
@testable import CacheCore
@testable import SearchStore
@testable import SyncEngine

@Suite("Discovering feeds") struct DiscoveryTests {
  let web = FakeWeb()

  private func links(_ urls: String...) -> String {
    let tags = urls.map { "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\($0)\">" }
    return "<html><head>\(tags.joined())</head><body><p>Hello</p></body></html>"
  }

  @Test("An address without a scheme is completed, and one that is no web address is rejected")
  func anAddressIsCompleted() {
    let candidates = FeedDiscoverer.candidates
    #expect(candidates("example.org/x") == ["https://example.org/x", "http://example.org/x"])
    #expect(candidates(" http://a.example/ \n") == ["http://a.example/"])
    #expect(candidates("feed://a.example/x") == ["https://a.example/x", "http://a.example/x"])
    #expect(candidates("feed:https://a.example/x") == ["https://a.example/x"])
    #expect(
      candidates("localhost:8080/x") == ["https://localhost:8080/x", "http://localhost:8080/x"])
    #expect(candidates("//a.example/") == ["https://a.example/", "http://a.example/"])
    for other in ["", "   ", "file:///etc/passwd", "javascript:alert(1)", "weir:guide", "/tmp/x"] {
      #expect(candidates(other) == [])
    }
  }

  @Test("A feed's address is a candidate with its title and latest items")
  func aFeedIsItsOwnCandidate() async throws {
    web.on("https://a.example/feed", .feed(rss("A", items: 8)))
    let state = try await FeedDiscoverer(transport: web).discover("a.example/feed")
    #expect(
      state
        == .found([
          FeedCandidate(
            url: "https://a.example/feed", title: "A",
            latestTitles: ["A 1", "A 2", "A 3", "A 4", "A 5"])
        ]))
  }

  @Test("HTTP is tried if HTTPS does not answer") func httpIsTriedAfterHTTPS() async throws {
    web.onAnythingElse {
      $0.url.hasPrefix("https") ? .failure(.connectionRefused) : .feed(rss("A"))
    }
    let found = try await web.found("a.example")
    #expect(web.urls == ["https://a.example", "http://a.example"])
    #expect(found.map(\.url) == ["http://a.example"])
  }

  @Test("A page leads to the feeds that it announces, of which five are requested")
  func pageLeadsToItsFeeds() async throws {
    web.on("https://a.example/", .page(links("/1", "/2", "/3", "/4", "/5", "/6")))
    web.on("https://a.example/1", .feed(rss("One", items: 1)))
    web.on("https://a.example/2", .page("<html><body>no feed</body></html>"))
    web.on("https://a.example/3", .status(503))
    web.on("https://a.example/4", .feed(rss("Four", items: 1)))
    web.on("https://a.example/5", .feed(rss("Five", items: 1)))
    let found = try await web.found("https://a.example/")
    #expect(found.map(\.url) == ["1", "4", "5", "6"].map { "https://a.example/" + $0 })
    #expect(found.map(\.title) == ["One", "Four", "Five", nil])
    #expect(web.requests(to: "https://a.example/6").isEmpty)
    #expect(web.peak <= 2)
  }

  @Test("If an announced feed is dead, the next one is used, then the common addresses")
  func deadAnnouncedFeed() async throws {
    for (answers, expected) in [
      (["/b": "B"], "/b"), (["/feed.json": "J"], "/feed.json"), (["/7": "7"], "/7"),
    ] {
      let web = FakeWeb()
      web.on("https://a.example/", .page(links("/a", "/b", "/3", "/4", "/5", "/6", "/7")))
      web.on("https://a.example/a", .page("<html><body>gone</body></html>"))
      for (path, title) in answers {
        web.on("https://a.example" + path, .feed(rss(title, items: 1)))
      }
      let found = try await web.found("https://a.example/")
      #expect(found.first?.url == "https://a.example" + expected)
    }
  }

  @Test(
    "A page that redirects by itself leads to the feeds of its target",
    arguments: ["0;url=/blog/", "3; URL='https://a.example/blog/'", "0, /blog/"])
  func refresh(content: String) async throws {
    web.on("https://a.example/", .page("<meta http-equiv=Refresh content=\"\(content)\">"))
    web.on("https://a.example/blog/", .page(links("/blog/posts")))
    web.on("https://a.example/blog/posts", .feed(rss("Posts", items: 1)))
    let found = try await web.found("https://a.example/")
    #expect(found.map(\.url) == ["https://a.example/blog/posts"])
    #expect(web.urls.count == 3)
  }

  @Test("A page that only reloads itself is requested once", arguments: ["300", "5; url=/"])
  func reload(content: String) async throws {
    web.on("https://a.example/", .page("<meta http-equiv=refresh content=\"\(content)\">"))
    _ = try await FeedDiscoverer(transport: web).discover("https://a.example/")
    #expect(web.requests(to: "https://a.example/").count == 1)
  }

  @Test("An announced feed whose server fails is returned only if there is no other")
  func unavailableAnnouncedFeed() async throws {
    web.on("https://a.example/", .page(links("/a")))
    web.on("https://a.example/a", .status(503))
    let state = try await FeedDiscoverer(transport: web).discover("https://a.example/")
    #expect(state == .found([FeedCandidate(url: "https://a.example/a")]))
  }

  @Test("If a page has a feed of posts and feeds of comments, only the feed of posts is found")
  func postsBeforeComments() async throws {
    for (paths, expected) in [
      (["/comments/feed/", "/feed/"], ["/feed/"]), (["/?feed=comments-rss2", "/feed"], ["/feed"]),
      (["/feed", "/atom", "/comments/feed"], ["/feed", "/atom", "/comments/feed"]),
      (["/comments/feed"], ["/comments/feed"]),
    ] {
      let web = FakeWeb()
      let tags = paths.map { "<link rel=alternate type=application/rss+xml href=\"\($0)\">" }
      web.on("https://comment.example/", .page("<html><head>\(tags.joined())</head></html>"))
      for path in paths {
        web.on("https://comment.example" + path, .feed(rss("Posts", items: 1)))
      }
      let found = try await web.found("https://comment.example/")
      #expect(found.map(\.url) == expected.map { "https://comment.example" + $0 })
    }
  }

  @Test(
    "An address without a feed fails with the reason",
    arguments: [
      (FakeWeb.Answer.page("<html><body>nothing here</body></html>"), RefreshFailure.Kind.notAFeed),
      (.status(404), .httpStatus), (.failure(.hostNotFound), .hostNotFound), (.feed(" "), .empty),
      (.feed("hello"), .notAFeed), (.status(401), .unauthorized), (.failure(.tls), .tls),
    ])
  func whatIsNoFeedIsNamed(answer: FakeWeb.Answer, kind: RefreshFailure.Kind) async throws {
    web.onAnythingElse { _ in answer }
    let failure = try await web.failure("https://a.example/")
    #expect(failure.kind == kind)
  }

  @Test("An announced feed in a private network is neither requested with access nor returned")
  func privateFeedIsNotReturned() async throws {
    web.on("https://a.example/", .page(links("http://192.168.1.1/x", "/feed")))
    web.on("http://192.168.1.1/x", .failure(.forbiddenAddress))
    web.on("https://a.example/feed", .feed(rss("A", items: 1)))
    let found = try await web.found("https://a.example/")
    #expect(found.map(\.url) == ["https://a.example/feed"])
    #expect(web.requests(to: "http://192.168.1.1/x").map(\.privateAccess) == [.denied])
    #expect(web.requests(to: "https://a.example/feed").map(\.privateAccess) == [.allowed])
  }

  @Test("A host that answers 429 to two addresses is not asked again")
  func answer429EndsDiscovery() async throws {
    web.onAnythingElse { _ in .status(429, [("Retry-After", "600")]) }
    let discoverer = FeedDiscoverer(transport: web)
    // A single address waits alone; a second one makes the whole host wait.
    for path in ["one", "one", "two", "three"] {
      let failure = try await discoverer.discover("https://a.example/\(path)").failure
      #expect(failure?.kind == .rateLimited, "\(path)")
      #expect(failure?.status == 429, "\(path)")
    }
    #expect(web.urls == ["https://a.example/one", "https://a.example/two"])
  }

  @Test("A discovery waits for the back-off of its host's feeds")
  func discoveryWaitsForBackoff() async throws {
    web.onAnythingElse { .feed(rss($0.url)) }
    let waiting = FetchRecord(
      feed: FeedID(rawValue: 1), url: "https://a.example/feed", name: "A",
      notBefore: Date() + 600,
      failure: RefreshFailure(kind: .rateLimited, status: 429, since: Date()))
    let discoverer = FeedDiscoverer(transport: web, waiting: [waiting])
    let failure = try await discoverer.discover("https://a.example/feed").failure
    #expect(failure?.kind == .rateLimited)
    #expect(web.log.isEmpty)
  }

  @Test("The engine answers discoveries before any refresh")
  func discoveriesComeFirst() async throws {
    let fixture = try EngineFixture.serving()
    try await fixture.subscribe((1...10).map { "http://h\($0).example/" })
    let id = try await fixture.store.reader.requests.requestDiscovery(url: "new.example/feed")
    _ = await fixture.controller { $0.connections = 2 }.runUntilIdle()
    #expect(fixture.web.urls.prefix(3).contains("https://new.example/feed"))
    let found = try fixture.store.reader.requests.discovery(id)?.state.found
    #expect(found?.map(\.url) == ["https://new.example/feed"])
    #expect(try fixture.store.engine.discoveries.pending().isEmpty)
  }

  @Test("An unknown scheme is answered without the network")
  func unknownSchemeIsAnswered() async throws {
    let fixture = try EngineFixture()
    let id = try await fixture.store.reader.requests.requestDiscovery(url: "file:///etc/passwd")
    _ = await fixture.controller().runUntilIdle()
    let failure = try fixture.store.reader.requests.discovery(id)?.state.failure
    #expect(failure?.kind == .unsupportedScheme)
    #expect(fixture.web.log.isEmpty)
  }

  @Test("A feed that is cut off is no find") func cutOff() async throws {
    web.on("https://a.example/feed", .feed("<rss version=\"2.0\"><channel><title>T</title>"))
    let state = try await FeedDiscoverer(transport: web).discover("https://a.example/feed")
    #expect(state.failure?.kind == .truncated)
  }
}
