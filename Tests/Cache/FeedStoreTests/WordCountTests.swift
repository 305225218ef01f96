@Suite("Words of articles") final class WordCountTests: FeedSuite {
  private static func item(_ words: Int) -> ParsedItem {
    var item = ParsedItem.dated(1)
    item.contentHTML = "<p>" + String(repeating: "word ", count: words) + "</p>"
    return item
  }

  private static func words(_ id: ArticleID, _ cache: TestCache) throws -> Int? {
    try cache.articles.articleRow(id)?.words
  }

  @Test("Words are counted when an article arrives or changes, of the summary if there is no text")
  func merge() async throws {
    var brief = ParsedItem.dated(2)
    (brief.contentHTML, brief.summary) = (nil, "Five words and 1 < 2.")
    let added = try await cache.merge(feed, [Self.item(500), brief]).added
    let counts = try added.map { try Self.words($0, cache) }
    #expect(Set(counts) == [500, 5])
    try await cache.merge(feed, [Self.item(700), brief])
    let changed = try added.map { try Self.words($0, cache) }
    #expect(Set(changed) == [700, 5])
  }

  @Test("The words of a full text replace those of the feed, also when the feed's text changes")
  func fullText() async throws {
    let id = try #require(try await cache.merge(feed, [Self.item(30)]).added.first)
    _ = try await cache.fullTexts.turnFullText(id)
    let page = "<p>" + String(repeating: "word ", count: 900) + "</p>"
    try await cache.store.engine.fullTexts.finishFullText(id, .found(MainContent(html: page)))
    #expect(try Self.words(id, cache) == 900)
    try await cache.merge(feed, [Self.item(40)])
    #expect(try Self.words(id, cache) == 900)
    _ = try await cache.fullTexts.turnFullText(id)
    try await cache.merge(feed, [Self.item(50)])
    #expect(try Self.words(id, cache) == 50)
  }

  @Test("A search for minutes uses the configured speed", arguments: [(240, 4), (480, 2)])
  func search(_ speed: Int, _ minutes: Int) async throws {
    var options = StoreOptions()
    options.wordsPerMinute = speed
    let directory = TestCache.freshDirectory()
    let store = try FeedStore.open(directory: directory, options: options)
    defer {
      store.close()
      try? FileManager.default.removeItem(atPath: directory)
    }
    let feed = try await store.reader.feeds.subscribe(
      url: "https://example.org/a", title: nil, folder: nil)
    _ = try await store.engine.fetches.merge([.parsed(feed, [Self.item(960)], at: Date())])
    #expect(store.reader.plan.minutes(ofWords: 960) == minutes)
    for (query, count) in [
      ("minutes:\(minutes)", 1), ("minutes:<\(minutes)", 0), ("minutes:>\(minutes - 1)", 1),
      ("-minutes:\(minutes)", 0), ("minutes:>\(minutes) OR is:unread", 1),
    ] {
      let hits = try await store.search.hits(try SearchQuery(query), in: .all)
      #expect(hits?.count == count, "\(query)")
    }
  }
}
