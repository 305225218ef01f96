@testable import SyncEngine

@Suite("Moved feeds and gone feeds") final class MovedFeedTests: EngineSuite {
  private let (old, new) = ("http://old.example/feed", "http://new.example/feed")

  /// Refreshes a feed whose address redirects to another.
  private func redirected(
    from url: String, headers: [(String, String)] = [], others: [String] = []
  ) async throws -> (FeedID, NetworkController) {
    fixture.web.on(url, .status(301, [("Location", new)]))
    fixture.web.on(new, .feed(rss("A"), headers))
    let feed = try await fixture.subscribe([url] + others)[0]
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    return (feed, controller)
  }

  @Test("A permanent redirect changes the feed's address after a day")
  func permanentRedirectMoves() async throws {
    let (feed, controller) = try await redirected(from: old, headers: [("ETag", "\"n\"")])
    #expect(try fixture.feeds.feed(feed)?.url == old)
    #expect(try fixture.state(feed)?.movedTo == new)
    fixture.manual.advance(by: .seconds(86_400))
    _ = await controller.runUntilIdle()
    #expect(try fixture.feeds.feed(feed)?.url == new)
    #expect(try fixture.state(feed)?.movedTo == nil)
    fixture.manual.advance(by: .seconds(86_400))
    fixture.web.forget()
    _ = await controller.runUntilIdle()
    #expect(fixture.web.urls == [new])
    #expect(fixture.web.log.first?.header("If-None-Match") == "\"n\"")
  }

  @Test("The address that a feed names as its new one is offered until it names none")
  func namedAddressIsOffered() async throws {
    func document(_ items: Int, _ address: String?) -> String {
      let module = "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
      let named = address.map { "<itunes:new-feed-url \(module)> \($0) </itunes:new-feed-url>" }
      return rss("A", items: items, extra: named ?? "")
    }
    let feed = try await fixture.subscribe(old)[0]
    let controller = fixture.controller()
    func sync(_ answer: FakeWeb.Answer) async throws -> String? {
      fixture.web.on(old, answer)
      fixture.manual.advance(by: .seconds(90_000))
      _ = await controller.runUntilIdle()
      #expect(try fixture.feeds.feed(feed)?.url == old)
      return try fixture.state(feed)?.movedTo
    }
    let etag = [("ETag", "\"1\"")]
    #expect(try await sync(.feed(document(1, new), etag)) == new)
    #expect(try await sync(.status(304, etag)) == new)
    #expect(try await sync(.feed(document(1, new), etag)) == new)
    #expect(try await sync(.feed(document(2, new), etag)) == new)
    #expect(fixture.web.requests(to: new).isEmpty)
    #expect(try await sync(.feed(document(2, old), etag)) == nil)
    #expect(try await sync(.feed(document(3, new), etag)) == new)
    #expect(try await sync(.feed(document(3, nil), etag)) == nil)
    #expect(try await sync(.feed(document(4, "ftp://new.example/"), etag)) == nil)
  }

  @Test("A refusal keeps the address to which a feed has moved", arguments: [429, 503, 410])
  func refusalKeepsMove(status: Int) async throws {
    let (feed, controller) = try await redirected(from: old)
    fixture.web.on(new, .status(status, [("Retry-After", "60")]))
    fixture.manual.advance(by: .seconds(80_000))
    #expect(await controller.runUntilIdle().failed == 1)
    #expect(try fixture.record(feed)?.movedTo == new)
    guard status != 410 else { return }
    fixture.web.on(new, .feed(rss("A")))
    fixture.manual.advance(by: .seconds(80_000))
    _ = await controller.runUntilIdle()
    #expect(try fixture.feeds.feed(feed)?.url == new)
  }

