#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prints measurements without asserting any: `WEIR_MEASURE=100000 swift test --filter
/// MeasureTests` shows what lists cost with that many articles (a debug build is several times
/// slower).
@Suite(
  "Measurements of the store",
  .enabled(if: ProcessInfo.processInfo.environment["WEIR_MEASURE"] != nil), .serialized)
struct MeasureTests {
  private var articles: Int {
    Int(ProcessInfo.processInfo.environment["WEIR_MEASURE"] ?? "") ?? 100_000
  }

  private func cpu() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  private func median(_ name: String, times: Int = 21, _ body: () throws -> Int) rethrows {
    var samples: [Double] = []
    var size = 0
    for _ in 0..<times {
      let start = ContinuousClock.now
      size = try body()
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      samples.append(Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
    }
    samples.sort()
    let pad = name.padding(toLength: 46, withPad: " ", startingAt: 0)
    print(
      "\(pad) \(String(format: "%9.3f ms median, %9.3f worst", samples[times / 2], samples[times - 1]))  (\(size))"
    )
  }

  @Test("The time to open the longest article is printed") func longestArticle() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    var item = ParsedItem.dated(1)
    item.contentHTML = String(repeating: "<p>Some words.</p>", count: 300_000)
    let id = try await cache.merge(feed, [item]).added[0]
    try median("article of 4 MiB") {
      try cache.store.reader.articles.article(id)?.bodyHTML.utf8.count ?? 0
    }
  }

