@testable import ArticleStore

@Suite("Articles kept for later") final class LaterTests: CacheSuite {
  private func later(_ cache: TestCache) throws -> [String] {
    var query = ArticleQuery(scope: .smart(.later))
    query.hits = try cache.store.reader.articles.sorted(query, by: .later)
    return try cache.all(query).map(\.title)
  }

  /// Keeps articles for later, one a minute.
  private func flag(_ ids: [ArticleID], _ cache: TestCache) async throws {
    for id in ids {
      try await cache.store.reader.states.set(.later, [id], true)
      cache.clock.now += 60
    }
  }

  @Test("The article that was kept last comes first, and reading removes none")
  func order() async throws {
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, (0..<4).map { .dated($0, hours: Double($0)) }).added
    #expect(try cache.feeds.subscriptions().smartCounts[.later] == nil)
    try await flag([ids[1], ids[3], ids[0]], cache)
    #expect(try later(cache) == ["Article 3", "Article 0", "Article 2"])
    try await cache.states.set(.read, ids, true)
    try await flag([ids[1]], cache)
    #expect(try later(cache) == ["Article 3", "Article 0", "Article 2"])
    #expect(try cache.feeds.subscriptions().smartCounts[.later] == 3)
    let words = try [3, 1, 0].map { try #require(try cache.articles.articleRow(ids[$0])).words }
    #expect(words.allSatisfy { $0 > 0 })
    #expect(try cache.feeds.subscriptions().laterWords == words.reduce(0, +))
    #expect(try cache.articles.articleRow(ids[0])?.status == .init(isRead: true, isLater: true))
    try await cache.states.set(.later, ids, false)
    #expect(try later(cache) == [])
    #expect(try cache.articles.count(ArticleQuery(scope: .smart(.later))) == 0)
  }

  @Test("Undo and redo give back the flag with its time") func undo() async throws {
    let ids = try await cache.merge(
      try await cache.feed("a"), (0..<3).map { .dated($0, hours: Double($0)) }
    ).added
    try await flag([ids[0], ids[1]], cache)
    try await cache.states.set(.later, ids, false)
    #expect(try await cache.journal.undo()?.kind == .notLater)
    #expect(try later(cache) == ["Article 1", "Article 2"])
    #expect(try await cache.journal.undo()?.kind == .later)
    #expect(try later(cache) == ["Article 2"])
    _ = try await cache.journal.redo()
    #expect(try later(cache) == ["Article 1", "Article 2"])
    try await cache.states.set(.later, [ids[0]], true)
    #expect(try await cache.journal.undo()?.kind == .later)
  }

  @Test("A copy of a story is kept by itself, and the list shows one of two kept copies")
  func duplicates() async throws {
    let story = ParsedItem(id: "s", url: "https://story.example/1", title: "Story")
    var ids: [ArticleID] = []
    for name in ["a", "b"] {
      ids += try await cache.merge(try await cache.feed(name), [story]).added
    }
    #expect(try await cache.states.set(.later, [ids[1]], true).articles == 1)
    #expect(try later(cache) == ["Story"])
    #expect(try cache.articles.articleRow(ids[0])?.status.isLater == false)
    try await cache.states.set(.later, [ids[0]], true)
    #expect(try later(cache) == ["Story"])
    #expect(try await cache.states.set(.later, ids, false) == MarkedArticles(articles: 2))
    #expect(try later(cache) == [])
  }

  @Test("Neither retention nor unsubscribing removes what is kept for later")
  func keeping() async throws {
    let clock = cache.clock
    let store = try FeedStore.open(
      directory: cache.directory,
      options: StoreOptions(retention: Retention(articles: 1), now: { clock.now }))
    defer { store.close() }
    let reader = store.reader
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, (0..<3).map { .dated($0, hours: Double($0)) }).added
    try await reader.states.set(.read, ids, true)
    try await flag([ids[0]], cache)
    try await store.maintenance.tidy()
    #expect(try cache.all(ArticleQuery(scope: .all)).map(\.title) == ["Article 0", "Article 2"])
    #expect(try reader.states.archived(of: [feed])[.later] == 1)
    try await reader.feeds.unsubscribe([feed])
    #expect(try cache.all(ArticleQuery(scope: .smart(.archived))).map(\.title) == ["Article 2"])
    cache.clock.now += 40 * 86_400
    try await store.maintenance.tidy()
    #expect(try later(cache) == ["Article 2"])
  }

  @Test("A rule keeps arriving articles for later, and is:later finds them")
  func rules() async throws {
    try await cache.rules.addRule(
      RuleDraft(query: "title:long", actions: [.later]), reach: .arrivals)
    try await cache.merge(
      try await cache.feed("a"), [.dated(1, title: "Long read"), .dated(2, title: "Short")])
    #expect(try later(cache) == ["Long read"])
    try await cache.index()
    let hits = try await cache.store.search.hits(try SearchQuery("is:later"), in: .all)
    #expect(hits?.count == 1)
    #expect(throws: SearchQuery.Problem.self) { try SearchQuery("is:latter") }
  }

  @Test("Keeping an article for later, and undoing it, is an event") func events() async throws {
    let ids = try await cache.merge(try await cache.feed("a"), [.dated(1)]).added
    var mark = try cache.articles.eventMark()
    try await cache.states.set(.later, ids, true)
    #expect(try cache.articles.events(since: &mark) == [.marked(ids[0])])
    _ = try await cache.journal.undo()
    #expect(try cache.articles.events(since: &mark) == [.marked(ids[0])])
  }
}