  @Test(
    "A move to the address of another subscription, or from https to http, is only offered, once",
    arguments: ["http://old.example/feed", "https://new.example/feed"])
  func moveIsOffered(old: String) async throws {
    let (feed, controller) = try await redirected(from: old, others: old == self.old ? [new] : [])
    let since = try fixture.record(feed)?.movedSince
    for _ in 0..<2 {
      fixture.manual.advance(by: .seconds(90_000))
      fixture.web.forget()
      _ = await controller.runUntilIdle()
      #expect(fixture.web.requests(to: old).count == 1)
      #expect(try fixture.feeds.feed(feed)?.url == old)
      #expect(try fixture.state(feed)?.movedTo == new)
      #expect(try fixture.record(feed)?.movedSince == since)
      #expect(try fixture.state(feed)?.failure == nil)
    }
  }

  @Test("Only a success restores a feed that is gone") func onlySuccessRestoresFeed() async throws {
    let url = "http://a.example/feed"
    fixture.web.on(url, .status(410))
    let feed = try await fixture.subscribe(url)[0]
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    func retry(_ answer: FakeWeb.Answer) async throws -> FetchRecord {
      fixture.web.on(url, answer)
      fixture.manual.advance(by: .seconds(3_600))
      try await fixture.requests.requestRefresh(.feed(feed))
      _ = await controller.runUntilIdle(.requested)
      return try #require(try fixture.record(feed))
    }
    let refusals: [FakeWeb.Answer] = [
      .status(500), .failure(.tls), .page("<p>Sorry</p>"), .status(429, [("Retry-After", "60")]),
    ]
    for answer in refusals {
      let record = try await retry(answer)
      #expect(record.isGone)
      #expect(record.nextCheckAt == nil)
    }
    let record = try await retry(.feed(rss("A")))
    #expect(!record.isGone)
    #expect(record.nextCheckAt == fixture.now + 3_600)
  }

  @Test(
    "The answer of an address that the user has replaced is ignored",
    arguments: [200, 301, 410, 429, 500])
  func replacedAddressIsIgnored(status: Int) async throws {
    let headers = [("Location", "https://old.example/feed"), ("Retry-After", "86400")]
    fixture.web.on(old, .reply(status, headers, rss("Old")))
    fixture.web.on("https://old.example/feed", .feed(rss("Old")))
    fixture.web.on(new, .feed(rss("New", items: 2)))
    let feed = try await fixture.subscribe(old)[0]
    fixture.web.pause()
    let controller = fixture.startedController()
    await fixture.web.waitForRequests(1)
    try await fixture.feeds.edit(feed, FeedEdit(title: nil, url: new, folder: [], isPaused: false))
    let request = try await fixture.requests.requestRefresh(.feed(feed))
    fixture.web.release()
    try await expectEventually {
      try fixture.requests.refreshRequest(request.id)?.isFinished == true
    }
    await controller.stop()
    let served = try #require(try fixture.requests.refreshRequest(request.id))
    #expect((served.failed, served.newArticles) == (0, 2))
    let record = try #require(try fixture.record(feed))
    #expect(record.url == new)
    #expect(record.failure == nil && record.notBefore == nil && !record.isGone)
    #expect(try fixture.feeds.feed(feed)?.name == "New")
    #expect(fixture.web.requests(to: new).count == 1)
  }

  @Test(
    "A 410 after a temporary redirect does not mark the feed as gone",
    arguments: [(301, true), (302, false), (307, false)])
  func goneAfterDetourIsNotGone(status: Int, isGone: Bool) async throws {
    fixture.web.on("http://a.example/", .status(status, [("Location", "http://b.example/")]))
    fixture.web.on("http://b.example/", .status(410))
    let feed = try await fixture.subscribe("http://a.example/")[0]
    _ = await fixture.controller().runUntilIdle()
    let record = try #require(try fixture.record(feed))
    #expect(record.isGone == isGone)
    #expect((record.nextCheckAt == nil) == isGone)
    let kind: RefreshFailure.Kind = isGone ? .gone : .httpStatus
    #expect(record.failure?.kind == kind)
    #expect(record.failure?.status == 410)
  }
}
