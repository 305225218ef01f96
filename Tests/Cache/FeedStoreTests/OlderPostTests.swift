@Suite("Older posts") final class OlderPostTests: FeedSuite {
  /// Items whose dates are `days` and more days ago.
  private func items(_ name: String, _ count: Int, days: Double) -> [ParsedItem] {
    (0..<count).map { number in
      ParsedItem(
        id: "\(name)\(number)", url: "https://example.org/\(name)/\(number)",
        title: "\(name) \(number)",
        datePublished: TestCache.start - .days(days + Double(number)))
    }
  }

  private func page(
    _ items: [ParsedItem], next: String? = "https://example.org/2"
  ) -> OlderPostsOutcome {
    .page(
      OlderPostsPage(items: items, next: next, addresses: ["https://example.org/1"], bodyHash: "1"))
  }

  /// Requests a page and stores its outcome.
  @discardableResult private func load(
    _ cache: TestCache, _ feed: FeedID, _ outcome: OlderPostsOutcome
  ) async throws -> OlderPosts.State? {
    _ = try await cache.store.reader.olderPosts.request(feed, pages: 1)
    try await cache.store.engine.olderPosts.finish(feed, outcome)
    return try cache.store.reader.olderPosts.request(of: feed)?.state
  }

  @Test("Older posts arrive read, do not count as arrivals, and join an open list")
  func arrivals() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("a")
    try await cache.merge(feed, items("new", 3, days: 1))
    let known = try cache.articles.latestArticleID()
    let query = ArticleQuery(scope: .feed(feed), asOf: known)
    try await cache.rules.addRule(
      RuleDraft(query: "title:old", actions: [.star, .download, .notify]), reach: .arrivals)
    let state = try await load(cache, feed, page(items("old", 12, days: 2)))
    #expect(state == .found(12, oldest: TestCache.start - .days(13)))
    #expect(try cache.counts() == ArticleCounts(total: 15, unread: 3, starred: 0))
    #expect(try cache.articles.arrivals(query) == 0)
    #expect(try cache.articles.count(query) == 15)
    #expect(try cache.all(query).count == 15)
    #expect(try cache.articles.oldArrivals(after: known).isEmpty)
    // An article that arrives later does not belong to the list.
    try await cache.merge(feed, items("new", 4, days: 1))
    #expect(try cache.articles.arrivals(query) == 1)
    #expect(try cache.all(query).count == 15)
  }

  @Test("A feed's validators, schedule and cadence stay as they are") func cadence() async throws {
    try await cache.merge(feed, items("new", 3, days: 1))
    let before = try cache.store.engine.fetches.fetchRecord(feed)
    try await load(cache, feed, page(items("old", 20, days: 2)))
    #expect(try cache.store.engine.fetches.fetchRecord(feed) == before)
    #expect(before?.recentArticles == 3)
  }

  @Test("Known articles stay unread and unchanged, and deleted ones do not return")
  func known() async throws {
    let ids = try await cache.merge(feed, items("new", 3, days: 1)).added
    try await cache.store.reader.states.delete([ids[0]])
    var again = items("new", 3, days: 1)
    again[0].title = "Cut"
    // The same address and title under another id is the same post.
    again.append(items("new", 2, days: 1)[1])
    again[3].id = "other"
    #expect(
      try await load(cache, feed, page(again)) == .found(0, oldest: TestCache.start - .days(3)))
    #expect(try cache.counts() == ArticleCounts(total: 2, unread: 2, starred: 0))
    #expect(try cache.all(ArticleQuery(scope: .feed(feed))).allSatisfy { $0.title != "Cut" })
  }

  @Test("Retention spares older posts for 30 days after they were fetched, and others as usual")
  func retention() async throws {
    let ids = try await cache.merge(feed, items("new", 8, days: 1)).added
    try await cache.store.reader.states.set(.read, ids, true)
    try await cache.store.reader.feeds.setRetention(feed, Retention(articles: 5, days: 40))
    try await load(cache, feed, page(items("old", 10, days: 100)))
    func titles() throws -> Set<String> {
      try Set(cache.all(ArticleQuery(scope: .feed(feed))).map(\.title))
    }
    try await cache.store.maintenance.tidy()
    #expect(try titles().count { $0.hasPrefix("old") } == 10)
    #expect(try titles().count { $0.hasPrefix("new") } == 5)
    cache.clock.now += .days(29)
    try await cache.store.maintenance.tidy()
    #expect(try titles().count { $0.hasPrefix("old") } == 10)
    cache.clock.now += .days(2)
    try await cache.store.maintenance.tidy()
    #expect(try titles().count { $0.hasPrefix("old") } == 0)
    #expect(try titles().count { $0.hasPrefix("new") } == 5)
  }

  @Test("At most ten pages wait, and a request continues where the last one ended")
  func requests() async throws {
    let cache = try TestCache()
    let (reader, engine) = (cache.store.reader, cache.store.engine)
    let feed = try await cache.feed("a")
    #expect(try await reader.olderPosts.request(feed, pages: 1)?.pages == 1)
    #expect(try engine.olderPosts.task(feed.rawValue)?.next == nil)
    #expect(try await reader.olderPosts.request(feed, pages: 99)?.pages == 10)
    #expect(try await reader.olderPosts.request(feed, pages: 1)?.pages == 10)
    try await engine.olderPosts.finish(feed, page(items("old", 2, days: 9)))
    #expect(try reader.olderPosts.request(of: feed)?.pages == 9)
    #expect(try engine.olderPosts.task(feed.rawValue)?.next == "https://example.org/2")
    try await reader.olderPosts.cancel(feed)
    #expect(try engine.olderPosts.pending().isEmpty)
    // A page that arrives after that is not stored.
    try await engine.olderPosts.finish(feed, page(items("late", 2, days: 9)))
    #expect(try cache.counts().total == 2)
    _ = try await reader.olderPosts.request(feed, pages: 1)
    let task = try #require(try engine.olderPosts.task(feed.rawValue))
    #expect(task.url == "https://example.org/2" && task.bodyHash == "1")
    #expect(task.referrers.pages == ["https://example.org/1"])
    #expect(try engine.olderPosts.pending().map(\.url) == ["https://example.org/2"])
  }

  @Test("A failure ends a request and keeps its place") func failures() async throws {
    try await load(cache, feed, page(items("old", 2, days: 9)))
    let failure = RefreshFailure(kind: .httpStatus, status: 500, since: TestCache.start)
    guard case .failed(let stored) = try await load(cache, feed, .failed(failure)) else {
      Issue.record("The failure is not stored")
      return
    }
    #expect(stored.status == 500)
    let again = try await cache.store.reader.olderPosts.request(feed, pages: 1)
    #expect(again?.state == .waiting)
    #expect(try cache.store.engine.olderPosts.task(feed.rawValue)?.next == "https://example.org/2")
  }

  @Test("The end of the pages is remembered for a day, and another address begins anew")
  func ends() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("a")
    #expect(try await load(cache, feed, page(items("old", 2, days: 9), next: nil)) == .ended(2))
    #expect(try await cache.olderPosts.request(feed, pages: 1)?.state == .ended(2))
    #expect(try cache.store.engine.olderPosts.pending().isEmpty)
    cache.clock.now += .days(1.1)
    #expect(try await cache.olderPosts.request(feed, pages: 1)?.state == .waiting)
    try await cache.store.engine.olderPosts.finish(feed, page([]))
    try await cache.feeds.edit(feed) { $0.url = "https://example.org/moved" }
    #expect(try await cache.olderPosts.request(feed, pages: 1)?.pages == 1)
    #expect(try cache.store.engine.olderPosts.task(feed.rawValue)?.next == nil)
  }

  @Test("A story that is unread elsewhere stays unread there") func duplicates() async throws {
    let (cache, first, second) = try await TestCache.withFeeds()
    try await cache.merge(first, items("story", 1, days: 1))
    try await load(cache, second, page(items("story", 1, days: 1) + items("old", 1, days: 9)))
    #expect(try cache.all(ArticleQuery(scope: .feed(second), filter: .unread)).isEmpty)
    #expect(try cache.all(ArticleQuery(scope: .all, filter: .unread)).map(\.feed) == [first])
  }
}
