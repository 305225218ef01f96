import GRDB

@testable import FeedStore
@testable import SearchStore

@Suite("A search, a dry run and a merge agree on what a condition matches")
struct JudgementTests {
  private static let words = [
    "deal", "Deals", "sponsored", "swift", "sqlite", "東京", "café", "wal", "ahead", "log", "AI",
  ]

  private static func item(_ number: Int, _ random: inout SeededRandom) -> ParsedItem {
    func some(_ count: Int) -> String {
      (0..<count).compactMap { _ in words.randomElement(using: &random) }.joined(separator: " ")
    }
    var item = ParsedItem.dated(
      number, hours: Double.random(in: 0..<2_000, using: &random),
      title: some(Int.random(in: 1...4, using: &random)) + " \(number % 7)")
    let length = [0, 3, 40, 700].randomElement(using: &random) ?? 0
    item.contentHTML =
      "<p>" + some(length) + "</p>" + (number % 9 == 0 ? "<img src=\"x\" alt=\"\">" : "")
    item.authors = Bool.random(using: &random) ? [Author(name: some(1) + " Doe")] : []
    item.tags = Bool.random(using: &random) ? [some(2), "news"] : []
    item.language = [nil, "de", "de-AT", "en", "DEU"].randomElement(using: &random) ?? nil
    item.commentsURL = number % 5 == 0 ? "https://example.org/talk/\(number)" : nil
    item.imageURL = number % 11 == 0 ? "https://example.org/\(number).png" : nil
    if number % 4 == 0 {
      let type = ["audio/mpeg", "Video/MP4", "image/png", ""].randomElement(using: &random) ?? ""
      item.enclosures = [Enclosure(url: "https://example.org/\(number).bin", mimeType: type)]
    }
    return item
  }

  private static let queries = [
    "deal", "deal*", "\"sponsored swift\"", "-sqlite", "title:東京", "title:/deals?/", "author:café",
    "author:/^a/", "/wal (log|ahead)/", "swift OR /^sponsored/", "-/a/",
    "title:deal -title:/[3-5]$/",
    "has:audio", "has:video", "has:picture", "-has:picture", "has:discussion",
    "has:audio OR has:discussion", "minutes:0", "minutes:<2", "minutes:>=3 wal", "lang:de",
    "lang:en OR lang:DEU", "tag:news", "tag:kept", "tag:\"swift deal\"", "tag:weekly", "feed:one",
    "feed:example.org/f", "-feed:two", "in:daily", "in:news OR feed:three", "is:unread deal",
    "is:starred", "is:later", "-is:later deal", "is:duplicate", "-is:duplicate wal", "is:asleep",
    "-is:asleep deal",
    "before:30d", "after:7d", "after:2026-11-01 before:2026-11-20 -feed:one",
    "feed:one title:/^deal/ -has:audio minutes:<5 after:80d",
    "title:deal OR title:/swift/", "title:/log/ OR author:/Deal/", "author:doe title:wal",
    "title:swif*", "title:\"ahead deals\"", "title:東", "title:CAFE", "title:/x/", "author:\"a\"",
  ]

  private static let articlesPerFeed = Soak.length(short: 125, long: 1_250)

