@Suite("Merging refreshes") final class MergeTests: FeedSuite {
  @Test("A stored text is cut at 4 MiB, which bounds the reading of an article")
  func longText() async throws {
    var item = ParsedItem.dated(1)
    item.contentHTML = String(repeating: "ab ", count: 2_000_000)
    let id = try await cache.merge(feed, [item]).added[0]
    #expect(try cache.store.reader.articles.article(id)?.bodyHTML.utf8.count == 4 << 20)
  }

  @Test("Merging the same document twice changes nothing") func mergeIsIdempotent() async throws {
    let items = (0..<40).map { ParsedItem.dated($0, hours: Double($0)) }
    let first = try await cache.merge(feed, items)
    #expect(first.added.count == 40)
    let before = try cache.all(ArticleQuery(scope: .all))

    cache.clock.now += 3_600
    let second = try await cache.merge(feed, items)
    #expect(second == MergeOutcome(feed: feed))
    #expect(try cache.all(ArticleQuery(scope: .all)) == before)
    #expect(try cache.counts() == ArticleCounts(total: 40, unread: 40))
  }

  @Test("A merge past its time limit writes only its first result") func timeIsOver() async throws {
    let cache = try TestCache()
    var results: [RefreshResult] = []
    for name in ["a", "b", "c"] {
      let feed = try await cache.feed(name)
      results.append(.parsed(feed, [.dated(1)], at: cache.clock.now))
    }
    let outcomes = try await cache.store.engine.fetches.merge(results, within: .zero)
    #expect(outcomes.map(\.feed) == [results[0].feed])
    #expect(try cache.counts().total == 1)
    #expect(try await cache.store.engine.fetches.merge(results).map(\.added.count) == [0, 1, 1])
  }

