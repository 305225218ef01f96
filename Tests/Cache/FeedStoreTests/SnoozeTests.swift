@testable import ArticleStore
@testable import CacheCore
@testable import FeedStore
@testable import WorkStore

@Suite("Snoozed articles and feeds") struct SnoozeTests {
  private let cache: TestCache
  private let reader: ReaderCache

  init() throws {
    cache = try TestCache()
    reader = cache.store.reader
  }

  private func item(_ number: Int, url: String? = nil) -> ParsedItem {
    var item = ParsedItem.dated(number, hours: Double(number), title: "Item \(number)")
    item.url = url ?? item.url
    return item
  }

  private func titles(_ query: ArticleQuery = .all) throws -> [String] {
    try cache.all(query).map(\.title)
  }

  private func id(_ title: String) throws -> ArticleID {
    try #require(try cache.all(.init(scope: .all)).first { $0.title == title }?.id)
  }

  private func pass(_ hours: Double) async throws {
    cache.clock.now += hours * 3_600
    try await reader.plan.endDueSnoozes()
  }

  /// Compares the counters with a recount, and the bits with the rows.
  private func expectTrueCounters() throws {
    try cache.store.database.read { db in
      let wrong: [Int64] = try db.values(
        """
        SELECT c.feedID FROM feedCounter c WHERE (c.total, c.unread) IS NOT
          (SELECT count(*), ifnull(sum(isRead = 0), 0)
           FROM articleStatus s WHERE s.feedID = c.feedID AND s.isHidden = 0)
        UNION ALL
        SELECT 0 FROM totalCounter c WHERE (c.total, c.unread) IS NOT
          (SELECT count(*), ifnull(sum(isRead = 0), 0)
           FROM articleStatus s WHERE s.isHidden = 0 AND s.duplicateOf IS NULL)
        UNION ALL
        SELECT articleID FROM articleStatus
          WHERE (isHidden & 8 <> 0) <> (articleID IN (SELECT articleID FROM snooze))
        """)
      #expect(wrong.isEmpty)
    }
  }

  // MARK: Articles

  @Test("A snoozed article is in no list or count, and wakes unread at the top")
  func wakes() async throws {
    let feed = try await cache.feed("f", folder: ["F"])
    let published = cache.clock.now - 5 * 3_600
    try await cache.merge(feed, (1...5).map { item($0) })
    let first = try id("Item 5")
    try await reader.states.set(.read, [first], true)
    let until = cache.clock.now + 3_600
    try await reader.plan.snooze([first], until: until)
    let folder = try #require(try reader.feeds.feed(feed)?.folder)
    for scope in [ArticleQuery.Scope.all, .exceptQuiet, .feed(feed), .folder(folder)] {
      #expect(try !titles(ArticleQuery(scope: scope)).contains("Item 5"))
    }
    #expect(try reader.feeds.feed(feed)?.counts == ArticleCounts(total: 4, unread: 4))
    #expect(try reader.plan.nextDueDate() == until)
    #expect(try reader.plan.snoozedItems().map(\.subject) == [.article(first)])
    try await pass(0.99)
    #expect(try titles().count == 4)
    try await pass(0.01)
    #expect(try titles() == ["Item 5", "Item 1", "Item 2", "Item 3", "Item 4"])
    let row = try #require(try reader.articles.articleRow(first))
    #expect(row.sortDate == until && !row.status.isRead && row.snoozedUntil == nil)
    let article = try #require(try reader.articles.article(first))
    #expect(article.date == published)
    #expect(try reader.plan.nextDueDate() == nil)
    try expectTrueCounters()
  }

  @Test("Undo restores a snoozed article before and after it wakes, and redo snoozes it again")
  func undo() async throws {
    let feed = try await cache.feed("f")
    try await cache.merge(feed, (1...3).map { item($0) })
    let third = try id("Item 3")
    try await reader.states.set(.read, [third], true)
    let before = try cache.all(.init(scope: .all))
    for isWoken in [false, true] {
      try await reader.plan.snooze([third], until: cache.clock.now + 3_600)
      if isWoken {
        try await pass(2)
        #expect(try titles().first == "Item 3")
      }
      #expect(try await reader.journal.undo()?.kind == .snooze)
      #expect(try cache.all(.init(scope: .all)) == before)
      #expect(try reader.plan.snoozedUntil(third) == nil)
      _ = try await reader.journal.redo()
      #expect(try titles().count == 2)
      _ = try await reader.journal.undo()
      #expect(try cache.all(.init(scope: .all)) == before)
      try expectTrueCounters()
    }
  }

