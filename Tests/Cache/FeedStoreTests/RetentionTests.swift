@Suite("Retention") struct RetentionTests {
  private func cache(_ retention: Retention) throws -> (TestCache, FeedStore) {
    let cache = try TestCache()
    let clock = cache.clock
    let store = try FeedStore.open(
      directory: cache.directory,
      options: StoreOptions(retention: retention, now: { clock.now }, calendar: TestCache.calendar))
    return (cache, store)
  }

  private func titles(_ store: FeedStore) throws -> Set<String> {
    Set(try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 9_999).map(\.title))
  }

  @Test("The newest articles are kept, and all that are starred, tagged or unread")
  func newestAndMarkedStay() async throws {
    let (cache, store) = try cache(Retention(articles: 10))
    defer { store.close() }
    let feed = try await cache.feed("a")
    let items = (0..<300).map { ParsedItem.dated($0, hours: Double($0)) }
    let ids = try await cache.merge(feed, items).added
    // Oldest first: item 299 has the smallest key.
    try await store.reader.states.set(.read, ids, true)
    try await store.reader.states.set(.starred, [ids[0]], true)
    try await store.reader.states.set(.read, [ids[1]], false)
    try await store.reader.states.changeTags(of: [ids[2]], adding: ["to-cite"], removing: [])
    try await store.maintenance.tidy()
    let kept = try titles(store)
    #expect(
      kept
        == Set((0..<10).map { "Article \($0)" } + ["Article 299", "Article 298", "Article 297"]))
    #expect(
      try store.reader.feeds.subscriptions().feeds[0].counts
        == ArticleCounts(total: 13, unread: 1, starred: 1))
    #expect(try store.file.integrityProblems().isEmpty)
    // The feed still lists all of them: none returns, and a second run deletes nothing.
    #expect(try await cache.merge(feed, items).added.isEmpty)
    try await store.maintenance.tidy()
    #expect(try titles(store) == kept)
  }

  @Test("Read and unread articles are deleted after their own number of days")
  func readAndUnreadDays() async throws {
    let (cache, store) = try cache(Retention(days: 30, unreadDays: 90))
    defer { store.close() }
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(
      feed, [10, 40, 80, 100].map { .dated($0, hours: Double($0) * 24) }
    ).added
    // The articles are 100, 80, 40 and 10 days old.
    try await store.reader.states.set(.read, [ids[2]], true)
    try await store.maintenance.tidy()
    #expect(try titles(store) == ["Article 10", "Article 80"])
  }

  @Test(
    "Limits beyond any date keep all articles",
    arguments: [Retention(articles: .max, days: .max), Retention(days: 1)])
  func hugeLimitsKeepAll(own: Retention) async throws {
    let (cache, store) = try cache(Retention(articles: .max, days: .max, unreadDays: .max))
    defer { store.close() }
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, [.dated(1, hours: 24_000), .dated(2, hours: 48)]).added
    try await store.reader.states.set(.read, [ids[1]], own.days == .max)
    try await store.reader.feeds.setRetention(feed, own)
    try await store.maintenance.tidy()
    #expect(try titles(store) == ["Article 1", "Article 2"])
  }

  @Test("A feed can have its own retention, larger or smaller than the default")
  func oneFeedMayKeepMoreOrLess() async throws {
    let (cache, store) = try cache(Retention(articles: 5))
    defer { store.close() }
    var feeds: [FeedID] = []
    for name in ["a", "b", "c"] {
      let feed = try await cache.feed(name)
      let ids = try await cache.merge(
        feed, (0..<20).map { .named("\(name)\($0)", hours: Double($0)) }
      ).added
      try await store.reader.states.set(.read, ids, true)
      feeds.append(feed)
    }
    try await store.reader.feeds.setRetention(feeds[1], Retention(articles: 0))
    try await store.reader.feeds.setRetention(feeds[2], Retention(articles: 2))
    #expect(try store.reader.feeds.retention(of: feeds[2]) == Retention(articles: 2))
    #expect(try store.reader.feeds.retention(of: feeds[0]) == nil)
    try await store.maintenance.tidy()
    #expect(try store.reader.feeds.subscriptions().feeds.map(\.counts.total) == [5, 20, 2])
    try await store.reader.feeds.setRetention(feeds[1], nil)
    try await store.maintenance.tidy()
    #expect(try store.reader.feeds.subscriptions().feeds.map(\.counts.total) == [5, 5, 2])
  }

  @Test("An article that a rule hides is deleted like a read one")
  func hiddenArticlesGo() async throws {
    let (cache, store) = try cache(Retention(days: 1))
    defer { store.close() }
    let feed = try await cache.feed("a")
    try await store.reader.rules.addRule(
      RuleDraft(query: "title:Article", actions: [.hide]), reach: .arrivals)
    try await cache.merge(
      feed, [.dated(1, hours: 48), .dated(2, hours: 1), .dated(3, hours: 48, title: "Unread")])
    #expect(try store.reader.articles.hiddenByRules(in: .all, isAlone: true).count == 2)
    try await store.maintenance.tidy()
    #expect(try store.reader.articles.hiddenByRules(in: .all, isAlone: true).count == 1)
    #expect(try titles(store) == ["Unread"])
  }

  @Test("A tombstone is deleted when the feed has not listed its item for a week")
  func unlistedTombstoneExpires() async throws {
    let (cache, store) = try cache(Retention(articles: 1))
    defer { store.close() }
    let feed = try await cache.feed("a")
    let both: [ParsedItem] = [.dated(1, hours: 1), .dated(2, hours: 2)]
    let ids = try await cache.merge(feed, both).added
    try await store.reader.states.set(.read, ids, true)
    try await store.maintenance.tidy()
    #expect(try titles(store) == ["Article 1"])
    cache.clock.now += 6 * 86_400
    // The item is missing once and listed again.
    try await cache.merge(feed, [both[0]])
    #expect(try await cache.merge(feed, both).added.isEmpty)
    cache.clock.now += 8 * 86_400
    try await cache.merge(feed, [both[0]])
    #expect(try await cache.merge(feed, both).added.count == 1)
  }

  @Test("Maintenance runs in small steps and resumes after a restart")
  func maintenanceResumes() async throws {
    let (cache, store) = try cache(Retention(articles: 1))
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, (0..<900).map { .dated($0, hours: Double($0)) }).added
    try await store.reader.states.set(.read, ids, true)
    var before = try store.reader.articles.count(ArticleQuery(scope: .all))
    for _ in 0..<6 {
      #expect(try await store.engine.maintenance.maintenanceStep())
      let now = try store.reader.articles.count(ArticleQuery(scope: .all))
      #expect(before - now <= 100)
      before = now
    }
    store.close()
    let (_, again) = (
      cache,
      try FeedStore.open(
        directory: cache.directory,
        options: StoreOptions(retention: Retention(articles: 1), now: { cache.clock.now }))
    )
    defer { again.close() }
    var steps = 0
    while try await again.engine.maintenance.maintenanceStep() { steps += 1 }
    #expect(steps < 40)
    #expect(try again.reader.articles.count(ArticleQuery(scope: .all)) == 1)
    // Maintenance is complete for today and starts again tomorrow.
    #expect(try await !again.engine.maintenance.maintenanceStep())
    cache.clock.now += 90_000
    #expect(try await again.engine.maintenance.maintenanceStep())
  }

  @Test("Deleting articles can be undone, and a feed does not bring them back")
  func deletingIsUndone() async throws {
    let cache = try TestCache()
    let store = cache.store
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, (0..<5).map { .dated($0) }).added
    try await store.reader.states.set(.starred, [ids[1]], true)
    let before = try cache.all(ArticleQuery(scope: .all))
    #expect(try await store.reader.states.delete([ids[1], ids[2]]) == 2)
    #expect(try await store.reader.states.delete([ids[1]]) == 0)
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 3)
    #expect(try store.reader.feeds.subscriptions().smartCounts[.starred] == 0)
    #expect(try await cache.merge(feed, (0..<6).map { .dated($0) }).added.count == 1)
    let entry = try #require(try await store.reader.journal.undo())
    #expect(entry.kind == .delete && entry.count == 2)
    #expect(try cache.all(ArticleQuery(scope: .all)).filter { $0.title != "Article 5" } == before)
    #expect(try await store.reader.journal.redo()?.kind == .delete)
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 4)

    // The deletion becomes permanent when its undo step expires, although the feed lists the item.
    cache.clock.now += 31 * 86_400
    try await store.maintenance.tidy()
    #expect(try await store.reader.journal.undo() == nil)
    #expect(try store.reader.articles.article(ids[1]) == nil)
    #expect(try await cache.merge(feed, (0..<6).map { .dated($0) }).added.isEmpty)
    #expect(try store.file.integrityProblems().isEmpty)
  }

  @Test("A deleted article stays deleted when its feed is unsubscribed and restored")
  func deletedStaysDeleted() async throws {
    let cache = try TestCache()
    let store = cache.store
    let feed = try await cache.feed("a")
    let ids = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    try await store.reader.states.delete([ids[0]])
    try await store.reader.feeds.unsubscribe([feed])
    _ = try await store.reader.journal.undo()
    #expect(try cache.all(ArticleQuery(scope: .all)).map(\.id) == [ids[1]])
    _ = try await store.reader.journal.undo()
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 2)
  }

  // MARK: Clocks

  @Test("Dates from a clock that is ten years off are corrected by maintenance")
  func wrongClockIsCorrected() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let right = cache.clock.now
    cache.clock.now = right + 3_650 * 86_400
    var undated = ParsedItem.dated(1, title: "ahead, undated")
    undated.datePublished = nil
    try await cache.merge(feed, [undated, .dated(2, hours: 5, title: "ahead, dated")])
    // Ten years back, before this program existed.
    cache.clock.now = right - 3_650 * 86_400
    try await cache.merge(feed, [.dated(3, hours: 4, title: "behind, dated")])
    cache.clock.now = right
    try await cache.merge(feed, [.dated(4, hours: 0, title: "right")])
    try await cache.store.maintenance.tidy()
    cache.clock.now = right + 3 * 86_400
    try await cache.merge(feed, [.dated(5, hours: -60, title: "later")])
    #expect(
      try cache.all(ArticleQuery(scope: .all)).map(\.title)
        == ["later", "right", "ahead, undated", "behind, dated", "ahead, dated"])
  }

  @Test("Articles dated 1970 and 2099 keep their place when later ones arrive")
  func extremeDatesStayInOrder() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    var old = ParsedItem.dated(1, title: "1970")
    old.datePublished = Date(timeIntervalSince1970: 0)
    var far = ParsedItem.dated(2, title: "2099")
    far.datePublished = Date(timeIntervalSince1970: 4_070_908_800)
    try await cache.merge(feed, [old, far, .dated(3, hours: 1, title: "today")])
    cache.clock.now += 2 * 86_400
    try await cache.merge(feed, [.dated(4, hours: -40, title: "later")])
    #expect(try cache.all(.all).map(\.title) == ["later", "2099", "today", "1970"])
  }
}

extension ParsedItem {
  static func named(_ name: String, hours: Double = 0) -> ParsedItem {
    ParsedItem(
      id: name, url: "https://example.org/\(name)", title: name, contentHTML: "<p>\(name)</p>",
      datePublished: TestCache.start - hours * 3_600)
  }
}
