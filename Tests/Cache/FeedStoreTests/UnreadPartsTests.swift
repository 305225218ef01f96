/// Unread articles of a part of a list.
@Suite("Parts of a list") struct UnreadPartsTests {
  /// Six articles a day apart, the newest first; the second is read.
  private func filled() async throws -> (TestCache, [ArticleRow]) {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.merge(
      feed,
      (1...6).map { number in
        ParsedItem(
          id: "\(number)", title: "T\(number)",
          datePublished: cache.clock.now - Double(number) * 86_400)
      })
    let rows = try cache.all(ArticleQuery(scope: .all))
    try await cache.store.reader.states.set(.read, [rows[1].id], true)
    return (cache, rows)
  }

  private func titles(_ cache: TestCache, _ query: ArticleQuery, _ part: ListPart) throws
    -> [String]
  {
    let ids = Set(try cache.store.reader.articles.unread(query, part).ids)
    return try cache.all(ArticleQuery(scope: .all)).filter { ids.contains($0.id) }.map(\.title)
  }

  @Test("The parts above and below an article follow the order in which the list is shown")
  func aboveAndBelow() async throws {
    let (cache, rows) = try await filled()
    let newest = ArticleQuery(scope: .all)
    #expect(try titles(cache, newest, .above(rows[3].key)) == ["T1", "T3"])
    #expect(try titles(cache, newest, .below(rows[3].key)) == ["T5", "T6"])
    let oldest = ArticleQuery(scope: .all, order: .oldestFirst)
    #expect(try titles(cache, oldest, .above(rows[3].key)) == ["T5", "T6"])
    #expect(try titles(cache, oldest, .below(rows[3].key)) == ["T1", "T3"])
    #expect(try titles(cache, newest, .above(rows[0].key)) == [])
    var sorted = newest
    sorted.hits = try cache.store.reader.articles.sorted(newest, by: .unreadFirst)
    #expect(try titles(cache, sorted, .above(rows[3].key)) == ["T1", "T3"])
    #expect(try titles(cache, sorted, .below(rows[3].key)) == ["T5", "T6"])
  }

  @Test("A part is counted without the articles that are read or kept unread")
  func count() async throws {
    let (cache, rows) = try await filled()
    let (articles, states) = (cache.store.reader.articles, cache.store.reader.states)
    let query = ArticleQuery(scope: .all)
    #expect(try await articles.unreadCount(query, .all) == 5)
    #expect(try await articles.unreadCount(query, .below(rows[3].key)) == 2)
    #expect(try await articles.unreadCount(query, .olderThan(cache.clock.now - 3.5 * 86_400)) == 3)
    try await states.set(.read, [rows[1].id], false)
    #expect(try await articles.unreadCount(query, .all) == 5)
    #expect(try await states.markShownRead(query).articles == 5)
    #expect(try await articles.unreadCount(query, .all) == 0)
  }

  @Test("Marking articles older than a date as read is one step that undo restores")
  func olderThan() async throws {
    let (cache, _) = try await filled()
    let query = ArticleQuery(scope: .all)
    let part = ListPart.olderThan(cache.clock.now - 3.5 * 86_400)
    #expect(try titles(cache, query, part) == ["T4", "T5", "T6"])
    try await cache.states.set(.read, try cache.articles.unread(query, part).ids, true)
    #expect(try cache.counts().unread == 2)
    _ = try await cache.store.reader.journal.undo()
    #expect(try cache.counts().unread == 5)
  }
}