  @Test("Another time replaces the first, and undo brings the first back")
  func change() async throws {
    let feed = try await cache.feed("f")
    try await cache.merge(feed, [item(1)])
    let article = try id("Item 1")
    let (early, late) = (cache.clock.now + 3_600, cache.clock.now + 7_200)
    try await reader.plan.snooze([article], until: early)
    try await reader.plan.snooze([article], until: late)
    #expect(try reader.plan.snoozedUntil(article) == late)
    _ = try await reader.journal.undo()
    #expect(try reader.plan.snoozedUntil(article) == early)
    #expect(try titles().isEmpty)
    _ = try await reader.journal.undo()
    #expect(try titles() == ["Item 1"])
  }

  @Test("A snooze that the user ends puts the article on top, and undo snoozes it again")
  func wakeByHand() async throws {
    let feed = try await cache.feed("f")
    try await cache.merge(feed, (1...2).map { item($0) })
    let second = try id("Item 2")
    let until = cache.clock.now + 86_400
    try await reader.plan.snooze([second], until: until)
    try await reader.plan.snooze([second], until: nil)
    #expect(try titles() == ["Item 2", "Item 1"])
    #expect(try await reader.journal.undo()?.kind == .wake)
    #expect(try titles() == ["Item 1"])
    #expect(try reader.plan.snoozedUntil(second) == until)
    try expectTrueCounters()
  }

  @Test("All duplicates of an article are snoozed together, and return together")
  func duplicates() async throws {
    for name in ["a", "b"] {
      try await cache.merge(try await cache.feed(name), [item(1, url: "https://story.example/1")])
    }
    #expect(try titles() == ["Item 1"])
    try await reader.plan.snooze([try id("Item 1")], until: cache.clock.now + 60)
    #expect(try titles().isEmpty)
    #expect(try reader.plan.snoozedItems().count == 1)
    try expectTrueCounters()
    try await pass(1)
    #expect(try titles() == ["Item 1"])
    #expect(try reader.articles.duplicates(of: try id("Item 1")).count == 1)
    try expectTrueCounters()
  }

  @Test("A clock that is set back wakes nothing twice") func clock() async throws {
    let feed = try await cache.feed("f")
    try await cache.merge(feed, (1...2).map { item($0) })
    let second = try id("Item 2")
    try await reader.plan.snooze([second], until: cache.clock.now + 3_600)
    try await pass(2)
    let woken = try #require(try reader.articles.articleRow(second)).sortDate
    try await reader.states.set(.read, [second], true)
    try await pass(-2)
    try await pass(1.5)
    let row = try #require(try reader.articles.articleRow(second))
    #expect(row.status.isRead && row.sortDate == woken)
  }

  @Test("Two processes wake an article once") func processes() async throws {
    let feed = try await cache.feed("f")
    try await cache.merge(feed, (1...50).map { item($0) })
    let ids = try cache.all(.init(scope: .all)).map(\.id)
    try await reader.plan.snooze(ids, until: cache.clock.now + 60)
    cache.clock.now += 60
    let other = try cache.another()
    defer { other.close() }
    let (one, two) = (reader.plan, other.reader.plan)
    async let first: Void = one.endDueSnoozes()
    async let second: Void = two.endDueSnoozes()
    _ = try await (first, second)
    let wakes = try cache.store.database.read { db in
      try db.value("SELECT count(*) FROM statusChange") ?? 0
    }
    #expect(wakes == 1)
    #expect(try titles().count == 50)
    try expectTrueCounters()
  }

