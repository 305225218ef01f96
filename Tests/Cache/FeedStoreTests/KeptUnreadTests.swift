@Suite("Articles that the user keeps unread") struct KeptUnreadTests {
  private func unread(_ cache: TestCache, _ feed: FeedID) throws -> [ArticleID] {
    try cache.all(ArticleQuery(scope: .feed(feed), filter: .unread)).map(\.id)
  }

  /// A feed of four articles, newest first, of which the second was read and marked unread again.
  private func prepared() async throws -> (cache: TestCache, feed: FeedID, ids: [ArticleID]) {
    let (cache, feed) = try await TestCache.withFeed("news")
    try await cache.merge(feed, (0..<4).map { .dated($0, hours: Double(4 - $0)) })
    let ids = try unread(cache, feed)
    try await cache.store.reader.states.set(.read, [ids[1]], true)
    try await cache.store.reader.states.set(.read, [ids[1]], false)
    return (cache, feed, ids)
  }

  @Test("Marking a list read leaves them unread and counts them; marking it again changes nothing")
  func lists() async throws {
    let (cache, feed, ids) = try await prepared()
    let states = cache.store.reader.states
    let query = ArticleQuery(scope: .feed(feed))
    #expect(try await states.markShownRead(query) == MarkedArticles(articles: 3, kept: 1))
    #expect(try unread(cache, feed) == [ids[1]])
    #expect(try await states.markShownRead(query) == MarkedArticles(articles: 0, kept: 1))
    #expect(try await cache.store.reader.journal.undo()?.kind == .markAllRead)
    #expect(try unread(cache, feed) == ids)
  }

  @Test("Parts of a list, passed rows and ages leave them out") func parts() async throws {
    let (cache, feed, ids) = try await prepared()
    let query = ArticleQuery(scope: .feed(feed))
    let key = try #require(try cache.all(query).last?.key)
    let above = try cache.articles.unread(query, .above(key))
    #expect(Set(above.ids) == [ids[0], ids[2]] && above.kept == 1)
    try await cache.states.set(.read, [ids[0], ids[1]], true, sparesKept: true)
    #expect(try unread(cache, feed) == [ids[1], ids[2], ids[3]])
    let marked = try await cache.states.markShownRead(.of(feed), .olderThan(.distantFuture))
    #expect(marked.changed == 2)
    #expect(try unread(cache, feed) == [ids[1]])
  }

  @Test("An article that is marked read individually is no longer kept unread")
  func ended() async throws {
    let (cache, feed, ids) = try await prepared()
    let states = cache.store.reader.states
    try await states.set(.read, [ids[1]], true, as: .open)
    #expect(try await states.markShownRead(ArticleQuery(scope: .feed(feed))).articles == 3)
    // Undo makes the three unread again, and keeps none of them.
    _ = try await cache.store.reader.journal.undo()
    #expect(try await states.markShownRead(ArticleQuery(scope: .feed(feed))).kept == 0)
  }
}
