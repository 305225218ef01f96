@Suite("Tags") final class TagTests: FeedSuite {
  @Test("Tags are normalized, counted and searchable, and undo and redo restore them")
  func tagsAreFoundAndUndone() async throws {
    let ids = try await cache.merge(feed, (0..<5).map { .dated($0) }).added
    try await cache.store.reader.states.changeTags(
      of: [ids[0], ids[1]], adding: ["Later", "two words"], removing: [])
    try await cache.store.reader.states.changeTags(
      of: [ids[1]], adding: ["later", "more"], removing: ["two-words"])
    #expect(try cache.store.reader.states.tags(of: [ids[0]]) == ["Later", "two-words"])
    #expect(try cache.store.reader.states.tags(of: [ids[1]]) == ["Later", "more"])
    #expect(try cache.store.reader.states.tags(of: [ids[0], ids[1]]) == ["Later"])
    #expect(try cache.feeds.subscriptions().tags.map(\.name) == ["Later", "more", "two-words"])
    #expect(try cache.store.reader.feeds.subscriptions().tags.map(\.counts.unread) == [2, 1, 1])
    let query = ArticleQuery(scope: .tag("later"))
    #expect(Set(try cache.all(query).map(\.id)) == [ids[0], ids[1]])
    #expect(try cache.store.reader.articles.count(query) == 2)
    try await cache.store.reader.states.set(.read, [ids[0]], true)
    #expect(try cache.articles.count(ArticleQuery(scope: .tag("later"), filter: .unread)) == 1)
    #expect(try cache.store.reader.articles.nextUnread(query, .top)?.id == ids[1])
    _ = try await cache.store.reader.journal.undo()
    #expect(try await cache.store.reader.journal.undo()?.kind == .tag)
    #expect(try cache.store.reader.states.tags(of: [ids[1]]) == ["Later", "two-words"])
    _ = try await cache.store.reader.journal.undo()
    #expect(try cache.store.reader.feeds.subscriptions().tags.isEmpty)
    _ = try await cache.store.reader.journal.redo()
    #expect(try cache.store.reader.states.tags(of: [ids[0]]) == ["Later", "two-words"])
  }

  @Test("New articles do not count as arrivals in the list of a tag that they do not have")
  func untaggedIsNoArrival() async throws {
    let ids = try await cache.merge(feed, [.dated(1)]).added
    try await cache.store.reader.states.changeTags(of: ids, adding: ["x"], removing: [])
    let query = ArticleQuery(scope: .tag("x"), asOf: try cache.articles.latestArticleID())
    try await cache.merge(feed, [.dated(1), .dated(2), .dated(3)])
    #expect(try cache.store.reader.articles.arrivals(query) == 0)
    #expect(try cache.store.reader.articles.count(query) == 1)
  }

  @Test("The tagged articles of an unsubscribed feed and their tags stay, also after undo")
  func tagsOutliveTheFeed() async throws {
    let ids = try await cache.merge(feed, [.dated(1)]).added
    try await cache.store.reader.states.changeTags(of: ids, adding: ["x"], removing: [])
    try await cache.store.reader.feeds.unsubscribe([feed])
    #expect(try cache.store.reader.feeds.subscriptions().tags.map(\.name) == ["x"])
    #expect(try cache.all(ArticleQuery(scope: .tag("x"))).map(\.id) == ids)
    _ = try await cache.store.reader.journal.undo()
    #expect(try cache.store.reader.feeds.subscriptions().tags.map(\.name) == ["x"])
  }
}
