@testable import SyncEngine

@Suite("Fetching pictures") struct PictureOperationTests {
  private let a = "http://pictures.example/a.png"
  private let b = "http://pictures.example/b.png"

  private func fixture(_ feed: String = "http://feeds.example/feed") async throws -> (
    EngineFixture, FeedID
  ) {
    let fixture = try EngineFixture()
    fixture.web.on(feed, .feed(rss("A")))
    let id = try #require(try await fixture.subscribe(feed).first)
    return (fixture, id)
  }

  private func request(
    _ fixture: EngineFixture, _ feed: FeedID, visible: [String] = [], ahead: [String] = []
  ) async throws {
    try await fixture.store.reader.pictures.requestPictures(
      RequestedPictures(
        visible: visible.map { .init(url: $0, feed: feed) },
        ahead: ahead.map { .init(url: $0, feed: feed) }))
  }

  private func state(_ url: String, _ fixture: EngineFixture) throws -> Picture.State? {
    try fixture.store.reader.pictures.known(at: [url])[url]?.state
  }

  /// Serves until the picture no longer waits.
  private func serve(
    _ fixture: EngineFixture, until url: String,
    limiter: (@Sendable (Int) -> any ConcurrencyLimiter)? = nil
  ) async throws -> Bool {
    let controller = fixture.controller {
      if let limiter { $0.limiter = limiter }
    }
    controller.start()
    let isDone = try await fixture.pass(120) { try self.state(url, fixture) != .waiting }
    await controller.end()
    return isDone
  }

  @Test("A visible picture is fetched without referrer and cookies, and stored with its size")
  func visible() async throws {
    let (fixture, feed) = try await fixture()
    fixture.web.on(a, .picture(SamplePictures.png, [("ETag", "\"1\""), ("Set-Cookie", "x=1")]))
    try await request(fixture, feed, visible: [a])
    #expect(try await serve(fixture, until: a))
    guard case .stored(let stored) = try state(a, fixture) else {
      Issue.record("\(String(describing: try state(a, fixture)))")
      return
    }
    #expect(stored.size == PictureSize(width: 64, height: 48))
    #expect(try await fixture.store.reader.pictures.pictureBytes(stored) == SamplePictures.png)
    let request = try #require(fixture.web.requests(to: a).first)
    #expect(request.header("Referer") == nil && request.header("Cookie") == nil)
    #expect(request.header("Accept")?.contains("avif") == false)
    #expect(request.privateAccess == .denied)
    #expect(request.limits.decodedBody == 8 << 20)
  }

