@testable import ReaderUI

@Suite("Adding headlines and lists of feeds") struct AddingTests {
  private static let page = "https://town.example/news"
  private static let lead = HeadlinesAddress(page: page, selector: "body/h2/a").text
  private static let brief = HeadlinesAddress(page: page, selector: "body/ul/li/a").text

  private static let headlines = [
    FeedCandidate(
      url: lead, title: "Town paper", latestTitles: ["The bridge is open", "A market", "Council"],
      kind: .headlines, count: 12),
    FeedCandidate(
      url: brief, title: "Town paper", latestTitles: ["Lost cat", "Library", "Pool"],
      kind: .headlines, count: 3),
  ]

  /// Returns a reader whose sheet shows the candidates found at an address.
  private func asked(
    _ found: [FeedCandidate], _ text: String = page
  ) async throws -> (cache: TestCache, robot: Robot) {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("a").type(text)
    await robot.press("Enter")
    try await answer(cache, robot, found)
    return (cache, robot)
  }

  private func answer(_ cache: TestCache, _ robot: Robot, _ found: [FeedCandidate]) async throws {
    let request = try #require(try cache.store.engine.discoveries.pending().first)
    try await cache.store.engine.discoveries.finishDiscovery(request.id, .found(found))
    await robot.waitUntilIdle()
  }

  @Test("The headlines of a page are chosen from a list, and followed")
  func headlines() async throws {
    let (cache, robot) = try await asked(Self.headlines)
    robot.sees("The page has no feed", "12 headlines: The bridge is open, A market, Council")
    robot.sees("3 headlines: Lost cat, Library, Pool", "First headlines")
    await robot.press("j", "Enter").sees("Following the headlines of Town paper")
    #expect(try cache.store.reader.feeds.feed(url: Self.brief) != nil)
    #expect(try cache.store.reader.feeds.feed(url: Self.lead) == nil)
  }

  @Test("A followed list gets a folder with its name, and a mark in the list of feeds")
  func list() async throws {
    let url = "https://planet.example/list.opml"
    let (cache, robot) = try await asked(
      [
        FeedCandidate(
          url: url, title: "Planet", latestTitles: ["Ann", "Bob"], kind: .list, count: 2)
      ], url)
    robot.sees("A list of feeds. If you follow it", "a list of 2 feeds: Ann, Bob")
    await robot.press("Enter").sees("Following the list Planet")
    let feed = try #require(try cache.store.reader.feeds.feed(url: url))
    #expect(feed.isList)
    #expect(try cache.store.reader.feeds.subscriptions().folders.contains { $0.title == "Planet" })
    robot.sees("≡ Planet")
  }

  @Test("An address that needs a password says where to write it")
  func password() async throws {
    let (cache, robot) = try await Robot.reading(.daily())
    await robot.press("a").type("https://town.example/feed")
    await robot.press("Enter")
    let request = try #require(try cache.store.engine.discoveries.pending().first)
    try await cache.store.engine.discoveries.finishDiscovery(
      request.id, .failed(RefreshFailure(kind: .unauthorized, status: 401, since: TestCache.start)))
    await robot.waitUntilIdle()
    robot.sees("town.example needs a user name and password.", "user:password@host")
  }

  @Test("Headlines that disappeared can be chosen again, and keep their articles")
  func again() async throws {
    let cache = try await TestCache.daily()
    let feed = try await cache.feed("Town paper", url: Self.lead)
    try await cache.merge(feed, "Town paper", [ParsedItem(id: "1", title: "The bridge")])
    try await cache.fail(feed, .pageChanged)
    let robot = await Robot(cache)
    await robot.press("!").sees("has changed: its headlines are gone")
    await robot.press("j").sees("Enter choose headlines")
    await robot.press("e").sees("Looking for feeds")
    #expect(try cache.store.engine.discoveries.pending().map(\.url) == [Self.page])
    try await answer(cache, robot, [Self.headlines[1]])
    await robot.press("Enter").sees("keeps its articles")
    #expect(try cache.store.reader.feeds.feed(url: Self.brief)?.id == feed)
    #expect(try cache.store.reader.feeds.feed(feed)?.counts.total == 1)
  }
}