  @Test("Articles that the user snoozed outlive their subscription; those of a rule do not")
  func unsubscribed() async throws {
    let feed = try await cache.feed("f")
    try await reader.rules.addRule(
      RuleDraft(query: "title:\"item 9\"", actions: [.snooze(hours: 1)]), reach: .arrivals)
    try await cache.merge(feed, (1...9).map { item($0) })
    try await reader.plan.snooze([try id("Item 3")], until: cache.clock.now + 3_600)
    try await reader.feeds.unsubscribe([feed])
    try await pass(24)
    #expect(try titles() == ["Item 3"])
    #expect(try titles(ArticleQuery(scope: .smart(.archived))) == ["Item 3"])
    cache.clock.now += 40 * 86_400
    while try await cache.store.engine.maintenance.maintenanceStep() {}
    #expect(try titles() == ["Item 3"])
  }

  @Test("Ten thousand snoozes end in steps, all of them") func many() async throws {
    let cache = try TestCache(maximumNewArticles: 10_000)
    let feed = try await cache.feed("f")
    try await cache.merge(feed, (1...10_000).map { item($0) })
    let ids = try cache.all(.init(scope: .all)).map(\.id)
    let plan = cache.plan
    try await plan.snooze(ids, until: cache.clock.now + 3_600)
    #expect(try cache.counts() == ArticleCounts())
    cache.clock.now += 3_600
    var steps: [Duration] = []
    while let next = try plan.nextDueDate(), next <= cache.clock.now {
      let began = ContinuousClock.now
      try await cache.store.database.change(.engine) { try Snoozing.endDueSnoozes($0) }
      steps.append(ContinuousClock.now - began)
    }
    #expect(steps.count == 10_000 / Snoozing.mostAtOnce)
    #expect(try cache.counts().unread == 10_000)
    print("woke 10,000 in \(steps.count) steps:", steps.map { "\($0)" }.joined(separator: " "))
  }

  // MARK: Feeds

  @Test("A sleeping feed is fetched and has its own list, but is in no mixed list")
  func feed() async throws {
    let (news, quiet) = (
      try await cache.feed("news", folder: ["F"]), try await cache.feed("quiet", folder: ["F"])
    )
    for feed in [news, quiet] { try await cache.merge(feed, [.dated(1)]) }
    let folder = try #require(try reader.feeds.feed(quiet)?.folder)
    let until = cache.clock.now + 3_600
    try await reader.plan.snooze(quiet, until: until)
    try await cache.merge(quiet, [.dated(1), .dated(2, hours: 1)])
    let mixed: [ArticleQuery.Scope] = [
      .exceptQuiet, .smart(.unread), .smart(.today), .folder(folder),
    ]
    for scope in mixed {
      #expect(Set(try cache.all(ArticleQuery(scope: scope)).map(\.feed)) == [news])
    }
    #expect(try cache.all(ArticleQuery(scope: .feed(quiet))).count == 2)
    #expect(try reader.feeds.feed(quiet)?.snoozedUntil == until)
    #expect(try reader.feeds.subscriptions().smartCounts[.unread] == 1)
    #expect(try reader.plan.snoozedItems().map(\.subject) == [.feed(quiet)])
    try await pass(1)
    for scope in mixed { #expect(try cache.all(ArticleQuery(scope: scope)).count == 3) }
    #expect(try reader.feeds.feed(quiet)?.snoozedUntil == nil)
    // It has woken: undo changes nothing more.
    #expect(try await reader.journal.undo()?.subject == "A feed")
    #expect(try reader.feeds.feed(quiet)?.snoozedUntil == nil)
    try await reader.plan.snooze(quiet, until: until + 7_200)
    _ = try await reader.journal.undo()
    #expect(try reader.feeds.feed(quiet)?.snoozedUntil == nil)
  }

  // MARK: Search

  @Test("Only a search for sleepers finds them") func search() async throws {
    let feed = try await cache.feed("f")
    try await cache.merge(feed, (1...4).map { item($0) })
    try await reader.plan.snooze([try id("Item 2")], until: cache.clock.now + 3_600)
    try await cache.index()
    for (text, expected) in [
      ("item", ["Item 1", "Item 3", "Item 4"]), ("is:asleep", ["Item 2"]),
      ("is:asleep title:2", ["Item 2"]), ("is:asleep title:3", []),
      ("-is:asleep item", ["Item 1", "Item 3", "Item 4"]),
      ("is:asleep OR is:read", ["Item 2"]),
    ] {
      var list = ArticleQuery.all
      list.hits = try await cache.store.search.hits(SearchQuery(text), in: list)
      #expect(try titles(list) == expected, "\(text)")
    }
  }
}
