@testable import WorkStore

@Suite("Full texts") final class FullTextTests: CacheSuite {
  private let page = "<p>The whole story, told by the page: a heron stood in it.</p>"

  private func article(in cache: TestCache, url: String? = "https://example.org/1") async throws
    -> ArticleID
  {
    let feed = try await cache.feed("blog")
    var item = ParsedItem.dated(1, hours: 1, title: "One")
    item.url = url
    item.contentHTML = "<p>A teaser.</p>"
    return try #require(try await cache.merge(feed, [item]).added.first)
  }

  @Test("A full text is requested once and then shown or hidden")
  func requestedOnceThenToggled() async throws {
    let id = try await article(in: cache)
    #expect(try cache.store.reader.fullTexts.fullText(id) == nil)
    let asked = try await cache.store.reader.fullTexts.turnFullText(id)
    // The tests' cache gives each feed its own pages.
    let url = try #require(try cache.store.reader.articles.article(id)?.row.url)
    #expect(asked == FullText(article: id, url: url, state: .waiting, isShown: true))
    #expect(try await cache.store.reader.fullTexts.turnFullText(id) == asked)
    #expect(
      try cache.store.engine.fullTexts.pending() == [
        FullTextTask(
          article: id, url: url, referrers: AddressReferrers(feed: "https://example.org/blog"),
          isWanted: true)
      ])

    #expect(try cache.store.engine.fullTexts.waiting() == [id.rawValue])

