import GRDB

/// An account whose server is a list of rows.
@dynamicMemberLookup
struct AccountBench {
  let cache: TestCache
  let account: AccountID
  var store: FeedStore { cache.store }
  var sync: AccountSyncCache { store.accountSync }
  var now: Date { cache.clock.now }

  init(_ kind: Account.Kind = .googleReader) async throws {
    cache = try TestCache()
    account = try await cache.store.accounts.addAccount(
      kind: kind, url: "https://aggregator.example/api.php/", user: "ann")
  }

  /// A part of the cache as a list sees it.
  subscript<Part>(dynamicMember part: KeyPath<ReaderCache, Part>) -> Part {
    store.reader[keyPath: part]
  }

  /// Returns a new account and its articles, oldest first.
  static func filled(_ count: Int) async throws -> (AccountBench, [ArticleID]) {
    let bench = try await AccountBench()
    return (bench, try await bench.fill(count))
  }

  static func article(_ number: Int, feed: String = "feed/1") -> RemoteArticle {
    RemoteArticle(
      item: ParsedItem(
        id: String(number), url: "https://a.example/\(feed)/\(number)", title: "Article \(number)",
        contentHTML: "<p>Text</p>",
        datePublished: TestCache.start - Double(number)),
      feed: feed, isRead: false, isStarred: false)
  }

  func subscribe(_ names: String...) async throws {
    try await store.accountSync.applySubscriptions(
      names.map { RemoteFeed(id: $0, title: "T \($0)", url: "https://a.example/\($0)") },
      of: account, began: now)
  }

  @discardableResult func fill(_ count: Int) async throws -> [ArticleID] {
    try await subscribe("feed/1")
    return try await store.accountSync.storeArticles(
      (1...count).map { Self.article($0) }, of: account
    )
    .added.reversed()
  }

  func pull(unread: [Int], starred: [Int] = [], isComplete: Bool = true) async throws {
    try await store.accountSync.applyStates(
      of: account, unread: RemoteNames(unread.map(String.init), isComplete: isComplete),
      starred: RemoteNames(starred.map(String.init), isComplete: isComplete), began: now)
  }

  func changes() throws -> [OutboxEntry.Change] {
    try store.reader.accounts.outbox(of: account, limit: 1_000).map(\.change)
  }

  /// Returns the articles with confirmed changes that no pull has shown yet.
  func confirmedItems() throws -> [String] {
    try sync.database.read { db in
      try String.fetchAll(db, sql: "SELECT item FROM outbox WHERE state = 1")
    }
  }

  /// Confirms all pending changes, as a server without errors does.
  func send() async throws {
    while let batch = try store.accountSync.outboxBatch(of: account, limit: 100, at: nil) {
      try await store.accountSync.confirmOutbox(batch.rows.map(\.seq))
    }
  }

  func unread() throws -> Set<String> {
    Set(try cache.all(ArticleQuery(scope: .all, filter: .unread)).map(\.title))
  }
}

/// A suite whose tests have an account.
class BenchSuite {
  let bench: AccountBench
  init() async throws { bench = try await AccountBench() }
}