  /// `WEIR_MEASURE_CACHE` is the data directory of a large cache.
  @Test(
    "The time to sort a list by an order without an index is printed",
    .enabled(if: ProcessInfo.processInfo.environment["WEIR_MEASURE_CACHE"] != nil))
  func sortedLists() throws {
    let directory = ProcessInfo.processInfo.environment["WEIR_MEASURE_CACHE"] ?? ""
    let store = try FeedStore.open(directory: directory)
    defer { store.close() }
    let feed = try #require(try store.reader.feeds.subscriptions().feeds.first?.id)
    let lists = [("all", .all), ("unread", .unread), ("a feed", ArticleQuery(scope: .feed(feed)))]
    for (name, list) in lists {
      for order in ListOrder.allCases {
        try median("\(name), by \(order)", times: 5) {
          try store.reader.articles.sorted(list, by: order).count
        }
        try median("\(name), by \(order), the newest 300", times: 5) {
          try store.reader.articles.sorted(list, by: order, atMost: 300).count
        }
      }
      var sorted = list
      sorted.hits = try store.reader.articles.sorted(list, by: .title)
      let rows = try store.reader.articles.page(sorted, .top, limit: 50)
      try median("\(name), a page of it") {
        try store.reader.articles.page(sorted, .after(rows[49].key), limit: 50).count
      }
    }
    let ids = try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 20).map(\.id)
    try median("first words of 20") { try store.reader.articles.summaries(of: ids).count }
  }

  @Test("The times of merges, pages, counts and undo steps are printed")
  func whatListsCost() async throws {
    let cache = try TestCache()
    let store = cache.store
    let feedCount = 1_000
    let perFeed = max(articles / feedCount, 1)
    let entries = (0..<feedCount).map { number in
      OutlineEntry(
        url: "https://example.org/\(number)", title: "Feed \(number)",
        folder: [number < 200 ? "Two hundred" : number < 220 ? "Twenty" : "The rest"])
    }
    let feeds = try await store.reader.feeds.subscribe(entries).added
    let body = String(repeating: "<p>Some words in a paragraph of a body.</p>", count: 45)
    let results = feeds.enumerated().map { index, feed in
      RefreshResult.parsed(
        feed,
        (0..<perFeed).map { number in
          var item = ParsedItem.dated(
            number, hours: Double(number) * 3 + Double(index % 97) / 97,
            title: "Article \(number) of feed \(index)")
          item.contentHTML = body + "\(index) \(number)"
          item.authors = [Author(name: "An author")]
          return item
        }, title: "Feed \(index)", at: cache.clock.now)
    }
    var start = cpu()
    for result in results { _ = try await store.engine.fetches.merge([result]) }
    print("merge of \(perFeed * feedCount) articles of \(feedCount) feeds: \(cpu() - start) CPU s")
    start = cpu()
    for result in results { _ = try await store.engine.fetches.merge([result]) }
    print("the same again, unchanged: \(cpu() - start) CPU s")

    let asOf = try store.reader.articles.latestArticleID()
    let rows = try store.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 1_000_000)
    try await store.reader.states.set(
      .read, rows.filter { $0.id.rawValue % 10 != 0 }.map(\.id), true)
    try await store.reader.states.set(
      .starred,
      rows.filter { $0.id.rawValue % 500 == 0 }.map(\.id), true)
    let middle = rows[rows.count / 2].key
    let folders = try store.reader.feeds.subscriptions().folders
    func page(_ name: String, _ query: ArticleQuery, _ start: PageStart) throws {
      try median(name) { try store.reader.articles.page(query, start, limit: 50).count }
    }
    var all = ArticleQuery(scope: .all, asOf: asOf)
    try page("all, top", all, .top)
    try page("all, middle", all, .after(middle))
    try page("all, bottom", all, .bottom)
    all.titleContains = "999 of"
    try page("all, title filter, rare", all, .top)
    all.titleContains = "Ärtikel"
    try page("all, title filter, none, not ASCII", all, .top)
    var unread = ArticleQuery(scope: .smart(.unread), asOf: asOf)
    try page("unread, top", unread, .top)
    try page("unread, middle", unread, .after(middle))
    unread.keeping = Set(rows.prefix(200).map(\.id))
    try page("unread, keeping 200", unread, .top)
    try page("starred, top", ArticleQuery(scope: .smart(.starred)), .top)
    try page("one feed, top", ArticleQuery(scope: .feed(feeds[5])), .top)
    for folder in folders {
      let query = ArticleQuery(scope: .folder(folder.id))
      try page("folder \(folder.title), top", query, .top)
      try page("folder \(folder.title), middle", query, .after(middle))
      var unread = query
      unread.filter = .unread
      try page("folder \(folder.title), unread, middle", unread, .after(middle))
      try median("folder \(folder.title), count") { try store.reader.articles.count(query) }
    }
    try median("next unread") {
      try store.reader.articles.nextUnread(ArticleQuery(scope: .all), after: middle) == nil ? 0 : 1
    }
    try median("count, all") {
      try store.reader.articles.count(ArticleQuery(scope: .all, asOf: asOf))
    }
    try median("arrivals") {
      try store.reader.articles.arrivals(
        ArticleQuery(scope: .all, asOf: ArticleID(rawValue: asOf.rawValue - 20_000)))
    }
    try median("subscriptions") { try store.reader.feeds.subscriptions().feeds.count }
    try median("due feeds") {
      try store.engine.fetches.dueFeeds(at: .distantFuture, limit: 1_000).count
    }
    try median("an article") {
      try store.reader.articles.article(rows[77].id)?.bodyHTML.utf8.count ?? 0
    }
    start = cpu()
    let count = try await store.reader.states.markAllRead(ArticleQuery(scope: .all))
    print("mark all \(count) read: \(cpu() - start) CPU s")
    start = cpu()
    _ = try await store.reader.journal.undo()
    print("undo of it: \(cpu() - start) CPU s")
    store.close()
    let size =
      try FileManager.default.attributesOfItem(atPath: cache.directory + "/weir.db")[.size]
      as? NSNumber
    print("bytes an article: \((size?.intValue ?? 0) / (perFeed * feedCount))")
    for _ in 0..<5 {
      var opened: FeedStore?
      try median("open", times: 1) {
        opened = try cache.another()
        return 1
      }
      try median("first page", times: 1) {
        try opened?.reader.articles.page(ArticleQuery(scope: .all), .top, limit: 50).count ?? 0
      }
      median("close", times: 1) {
        opened?.close()
        return 1
      }
    }
  }
}