  @Test("A picture is requested with its validators a month later, and a 304 keeps it")
  func conditional() async throws {
    let (fixture, feed) = try await fixture()
    let png = SamplePictures.png
    fixture.web.on(a) { request in
      request.header("If-None-Match") == "\"1\""
        ? .status(304) : .picture(png, [("ETag", "\"1\"")])
    }
    try await request(fixture, feed, visible: [a])
    #expect(try await serve(fixture, until: a))
    let stored = try state(a, fixture)
    fixture.manual.advance(by: .seconds(40 * 86_400))
    try await request(fixture, feed, visible: [a])
    let controller = fixture.startedController()
    let web = fixture.web
    #expect(
      try await fixture.pass(120) {
        try web.requests(to: a).count == 2
          && fixture.store.engine.pictures.waiting().isEmpty
      })
    await controller.end()
    #expect(try state(a, fixture) == stored)
  }

  @Test(
    "A file that is no usable picture is refused with its reason",
    arguments: [
      (Array("<html>".utf8), PictureRefusal.notAPicture),
      (SamplePictures.gif(width: 1, height: 1), .tracker), (Array("<svg/>".utf8), .otherKind),
      (SamplePictures.pngFile(width: 65_500, height: 65_500, data: []), .tooManyPixels),
    ])
  func refusals(bytes: [UInt8], reason: PictureRefusal) async throws {
    let (fixture, feed) = try await fixture()
    fixture.web.on(a, .picture(bytes))
    try await request(fixture, feed, visible: [a])
    #expect(try await serve(fixture, until: a))
    #expect(try state(a, fixture) == .refused(reason))
  }

  @Test(
    "The feed's own host may reach only the private server that answered the feed",
    arguments: [
      ("pictures.example", "192.168.1.2", "192.168.1.2 8080"),
      ("pictures.example", "1.1.1.1", nil), ("else.example", "192.168.1.2", nil),
    ])
  func privateNetwork(host: String, server: String, reached: String?) async throws {
    let url = "http://\(host):8080/feed"
    let fixture = try EngineFixture()
    fixture.web.on(url, .feed(rss("A")))
    fixture.web.resolve(host, to: server)
    let feed = try #require(try await fixture.subscribe(url).first)
    _ = await fixture.controller().runUntilIdle()
    fixture.web.on(a, .picture(SamplePictures.png))
    try await request(fixture, feed, visible: [a])
    #expect(try await serve(fixture, until: a))
    let only = reached.flatMap(ServerAddress.init).map(PrivateAccess.only)
    #expect(fixture.web.requests(to: a).map(\.privateAccess) == [only ?? .denied])
  }

  @Test("A host that asks for a pause is not asked, and the failure is stored")
  func refused() async throws {
    let (fixture, feed) = try await fixture()
    fixture.web.on(a, .status(429, [("Retry-After", "600")]))
    fixture.web.on(b, .picture(SamplePictures.png))
    try await request(fixture, feed, visible: [a])
    #expect(try await serve(fixture, until: a))
    guard case .failed(let failure) = try state(a, fixture) else {
      Issue.record("not failed")
      return
    }
    #expect(failure.kind == .rateLimited && failure.status == 429)
    #expect(fixture.web.requests(to: a).count == 1)
  }

  @Test("Nothing is prefetched on a network that is not known to be good")
  func poorLine() async throws {
    let (fixture, feed) = try await fixture()
    fixture.web.onAnythingElse { _ in .picture(SamplePictures.png) }
    try await request(fixture, feed, visible: [a], ahead: [b])
    #expect(try await serve(fixture, until: a, limiter: { _ in StubLimiter(quality: .fair) }))
    #expect(try state(b, fixture) == .waiting)
    #expect(fixture.web.requests(to: b).isEmpty)
    #expect(try await serve(fixture, until: b, limiter: { _ in StubLimiter(quality: .good) }))
    #expect(fixture.web.requests(to: b).count == 1)
  }

  @Test(
    "A good network measured minutes ago counts until it is measured again",
    arguments: [(-300.0, true), (-3_600, false)])
  func measuredBefore(endedAgo: Double, isFetched: Bool) async throws {
    let (fixture, feed) = try await fixture()
    fixture.web.onAnythingElse { _ in .picture(SamplePictures.png) }
    try await fixture.store.engine.requests.setSyncStatus(
      SyncStatus(quality: .good, endedAt: fixture.now + endedAgo))
    try await request(fixture, feed, ahead: [b])
    if isFetched {
      #expect(try await serve(fixture, until: b))
    } else {
      try await request(fixture, feed, visible: [a], ahead: [b])
      #expect(try await serve(fixture, until: a, limiter: { _ in FixedLimiter(4) }))
      #expect(try state(b, fixture) == .waiting)
    }
  }

  @Test("A run until idle fetches no pictures") func syncWithoutPictures() async throws {
    let (fixture, feed) = try await fixture()
    fixture.web.on(a, .picture(SamplePictures.png))
    try await request(fixture, feed, visible: [a], ahead: [b])
    _ = await fixture.controller().runUntilIdle()
    #expect(fixture.web.urls == ["http://feeds.example/feed"])
    #expect(try state(a, fixture) == .waiting)
  }
}
