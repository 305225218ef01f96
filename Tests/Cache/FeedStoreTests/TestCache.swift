import HTMLContent

/// A cache in a temporary folder, with a clock that tests set.
@dynamicMemberLookup
final class TestCache: Sendable {
  let directory: String
  let clock: Clock
  let store: FeedStore
  var engine: EngineCache { store.engine }
  var search: SearchCache { store.search }

  final class Clock: Sendable {
    private let instant: Mutex<Date>
    init(_ instant: Date) { self.instant = Mutex(instant) }
    var now: Date {
      get { instant.withLock { $0 } }
      set { instant.withLock { $0 = newValue } }
    }
  }

  /// 21 November 2026, 10:00 UTC.
  static let start = Date(timeIntervalSince1970: 1_795_255_200)

  static var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }

  static func freshDirectory() -> String {
    NSTemporaryDirectory() + "weir-store-\(UUID().uuidString)"
  }

  private static let empty = Result {
    try CopiedCache { try FeedStore.open(directory: $0).close() }
  }

  init(
    maximumNewArticles: Int = 1_000, pictureLimit: Int = 500_000_000, downloadDays: Int = 0
  ) throws {
    directory = Self.freshDirectory()
    try Self.empty.get().copy(to: directory)
    let clock = Clock(Self.start)
    self.clock = clock
    store = try FeedStore.open(
      directory: directory,
      options: StoreOptions(
        maximumNewArticles: maximumNewArticles, retention: Retention(downloadDays: downloadDays),
        now: { clock.now }, calendar: Self.calendar,
        plainText: HTMLContent.plainTextBytes, pictureLimit: pictureLimit))
  }

  /// Returns a new cache and its only feed.
  static func withFeed(_ name: String = "a") async throws -> (TestCache, FeedID) {
    let cache = try TestCache()
    return (cache, try await cache.feed(name))
  }

  /// Returns a new cache and the feeds "a" and "b".
  static func withFeeds() async throws -> (TestCache, FeedID, FeedID) {
    let cache = try TestCache()
    return (cache, try await cache.feed("a"), try await cache.feed("b"))
  }

  /// Returns a new cache and three feeds that bring one story.
  static func withSharedStory() async throws -> (TestCache, [FeedID]) {
    let cache = try TestCache()
    var feeds: [FeedID] = []
    for name in ["first", "second", "third"] {
      let item = ParsedItem(
        id: name, url: "https://example.org/story", title: "The story", datePublished: start)
      feeds.append(try await cache.feed(name))
      try await cache.merge(feeds[feeds.count - 1], [item])
    }
    return (cache, feeds)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Opens a second store on the same files, like another process.
  func another() throws -> FeedStore {
    let clock = clock
    return try FeedStore.open(
      directory: directory,
      options: StoreOptions(
        now: { clock.now }, calendar: Self.calendar, plainText: HTMLContent.plainTextBytes))
  }

  /// A part of the cache as a list sees it.
  subscript<Part>(dynamicMember part: KeyPath<ReaderCache, Part>) -> Part {
    store.reader[keyPath: part]
  }

  func feed(_ name: String, folder: [String] = []) async throws -> FeedID {
    let folder = try await store.reader.folders.folder(path: folder)
    return try await store.reader.feeds.subscribe(
      url: "https://example.org/\(name)", title: nil, folder: folder)
  }

  @discardableResult
  func merge(_ feed: FeedID, _ items: [ParsedItem], title: String = "A feed") async throws
    -> MergeOutcome
  {
    let results = try await store.engine.fetches.merge([
      .parsed(feed, items, title: title, at: clock.now)
    ])
    return results[0]
  }

  func all(_ query: ArticleQuery) throws -> [ArticleRow] {
    try store.reader.articles.page(query, .top, limit: 1_000_000)
  }

  /// Indexes all articles for searches.
  func index() async throws {
    #expect(try await store.search.catchUpIndex(within: .seconds(Patience.seconds)))
  }

  func counts() throws -> ArticleCounts {
    try store.reader.feeds.subscriptions().feeds.reduce(into: ArticleCounts()) {
      $0.total += $1.counts.total
      $0.unread += $1.counts.unread
      $0.starred += $1.counts.starred
    }
  }
}

/// A suite whose tests have a cache.
class CacheSuite {
  let cache: TestCache
  init() throws { cache = try TestCache() }
}

/// A suite whose tests have a cache with one feed.
class FeedSuite {
  let cache: TestCache
  let feed: FeedID
  init() async throws { (cache, feed) = try await TestCache.withFeed() }
}

extension ArticleQuery {
  static let all = ArticleQuery(scope: .all)
  static func of(_ feed: FeedID) -> ArticleQuery { ArticleQuery(scope: .feed(feed)) }
  static let unread = ArticleQuery(scope: .all, filter: .unread)
  static let starred = ArticleQuery(scope: .all, filter: .starred)
}

extension RefreshResult {
  static func parsed(
    _ feed: FeedID, _ items: [ParsedItem], title: String = "A feed", at now: Date,
    hash: String = "00"
  ) -> RefreshResult {
    // Numbered items belong to one feed: their addresses contain its id.
    let items = items.map { item in
      guard item.id.hasPrefix("item-") else { return item }
      var item = item
      item.url = item.url?.replacing("example.org/", with: "example.org/\(feed.rawValue)/")
      return item
    }
    return RefreshResult(
      feed: feed, at: now,
      outcome: .parsed(ParsedFeed(format: .rss, title: title, items: items), bodyHash: hash),
      nextCheckAt: now + 3_600)
  }
}

extension ParsedItem {
  static func dated(_ number: Int, hours: Double = 0, title: String? = nil) -> ParsedItem {
    ParsedItem(
      id: "item-\(number)", url: "https://example.org/\(number)",
      title: title ?? "Article \(number)", contentHTML: "<p>Body of \(number)</p>",
      datePublished: TestCache.start - hours * 3_600)
  }
}

extension FeedCache {
  func rename(_ feed: FeedID, to title: String) async throws {
    try await edit(feed) { $0.title = title }
  }

  /// Sets the retention of a feed without an entry of the journal, as another device does.
  func setRetention(_ feed: FeedID, _ retention: Retention?) async throws {
    var options = try options(of: feed).own
    options.retention = retention
    try await database.write(.user) { [options] db in
      try OptionRows.set(options, of: feed.rawValue, db)
    }
  }

  func retention(of feed: FeedID) throws -> Retention? { try options(of: feed).own.retention }
}

extension Maintenance {
  /// Runs every task now.
  func tidy() async throws {
    try await database.run(.engine, "UPDATE maintenanceTask SET doneAt = 0, position = 0")
    while try await maintenanceStep() {}
  }
}
