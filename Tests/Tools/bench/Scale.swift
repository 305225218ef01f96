import FeedStore
import Foundation
import HTMLContent
import TestSupport

/// A cache of a hundred thousand or a million articles: filled by the store's merge, indexed by its
/// job, then measured in this process and in a pseudo-terminal, as a user sees it.
extension Bench {
  static let feedCount = 1_000
  /// The share of the largest feed: one in `largest` articles.
  private static let largest = 10

  func runAtScale() async throws {
    let library = Library(articles: scale, feeds: Self.feedCount, largestShare: Self.largest)
    let data = keep ?? folder + "/scale"
    let isKept = FileManager.default.fileExists(atPath: data + "/weir.db")
    let options = StoreOptions(maximumNewArticles: .max, plainText: HTMLContent.plainTextBytes)
    print("\(AmountText.grouped(scale)) articles of \(Self.feedCount) feeds, \(runs) runs.\n")
    print("| cache | |")
    print("|---|--:|")
    let store = try FeedStore.open(directory: data, options: options)
    if !isKept { try await fill(store, library) }
    try await measureBytes(store, data)
    try await measureMerge(store, library)
    if !isKept { try await measureFloor(library) }
    print("\n| in this process, ms | median | worst |")
    print("|---|--:|--:|")
    try await measureReads(store)
    try await measureSearches(store)
    store.close()
    print("\n| reader, 80×24, ms | median | worst |")
    print("|---|--:|--:|")
    try measureScreens(data, library)
  }

  private func say(_ name: String, _ value: String) { print("| \(name) | \(value) |") }

  // MARK: Filling

  func fill(_ store: FeedStore, _ library: Library) async throws {
    let feeds = try await store.reader.feeds.subscribe(
      (0..<library.feeds).map {
        OutlineEntry(url: library.corpus.url($0, port: 80), title: library.name($0))
      }
    ).added
    let total = Double((0..<library.feeds).map(library.count).reduce(0, +))
    var merging = 0.0
    for (number, feed) in feeds.enumerated() {
      for range in library.batches(number) {
        let result = library.result(feed, number, range)
        let start = Self.cpu()
        _ = try await store.engine.fetches.merge([result])
        merging += Self.cpu() - start
      }
    }
    say("articles merged for each second of CPU", "\(Int(total / merging))")
    let (start, wall) = (Self.cpu(), ContinuousClock.now)
    var worst = 0.0
    var isLeft = true
    while isLeft {
      let step = ContinuousClock.now
      isLeft = try await store.search.indexSome(within: .milliseconds(6))
      worst = max(worst, (ContinuousClock.now - step).seconds)
    }
    say("articles indexed for each second of CPU", "\(Int(total / (Self.cpu() - start)))")
    say("all indexed without pauses, s", (ContinuousClock.now - wall).seconds.text(0))
    say("longest step of 6 ms that a writer may wait for, ms", (worst * 1e3).text(0))
  }

  private func measureBytes(_ store: FeedStore, _ data: String) async throws {
    let size = try FileManager.default.attributesOfItem(atPath: data + "/weir.db")[.size]
    let bytes = (size as? NSNumber)?.intValue ?? 0
    say("bytes an article, search index included", "\(bytes / scale)")
  }

  private func measureMerge(_ store: FeedStore, _ library: Library) async throws {
    guard
      let feed = try store.reader.feeds.subscriptions().feeds.first(where: {
        $0.name == library.name(1)
      })
    else { return }
    var samples: [Double] = []
    for run in 0..<(4 * runs) {
      let from = library.count(1) + run * 100
      let result = library.result(feed.id, 1, from..<(from + 100))
      let start = ContinuousClock.now
      _ = try await store.engine.fetches.merge([result])
      samples.append((ContinuousClock.now - start).seconds * 1e3)
    }
    say(
      "merge of 100 new articles, ms (median, worst)",
      "\(samples.median.text(1)), \((samples.max() ?? 0).text(1))")
    try await store.search.catchUpIndex(within: .seconds(60))
  }

