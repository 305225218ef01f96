@testable import Networking
@testable import SyncEngine

@Suite("Options of feeds in requests") final class FeedOptionsTests: EngineSuite {
  @Test("A feed's requests use its own options instead of those of the configuration")
  func requests() async throws {
    let url = "https://a.example/feed"
    fixture.web.on(url, .feed(rss("A")))
    let feed = try await fixture.subscribe(url)[0]
    let file = fixture.directory + "/cookies.txt"
    try "a.example\tFALSE\t/\tFALSE\t0\tsession\t1\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    var own = FeedOptions()
    own.set(.headers, to: "X-Own: 1")
    own.set(.cookies, to: file)
    own.set(.proxy, to: "http://own.example:3128")
    try await fixture.feeds.edit(
      feed, FeedEdit(title: nil, url: url, folder: [], isPaused: false, options: own))
    let controller = fixture.controller {
      $0.settings = { _ in
        var options = FeedOptions()
        options.set(.headers, to: "X-All: 1")
        return FeedSettings(userAgent: "All/1", proxy: .none, options: options)
      }
    }
    _ = await controller.runUntilIdle()
    let request = try #require(fixture.web.requests(to: url).first)
    #expect(request.identity.userAgent == "All/1")
    #expect(request.identity.proxy == .server("http://own.example:3128", hasExceptions: false))
    #expect(request.headers.contains { $0.name == "X-Own" && $0.value == "1" })
    #expect(!request.headers.contains { $0.name == "X-All" })
    #expect(request.headers.contains { $0.name == "Cookie" && $0.value == "session=1" })
  }

  @Test("A file of cookies that cannot be read is the feed's failure, and nothing is sent")
  func missingCookies() async throws {
    let url = "https://a.example/feed"
    fixture.web.on(url, .feed(rss("A")))
    let feed = try await fixture.subscribe(url)[0]
    var own = FeedOptions()
    own.set(.cookies, to: fixture.directory + "/missing.txt")
    try await fixture.feeds.edit(
      feed, FeedEdit(title: nil, url: url, folder: [], isPaused: false, options: own))
    _ = await fixture.controller().runUntilIdle()
    let failure = try #require(try fixture.state(feed)?.failure)
    #expect(failure.kind == .unreadableFile)
    #expect(failure.detail?.hasPrefix("cookies:") == true)
    #expect(fixture.web.urls.isEmpty)
  }

  @Test(
    "A feed's own interval replaces the learned one, unless its server asks for a longer one",
    arguments: [
      (15, nil, nil, 900.0), (15, 3_600.0, nil, 3_600.0), (30, nil, 7_200.0, 7_200.0),
      (10_080, nil, nil, 604_800.0), (120, 60.0, 60.0, 7_200.0),
    ] as [(Int, Double?, Double?, Double)])
  func schedule(minutes: Int, ttl: Double?, fresh: Double?, wait: Double) {
    let check = RefreshSchedule().next(
      after: EngineFixture.start, hints: UpdateHints(interval: ttl),
      headers: CacheHints(freshFor: fresh), articlesPerDay: 0.1, own: .seconds(60 * minutes),
      jitter: 0)
    #expect(check.at == EngineFixture.start + wait)
    #expect(check.reasons.first == .ownInterval(60 * minutes))
    #expect(!check.reasons.contains(.articlesPerDay(0.1)))
  }

  @Test("A feed with its own interval is due after that interval") func isDue() async throws {
    let urls = ["https://a.example/feed", "https://b.example/feed"]
    for url in urls { fixture.web.on(url, .feed(rss("A"))) }
    let feeds = try await fixture.subscribe(urls)
    var own = FeedOptions()
    own.set(.interval, to: "20")
    try await fixture.feeds.edit(
      feeds[0], FeedEdit(title: nil, url: urls[0], folder: [], isPaused: false, options: own))
    _ = await fixture.controller {
      $0.settings = { url in
        var options = FeedOptions()
        if url.contains("b.example") { options.set(.interval, to: "45") }
        return FeedSettings(options: options)
      }
    }.runUntilIdle()
    #expect(try fixture.state(feeds[0])?.nextCheckAt == fixture.now + 1_200)
    #expect(try fixture.state(feeds[1])?.nextCheckAt == fixture.now + 2_700)
  }
}
