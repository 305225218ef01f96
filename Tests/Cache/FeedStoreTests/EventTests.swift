@Suite("Events of the cache") final class EventTests: BenchSuite {
  @Test("A server's changes of states are reported as events")
  func whatAServerMarksIsTold() async throws {
    let articles = try await bench.fill(4)
    try await bench.pull(unread: [1, 2, 3, 4])
    var mark = try bench.store.reader.articles.eventMark()
    #expect(try bench.store.reader.articles.events(since: &mark).isEmpty)
    // The server reports two articles as read and one as starred; one is marked on both sides.
    try await bench.store.reader.states.set(.read, [articles[3]], true)
    try await bench.pull(unread: [3, 4], starred: [1, 4])
    let events = try bench.store.reader.articles.events(since: &mark)
    let marked = events.compactMap { if case .marked(let id) = $0 { id } else { nil } }
    #expect(marked.count == 3 && Set(marked) == [articles[0], articles[1], articles[3]])
    #expect(try bench.store.reader.articles.events(since: &mark).isEmpty)
  }

  @Test("Articles that an import marks are reported, and new ones as well")
  func whatAnImportMarksIsTold() async throws {
    let feed = try #require(
      try await bench.store.reader.feeds.subscribe([OutlineEntry(url: "https://own.example/")])
        .added
        .first)
    let item = AccountBench.article(1).item
    let other = AccountBench.article(2).item
    _ = try await bench.store.maintenance.importArticles(
      feed, [ImportedArticle(item: item, isRead: false, isStarred: false)])
    let known = try #require(try bench.cache.all(ArticleQuery(scope: .all)).first?.id)
    var mark = try bench.store.reader.articles.eventMark()
    _ = try await bench.store.maintenance.importArticles(
      feed,
      [item, other].map { ImportedArticle(item: $0, isRead: true, isStarred: true) })
    let events = try bench.store.reader.articles.events(since: &mark)
    let marked = events.compactMap { if case .marked(let id) = $0 { id } else { nil } }
    #expect(events.count == 2 && marked == [known])
  }

  @Test("Each end of an account's sync is reported, whether it failed or not")
  func accountSyncEndReports() async throws {
    var mark = try bench.store.reader.articles.eventMark()
    func end(_ hasPulled: Bool, _ failure: AccountFailure?) async throws -> [StoreEvent] {
      bench.cache.clock.now = bench.now.addingTimeInterval(60)
      try await bench.store.accountSync.endAccountSync(
        bench.account,
        AccountOutcome(began: bench.now, hasPulled: hasPulled, failure: failure, nextSyncAt: nil))
      return try bench.store.reader.articles.events(since: &mark)
    }
    #expect(try await end(true, nil) == [.synced(bench.account)])
    let failure = AccountFailure(kind: .busy, since: bench.now)
    #expect(try await end(false, failure) == [.synced(bench.account)])
    #expect(try await end(false, failure) == [.synced(bench.account)])
    #expect(try await end(true, nil) == [.synced(bench.account)])
    #expect(try bench.store.reader.articles.events(since: &mark).isEmpty)
  }
}
