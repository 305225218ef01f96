import GRDB

@testable import ArticleStore
@testable import CacheCore
@testable import FeedStore

/// The plans of the public reads in a cache without statistics: SQLite scans no table that grows
/// with the articles, and sorts no list for which an index has the order.
@Suite("Query plans") struct QueryPlanTests {
  /// Tables with at least one row for each article.
  private static let large: Set<String> = [
    "article", "articleBody", "articleStatus", "enclosure", "articleTag", "articleRevision",
    "remoteArticle", "tombstone", "readingPosition", "searchDocument", "searchStale",
    "ruleHit", "articleNote", "fullText", "playback", "snooze", "packArticle", "packItem",
    "download", "picture", "ruleProgram", "folderRegister",
  ]

  /// A read, the indexes that serve it, and its exceptions to the rule.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var indexes: Set<String>
    /// True if it sorts its result, which is always short.
    var sorts = false
    /// Tables that it scans by key, newest first, up to a limit.
    var walks: Set<String> = []
    var read: @Sendable (FeedStore, Fixture) async throws -> Void
    var testDescription: String { name }
  }

  struct Fixture: Sendable {
    var feed: FeedID
    var folder: FolderID
    var article: ArticleID
    /// An article with a copy in another feed.
    var copied: ArticleID
    var asOf: ArticleID
  }

  static func list(
    _ name: String, _ scope: @escaping @Sendable (Fixture) -> ArticleQuery.Scope,
    _ filter: ArticleQuery.Filter = .all, indexes: Set<String>, sorts: Bool = false
  ) -> [Case] {
    let query: @Sendable (Fixture) -> ArticleQuery = {
      ArticleQuery(scope: scope($0), filter: filter, asOf: $0.asOf)
    }
    return [
      Case(name: "\(name), both ends and a page", indexes: indexes, sorts: sorts) {
        store, fixture in
        let query = query(fixture)
        let rows = try store.reader.articles.page(query, .top, limit: 20)
        _ = try store.reader.articles.page(query, .bottom, limit: 20)
        var oldest = query
        oldest.order = .oldestFirst
        _ = try store.reader.articles.page(oldest, .top, limit: 20)
        if let key = rows.first?.key {
          _ = try store.reader.articles.page(query, .after(key), limit: 20)
          _ = try store.reader.articles.page(query, .before(key), limit: 20)
        }
      },
      Case(name: "\(name), its length and arrivals", indexes: [], walks: ["articleStatus"]) {
        store, fixture in
        var query = query(fixture)
        query.asOf = ArticleID(rawValue: fixture.asOf.rawValue - 10)
        _ = try store.reader.articles.count(query)
        _ = try store.reader.articles.arrivals(query)
      },
    ]
  }

  static let cases: [Case] =
    list("All articles", { _ in .all }, indexes: ["list_all"])
    + list("Unread articles", { _ in .all }, .unread, indexes: ["list_all"])
    + list("Starred articles", { _ in .smart(.starred) }, indexes: ["list_starred"])
    + list("Articles kept for later", { _ in .smart(.later) }, indexes: ["list_later"])
    + list("Today", { _ in .smart(.today) }, indexes: ["list_all"])
    + list("A feed", { .feed($0.feed) }, indexes: ["list_all_feed"])
    + list("A feed, unread", { .feed($0.feed) }, .unread, indexes: ["list_unread_feed"])
    + list("A feed, starred", { .feed($0.feed) }, .starred, indexes: ["list_starred_feed"])
    + list("A large folder", { .folder($0.folder) }, indexes: ["list_all", "list_duplicates"])
    + list("A tag", { _ in .tag("keep") }, indexes: ["articleTag_tag"], sorts: true)
    + [
      Case(
        name: "A list in another order", indexes: ["list_all", "list_all_feed"]
      ) { store, fixture in
        for scope in [ArticleQuery.Scope.all, .feed(fixture.feed)] {
          let query = ArticleQuery(scope: scope, asOf: fixture.asOf)
          for order in ListOrder.allCases { _ = try store.reader.articles.sorted(query, by: order) }
        }
      },
      Case(name: "The first words of articles", indexes: []) { store, fixture in
        _ = try store.reader.articles.summaries(of: [fixture.article])
      },
      Case(name: "The sidebar", indexes: ["articleTag_tag", "list_all"], sorts: true) {
        store, _ in _ = try store.reader.feeds.subscriptions()
      },
      Case(name: "The newest article of each feed", indexes: ["list_all_feed"]) { store, _ in
        _ = try store.reader.feeds.latestArticles()
      },
      Case(name: "One article", indexes: ["articleRevision_article"], sorts: true) {
        store, fixture in
        _ = try store.reader.articles.article(fixture.article)
        _ = try store.reader.articles.revisions(of: fixture.article)
        _ = try store.reader.plan.readingPosition(fixture.article)
        _ = try store.reader.states.tags(of: [fixture.article])
        _ = try store.reader.fullTexts.fullText(fixture.article)
        _ = try store.reader.downloads.files(of: fixture.article)
      },
      Case(name: "The article begun last", indexes: ["readingPosition_at"]) { store, _ in
        _ = try store.reader.plan.lastBegun()
      },
      Case(
        name: "The daily page", indexes: ["list_all"], sorts: true, walks: ["articleStatus"]
      ) { store, fixture in
        _ = try await store.reader.plan.dailyPage(minutes: 7)
        _ = try store.reader.plan.dailyPageHits()
        _ = try store.reader.plan.countBeyondDailyPage()
      },
      Case(name: "Undo and events", indexes: []) { store, _ in
        _ = try store.reader.journal.next()
        _ = try store.reader.journal.next(areUndone: true)
        var mark = try store.reader.articles.eventMark()
        _ = try store.reader.articles.events(since: &mark)
      },
      Case(name: "Feeds that are due", indexes: ["feedFetch_due", "list_all_feed"]) { store, _ in
        _ = try store.engine.fetches.dueFeeds(at: TestCache.start, limit: 10)
        _ = try store.engine.fetches.nextDueDate()
      },
      Case(
        name: "Pages and files that wait", indexes: ["fullText_waiting", "download_waiting"],
        sorts: true
      ) { store, _ in
        _ = try store.engine.fullTexts.pending()
        _ = try store.engine.fullTexts.waiting()
        _ = try store.engine.downloads.pending()
      },
      Case(name: "A request for a refresh", indexes: ["refreshRequest_open"], sorts: true) {
        store, _ in
        let request = try await store.reader.requests.requestRefresh(.all)
        _ = try store.engine.requests.pendingFeeds(of: request.id)
        _ = try store.reader.requests.failedFeeds(of: request)
        _ = try store.reader.requests.waits(of: request.id)
      },
      Case(name: "The outbox", indexes: ["remoteArticle_name"]) { store, _ in
        _ = try store.reader.accounts.outbox(of: nil, limit: 100)
        _ = try store.accountSync.unknown(["1"], of: AccountID(rawValue: 1))
        _ = try store.accountSync.accountWork()
      },
      Case(name: "A state that copies share", indexes: ["status_duplicates"]) { store, fixture in
        try await store.reader.states.set(.read, [fixture.copied], true)
      },
      Case(name: "A merge", indexes: ["article_identity", "article_link"]) {
        store, fixture in
        _ = try await store.engine.fetches.merge([
          .parsed(fixture.feed, [.dated(1), .dated(1_000)], at: TestCache.start)
        ])
      },
      Case(
        name: "A search", indexes: [], walks: ["articleStatus", "searchDocument"]
      ) { store, fixture in
        let list = ArticleQuery(scope: .all, asOf: fixture.asOf)
        let hits = try await store.search.hits(SearchQuery("body"), in: list)
        _ = try store.search.found(hits?.ids ?? [], by: SearchQuery("body"))
      },
    ]

  @Test("No read scans or sorts what an index provides", arguments: cases + otherCases)
  func plans(of test: Case) async throws {
    let recorder = StatementRecorder()
    let cache = try await Self.cache(recorder)
    defer { cache.close() }
    recorder.start()
    try await test.read(cache.store, cache.fixture)
    let statements = recorder.stop()
    #expect(!statements.isEmpty)
    var used: Set<String> = []
    for sql in statements {
      for step in try await cache.plan(of: sql) {
        used.formUnion(step.matches(of: /USING (?:COVERING )?INDEX (\w+)/).map { String($0.1) })
        // The states of a whole feed.
        let isWide = step.hasSuffix("USING PRIMARY KEY (kind=? AND subject=?)")
        #expect(!isWide, "\(step): \(sql)")
        #expect(
          test.sorts || !step.hasPrefix("USE TEMP B-TREE FOR ORDER BY") || !Self.readsLarge(sql),
          "sorted: \(sql)")
        guard let walked = Self.walkedTable(step, sql), Self.large.contains(walked) else {
          continue
        }
        #expect(test.walks.contains(walked), "\(step): \(sql)")
      }
    }
    #expect(test.indexes.subtracting(used) == [], "used: \(used.sorted())")
  }

  /// With statistics of 100,000 articles, SQLite reads all states to fill a Bloom filter before it
  /// looks up 25 of them.
  @Test("Maintenance stores no statistics, which would change the plans")
  func statistics() async throws {
    let cache = try await Self.cache(StatementRecorder())
    defer { cache.close() }
    try await cache.store.maintenance.tidy()
    let hasStatistics = try await cache.store.database.core.pool.read {
      try $0.tableExists("sqlite_stat1")
    }
    #expect(!hasStatistics)
  }

  @Test("Each index serves a read, a constraint of its table, or a deletion by reference")
  func indexes() async throws {
    let recorder = StatementRecorder()
    let cache = try await Self.cache(recorder)
    defer { cache.close() }
    recorder.start()
    for test in Self.cases + Self.otherCases { try await test.read(cache.store, cache.fixture) }
    var used: Set<String> = []
    for sql in recorder.stop() {
      for step in try await cache.plan(of: sql) {
        used.formUnion(step.matches(of: /INDEX (\w+)/).map { String($0.1) })
      }
    }
    let all = try await cache.store.database.core.pool.read { db in
      try String.fetchSet(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    }
    let references = try await Self.indexesOfReferences(cache)
    #expect(all.subtracting(used).subtracting(references).sorted() == [])
  }

  /// Indexes by a column that refers to another table: they find the dependent rows of a deleted
  /// row, which no plan shows.
  private static func indexesOfReferences(_ cache: TracedCache) async throws -> Set<String> {
    try await cache.store.database.core.pool.read { db in
      try String.fetchSet(
        db,
        sql: """
          SELECT i.name FROM sqlite_schema t JOIN pragma_index_list(t.name) i
            JOIN pragma_index_info(i.name) c ON c.seqno = 0
            JOIN pragma_foreign_key_list(t.name) k ON k."from" = c.name
          WHERE t.type = 'table'
          """)
    }
  }

  private static func readsLarge(_ sql: String) -> Bool {
    sql.matches(of: /\b(?:FROM|JOIN) (\w+)/).contains { large.contains(String($0.1)) }
  }

  /// The table that a step scans, or `nil` if the step uses an index or a key.
  private static func walkedTable(_ step: String, _ sql: String) -> String? {
    guard let match = step.wholeMatch(of: /SCAN (\w+)/), !sql.hasSuffix(" LIMIT 1") else {
      return nil
    }
    let name = String(match.1)
    for table in sql.matches(of: /\b(?:FROM|JOIN|UPDATE|INTO) (\w+)(?: INDEXED BY \w+)? (\w+)/)
    where table.2 == name {
      return String(table.1)
    }
    return name
  }

  // MARK: The cache

  private static func cache(_ recorder: StatementRecorder) async throws -> TracedCache {
    let (store, directory) = try TracedCache.open(recorder)
    let entries = (0..<40).map {
      OutlineEntry(url: "https://example.org/\($0)", title: "Feed \($0)", folder: ["Folder"])
    }
    let feeds = try await store.reader.feeds.subscribe(entries).added
    for feed in feeds.prefix(30) {
      _ = try await store.engine.fetches.merge([
        .parsed(feed, (0..<4).map { .dated($0, hours: Double($0)) }, at: TestCache.start)
      ])
    }
    for feed in feeds.suffix(2) {
      let shared = ParsedItem(
        id: "shared", url: "https://example.org/shared", title: "Shared",
        contentHTML: "<p>Text</p>",
        datePublished: TestCache.start - 86_400)
      _ = try await store.engine.fetches.merge([.parsed(feed, [shared], at: TestCache.start)])
    }
    let copied = try #require(
      try store.reader.articles.page(ArticleQuery(scope: .feed(feeds[39])), .top, limit: 1).first)
    let rows = try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 10)
    try await store.reader.states.changeTags(of: rows.map(\.id), adding: ["keep"], removing: [])
    try await store.reader.states.set(.starred, rows.map(\.id), true)
    while try await store.search.indexSome(within: .seconds(1)) {}
    let folder = try #require(try store.reader.feeds.subscriptions().folders.first?.id)
    let fixture = Fixture(
      feed: feeds[0], folder: folder, article: rows[0].id, copied: copied.id,
      asOf: try store.reader.articles.latestArticleID())
    return TracedCache(directory: directory, store: store, fixture: fixture)
  }
}

