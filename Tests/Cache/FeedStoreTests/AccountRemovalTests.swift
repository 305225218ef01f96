import GRDB

@testable import FeedStore

@Suite("Removing an account") final class AccountRemovalTests: BenchSuite {
  /// The number of rows of each table, without the event log, which deletes its old rows itself.
  private func rows(_ bench: AccountBench) throws -> [String: Int] {
    try bench.store.database.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list WHERE type = 'table'
            AND name NOT IN ('statusChange', 'changeVersion') AND name NOT LIKE 'sqlite_%'
          """)
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          (table, try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0)
        })
    }
  }

  private static func local(_ count: Int) -> [ParsedItem] {
    (1...count).map {
      ParsedItem(id: "story-\($0)", url: "https://a.example/feed/1/\($0)", title: "Article \($0)")
    }
  }

  @Test("After an account is removed, each table has as many rows as before it was added")
  func leavesNoRows() async throws {
    let local = try await bench.cache.feed("local")
    try await bench.cache.merge(local, Self.local(3))
    try await bench.store.accounts.removeAccount(bench.account)
    let before = try rows(bench)
    let account = try await bench.store.accounts.addAccount(
      kind: .googleReader, url: "https://other.example/api", user: "ann")
    try await bench.store.accountSync.applySubscriptions(
      (1...3).map {
        RemoteFeed(
          id: "feed/\($0)", title: "T", url: "https://a.example/feed/\($0)", folders: ["News"])
      }, of: account, began: bench.now)
    let ids = try await bench.store.accountSync.storeArticles(
      (1...300).map { AccountBench.article($0, feed: "feed/\($0 % 3 + 1)") }, of: account
    ).added
    try await bench.store.reader.states.set(.starred, Array(ids.prefix(5)), true)
    try await bench.store.reader.states.set(.read, Array(ids.prefix(250)), true)
    _ = try await bench.states.changeTags(of: [ids[7]], adding: ["Later"], removing: [])
    _ = try await bench.store.reader.states.delete([ids[8]])
    let feeds = try bench.store.reader.feeds.subscriptions().feeds.filter { $0.account == account }
    try await bench.store.reader.feeds.unsubscribe([feeds[2].id])
    _ = try await bench.store.reader.requests.requestRefresh(.feed(feeds[0].id))
    try await bench.store.accounts.removeAccount(account)
    let after = try rows(bench)
    // Refreshes that have ended are kept for a while.
    for (table, count) in before.sorted(by: { $0.key < $1.key }) where table != "refreshRequest" {
      #expect(after[table] == count, "\(table)")
    }
    #expect(try bench.store.file.integrityProblems().isEmpty)
  }

  @Test("Removing an account changes no mark of copies in local feeds")
  func duplicates() async throws {
    let local = try await bench.cache.feed("local")
    let duplicates = try await bench.cache.merge(local, Self.local(3)).added
    let ids = try await bench.fill(3)
    try await bench.store.reader.states.set(.starred, [ids[0]], true)
    try await bench.store.reader.states.set(.read, [ids[1]], true)
    let read = try bench.store.reader.articles.article(ids[1])?.row.title
    // The user's own star in the local feed.
    try await bench.store.reader.states.set(.starred, [duplicates[2]], true)
    try await bench.store.accounts.removeAccount(bench.account)
    for copy in duplicates {
      let row = try #require(try bench.store.reader.articles.article(copy)).row
      #expect(row.status.isStarred == (copy == duplicates[2]), "\(row.title)")
      #expect(row.status.isRead == (row.title == read), "\(row.title)")
    }
  }

  @Test("A new feed with the address of a removed account's feed starts without old articles")
  func sameAddress() async throws {
    let (bench, ids) = try await AccountBench.filled(3)
    try await bench.store.reader.states.set(.starred, ids, true)
    try await bench.store.accounts.removeAccount(bench.account)
    let feed = try await bench.store.reader.feeds.subscribe(
      url: "https://a.example/feed/1", title: nil, folder: nil)
    #expect(try bench.cache.all(ArticleQuery(scope: .feed(feed))).isEmpty)
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .starred)).isEmpty)
  }
}