  /// Articles of four feeds, with copies, labels and states.
  private func library() async throws -> TestCache {
    let cache = try TestCache(maximumNewArticles: 10_000)
    var random = SeededRandom(seed: 22)
    let feeds = [
      try await cache.feed("f/one", folder: ["News", "Daily"]), try await cache.feed("f/two"),
      try await cache.feed("f/three", folder: ["News"]), try await cache.feed("four"),
    ]
    for (place, feed) in feeds.enumerated() {
      let numbers = place * Self.articlesPerFeed..<(place + 1) * Self.articlesPerFeed
      var items = numbers.map { Self.item($0, &random) }
      // The same stories in two feeds.
      for index in items.indices where place < 2 && index % 10 == 0 {
        items[index].id = "story-\(index)"
        items[index].url = "https://story.example/\(index)"
      }
      try await cache.merge(feed, items, title: ["One", "Two", "Three", "Four"][place])
    }
    try await cache.store.database.write(.user) { db in
      try db.execute(
        sql: """
          UPDATE feed SET tags = '["Weekly"]' WHERE title = 'Three';
          UPDATE feed SET language = 'de' WHERE title = 'Four';
          INSERT INTO articleTag (articleID, tag) SELECT id, 'Kept' FROM article WHERE id % 17 = 0;
          """)
    }
    let rows = try cache.all(ArticleQuery(scope: .all))
    try await cache.states.set(.read, rows.filter { $0.id.rawValue % 3 == 0 }.map(\.id), true)
    try await cache.states.set(.starred, rows.filter { $0.id.rawValue % 19 == 0 }.map(\.id), true)
    try await cache.states.set(.later, rows.filter { $0.id.rawValue % 23 == 0 }.map(\.id), true)
    try await cache.store.search.catchUpIndex(within: .seconds(600))
    return cache
  }

  /// Articles that each rule matches when all rules are evaluated together, as in a merge.
  private func matched(_ rules: [CompiledRule], _ cache: TestCache) throws -> [RuleID: Set<Int64>] {
    let options = cache.store.database.options
    let set = RuleSet(rules)
    return try cache.store.database.read { db in
      var matched: [RuleID: Set<Int64>] = [:]
      for feed in try Int64.fetchAll(db, sql: "SELECT id FROM feed") {
        guard let judgedFeed = try JudgedFeed.find(feed, db) else { continue }
        let rules = FeedRules(set, of: judgedFeed, now: options.now())
        let ids = try Int64.fetchAll(
          db, sql: "SELECT id FROM article WHERE feedID = ?", arguments: [feed])
        for article in try JudgedArticle.find(ids, of: judgedFeed, db, options.plainText) {
          for rule in rules.candidates(article.text) where try rule.matches(article) {
            matched[rule.rule.id, default: []].insert(article.columns.id)
          }
        }
      }
      return matched
    }
  }

  @Test("Searches, rules and dry runs match the same articles") func alike() async throws {
    let cache = try await library()
    let options = cache.store.database.options
    let rules = try Self.queries.enumerated().map { index, text in
      CompiledRule(
        Rule(
          id: RuleID(rawValue: Int64(index)), draft: RuleDraft(query: text, actions: [.markRead]),
          isEnabled: true, createdAt: cache.clock.now),
        revision: 1, try SearchQuery(text), now: options.now(), options: options)
    }
    let matched = try matched(rules, cache)
    for (text, rule) in zip(Self.queries, rules) {
      let query = try SearchQuery(text)
      let preview = try #require(try await cache.store.search.preview(query, since: .distantPast))
      #expect(!preview.isPartial)
      let judged = matched[rule.rule.id] ?? []
      #expect(preview.matched == judged.count, "\(text)")
      #expect(Set(preview.hits.ids.map(\.rawValue)) == judged, "\(text)")
      // A search shows each story once, unless its query names feeds or copies.
      var found: Set<Int64> = []
      var olderThan: ArticleID?
      repeat {
        let hits = try #require(
          try await cache.store.search.hits(
            query, in: .init(scope: .all), olderThan: olderThan, limit: .max))
        found.formUnion(hits.ids.map(\.rawValue))
        olderThan = hits.continuesBefore
      } while olderThan != nil
      #expect(found.isSubset(of: judged), "\(text)")
      let duplicates: Set<Int64> = try cache.store.database.read { db in
        Set(
          try Int64.fetchAll(
            db, sql: "SELECT articleID FROM articleStatus WHERE duplicateOf IS NOT NULL"))
      }
      #expect(judged.subtracting(duplicates).isSubset(of: found), "\(text)")

    }
  }
}