/// Records the statements of all connections on request.
private final class StatementRecorder: Sendable {
  private let statements = Mutex<(isOn: Bool, texts: [String])>((false, []))
  func start() { statements.withLock { $0 = (true, []) } }
  func add(_ sql: String) { statements.withLock { if $0.isOn { $0.texts.append(sql) } } }

  /// Returns each statement once, without triggers and transaction control.
  func stop() -> [String] {
    let texts = statements.withLock { state in
      state.isOn = false
      return state.texts
    }
    let first = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"]
    return Set(texts).filter { text in first.contains { text.hasPrefix($0) } }.sorted()
  }
}

private struct TracedCache {
  let directory: String
  let store: FeedStore
  let fixture: QueryPlanTests.Fixture

  static func open(_ recorder: StatementRecorder) throws -> (FeedStore, String) {
    let directory = TestCache.freshDirectory()
    let path = try StoreFiles.prepare(directory: directory)
    let options = StoreOptions(now: { TestCache.start }, calendar: TestCache.calendar)
    let database = try CacheDatabase(
      pool: try Schema.openPool(
        path: path, functions: SQLText.functions, onStatement: recorder.add),
      path: path, now: options.now)
    let store = FeedStore(
      database: StoreDatabase(core: database, options: options, participants: .all(options)))
    return (store, directory)
  }

  func plan(of sql: String) async throws -> [String] {
    try await store.database.core.pool.write { db in
      let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
      // The plan must not depend on the values.
      statement.setUncheckedArguments(StatementArguments())
      return try Row.fetchAll(statement).map { $0["detail"] as String }
    }
  }

  func close() {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
