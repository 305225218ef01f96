@testable import ReaderUI

@Suite("Changed, duplicate and recently read articles, and silent feeds") struct WhatIsThereTests {
  private func item(_ id: String, _ html: String, _ cache: TestCache, title: String = "A story")
    -> ParsedItem
  {
    ParsedItem(
      id: id, url: "https://news.example/\(id)", title: title, contentHTML: html,
      datePublished: cache.clock.now - 3_600)
  }

  @Test("One sees how an article changed, with the removed and added words")
  func changes() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("a")
    try await cache.merge(feed, "A", [item("1", "<p>It costs ten euros today.</p>", cache)])
    try await cache.merge(feed, "A", [item("1", "<p>It costs twelve euros today.</p>", cache)])
    let robot = await Robot(cache, width: 100)
    await robot.press("G", "Enter", "Enter").sees("changed; ga shows how")
    await robot.press(":about changes").sees("1 word out, 1 in", "ten", "twelve")
    await robot.press("Esc").sees("It costs twelve euros")
    let other = try await cache.feed("b", [item("2", "<p>Same</p>", cache, title: "Other")])
    #expect(try cache.store.reader.articles.count(ArticleQuery(scope: .feed(other))) == 1)
    await robot.waitUntilIdle()
    await robot.press("q", "q", "G", "Enter", ":about changes").sees("is not possible here")
  }

  @Test("The duplicates of a story that other feeds have too can be opened")
  func duplicates() async throws {
    let cache = try TestCache()
    let feeds = [try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")]
    for (feed, name) in zip(feeds, ["LWN", "HN", "Lobsters"]) {
      try await cache.merge(feed, name, [item("same", "<p>From \(name).</p>", cache)])
    }
    let robot = await Robot(cache, width: 100)
    await robot.press("Enter", "Enter").doesNotSee("also in")
    await robot.press(":about copies").sees("HN", "Lobsters")
    await robot.press("down", "Enter").sees("From Lobsters.")
  }

  @Test("Recently read articles are a list, which leaves out lists marked read")
  func recentlyRead() async throws {
    let cache = try await TestCache.daily()
    let before = try cache.store.reader.articles.recentlyRead().count
    let robot = await Robot(cache)
    await robot.press("Enter", "Enter", "q", "A", "q")
    await robot.press(":lists read").sees("Why ETags are opaque").doesNotSee(
      "A quieter terminal \u{B7}")
    await robot.press("Enter").sees("a black box.")
    let found = try cache.store.reader.articles.recentlyRead()
    #expect(found.first?.row.title == "Why ETags are opaque")
    #expect(found.count == before + 1)
  }

  @Test("Feeds that have been silent for months are listed, and the chosen one is selected")
  func silentFeeds() async throws {
    let cache = try TestCache()
    let feeds = [try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")]
    let now = cache.clock.now
    for (index, (feed, days)) in zip(feeds, [200.0, 10.0]).enumerated() {
      let item = ParsedItem(id: "1", title: "Old", datePublished: now - days * 86_400)
      try await cache.merge(feed, "Feed \(index)", [item])
    }
    cache.clock.now = now + 91 * 86_400
    let silent = try cache.feeds.silentFeeds(since: now + 1)
    #expect(silent.map(\.feed.id) == feeds)
    #expect(silent.map { $0.newest == nil } == [false, false, true])
    // The dates of articles count, even for a feed that was added later.
    #expect(try cache.feeds.silentFeeds(since: now - 100 * 86_400).map(\.feed.id) == [feeds[0]])
    let robot = await Robot(cache)
    await robot.press(":")
    await robot.type("silent-feeds").press("Enter").sees("nothing since", "never had an article")
    await robot.press("Enter").selects("Feed 0")
  }
}