    try await cache.store.engine.fullTexts.finishFullText(id, .found(MainContent(html: page)))
    #expect(try cache.store.engine.fullTexts.pending() == [])
    #expect(try cache.store.engine.fullTexts.waiting() == [])
    #expect(try cache.store.reader.fullTexts.fullText(id)?.state == .found(html: page))
    #expect(try cache.store.reader.articles.article(id)?.bodyHTML == "<p>A teaser.</p>")
    #expect(try await cache.store.reader.fullTexts.turnFullText(id)?.isShown == false)
    #expect(try await cache.store.reader.fullTexts.turnFullText(id)?.isShown == true)
    #expect(try cache.store.reader.fullTexts.fullText(id)?.state == .found(html: page))
  }

  @Test("A page fills the fields that a feed leaves out and replaces none that it has")
  func whatFeedLeavesOut()
    async throws
  {
    let (cache, feed) = try await TestCache.withFeed("blog")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    func item(_ number: Int, title: String?) -> ParsedItem {
      var item = ParsedItem.dated(number, hours: Double(number), title: "")
      item.title = title
      item.url = "https://example.org/\(number)"
      item.datePublished = nil
      return item
    }
    var told = item(1, title: "One")
    told.authors = [Author(name: "Ines")]
    told.datePublished = Date(timeIntervalSince1970: 1_600_000_000)
    var untold = item(2, title: nil)
    untold.contentHTML = nil
    let ids = try await cache.merge(feed, [told, untold]).added
    let engine = cache.store.engine
    for id in ids {
      _ = try await cache.store.reader.fullTexts.turnFullText(id)
      try await engine.fullTexts.finishFullText(
        id,
        .found(MainContent(title: "Page", author: "Jo Marsh", published: date, html: page)))
    }
    let articles = try ids.map { try #require(try cache.store.reader.articles.article($0)) }
    let kept = try #require(articles.first { $0.row.title == "One" })
    let filled = try #require(articles.first { $0.row.title == "Page" })
    #expect(kept.authors == [Author(name: "Ines")])
    #expect(kept.publishedAt == told.datePublished)
    #expect(filled.authors == [Author(name: "Jo Marsh")])
    #expect(filled.publishedAt == date)
    // A change of the item without these fields keeps them.
    untold.tags = ["water"]
    try await cache.merge(feed, [told, untold])
    let changed = try #require(try cache.store.reader.articles.article(filled.row.id))
    #expect(changed.tags == ["water"])
    #expect(changed.authors == filled.authors && changed.publishedAt == date)
  }

  @Test("The request survives a restart, and the full text survives a merge")
  func survivesRestartAndMerge() async throws {
    let id = try await article(in: cache)
    _ = try await cache.store.reader.fullTexts.turnFullText(id)
    let other = try cache.another()
    defer { other.close() }
    #expect(try other.engine.fullTexts.pending().map(\.article) == [id])
    try await other.engine.fullTexts.finishFullText(id, .found(MainContent(html: page)))
    var item = ParsedItem.dated(1, hours: 1, title: "One, corrected")
    item.contentHTML = "<p>Another teaser.</p>"
    item.url = "https://example.org/1"
    let feed = try #require(try cache.store.reader.articles.article(id)?.row.feed)
    try await cache.merge(feed, [item])
    #expect(try cache.store.reader.articles.article(id)?.bodyHTML == "<p>Another teaser.</p>")
    #expect(try cache.store.reader.fullTexts.fullText(id)?.state == .found(html: page))
  }

  @Test("A failed full text is kept until it is requested again")
  func failureStaysUntilRetry() async throws {
    let id = try await article(in: cache)
    _ = try await cache.store.reader.fullTexts.turnFullText(id)
    let failure = RefreshFailure(kind: .httpStatus, status: 503, since: cache.clock.now)
    try await cache.store.engine.fullTexts.finishFullText(id, .failed(failure))
    #expect(try cache.store.reader.fullTexts.fullText(id)?.state == .failed(failure))
    #expect(try cache.store.engine.fullTexts.pending() == [])
    #expect(try await cache.store.reader.fullTexts.turnFullText(id)?.state == .waiting)
    try await cache.store.engine.fullTexts.finishFullText(id, .failed(failure))
    guard case .failed(let again) = try cache.store.reader.fullTexts.fullText(id)?.state else {
      Issue.record("not failed")
      return
    }
    #expect(again.count == 2)
  }

  @Test(
    "No full text is requested for an address that is no web page",
    arguments: [nil, "mailto:a@example.org", "javascript:x", "/relative"])
  func onlyPagesAreRequested(url: String?) async throws {
    let id = try await article(in: cache, url: url)
    #expect(try await cache.store.reader.fullTexts.turnFullText(id) == nil)
    #expect(try cache.store.engine.fullTexts.pending() == [])
  }

  @Test("A feed can be set to fetch the full texts of its newest articles")
  func feedFetchesNewest() async throws {
    let (cache, feed) = try await TestCache.withFeed("blog")
    try await cache.merge(feed, (1...3).map { .dated($0, hours: Double($0)) })
    #expect(try cache.store.engine.fullTexts.pending() == [])
    try await cache.store.reader.feeds.edit(feed) { $0.options.fullText = true }
    #expect(try cache.store.reader.feeds.feed(feed)?.fetchesFullText == true)
    let items = (4...60).map { number -> ParsedItem in
      var item = ParsedItem.dated(number, hours: Double(number))
      item.url = number == 5 ? nil : "https://example.org/\(number)"
      return item
    }
    let added = try await cache.merge(feed, items).added
    let pending = try cache.store.engine.fullTexts.pending()
    #expect(pending.count == FullTextRows.mostAtOnce - 1)
    #expect(Set(pending.map(\.article)).isSubset(of: added.suffix(FullTextRows.mostAtOnce)))
    #expect(pending.allSatisfy { !$0.isWanted })
    // Requests of the user go first.
    let last = try #require(pending.last?.article)
    _ = try await cache.store.reader.fullTexts.turnFullText(last)
    #expect(try cache.store.engine.fullTexts.pending().first?.article == last)
  }

  @Test("A search finds the words of a full text") func searchFindsFullText() async throws {
    let id = try await article(in: cache)
    try await cache.index()
    func found(_ text: String) async throws -> Bool {
      let list = ArticleQuery(scope: .all)
      guard let hits = try await cache.store.search.hits(SearchQuery(text), in: list) else {
        return false
      }
      var query = list
      query.hits = hits
      return try cache.all(query).map(\.id) == [id]
    }
    #expect(try await found("teaser"))
    #expect(try await !found("heron"))
    _ = try await cache.store.reader.fullTexts.turnFullText(id)
    try await cache.store.engine.fullTexts.finishFullText(id, .found(MainContent(html: page)))
    try await cache.index()
    #expect(try await found("heron"))
  }

  @Test("The account's server is among the referrers of its articles' pages")
  func accounts() async throws {
    let bench = try await AccountBench()
    let article = try #require(try await bench.fill(1).first)
    _ = try await bench.store.reader.fullTexts.turnFullText(article)
    let referrers = try bench.store.engine.fullTexts.pending().map(\.referrers)
    #expect(
      referrers == [
        AddressReferrers(
          feed: "https://a.example/feed/1", list: "https://aggregator.example/api.php")
      ])
  }
}
