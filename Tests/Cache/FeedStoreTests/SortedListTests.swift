@Suite("Lists in other orders than by date") struct SortedListTests {
  private struct Library {
    let cache: TestCache
    let titles: @Sendable (ArticleQuery) throws -> [String]
  }

  /// Two feeds; in each, the newest article comes first.
  private func library() async throws -> Library {
    let cache = try TestCache()
    func item(_ number: Int, _ title: String, author: String? = nil, words: Int = 1) -> ParsedItem {
      var item = ParsedItem.dated(number, hours: Double(number), title: title)
      item.authors = author.map { [Author(name: $0)] } ?? []
      item.contentHTML = "<p>" + String(repeating: "word ", count: words) + "</p>"
      return item
    }
    let first = try await cache.feed("first")
    let second = try await cache.feed("second")
    try await cache.merge(
      first,
      [
        item(1, "\u{201C}Zebras\u{201D}", author: "Bea", words: 9), item(3, "apples", words: 1),
        item(5, "Über uns", author: "ada", words: 5),
      ], title: "Wires")
    try await cache.merge(
      second, [item(2, "Upper", author: "Carl", words: 3), item(4, "Apples", words: 7)],
      title: "Alpha")
    return Library(cache: cache) { query in try cache.all(query).map(\.title) }
  }

  private func sorted(
    _ library: Library, _ order: ListOrder, filter: ArticleQuery.Filter = .all
  ) throws -> [String] {
    var query = ArticleQuery(scope: .all, filter: filter)
    query.hits = try library.cache.store.reader.articles.sorted(query, by: order)
    return try library.titles(query)
  }

  @Test("Each order sorts by its key, the newest first among equals") func orders() async throws {
    let library = try await library()
    #expect(
      try sorted(library, .title) == [
        "apples", "Apples", "Über uns", "Upper", "\u{201C}Zebras\u{201D}",
      ])
    #expect(
      try sorted(library, .author) == [
        "Über uns", "\u{201C}Zebras\u{201D}", "Upper", "apples", "Apples",
      ])
    #expect(
      try sorted(library, .feed) == [
        "Upper", "Apples", "\u{201C}Zebras\u{201D}", "apples", "Über uns",
      ])
    #expect(
      try sorted(library, .length) == [
        "apples", "Upper", "Über uns", "Apples", "\u{201C}Zebras\u{201D}",
      ])
    let rows = try library.cache.all(ArticleQuery(scope: .all))
    try await library.cache.store.reader.states.set(.read, [rows[0].id, rows[1].id], true)
    #expect(
      try sorted(library, .unreadFirst)
        == ["apples", "Apples", "Über uns", "\u{201C}Zebras\u{201D}", "Upper"])
    #expect(try sorted(library, .title, filter: .unread) == ["apples", "Apples", "Über uns"])
  }

  @Test("The length is that of the full text if the full text is shown")
  func fullText() async throws {
    let library = try await library()
    let store = library.cache.store
    let short = try #require(try library.cache.all(.all).first { $0.title == "apples" })
    _ = try await store.reader.fullTexts.turnFullText(short.id)
    try await store.engine.fullTexts.finishFullText(
      short.id,
      .found(MainContent(html: String(repeating: "<p>Text</p>", count: 100))))
    #expect(try sorted(library, .length).last == "apples")
  }

  @Test("A long list sorts only its newest articles, but includes all unread ones")
  func cut() async throws {
    let library = try await library()
    let store = library.cache.store.reader
    let rows = try library.cache.all(ArticleQuery(scope: .all))
    try await store.states.set(.read, rows.prefix(3).map(\.id), true)
    var query = ArticleQuery(scope: .all)
    let hits = try store.articles.sorted(query, by: .title, atMost: 2)
    #expect(hits.continuesBefore != nil && hits.count == 2 && hits.isWholeList)
    query.hits = hits
    #expect(try library.titles(query) == ["Upper", "\u{201C}Zebras\u{201D}"])
    query.hits = nil
    query.hits = try store.articles.sorted(query, by: .unreadFirst, atMost: 2)
    #expect(try library.titles(query) == ["Apples", "Über uns"])
    #expect(try store.articles.sorted(ArticleQuery(scope: .all), by: .title).continuesBefore == nil)
  }

  @Test("Numbers in titles are sorted by their value") func numbers() async throws {
    let (cache, feed) = try await TestCache.withFeed("show")
    let titles = ["#10: Ten", "#9: Nine", "#100", "#9.5"]
    try await cache.merge(
      feed, titles.enumerated().map { .dated($0, hours: Double($0), title: $1) })
    var query = ArticleQuery(scope: .all)
    query.hits = try cache.store.reader.articles.sorted(query, by: .title)
    #expect(try cache.all(query).map(\.title) == ["#9.5", "#9: Nine", "#10: Ten", "#100"])
  }

  @Test("Arrivals are counted for a sorted list without changing it") func arrivals() async throws {
    let library = try await library()
    let store = library.cache.store.reader
    var query = ArticleQuery(scope: .all, asOf: try store.articles.latestArticleID())
    query.hits = try store.articles.sorted(query, by: .title)
    let before = try library.titles(query)
    let feed = try #require(try store.feeds.subscriptions().feeds.first?.id)
    try await library.cache.merge(feed, [.dated(9, title: "Aardvarks")])
    #expect(try store.articles.arrivals(query) == 1)
    #expect(try library.titles(query) == before)
    var narrowed = query
    narrowed.hits = try await library.cache.store.search.hits(holding: "apples", in: query)
    #expect(try store.articles.arrivals(narrowed) == 0)
    narrowed.hits = try store.articles.sorted(narrowed, by: .length)
    #expect(try store.articles.arrivals(narrowed) == 0)
    #expect(try library.titles(narrowed) == ["apples", "Apples"])
  }

  @Test("Pages of a sorted list join without gaps, from both ends") func pages() async throws {
    let library = try await library()
    let store = library.cache.store.reader
    var query = ArticleQuery(scope: .all)
    query.hits = try store.articles.sorted(query, by: .title)
    let all = try library.cache.all(query)
    for row in all {
      let before = try store.articles.page(query, .before(row.key), limit: 10)
      let from = try store.articles.page(query, .from(row.key), limit: 10)
      #expect(before + from == all)
    }
    #expect(try store.articles.page(query, .bottom, limit: 2) == Array(all.suffix(2)))
  }

  @Test("The first words come from the summary, or from the text if there is none")
  func summaries() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    var (described, plain, empty) = (ParsedItem.dated(1), ParsedItem.dated(2), ParsedItem.dated(3))
    described.summary = "<b>In</b>\n short"
    plain.contentHTML =
      "<h2>Title</h2><p>Some   text</p>" + String(repeating: "<p>more</p>", count: 999)
    empty.contentHTML = ""
    try await cache.merge(feed, [described, plain, empty])
    let rows = try cache.all(ArticleQuery(scope: .all))
    let found = try cache.store.reader.articles.summaries(of: rows.map(\.id))
    #expect(found[rows[0].id] == "In short")
    #expect(found[rows[1].id]?.hasPrefix("Title Some text more") == true)
    #expect(found[rows[1].id]?.count == 400)
    #expect(found[rows[2].id] == nil)
  }
}
