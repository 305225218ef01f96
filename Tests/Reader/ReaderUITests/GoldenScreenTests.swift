@testable import ReaderServices
@testable import ReaderUI

@Suite("The recorded screens") struct GoldenScreenTests {
  nonisolated static let sizes = [(80, 24), (140, 40), (40, 10)]

  @Test("The main screens look as recorded", arguments: sizes)
  func mainLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = await Robot(try await .daily(), width: width, height: height)
    try robot.matches("feeds-\(width)x\(height)")
    try await robot.press("Enter").matches("articles-\(width)x\(height)")
    try await robot.press("Enter").matches("reader-\(width)x\(height)")
    try await robot.press("?").matches("help-\(width)x\(height)")
    try await robot.press("Esc", "!").matches("problems-\(width)x\(height)")
  }

  @Test("Adding a feed looks as recorded", arguments: sizes)
  func addingLooksAsRecorded(width: Int, height: Int) async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: width, height: height)
    try await robot.press("a").type("blog.example").matches("add-editing-\(width)x\(height)")
    await robot.press("Enter")
    let request = try #require(try cache.store.engine.discoveries.pending().first)
    try await cache.store.engine.discoveries.finishDiscovery(
      request.id,
      .found([
        FeedCandidate(
          url: "https://blog.example/feed.xml", title: "A Blog",
          latestTitles: ["On writing less", "每周分享第 89 期", "Weeknotes 47"]),
        FeedCandidate(url: "https://blog.example/comments.xml", title: "A Blog: comments"),
      ]))
    await robot.waitUntilIdle()
    try robot.matches("add-found-\(width)x\(height)")
  }

  @Test("Searching looks as recorded", arguments: sizes)
  func searchingLooksAsRecorded(width: Int, height: Int) async throws {
    let robot = try await Robot(.searchable(), width: width, height: height)
    try await robot.press("g /").matches("search-empty-\(width)x\(height)")
    await robot.type("checkpoint")
    try robot.matches("search-typing-\(width)x\(height)")
    await robot.key(.control("u")).type("東京 OR 🎉 OR פתוח").press("Tab", "j")
    try robot.matches("search-scripts-\(width)x\(height)")
    try await robot.press("Tab").key(.control("u")).type("is:green").matches(
      "search-problem-\(width)x\(height)")
    await robot.key(.control("u")).type("the").press("Tab", "s", "Enter", "Esc")
    try robot.matches("search-kept-\(width)x\(height)")
  }

  @Test("The list Later looks as recorded", arguments: sizes)
  func later(width: Int, height: Int) async throws {
    let cache = try await TestCache.daily()
    let rows = try cache.articles.page(ArticleQuery(scope: .all), .top, limit: 4)
    for row in rows {
      try await cache.states.set(.later, [row.id], true)
      cache.clock.now += 1
    }
    try await cache.states.set(.starred, [rows[1].id], true)
    _ = try await cache.plan.save(["https://pages.example/heron"], in: "Saved pages")
    let robot = await Robot(cache, width: width, height: height)
    robot.application.browser.feeds.model.select(.list(.smart(.later)))
    try await robot.press("Enter").matches("later-\(width)x\(height)")
  }

  @Test("Two panes look as recorded")
  func twoPanesLookAsRecorded() async throws {
    let robot = await Robot(try await .daily(), width: 110, height: 30)
    try robot.matches("two-panes-feeds-110x30")
    try await robot.press("Enter", "Enter").matches("two-panes-reader-110x30")
  }

  @Test("The first start looks as recorded")
  func firstStartAsRecorded() async throws {
    let cache = try TestCache()
    let guide = "https://guide.example/feed"
    try await cache.feed(
      "The guide", url: guide, folder: ["Start here"],
      [
        .item("Welcome to Weir", minutes: 1), .item("Adding feeds", minutes: 2),
        .item("The keys of every day", minutes: 3),
      ])
    let configuration = ReaderConfiguration.test { $0.guideURL = guide }
    for (width, height) in Self.sizes {
      let robot = await Robot(cache, width: width, height: height, configuration: configuration)
      try robot.matches("first-start-\(width)x\(height)")
    }
  }

  @Test("A refresh looks as recorded")
  func aRefreshLooksAsRecorded() async throws {
    let (cache, robot) = try await Robot.reading(.daily(), width: 110, height: 20)
    await robot.press("Enter", "r")
    try await cache.store.engine.requests.setSyncStatus(
      SyncStatus(
        quality: .fair, isRunning: true, done: 2, total: 7, failed: 0, bytes: 90_000, rate: 48_000))
    let feeds = try cache.store.reader.feeds.subscriptions().feeds
    try await cache.merge(feeds[0].id, feeds[0].name, [.item("Just in", minutes: 0)])
    await robot.waitUntilIdle()
    try robot.matches("refresh-running-110x20")
    for feed in feeds.dropFirst() {
      if feed.name == "Rachel" {
        try await cache.fail(feed.id, .connectTimedOut)
      } else {
        try await cache.merge(feed.id, feed.name, [])
      }
    }
    try await cache.store.engine.requests.setSyncStatus(
      SyncStatus(quality: .fair, endedAt: TestCache.start))
    await robot.waitUntilIdle()
    try robot.matches("refresh-done-110x20")
  }

  @Test("Offline, the top bar shows the time of the last update")
  func offlineShowsLastUpdate() async throws {
    let cache = try await TestCache.daily()
    // The engine holds back feeds that are due, so its sync does not end.
    let status = SyncStatus(
      quality: .offline, isRunning: true, total: 3, startedAt: TestCache.start)
    try await cache.store.engine.requests.setSyncStatus(status)
    let robot = await Robot(cache)
    robot.sees("offline, last updated 10:42")
    // A later failure is not an update.
    cache.clock.now += 3_600
    try await cache.fail(try cache.store.reader.feeds.subscriptions().feeds[0].id, .offline)
    await robot.waitUntilIdle().sees("offline, last updated 10:42")
  }
}
