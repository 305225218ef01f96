@Suite("Old articles that come as new") struct OldArrivalTests {
  private func items(_ name: String, _ count: Int, hours: Double) -> [ParsedItem] {
    (0..<count).map { number in
      ParsedItem(
        id: "\(name)\(number)", url: "https://example.org/\(name)/\(number)",
        title: "\(name) \(number)",
        datePublished: TestCache.start - (hours + Double(number)) * 3_600)
    }
  }

  /// Returns the numbers of old arrivals by feed after a feed with one article, one hour old, has
  /// brought other items.
  private func found(_ items: [ParsedItem]) async throws -> [Int] {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.merge(feed, self.items("known", 1, hours: 1))
    let known = try cache.articles.latestArticleID()
    try await cache.merge(feed, items)
    return try cache.articles.oldArrivals(after: known).map(\.hits.count)
  }

  @Test("More than ten articles older than the newest known one are found, and newer ones are not")
  func numbers() async throws {
    #expect(try await found(items("old", 11, hours: 2)) == [11])
    #expect(try await found(items("old", 10, hours: 2)).isEmpty)
    #expect(try await found(items("new", 30, hours: -40)).isEmpty)
    #expect(try await found(items("old", 12, hours: 2) + items("new", 9, hours: -9)) == [12])
  }

  @Test("The first articles of a feed are not old, nor are read, hidden or removed ones")
  func others() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("a")
    try await cache.merge(feed, items("first", 40, hours: 1))
    #expect(try cache.articles.oldArrivals(after: ArticleID(rawValue: 0)).isEmpty)
    let known = try cache.articles.latestArticleID()
    try await cache.merge(feed, items("old", 15, hours: 50))
    let old = try #require(try cache.articles.oldArrivals(after: known).first)
    #expect(old.feed == feed && old.hits.count == 15)
    try await cache.states.set(.read, Array(old.hits.ids.prefix(3)), true)
    #expect(try cache.articles.oldArrivals(after: known).map(\.hits.count) == [12])
    try await cache.states.delete(Array(old.hits.ids.suffix(2)))
    #expect(try cache.articles.oldArrivals(after: known).isEmpty)
    _ = try await cache.journal.undo()
    try await cache.feeds.unsubscribe([feed])
    #expect(try cache.articles.oldArrivals(after: known).isEmpty)
  }
}
