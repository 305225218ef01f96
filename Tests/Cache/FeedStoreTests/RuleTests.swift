import GRDB

@testable import ArticleStore
@testable import FeedStore

@Suite("Rules") struct RuleTests {
  private func item(_ number: Int, _ title: String, body: String = "<p>text</p>") -> ParsedItem {
    var item = ParsedItem.dated(number, hours: Double(number), title: title)
    item.contentHTML = body
    return item
  }

  private func titles(_ cache: TestCache, _ query: ArticleQuery = .init(scope: .all)) throws
    -> [String]
  {
    try cache.all(query).map(\.title)
  }

  private func ids(_ cache: TestCache, _ text: String) async throws -> [ArticleID] {
    let preview = try #require(
      try await cache.store.search.preview(SearchQuery(text), since: .distantPast))
    return preview.hits.ids
  }

  /// Every row that rules may change, and the counters.
  private func state(_ cache: TestCache) throws -> [String] {
    try cache.store.database.read { db in
      try [
        "articleStatus", "articleTag", "feedCounter", "totalCounter", "rule",
        "ruleHit", "fullText", "snooze",
      ].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { row in
          "\(table) \(row.map { "\($0)=\($1)" }.sorted())"
        }
      }
        + Row.fetchAll(db, sql: "SELECT accountID, item, key, want FROM outbox ORDER BY 1, 2, 3")
        .map { "outbox \($0)" }
    }
  }

  private func expectSame(_ now: [String], _ then: [String]) {
    let difference = Set(now).symmetricDifference(then).sorted()
    #expect(difference == [])
  }

  /// Compares the counters with a count of the rows.
  private func expectTrueCounters(_ cache: TestCache) throws {
    try cache.store.database.read { db in
      let wrong = try Row.fetchAll(
        db,
        sql: """
          SELECT c.feedID FROM feedCounter c WHERE (c.total, c.unread, c.starred) IS NOT
            (SELECT count(*), ifnull(sum(isRead = 0), 0), ifnull(sum(isStarred), 0)
             FROM articleStatus s WHERE s.feedID = c.feedID AND s.isHidden = 0)
          UNION ALL
          SELECT 0 FROM totalCounter c WHERE (c.total, c.unread, c.starred) IS NOT
            (SELECT ifnull(sum(duplicateOf IS NULL), 0),
               ifnull(sum(duplicateOf IS NULL AND isRead = 0), 0), ifnull(sum(isStarred), 0)
             FROM articleStatus s WHERE s.isHidden = 0)
          """)
      #expect(wrong.isEmpty, "counters differ: \(wrong)")
    }
  }

  // MARK: Arrivals

  @Test("Each action applies to arriving articles, and the counters follow")
  func actions() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    for (query, actions) in [
      ("title:/deals?/", [.hide]), ("title:sponsored", [.markRead]),
      ("title:swift", [.star, .tag("lang"), .highlight(2)]),
      ("title:long", [.fullText]),
    ] as [(String, [RuleAction])] {
      try await cache.rules.addRule(RuleDraft(query: query, actions: actions), reach: .arrivals)
    }
    try await cache.merge(
      feed,
      [
        item(1, "Ten Deals"), item(2, "Sponsored chair"), item(3, "Swift 7"),
        item(4, "A long read"), item(5, "Plain"),
      ])
    #expect(try titles(cache) == ["Sponsored chair", "Swift 7", "A long read", "Plain"])
    let rows = try cache.all(.init(scope: .all))
    #expect(rows.map(\.status.isRead) == [true, false, false, false])
    #expect(rows.map(\.status.isStarred) == [false, true, false, false])
    #expect(rows.map(\.highlight) == [0, 2, 0, 0])
    #expect(try cache.states.tags(of: [rows[1].id]) == ["lang"])
    #expect(try cache.fullTexts.fullText(rows[2].id)?.state == .waiting)
    #expect(try cache.counts() == ArticleCounts(total: 4, unread: 3, starred: 1))
    #expect(try cache.articles.hiddenByRules(in: .all, isAlone: true).count == 1)
    try expectTrueCounters(cache)
    var list = ArticleQuery.all
    list.showsHiddenByRules = true
    list.hits = try cache.articles.hiddenByRules(in: list, isAlone: true)
    #expect(try titles(cache, list) == ["Ten Deals"])
    list.hits = try cache.articles.hiddenByRules(in: list, isAlone: false)
    let all = try cache.all(list)
    #expect(all.map(\.title).first == "Ten Deals")
    #expect(all.map(\.isHiddenByRule) == [true, false, false, false, false])
  }

  @Test("A rule that stops prevents later rules from matching, and an expired rule does nothing")
  func order() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    try await cache.rules.addRule(
      RuleDraft(query: "keep", actions: [.highlight(1)], stops: true), reach: .arrivals)
    try await cache.rules.addRule(RuleDraft(query: "deal", actions: [.hide]), reach: .arrivals)
    try await cache.rules.addRule(
      RuleDraft(query: "plain", actions: [.hide], until: cache.clock.now - 1), reach: .arrivals)
    try await cache.rules.addRule(RuleDraft(query: "this", actions: [.star]), reach: .arrivals)
    try await cache.merge(feed, [item(1, "Keep this deal"), item(2, "deal"), item(3, "plain")])
    #expect(try titles(cache) == ["Keep this deal", "plain"])
    #expect(try cache.all(.init(scope: .all)).map(\.status.isStarred) == [false, false])
  }

  @Test("A changed article is evaluated again, but no rule acts on it twice")
  func oncePerRevision() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    let (rule, _) = try await cache.rules.addRule(
      RuleDraft(query: "deal", actions: [.hide]), reach: .arrivals)
    try await cache.rules.addRule(RuleDraft(query: "sold", actions: [.markRead]), reach: .arrivals)
    try await cache.merge(feed, [item(1, "A deal"), item(2, "Nothing")])
    let hidden = try #require(try await ids(cache, "is:unread").first)
    #expect(try titles(cache) == ["Nothing"])
    let deal = try cache.store.database.read { db in
      try Int64.fetchOne(db, sql: "SELECT id FROM article WHERE title = 'A deal'")
    }
    let dealID = ArticleID(rawValue: try #require(deal))
    #expect(hidden != dealID)
    // The user shows the article all the same.
    try await cache.store.database.write(.user) { db in
      _ = try Hiding.hide([dealID.rawValue], false, for: HiddenReason.rule, db)
    }
    try await cache.merge(feed, [item(1, "A deal, sold out"), item(2, "Now a deal")])
    #expect(try titles(cache) == ["A deal, sold out"])
    let row = try #require(try cache.articles.articleRow(dealID))
    #expect(row.status.isRead)
    #expect(try cache.rules.judgements(of: dealID).map(\.name) == ["deal", "sold"])
    #expect(try cache.rules.weeks(of: rule).map(\.articles) == [2])
    // An unchanged document is not evaluated again.
    try await cache.merge(feed, [item(1, "A deal, sold out"), item(2, "Now a deal")])
    #expect(try cache.rules.weeks(of: rule).map(\.articles) == [2])
    // With another condition, the rule may act once more.
    try await cache.rules.editRule(rule, RuleDraft(query: "sold", actions: [.hide]))
    try await cache.merge(feed, [item(1, "A deal, sold out!"), item(2, "Now a deal")])
    #expect(try titles(cache) == [])
    try expectTrueCounters(cache)
  }

  @Test("A broken rule is disabled with its reason, and the other rules still run")
  func broken() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    let (broken, _) = try await cache.rules.addRule(
      RuleDraft(query: "title:/deals(/", actions: [.hide]), reach: .arrivals)
    let (damaged, _) = try await cache.rules.addRule(
      RuleDraft(query: "plain", actions: [.hide]), reach: .arrivals)
    try await cache.rules.addRule(RuleDraft(query: "deal", actions: [.hide]), reach: .arrivals)
    #expect(try cache.rules.rule(broken).problem == .query)
    #expect(try !cache.rules.rule(broken).isEnabled)
    // A query that another version might have stored.
    try await cache.store.database.write(.user) { db in
      _ = try db.run("UPDATE rule SET query = 'is:purple' WHERE id = ?", [damaged.rawValue])
    }
    try await cache.merge(feed, [item(1, "deal"), item(2, "plain")])
    #expect(try titles(cache) == ["plain"])
    #expect(try cache.rules.rule(damaged).problem == .query)
    #expect(try !cache.rules.rule(damaged).isEnabled)
  }

  @Test("If a rule hides the first copy of a story, the copy in another feed is shown")
  func duplicates() async throws {
    let cache = try TestCache()
    let one = try await cache.feed("one")
    let two = try await cache.feed("two")
    try await cache.rules.addRule(
      RuleDraft(query: "feed:one story", actions: [.hide]), reach: .arrivals)
    var story = item(1, "The story")
    (story.id, story.url) = ("story", "https://story.example/1")
    try await cache.merge(two, [story], title: "Two")
    try await cache.merge(one, [story], title: "One")
    let rows = try cache.all(.init(scope: .all))
    #expect(rows.map(\.feed) == [two])
    #expect(try cache.all(.init(scope: .feed(one))).isEmpty)
    try expectTrueCounters(cache)
  }

  // MARK: The dry run, and undo

  @Test("A dry run counts starred and opened articles by feed") func preview() async throws {
    let (cache, feed) = try await TestCache.withFeed("verge")
    let other = try await cache.feed("other")
    try await cache.merge(
      feed, (1...12).map { item($0, $0 % 3 == 0 ? "deal \($0)" : "news \($0)") }, title: "Verge")
    try await cache.merge(other, [item(20, "deal 20")], title: "Other")
    let deals = try await ids(cache, "deal")
    try await cache.states.set(.starred, [deals[0]], true)
    try await cache.rules.noteOpened(deals[1])
    let preview = try #require(
      try await cache.store.search.preview(
        SearchQuery("deal"), since: cache.clock.now - 90 * 86_400))
    #expect(preview.matched == 5)
    #expect(preview.total == 13)
    #expect(preview.starred == 1)
    #expect(preview.opened == 1)
    #expect(preview.unread == 5)
    #expect(preview.feeds.map(\.name) == ["Verge", "Other"])
    #expect(preview.feeds.map(\.matched) == [4, 1])
    #expect(preview.feeds.map(\.total) == [12, 1])
    #expect(preview.overwhelmed.map(\.name) == ["Verge"])
    let first = try await cache.search.preview(SearchQuery("deal"), since: .distantPast, limit: 2)
    #expect(first?.matched == 2)
    #expect(first?.isPartial == true)
  }

  @Test(
    "Applying a rule to existing articles is one step that undo and redo restore exactly",
    arguments: 1...6)
  func undoIsIdentity(seed: UInt64) async throws {
    let cache = try TestCache()
    var random = SeededRandom(seed: seed)
    let account = try await cache.store.accounts.addAccount(
      kind: .googleReader, url: "https://reader.example", user: "jo", title: "Reader",
      passwordCommand: nil)
    var feeds: [FeedID] = []
    for name in ["one", "two"] { feeds.append(try await cache.feed(name)) }
    for (place, feed) in feeds.enumerated() {
      var items = (0..<40).map { item(place * 100 + $0, ["deal", "news"][$0 % 2] + " \($0)") }
      for index in items.indices where index % 8 == 0 {
        (items[index].id, items[index].url) = ("s\(index)", "https://story.example/\(index)")
      }
      try await cache.merge(feed, items, title: "Feed \(place)")
    }
    let second = feeds[1].rawValue
    // Half of the second feed's articles have names at a server.
    try await cache.store.database.write(.user) { db in
      _ = try db.run(
        """
        INSERT INTO remoteArticle (articleID, accountID, remoteID)
        SELECT id, ?, 'r' || id FROM article WHERE feedID = ? AND id % 2 = 0
        """, [account.rawValue, second])
    }
    let all = try cache.all(.init(scope: .all)).map(\.id)
    try await cache.states.set(
      .read,
      all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }, true)
    try await cache.states.set(
      .starred,
      all.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }, true)
    try await cache.states.changeTags(
      of: all.filter { _ in Bool.random(using: &random) }, adding: ["deals"], removing: [])
    let before = try state(cache)
    let actions: [RuleAction] = [
      .markRead, .star, .hide, .tag("Deals"), .tag("new"), .highlight(3), .snooze(hours: 5),
    ].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    let (_, changed) = try await cache.rules.addRule(
      RuleDraft(query: "deal", actions: actions.isEmpty ? [.hide] : actions),
      reach: .also(try await ids(cache, "deal")))
    #expect(changed > 0)
    let after = try state(cache)
    #expect(after != before)
    try expectTrueCounters(cache)
    #expect(try await cache.journal.undo()?.kind == .addRule)
    expectSame(try state(cache), before)
    try expectTrueCounters(cache)
    #expect(try await cache.journal.redo()?.kind == .addRule)
    expectSame(try state(cache), after)
    #expect(try await cache.journal.undo()?.kind == .addRule)
    expectSame(try state(cache), before)
  }

  @Test("Marks that rules set enter the outbox like those of keys") func outbox() async throws {
    let (cache, feed) = try await TestCache.withFeed("one")
    let account = try await cache.store.accounts.addAccount(
      kind: .googleReader, url: "https://reader.example", user: "jo", title: "Reader",
      passwordCommand: nil)
    try await cache.merge(feed, [item(1, "deal"), item(2, "news")])
    try await cache.store.database.write(.user) { db in
      _ = try db.run(
        "INSERT INTO remoteArticle SELECT id, ?, 'r' || id FROM article", [account.rawValue])
    }
    try await cache.rules.addRule(
      RuleDraft(query: "deal", actions: [.markRead, .star]),
      reach: .also(try await ids(cache, "deal")))
    let changes = try cache.accounts.outbox(of: account, limit: 10)
    #expect(changes.count == 2)
  }

  @Test("Counters equal a recount after thousands of random operations")
  func counters() async throws {
    let cache = try TestCache()
    var random = SeededRandom(seed: 7)
    var feeds: [FeedID] = []
    for name in ["one", "two", "three"] { feeds.append(try await cache.feed(name)) }
    for (query, actions) in [
      ("a", [.hide]), ("b", [.markRead, .star]), ("title:/[cd]/", [.highlight(1), .tag("x")]),
      ("feed:two e", [.hide, .markRead]), ("title:g", [.snooze(hours: 2)]),
    ] as [(String, [RuleAction])] {
      try await cache.rules.addRule(RuleDraft(query: query, actions: actions), reach: .arrivals)
    }
    var operations = 0
    var next = 0
    while operations < Soak.length(short: 2_000, long: 10_000) {
      let feed = feeds.randomElement(using: &random) ?? feeds[0]
      let items = (0..<Int.random(in: 1...40, using: &random)).map { _ -> ParsedItem in
        next += 1
        // Some items are known and have changed; some are stories of several feeds.
        let number = Int.random(in: max(0, next - 60)...next, using: &random)
        let letters = (0..<2).map { _ in "abcdefg".randomElement(using: &random) ?? "a" }
        var item = item(number, letters.map(String.init).joined(separator: " "))
        if number % 6 == 0 {
          (item.id, item.url) = ("s\(number)", "https://story.example/\(number)")
        }
        return item
      }
      try await cache.merge(feed, items)
      operations += items.count
      let some = try cache.all(.init(scope: .all)).map(\.id).filter { _ in
        Int.random(in: 0..<40, using: &random) == 0
      }
      switch Int.random(in: 0..<7, using: &random) {
      case 0: try await cache.states.set(.read, some, Bool.random(using: &random))
      case 1: try await cache.states.set(.starred, some, Bool.random(using: &random))
      case 2: try await cache.states.delete(Array(some.prefix(3)))
      case 3:
        try await cache.rules.addRule(
          RuleDraft(query: "fg", actions: [.hide]), reach: .also(Array(some)))
      case 4: _ = try await cache.journal.undo()
      case 5:
        cache.clock.now += 3_600
        _ = try await cache.store.engine.maintenance.maintenanceStep()
      default: _ = try await cache.journal.redo()
      }
      operations += some.count
    }
    try expectTrueCounters(cache)
  }
}
