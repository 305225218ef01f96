/// Feeds that change the ids or the texts of their items.
@Suite("Changed ids and texts") final class ChangedItemTests: FeedSuite {
  private func fetch(_ number: Int, items: Range<Int>, dated: Bool = true) -> [ParsedItem] {
    items.map { index in
      var item = ParsedItem.dated(index, hours: Double(index))
      item.id = "fetch-\(number)-\(index)"
      if !dated { item.datePublished = nil }
      return item
    }
  }

  @Test("New ids at each fetch do not make known items new", arguments: [true, false])
  func newIDsAreNotNew(dated: Bool) async throws {
    let ids = try await cache.merge(feed, fetch(0, items: 0..<30, dated: dated)).added
    try await cache.store.reader.states.set(.read, Array(ids.prefix(10)), true)
    let before = try cache.all(ArticleQuery(scope: .all))
    for number in 1..<6 {
      cache.clock.now += 3_600
      let outcome = try await cache.merge(feed, fetch(number, items: 0..<30, dated: dated))
      #expect(outcome.added.isEmpty)
    }
    #expect(try cache.all(ArticleQuery(scope: .all)) == before)
    // New items are still added, and changed ones updated.
    var next = fetch(9, items: 0..<31, dated: dated)
    next[4].contentHTML = "<p>Other words</p>"
    let outcome = try await cache.merge(feed, next)
    #expect(outcome.added.count == 1)
    #expect(outcome.updated == 1)
  }

  @Test("Deleted items do not return under new ids") func deletedUnderNewIDs() async throws {
    let ids = try await cache.merge(feed, fetch(0, items: 0..<20)).added
    try await cache.store.reader.states.delete([ids[3]])
    var again = fetch(1, items: 0..<20)
    for index in again.indices { again[index].contentHTML? += "<p>\(cache.clock.now)</p>" }
    #expect(try await cache.merge(feed, again).added.isEmpty)
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 19)
    // The deletion becomes permanent, and the items are still recognized.
    cache.clock.now += 31 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try await cache.merge(feed, fetch(2, items: 0..<20)).added.isEmpty)
  }

  @Test("A daily item with the same address and title is new each day")
  func dailyItemIsNewEachDay() async throws {
    for day in 0..<5 {
      cache.clock.now = TestCache.start + Double(day) * 86_400
      let comic = ParsedItem(
        id: "day-\(day)", url: "https://example.org/comic", title: "Comic of the day",
        contentHTML: "<img src=https://example.org/\(day).png>", datePublished: cache.clock.now)
      #expect(try await cache.merge(feed, [comic]).added.count == 1)
    }
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 5)
  }

  /// An item without an id is identified by its address, or by address and title if another item
  /// has the same address (`ItemList` of FeedParsing).
  private func item(id: String, title: String, hours: Double) -> ParsedItem {
    ParsedItem(
      id: id, url: "https://example.org/notes", title: title, contentHTML: "<p>\(title)</p>",
      datePublished: TestCache.start - hours * 3_600)
  }

  @Test("An article keeps its state when its item's identity changes to address and title")
  func identityGains() async throws {
    let first = try await cache.merge(
      feed, [item(id: "https://example.org/notes", title: "One", hours: 9)]
    ).added
    try await cache.store.reader.states.set(.read, first, true)
    try await cache.store.reader.states.set(.starred, first, true)
    let outcome = try await cache.merge(
      feed,
      [
        item(id: "digest-two", title: "Two", hours: 1),
        item(id: "digest-one", title: "One", hours: 9),
      ])
    #expect(outcome.added.count == 1)
    let rows = try cache.all(ArticleQuery(scope: .feed(feed)))
    #expect(rows.map(\.title) == ["Two", "One"])
    #expect(rows.map(\.id).contains(first[0]))
    #expect(rows[1].status == ArticleStatus(isRead: true, isStarred: true))
  }

  @Test("An article keeps its state when its item's identity changes back to the address alone")
  func identityLoses() async throws {
    try await cache.merge(
      feed,
      [
        item(id: "digest-two", title: "Two", hours: 1),
        item(id: "digest-one", title: "One", hours: 9),
      ])
    let rows = try cache.all(ArticleQuery(scope: .feed(feed)))
    try await cache.store.reader.states.set(.read, [rows[0].id], true)
    // The document lists only the newer one.
    let alone = item(id: "https://example.org/notes", title: "Two", hours: 1)
    #expect(try await cache.merge(feed, [alone]).added.isEmpty)
    #expect(try await cache.merge(feed, [alone]).added.isEmpty)
    let after = try cache.all(ArticleQuery(scope: .feed(feed)))
    #expect(after.map(\.id) == rows.map(\.id))
    #expect(after[0].status.isRead)
  }

  @Test("An item identified by its page in a truncated document is not added again later")
  func cutDocument() async throws {
    var whole = fetch(0, items: 0..<3, dated: false)
    for index in whole.indices { whole[index].url = "https://a.example/page" }
    var cut = whole[0]
    // An item that shares its page with another item gets a longer identity.
    cut.id = "https://a.example/page"
    let ids = try await cache.merge(feed, [cut]).added
    try await cache.store.reader.states.set(.starred, ids, true)
    #expect(try await cache.merge(feed, whole).added.count == 2)
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 3)
    #expect(try cache.all(ArticleQuery(scope: .all, filter: .starred)).map(\.id) == ids)
  }

  @Test("An item that is listed under two ids stays two articles")
  func twoIDsAreTwoArticles() async throws {
    var duplicate = ParsedItem.dated(1)
    duplicate.id = "twin"
    try await cache.merge(feed, [.dated(1), duplicate])
    #expect(try await cache.merge(feed, [.dated(1), duplicate]).added.isEmpty)
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 2)
  }

  // MARK: Revisions

  @Test("The last five texts of a changed article are kept until it is deleted")
  func lastFiveTextsAreStored() async throws {
    var item = ParsedItem.dated(1)
    let id = try await cache.merge(feed, [item]).added[0]
    #expect(try cache.store.reader.articles.revisions(of: id).isEmpty)
    // Changes of markup and tags do not change the text.
    item.contentHTML = "<p><b>Body</b>  of\n1</p>"
    item.tags = ["t"]
    #expect(try await cache.merge(feed, [item]).updated == 1)
    #expect(try cache.store.reader.articles.revisions(of: id).isEmpty)
    for number in 0..<8 {
      cache.clock.now += 60
      item.contentHTML = "<p>Version \(number)</p>"
      try await cache.merge(feed, [item])
    }
    let revisions = try cache.store.reader.articles.revisions(of: id)
    #expect(revisions.map(\.bodyHTML) == (2..<7).reversed().map { "<p>Version \($0)</p>" })
    #expect(revisions[0].replacedAt == cache.clock.now)
    item.title = "Another title"
    try await cache.merge(feed, [item])
    #expect(try cache.store.reader.articles.revisions(of: id)[0].title == "Article 1")
    try await cache.store.reader.states.delete([id])
    cache.clock.now += 31 * 86_400
    try await cache.store.maintenance.tidy()
    #expect(try cache.store.reader.articles.revisions(of: id).isEmpty)
  }
}
