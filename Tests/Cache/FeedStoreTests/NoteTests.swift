/// Notes that programs write about articles are stored, searchable and exempt from retention.
@Suite("Notes") struct NoteTests {
  private func filled() async throws -> (TestCache, ArticleID) {
    let (cache, feed) = try await TestCache.withFeed()
    let outcome = try await cache.merge(
      feed, [ParsedItem(id: "1", title: "T", contentHTML: "<p>body words</p>")])
    return (cache, try #require(outcome.added.first))
  }

  private func find(_ word: String, _ cache: TestCache) async throws -> Int {
    try await cache.index()
    let hits = try await cache.search.hits(SearchQuery(word), in: .all, order: .newest, limit: 10)
    return hits?.count ?? 0
  }

  @Test("A note is stored, replaced by its program's next answer, and removed")
  func isKept() async throws {
    let (cache, article) = try await filled()
    let reader = cache.store.reader
    try await reader.states.setNote("<p>first</p>", by: "summary", of: article)
    try await reader.states.setNote("<p>other</p>", by: "translate", of: article)
    try await reader.states.setNote("<p>second</p>", by: "summary", of: article)
    try await reader.states.setNote("", by: "nothing", of: article)
    #expect(try reader.states.notes(of: article).map(\.program) == ["summary", "translate"])
    #expect(try reader.states.notes(of: article).map(\.html) == ["<p>second</p>", "<p>other</p>"])
    #expect(try await reader.states.removeNotes(of: article) == 2)
    #expect(try reader.states.notes(of: article).isEmpty)
    await #expect(throws: StoreError.notFound) {
      try await reader.states.setNote("<p>x</p>", by: "p", of: ArticleID(rawValue: 99))
    }
  }

  @Test("A search finds a note by the words that it currently contains")
  func isFound() async throws {
    let (cache, article) = try await filled()
    let reader = cache.store.reader
    #expect(try await find("zebra", cache) == 0)
    try await reader.states.setNote("<p>zebra crossing</p>", by: "p", of: article)
    #expect(try await find("zebra", cache) == 1)
    #expect(try await find("body", cache) == 1)
    try await reader.states.setNote("<p>giraffe</p>", by: "p", of: article)
    #expect(try await find("zebra", cache) == 0)
    #expect(try await find("giraffe", cache) == 1)
    try await reader.states.removeNotes(of: article)
    #expect(try await find("giraffe", cache) == 0)
    #expect(try await find("body", cache) == 1)
    #expect(try cache.store.file.integrityProblems().isEmpty)
  }

  @Test("An article with a note is not deleted by retention") func isSpared() async throws {
    let (cache, article) = try await filled()
    let feed = try #require(try cache.articles.articleRow(article)).feed
    try await cache.merge(
      feed, [ParsedItem(id: "2", title: "U", datePublished: cache.clock.now - 1)])
    try await cache.states.markShownRead(.all)
    try await cache.states.setNote("<p>n</p>", by: "p", of: article)
    cache.clock.now += 20 * 86_400
    try await cache.feeds.setRetention(feed, Retention(days: 5))
    while try await cache.store.engine.maintenance.maintenanceStep() {}
    #expect(try cache.all(.all).map(\.id) == [article])
  }
}