  @Test("An item without a publication date has its modification date, at most tomorrow")
  func modificationDateIsUsed() async throws {
    var item = ParsedItem.dated(1)
    item.datePublished = nil
    item.dateModified = TestCache.start - 10 * 86_400
    var future = ParsedItem.dated(2)
    future.datePublished = nil
    future.dateModified = TestCache.start + 10 * 86_400
    try await cache.merge(feed, [item, future])
    #expect(
      try cache.all(ArticleQuery(scope: .all)).map(\.sortDate)
        == [TestCache.start + 86_400, TestCache.start - 10 * 86_400])
  }

  @Test("A merge keeps articles read and starred when their text changes")
  func mergeKeepsReadAndStar() async throws {
    let added = try await cache.merge(feed, [.dated(1), .dated(2)]).added
    try await cache.store.reader.states.set(.read, added, true)
    try await cache.store.reader.states.set(.starred, [added[0]], true)

    var changed = ParsedItem.dated(1, title: "Another title")
    changed.contentHTML = "<p>Rewritten</p>"
    let outcome = try await cache.merge(feed, [changed, .dated(2)])
    #expect(outcome == MergeOutcome(feed: feed, updated: 1))

    let rows = try cache.all(ArticleQuery(scope: .feed(feed)))
    #expect(rows.allSatisfy { $0.status.isRead })
    #expect(rows.filter(\.status.isStarred).map(\.id) == [added[0]])
    let article = try #require(
      try cache.store.reader.articles.article(
        rows.first { $0.title == "Another title" }?.id ?? added[0]))
    #expect(article.bodyHTML == "<p>Rewritten</p>")
    #expect(try cache.counts() == ArticleCounts(total: 2, unread: 0, starred: 1))
  }

  @Test("Articles that a feed no longer lists are kept") func unlistedArticlesStay() async throws {
    try await cache.merge(feed, [.dated(1), .dated(2)])
    try await cache.merge(feed, [.dated(3)])
    try await cache.merge(feed, [])
    #expect(try cache.counts().total == 3)
  }

  @Test("The same id in two feeds makes two articles") func idInTwoFeeds() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    try await cache.merge(a, [.dated(1)])
    try await cache.merge(b, [.dated(1)])
    #expect(try cache.counts().total == 2)
  }

  @Test("An item that occurs twice in a document makes one article")
  func repeatedIdIsOneArticle() async throws {
    let outcome = try await cache.merge(
      feed, [.dated(1, title: "First"), .dated(1, title: "First"), .dated(2)])
    #expect(outcome.added.count == 2)
    #expect(try cache.all(.all).map(\.title).sorted() == ["Article 2", "First"])
  }

  @Test("A fetch adds only the newest items up to its limit")
  func newestWithinTheLimit() async throws {
    let cache = try TestCache(maximumNewArticles: 10)
    let feed = try await cache.feed("a")
    // Oldest first, as in some feeds.
    let items = (0..<50).reversed().map { ParsedItem.dated($0, hours: Double($0)) }
    let outcome = try await cache.merge(feed, items)
    #expect(outcome.added.count == 10)
    #expect(try cache.all(.all).map(\.title) == (0..<10).map { "Article \($0)" })
  }

  @Test("Undated items keep the order of their document")
  func undatedItemsStayInOrder() async throws {
    let titles = ["One", "Two", "Three"]
    try await cache.merge(feed, titles.map { ParsedItem(id: $0, title: $0) })
    #expect(try cache.all(ArticleQuery(scope: .all)).map(\.title) == titles)
    cache.clock.now += 60
    try await cache.merge(feed, (["Zero"] + titles).map { ParsedItem(id: $0, title: $0) })
    #expect(try cache.all(ArticleQuery(scope: .all)).map(\.title) == ["Zero"] + titles)
  }

  @Test("Items without dates follow those of the last day when a feed is read first")
  func undatedItems() async throws {
    var (first, second) = (ParsedItem.dated(1), ParsedItem.dated(2))
    (first.datePublished, second.datePublished) = (nil, nil)
    try await cache.merge(feed, [first, .dated(3, hours: 20), .dated(4, hours: 30)])
    try await cache.merge(feed, [second, first])
    #expect(try cache.all(.all).map(\.title) == [2, 3, 1, 4].map { "Article \($0)" })
  }

  @Test("A date in the future is sorted as tomorrow") func futureDateIsTomorrow() async throws {
    let item = ParsedItem(
      id: "x", title: "2099", datePublished: Date(timeIntervalSince1970: 4_070_908_800))
    try await cache.merge(feed, [item])
    let row = try #require(try cache.all(ArticleQuery(scope: .all)).first)
    #expect(row.sortDate == TestCache.start + 86_400)
    #expect(try cache.store.reader.articles.article(row.id)?.publishedAt == item.datePublished)
  }

  @Test(
    "A title is never empty",
    arguments: [
      (ParsedItem(id: "1", title: "Plain"), "Plain"),
      (ParsedItem(id: "1", title: "  ", contentText: "Some words\nhere"), "Some words here"),
      (ParsedItem(id: "1", contentHTML: "<p>A &amp; B</p><p>&#8364;5</p>"), "A & B €5"),
      (ParsedItem(id: "1", contentHTML: "<img src=\"x\">", summary: "Sum"), "Sum"),
      (ParsedItem(id: "1", url: "https://e.org/1"), "https://e.org/1"),
      (ParsedItem(id: "only-id"), "only-id"),
      (ParsedItem(id: "\u{1B}]0;x\u{7}\u{9B}1m\u{202E}id"), "]0;x›1mid"),
      (
        ParsedItem(id: "1", contentText: String(repeating: "word ", count: 50)),
        String(repeating: "word ", count: 20).dropLast() + "…"
      ),
    ])
  func aTitleIsNeverEmpty(_ item: ParsedItem, _ title: String) async throws {
    let cache = try TestCache()
    try await cache.merge(try await cache.feed("a"), [item])
    #expect(try cache.all(ArticleQuery(scope: .all)).map(\.title) == [title])
  }

  @Test("Oversized fields are cut between characters or dropped")
  func oversizedFieldsAreCut() async throws {
    let item = ParsedItem(
      id: String(repeating: "g", count: 1_000_000),
      url: "https://example.org/" + String(repeating: "u", count: 100_000),
      title: String(repeating: "é", count: 500_000),
      tags: (0..<10_000).map { "tag \($0)" },
      enclosures: (0..<1_000).map { Enclosure(url: "https://e.org/\($0)", mimeType: "audio/mpeg") })
    try await cache.merge(feed, [item])
    try await cache.merge(feed, [item])
    let row = try #require(try cache.all(ArticleQuery(scope: .all)).first)
    #expect(row.title == String(repeating: "é", count: 1_000))
    #expect(row.url == nil)
    let article = try #require(try cache.store.reader.articles.article(row.id))
    #expect(article.tags.count == 64)
    #expect(article.enclosures.count == 64)
    #expect(try cache.counts().total == 1)
  }

  @Test("Every field of an article is read back unchanged")
  func everyFieldIsReadBack() async throws {
    let item = ParsedItem(
      id: "full", url: "https://e.org/1", externalURL: "https://other.org/", title: "T",
      contentHTML: "<p>x</p>", summary: "S", imageURL: "https://e.org/i.png",
      datePublished: TestCache.start - 10, dateModified: TestCache.start - 5,
      authors: [Author(name: "Ann \"A\" \\", url: "https://ann.org"), Author(name: "Bob")],
      tags: ["a", "日本"],
      enclosures: [
        Enclosure(
          url: "https://e.org/a.mp3", mimeType: "audio/mpeg", title: "Ep", size: 12, duration: 3.5)
      ], language: "en", commentsURL: "https://e.org/c")
    let id = try await cache.merge(feed, [item], title: "Feed title").added[0]
    let article = try #require(try cache.store.reader.articles.article(id))
    #expect(article.authors == item.authors)
    let labels = try cache.store.reader.states.labels(of: [id])[id]
    #expect(labels?.authors == ["Ann \"A\" \\", "Bob"] && labels?.tags == [])
    #expect(article.tags == item.tags)
    #expect(article.enclosures == item.enclosures)
    #expect(article.publishedAt == item.datePublished)
    #expect(article.updatedAt == item.dateModified)
    #expect(article.firstSeenAt == TestCache.start)
    #expect(article.bodyHTML == "<p>x</p>")
    #expect(article.summary == "S")
    #expect(article.externalURL == item.externalURL)
    #expect(article.commentsURL == item.commentsURL)
    #expect(article.imageURL == item.imageURL)
    #expect(article.language == "en")
    #expect(article.row.hasEnclosure)
    #expect(article.row.feedName == "Feed title")
  }

  @Test("Plain text becomes escaped paragraphs") func plainTextIsEscaped() async throws {
    let id = try await cache.merge(
      feed, [ParsedItem(id: "1", title: "T", contentText: "a < b\nnext\n\nnew & last\n")]
    ).added[0]
    #expect(
      try cache.store.reader.articles.article(id)?.bodyHTML
        == "<p>a &lt; b<br>next</p><p>new &amp; last</p>"
    )
  }

  @Test("A feed has its document's title unless the user has renamed it")
  func usersTitleWins() async throws {
    #expect(try cache.store.reader.feeds.feed(feed)?.name == "https://example.org/a")
    try await cache.merge(feed, [.dated(1)], title: "Its own")
    #expect(try cache.store.reader.feeds.feed(feed)?.name == "Its own")
    try await cache.store.reader.feeds.rename(feed, to: "Mine")
    try await cache.merge(feed, [.dated(1)], title: "Newer")
    #expect(try cache.store.reader.feeds.feed(feed)?.name == "Mine")
    try await cache.store.reader.feeds.rename(feed, to: " ")
    #expect(try cache.store.reader.feeds.feed(feed)?.name == "Newer")
  }

  @Test("Failures are counted until a success clears them")
  func failuresCountAndClear() async throws {
    for _ in 0..<3 {
      _ = try await cache.store.engine.fetches.merge([
        RefreshResult(
          feed: feed, at: cache.clock.now, outcome: .failed(.httpStatus, status: 503, detail: "h"),
          nextCheckAt: cache.clock.now + 60, nextCheckReasons: [.failed(2)])
      ])
      cache.clock.now += 60
    }
    let state = try #require(try cache.store.reader.feeds.feed(feed)?.state)
    #expect(
      state.failure
        == RefreshFailure(
          kind: .httpStatus, status: 503, detail: "h", since: TestCache.start, count: 3))
    #expect(state.nextCheckReasons == [.failed(2)])
    _ = try await cache.store.engine.fetches.merge([
      RefreshResult(feed: feed, at: cache.clock.now, outcome: .unchanged)
    ])
    let healed = try #require(try cache.store.reader.feeds.feed(feed)?.state)
    #expect(healed.failure == nil)
    #expect(healed.succeededAt == cache.clock.now)
  }

  @Test("Validators are stored byte for byte") func validatorsAreExact() async throws {
    var result = RefreshResult.parsed(feed, [], at: cache.clock.now, hash: "abc")
    result.validators = ("W/\"x  y\"", "Sat, 21 Nov 2026 09:00:00 GMT", "https://example.org/a")
    _ = try await cache.store.engine.fetches.merge([result])
    let record = try #require(try cache.store.engine.fetches.fetchRecord(feed))
    #expect(record.etag == "W/\"x  y\"")
    #expect(record.lastModified == "Sat, 21 Nov 2026 09:00:00 GMT")
    #expect(record.validatorsURL == "https://example.org/a")
    #expect(record.bodyHash == "abc")
    #expect(record.hasBeenFetched)

    _ = try await cache.store.engine.fetches.merge([
      RefreshResult(feed: feed, at: cache.clock.now, outcome: .unchanged)
    ])
    #expect(try cache.store.engine.fetches.fetchRecord(feed)?.etag == "W/\"x  y\"")
    var failed = RefreshResult(
      feed: feed, at: cache.clock.now, outcome: .failed(.empty, status: 200, detail: nil))
    failed.dropsValidators = true
    _ = try await cache.store.engine.fetches.merge([failed])
    #expect(try cache.store.engine.fetches.fetchRecord(feed)?.etag == nil)
  }

  @Test("A confirmed move changes the address, unless another feed has it")
  func confirmedMoveIsApplied() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    try await cache.merge(a, [.dated(1)])
    var result = RefreshResult(feed: a, at: cache.clock.now, outcome: .unchanged)
    result.newURL = "https://example.org/c"
    _ = try await cache.store.engine.fetches.merge([result])
    #expect(try cache.store.reader.feeds.feed(a)?.url == "https://example.org/c")
    #expect(try cache.store.reader.feeds.feed(a)?.counts.total == 1)
    result.newURL = try #require(try cache.store.reader.feeds.feed(b)).url
    _ = try await cache.store.engine.fetches.merge([result])
    #expect(try cache.store.reader.feeds.feed(a)?.url == "https://example.org/c")
  }

  @Test("A move to the address of another feed is stored until that address is free")
  func blockedMoveIsStored() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let now = cache.clock.now
    var result = RefreshResult(feed: a, at: now, outcome: .unchanged)
    result.newURL = try #require(try cache.store.reader.feeds.feed(b)).url
    result.moved = ("https://example.org/b", now - 90_000)
    _ = try await cache.store.engine.fetches.merge([result])
    #expect(try cache.store.reader.feeds.feed(a)?.url == "https://example.org/a")
    #expect(try cache.store.engine.fetches.fetchRecord(a)?.movedTo == "https://example.org/b")
    #expect(try cache.store.engine.fetches.fetchRecord(a)?.movedSince == now - 90_000)
    // When the move succeeds, its record is cleared.
    try await cache.store.reader.feeds.unsubscribe([b])
    _ = try await cache.store.engine.fetches.merge([result])
    #expect(try cache.store.reader.feeds.feed(a)?.url == "https://example.org/b")
    #expect(try cache.store.engine.fetches.fetchRecord(a)?.movedTo == nil)
  }

  @Test("The items of a truncated document are stored, and the refresh counts as failed")
  func truncatedItemsAreStored() async throws {
    var whole = RefreshResult.parsed(
      feed, [.dated(1), .dated(2)], title: "Whole", at: cache.clock.now, hash: "abc")
    whole.validators = ("\"x\"", nil, "https://example.org/a")
    _ = try await cache.store.engine.fetches.merge([whole])
    let id = try await cache.store.reader.requests.requestRefresh(.feed(feed)).id
    var half = RefreshResult(
      feed: feed, at: cache.clock.now, outcome: .failed(.truncated, status: nil, detail: "half"))
    half.partial = ParsedFeed(format: .rss, items: [.dated(3)])
    let outcome = try await cache.store.engine.fetches.merge([half])[0]
    #expect(outcome.added.count == 1)
    #expect(try cache.counts().total == 3)
    #expect(try cache.store.reader.feeds.feed(feed)?.name == "Whole")
    let record = try #require(try cache.store.engine.fetches.fetchRecord(feed))
    #expect(record.failure?.kind == .truncated)
    #expect(record.etag == "\"x\"")
    #expect(record.bodyHash == "abc")
    let request = try #require(try cache.store.reader.requests.refreshRequest(id))
    #expect((request.failed, request.newArticles) == (1, 1))
  }

  @Test("Results for an unsubscribed or unknown feed are ignored")
  func unsubscribedIsIgnored() async throws {
    try await cache.store.reader.feeds.unsubscribe([feed])
    #expect(try await cache.merge(feed, [.dated(1)]) == MergeOutcome(feed: feed))
    let nobody = FeedID(rawValue: 999)
    #expect(try await cache.merge(nobody, [.dated(1)]) == MergeOutcome(feed: nobody))
  }
}