  /// Inserts the same rows by SQLite's C API alone, into a separate cache.
  private func measureFloor(_ library: Library) async throws {
    let rows = 20_000
    let options = StoreOptions(maximumNewArticles: .max)
    var times: [(store: Double, floor: Double)] = []
    for run in 0..<3 {
      let items = (0..<rows).map { library.item($0, of: 2) }
      let store = try FeedStore.open(directory: folder + "/merged\(run)", options: options)
      let feed = try await store.reader.feeds.subscribe(
        url: "https://floor.example/", title: nil, folder: nil)
      let results = stride(from: 0, to: rows, by: 100).map {
        Library.result(feed, Array(items[$0..<($0 + 100)]))
      }
      var start = Self.cpu()
      for result in results { _ = try await store.engine.fetches.merge([result]) }
      let merged = Self.cpu() - start
      store.close()
      let raw = folder + "/raw\(run)"
      try FeedStore.open(directory: raw).close()
      let floor = try RawInserts(path: raw + "/weir.db")
      start = Self.cpu()
      try floor.insert(items, inTransactionsOf: 100)
      times.append((merged, Self.cpu() - start))
    }
    let merged = times.map(\.store).median
    let floor = times.map(\.floor).median
    say("rows a second of CPU, merge", "\(Int(Double(rows) / merged))")
    say("the same rows by the sqlite3 C API", "\(Int(Double(rows) / floor))")
    say("ratio (goal 0.6)", (floor / merged).text(2))
  }

  // MARK: In this process

  private func measure(_ name: String, _ body: () async throws -> Int) async rethrows {
    var samples: [Double] = []
    var size = 0
    for _ in 0..<max(5, runs) {
      let start = ContinuousClock.now
      size = try await body()
      samples.append((ContinuousClock.now - start).seconds * 1e3)
    }
    print("| \(name) (\(size)) | \(samples.median.text(2)) | \((samples.max() ?? 0).text(2)) |")
  }

  private func measureReads(_ store: FeedStore) async throws {
    let asOf = try store.reader.articles.latestArticleID()
    let all = ArticleQuery(scope: .all, asOf: asOf)
    let unread = ArticleQuery(scope: .all, filter: .unread, asOf: asOf)
    let feeds = try store.reader.feeds.subscriptions().feeds
    let largest = feeds.max { $0.counts.total < $1.counts.total }
    try await measure("subscriptions, feeds") { try store.reader.feeds.subscriptions().feeds.count }
    try await measure("Unread, first page") {
      try store.reader.articles.page(unread, .top, limit: 60).count
    }
    try await measure("Unread, last page") {
      try store.reader.articles.page(unread, .bottom, limit: 60).count
    }
    try await measure("Today, first page") {
      try store.reader.articles.page(
        ArticleQuery(scope: .smart(.today), asOf: asOf), .top, limit: 60
      )
      .count
    }
    if let largest {
      let query = ArticleQuery(scope: .feed(largest.id), asOf: asOf)
      try await measure("largest feed, first page") {
        try store.reader.articles.page(query, .top, limit: 60).count
      }
      try await measure("largest feed, last page") {
        try store.reader.articles.page(query, .bottom, limit: 60).count
      }
    }
    try await measure("count of a list") { try store.reader.articles.count(all) }
    try await measure("count of arrivals") {
      var query = unread
      query.asOf = ArticleID(rawValue: max(0, asOf.rawValue - 20_000))
      return try store.reader.articles.arrivals(query)
    }
  }

  private func measureSearches(_ store: FeedStore) async throws {
    let list = ArticleQuery(scope: .all, asOf: try store.reader.articles.latestArticleID())
    for text in [
      "river", "river weir", "riv", "ri", "kalobe", "ka", "\"the river\"", "新闻", "水坝", "石橋",
      "новости -река",
      "river is:starred", "feed:\"7 \" river", "nothingatall", "title:water after:100d",
    ] {
      let query = try SearchQuery(text, isBeingTyped: true)
      for order in [SearchOrder.best, .newest] {
        try await measure("search \(text), \(order == .best ? "best" : "newest") first") {
          let hits = try await store.search.hits(query, in: list, order: order)
          _ = try store.search.found(Array((hits?.ids ?? []).prefix(10)), by: query)
          return hits?.count ?? 0
        }
      }
    }
    for text in ["river", "nothing at all"] {
      try await measure("filter in place: \(text)") {
        try await store.search.hits(holding: text, in: list)?.count ?? 0
      }
    }
  }

  // MARK: Under a terminal

