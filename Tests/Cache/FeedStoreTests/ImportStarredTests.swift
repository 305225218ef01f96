@Suite("The import of starred articles") struct ImportStarredTests {
  private func imported(_ number: Int, tags: [String] = []) -> ImportedArticle {
    var article = ImportedArticle(
      item: ParsedItem(
        id: "tag:google.com,2005:reader/item/\(number)", url: "https://example.org/s/\(number)",
        title: "Article \(number)", contentHTML: "<p>x</p>", datePublished: TestCache.start),
      isRead: true, isStarred: true)
    article.tags = tags
    return article
  }

  @Test("Articles arrive starred, read and tagged, also of unknown feeds; repeating adds none")
  func importing() async throws {
    let cache = try TestCache()
    let feed = try await cache.feed("known")
    try await cache.merge(
      feed, [ParsedItem(id: "own", url: "https://example.org/s/1", title: "Article 1")])
    let feeds = [
      ImportedFeed(
        url: "https://example.org/known", title: "Known",
        articles: [imported(1, tags: ["To read"]), imported(2)]),
      ImportedFeed(
        url: "https://other.example/feed", title: "Other", homePageURL: "https://other.example/",
        articles: [imported(3, tags: ["a", "A"])]),
    ]
    let outcome = try await cache.store.maintenance.importStarred(feeds)
    #expect(outcome.added == 2 && outcome.archived == 1 && outcome.marked == 1)
    let rows = try cache.all(ArticleQuery(scope: .smart(.starred)))
    #expect(rows.map(\.title).sorted() == ["Article 1", "Article 2", "Article 3"])
    #expect(rows.allSatisfy { $0.status.isRead })
    #expect(try cache.all(ArticleQuery(scope: .smart(.archived))).map(\.feedName) == ["Other"])
    #expect(try cache.all(ArticleQuery(scope: .tag("To-read"))).map(\.title) == ["Article 1"])
    #expect(try cache.all(ArticleQuery(scope: .tag("a"))).map(\.title) == ["Article 3"])
    #expect(try cache.feeds.subscriptions().feeds.map(\.url) == ["https://example.org/known"])
    #expect(try cache.store.engine.fetches.dueFeeds(at: .distantFuture, limit: 9).count == 1)

    let before = try cache.all(.all)
    #expect(try await cache.store.maintenance.importStarred(feeds) == ImportOutcome())
    #expect(try cache.all(.all) == before)
    // A later subscription finds them.
    try await cache.feeds.subscribe(url: "https://other.example/feed", title: nil, folder: nil)
    #expect(try cache.all(ArticleQuery(scope: .smart(.archived))).isEmpty)
    #expect(try cache.all(ArticleQuery(scope: .smart(.starred))).count == 3)
    #expect(try cache.store.file.integrityProblems().isEmpty)
  }

  @Test("An article that was hidden with its removed feed is listed again")
  func hidden() async throws {
    let (cache, feed) = try await TestCache.withFeed("known")
    try await cache.merge(
      feed,
      (1...2).map {
        ParsedItem(id: "\($0)", url: "https://example.org/s/\($0)", title: "Article \($0)")
      })
    try await cache.feeds.unsubscribe([feed])
    #expect(try cache.all(.all).isEmpty)
    let outcome = try await cache.store.maintenance.importStarred([
      ImportedFeed(url: "https://example.org/known", title: "", articles: [imported(1)])
    ])
    #expect(outcome.added == 0 && outcome.marked == 1)
    #expect(try cache.all(ArticleQuery(scope: .smart(.archived))).map(\.title) == ["Article 1"])
    _ = try await cache.journal.undo()
    #expect(try cache.all(ArticleQuery(scope: .feed(feed))).count == 2)
  }
}
