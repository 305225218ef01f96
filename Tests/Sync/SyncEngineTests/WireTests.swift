@testable import SyncEngine

/// Tests of the engine over real sockets: libcurl, a faulty loopback origin, a cache on disk.
@Suite("Syncs over real sockets", .timeLimit(.minutes(120))) struct WireTests {
  private final class Wire: Sendable {
    let directory: String
    let store: FeedStore
    let origin: Origin

    init() throws {
      directory =
        FileManager.default.temporaryDirectory
        .appendingPathComponent("weir-wire-\(UUID().uuidString)").path
      store = try FeedStore.open(directory: directory)
      origin = try Origin(address: "0.0.0.0")
    }

    deinit {
      origin.stop()
      store.close()
      try? FileManager.default.removeItem(atPath: directory)
    }

    func controller(measuresHosts: Bool = true) -> NetworkController {
      var configuration = SyncConfiguration(directory: directory)
      configuration.measuresHosts = measuresHosts
      configuration.initialSpread = .zero
      return NetworkController(
        store: store.engine, accounts: store.accountSync,
        transport: { CurlTransport(userAgent: "Weir/test (+http://weir.example)") },
        configuration: configuration)
    }

    func subscribe(_ urls: [String]) async throws -> [FeedID] {
      try await store.reader.feeds.subscribe(urls.map { OutlineEntry(url: $0) }).added
    }
  }

  @Test("Two syncs handle redirects, errors and truncated bodies, and reuse validators")
  func twoSyncsOverRealSockets() async throws {
    let wire = try Wire()
    let origin = wire.origin
    let etag = "\"wire's; own\""
    origin.on("/tagged") { request in
      request.header("If-None-Match") == etag
        ? .status(304) : .answer(rss("Tagged"), headers: [("ETag", etag)])
    }
    origin.on("/packed", .gzipped(Array(rss("Packed").utf8)))
    origin.on("/plain", .answer(rss("Plain")))
    origin.on("/moved", .redirect(302, to: origin.url("/plain", host: "127.0.0.2")))
    origin.on("/missing", .status(404))
    origin.on("/page", .answer("<html><body>Sign in</body></html>", type: "text/html"))
    origin.on("/reset", Reply(steps: [.reset], closes: true))
    let body = Array(rss("Cut").utf8)
    origin.on(
      "/cut",
      Reply(
        steps: [
          Reply.head(200, [("Content-Length", "\(body.count)")]), .bytes(Array(body.prefix(60))),
        ], closes: true))
    let paths = ["tagged", "packed", "plain", "moved", "missing", "page", "reset", "cut"]
    let feeds = try await wire.subscribe(
      paths.enumerated().map { origin.url("/\($0.element)", host: "127.0.0.\($0.offset + 2)") })

    let controller = wire.controller()
    let first = await controller.runUntilIdle()
    #expect(first.done == 8)
    #expect(first.newArticles == 12)
    #expect(first.bytes > 1_000)
    let kinds = try feeds.map { try wire.store.reader.feeds.feed($0)?.state.failure?.kind }
    #expect(kinds == [nil, nil, nil, nil, .httpStatus, .notAFeed, .connectionLost, .truncated])
    #expect(origin.log.allSatisfy { $0.header("If-None-Match") == nil })

    origin.forget()
    let request = try await wire.store.reader.requests.requestRefresh(.all)
    let second = await controller.runUntilIdle(.requested)
    #expect(second.done == 8)
    #expect(second.unchanged == 4)
    #expect(second.newArticles == 0)
    let tagged = origin.log.filter { $0.path == "/tagged" }
    #expect(tagged.map { $0.header("If-None-Match") } == [etag])
    #expect(tagged.first?.header("User-Agent") == "Weir/test (+http://weir.example)")
    let row = try #require(try wire.store.reader.requests.refreshRequest(request.id))
    #expect(row.isFinished)
    #expect(row.done == 8)
    #expect(row.failed == 4)
    let status = try wire.store.reader.requests.syncStatus()
    #expect(status.quality != nil && status.quality != .offline && status.quality != .poor)
  }

  @Test(
    "A document that ends before its first article is truncated, even if its length is right",
    arguments: [
      "<rss versi", "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel>", "<feed xmln",
    ])
  func cutBeforeTheFirstArticle(text: String) async throws {
    let wire = try Wire()
    wire.origin.on("/", .answer(text))
    let feed = try await wire.subscribe([wire.origin.url("/", host: "127.0.0.2")])[0]
    #expect(await wire.controller().runUntilIdle().failed == 1)
    #expect(try wire.store.reader.feeds.feed(feed)?.state.failure?.kind == .truncated)
  }

  @Test("Half a document is fetched again; from the second time, its articles are stored")
  func halfDocumentIsRefetched() async throws {
    let wire = try Wire()
    let origin = wire.origin
    let half = rss("Halved", items: 2).dropLast("</channel></rss>".count)
    origin.on("/", .untilClose(Array(half.utf8), headers: [("ETag", "\"half\"")]))
    let feed = try await wire.subscribe([origin.url("/", host: "127.0.0.2")])[0]
    let controller = wire.controller()
    #expect(await controller.runUntilIdle().failed == 1)
    #expect(try wire.store.reader.feeds.feed(feed)?.state.failure?.kind == .truncated)
    #expect(try wire.store.reader.articles.count(.all) == 0)

    try await wire.store.reader.requests.requestRefresh(.feed(feed))
    #expect(await controller.runUntilIdle(.requested).failed == 1)
    #expect(try wire.store.reader.feeds.feed(feed)?.name == "Halved")
    #expect(try wire.store.reader.articles.count(.all) == 2)
    #expect(try wire.store.engine.fetches.fetchRecord(feed)?.etag == nil)

    origin.on("/", .untilClose(Array(rss("Halved").utf8), headers: [("ETag", "\"whole\"")]))
    try await wire.store.reader.requests.requestRefresh(.feed(feed))
    #expect(await controller.runUntilIdle(.requested).failed == 0)
    #expect(try wire.store.reader.feeds.feed(feed)?.state.failure == nil)
    #expect(try wire.store.reader.articles.count(.all) == 3)
    #expect(try wire.store.engine.fetches.fetchRecord(feed)?.etag == "\"whole\"")
    #expect(origin.log.allSatisfy { $0.header("If-None-Match") == nil })
  }

  @Test("A host receives at most two requests and two connections at once")
  func hostSeesTwoConnections() async throws {
    let wire = try Wire()
    wire.origin.on("/") { Reply.answer(rss($0.path)).after(0.01) }
    _ = try await wire.subscribe((1...24).map { wire.origin.url("/\($0)") })
    let summary = await wire.controller(measuresHosts: false).runUntilIdle()
    #expect(summary.done == 24)
    #expect(summary.failed == 0)
    #expect(wire.origin.peakConcurrency <= 2)
    #expect(wire.origin.connectionCount <= 2)
  }

  @Test("A host receives at most six requests at once, however fast it answers")
  func sixAtMost() async throws {
    let wire = try Wire()
    wire.origin.on("/") { Reply.answer(rss($0.path)).after(0.01) }
    _ = try await wire.subscribe((1...60).map { wire.origin.url("/\($0)") })
    let summary = await wire.controller().runUntilIdle()
    #expect(summary.done == 60)
    #expect(wire.origin.peakConcurrency <= 6)
  }

  @Test("Stopping does not wait for hosts that hang") func stoppingIgnoresHangs() async throws {
    let wire = try Wire()
    wire.origin.on("/", Reply(steps: [.hang]))
    let feeds = try await wire.subscribe(
      (2...9).map { wire.origin.url("/", host: "127.0.0.\($0)") })
    let controller = wire.controller()
    controller.start()
    try await expectEventually { wire.origin.log.count == 8 }
    // The origin never answers: a stop that waited for it would wait for the deadline.
    await controller.end()
    for feed in feeds { #expect(try wire.store.reader.feeds.feed(feed)?.state.failure == nil) }
  }
}