  private func measureScreens(_ data: String, _ library: Library) throws {
    var times: [String: [Double]] = [:]
    var order: [String] = []
    func note(_ name: String, _ value: Double?) {
      if times[name] == nil { order.append(name) }
      times[name, default: []].append(value ?? .infinity)
    }
    for _ in 0..<runs {
      let reader = try PseudoTerminal(
        [weir, "--offline", "--data-dir", data], environment: environment)
      note("start to first painted screen", reader.wait(for: "Starred").map { $0 * 1e3 })
      reader.waitUntilIdle(quiet: 0.5)
      note("memory then, MB", Self.account(of: reader.process).resident)
      /// Milliseconds from a key to the text that it shows.
      func press(_ keys: String, until text: String) -> Double? {
        let (from, start) = (reader.output.count, ContinuousClock.now)
        reader.send(keys)
        guard reader.wait(for: text, from: from) != nil else { return nil }
        let time = (ContinuousClock.now - start).seconds * 1e3
        reader.waitUntilIdle(quiet: 0.2)
        return time
      }
      note("Unread opened", press("\r", until: "●"))
      note("Unread to its end", press("G", until: "\u{1B}"))
      note("back", press("q", until: "Starred"))
      note("largest feed opened", press("/\(library.name(0))\rG\r", until: "●"))
      note("largest feed to its end", press("G", until: "\u{1B}"))
      _ = press("q\u{1B}", until: library.name(1))
      note("search opened", press("g/", until: "Search"))
      note("search: river, first hits", press("river", until: "hits"))
      _ = press("\u{15}", until: "\u{1B}")
      note("search: 新闻, first hits", press("新闻", until: "hits"))
      note("memory at the end, MB", Self.account(of: reader.process).resident)
      quit(reader)
    }
    for name in order { row(name, times[name] ?? []) }
  }

  static func cpu() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}

/// The articles of the large cache.
struct Library: Sendable {
  let corpus: Corpus
  let feeds: Int
  private let perFeed: Int
  private let now = Date()
  /// The oldest article's age: two years, in seconds.
  private static let span = 730.0 * 86_400
  private let inLargest: Int

  /// - Parameter largestShare: one in this many articles belongs to the first feed.
  init(articles: Int, feeds: Int, largestShare: Int) {
    corpus = Corpus(feeds: feeds)
    self.feeds = feeds
    inLargest = articles / largestShare
    perFeed = (articles - inLargest) / (feeds - 1)
  }

  var total: Int { inLargest + perFeed * (feeds - 1) }
  func count(_ feed: Int) -> Int { feed == 0 ? inLargest : perFeed }
  func name(_ feed: Int) -> String { feed == 0 ? "zz largest" : corpus.title(feed) }

  /// Batches of at most a thousand articles, the size of a long feed document.
  func batches(_ feed: Int) -> [Range<Int>] {
    stride(from: 0, to: count(feed), by: 1_000).map { $0..<min(count(feed), $0 + 1_000) }
  }

  func result(_ feed: FeedID, _ number: Int, _ range: Range<Int>) -> RefreshResult {
    Self.result(feed, range.map { item($0, of: number) })
  }

  static func result(_ feed: FeedID, _ items: [ParsedItem]) -> RefreshResult {
    RefreshResult(
      feed: feed, at: Date(),
      outcome: .parsed(ParsedFeed(format: .rss, title: "", items: items), bodyHash: "00"))
  }

  /// The corpus has few different words, because it measures bytes. So one article in eight gets a
  /// line of rare words for searches.
  func item(_ index: Int, of feed: Int) -> ParsedItem {
    let article = corpus.article(index, of: feed)
    var html = article.html
    if index % 8 == 0 {
      var state = UInt64(feed) &* 1_000_003 &+ UInt64(index) &* 7_919 &+ 1
      html += "<p>" + (0..<40).map { _ in Self.rareWord(&state) }.joined(separator: " ") + "</p>"
    }
    return ParsedItem(
      id: article.id, url: "https://example.org/\(feed)/\(index)", title: article.title,
      contentHTML: html,
      datePublished: now - Double(count(feed) - index) / Double(count(feed)) * Self.span,
      authors: [Author(name: article.author)], tags: [article.tag])
  }

  /// Returns one of a hundred thousand words; words with small numbers are far more frequent.
  private static func rareWord(_ state: inout UInt64) -> String {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let uniform = Double(state >> 11) / Double(1 << 53)
    var number = Int(pow(100_000, uniform))
    let syllables = ["ka", "lo", "be", "ri", "tu", "sen", "mo", "da", "fi", "gor"]
    var word = ""
    repeat {
      word += syllables[number % 10]
      number /= 10
    } while number > 0
    return word
  }
}

enum AmountText {
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    for place in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return digits
  }
}
