@Suite("Lists of articles") final class ListTests: CacheSuite {
  /// Feeds in nested folders, with equal dates; some articles are read, some starred.
  private func library(_ cache: TestCache) async throws -> [FeedID] {
    var random = SeededRandom(seed: 7)
    var feeds: [FeedID] = []
    for number in 0..<Soak.length(short: 20, long: 60) {
      let folder = [[], ["A"], ["A", "B"], ["C"]][number % 4]
      feeds.append(try await cache.feed("\(number)", folder: folder))
    }
    for round in 0..<3 {
      cache.clock.now = TestCache.start + Double(round) * 60
      for feed in feeds {
        let items = (0..<Int.random(in: 0...9, using: &random)).map { number in
          ParsedItem(
            id: "\(round)-\(number)", title: number % 3 == 0 ? "Über Fische" : "Of fish and SQLite",
            datePublished: TestCache.start - Double(Int.random(in: 0...40, using: &random)) * 3_600)
        }
        try await cache.merge(feed, items)
      }
    }
    let ids = try cache.all(ArticleQuery(scope: .all)).map(\.id)
    try await cache.store.reader.states.set(.read, ids.filter { $0.rawValue % 3 == 0 }, true)
    try await cache.store.reader.states.set(.starred, ids.filter { $0.rawValue % 7 == 0 }, true)
    try await cache.store.reader.states.set(.later, ids.filter { $0.rawValue % 5 == 0 }, true)
    return feeds
  }

  /// The expected rows of a list, computed by filtering and sorting all articles.
  private func expected(
    _ query: ArticleQuery, of all: [ArticleRow], _ subscriptions: Subscriptions, at now: Date
  ) -> [ArticleRow] {
    let parents = Dictionary(uniqueKeysWithValues: subscriptions.folders.map { ($0.id, $0.parent) })
    let folders = Dictionary(uniqueKeysWithValues: subscriptions.feeds.map { ($0.id, $0.folder) })
    func isIn(_ feed: FeedID, _ folder: FolderID) -> Bool {
      var next = folders[feed] ?? nil
      while let here = next {
        if here == folder { return true }
        next = parents[here] ?? nil
      }
      return false
    }
    let rows = all.filter { row in
      if let asOf = query.asOf, row.id > asOf { return false }
      if let text = query.titleContains,
        !(row.title + "\n" + row.feedName).lowercased().contains(text.lowercased())
      {
        return false
      }
      var passes =
        switch query.filter {
        case .all: true
        case .unread: !row.status.isRead
        case .starred: row.status.isStarred
        }
      switch query.scope {
      case .all, .exceptQuiet: break
      case .feed(let feed): if row.feed != feed { return false }
      case .folder(let folder): if !isIn(row.feed, folder) { return false }
      case .tag: if row.id.rawValue % 7 != 0 { return false }
      case .smart(.today):
        if row.sortDate < TestCache.calendar.startOfDay(for: now) { return false }
      case .smart(.later): if !row.status.isLater { return false }
      case .smart(.archived), .smart(.high): return false
      case .smart(.unread): passes = passes && !row.status.isRead
      case .smart(.starred): passes = passes && row.status.isStarred
      }
      return passes || query.keeping.contains(row.id)
    }
    return rows.sorted { query.order == .newestFirst ? $0.key > $1.key : $0.key < $1.key }
  }

  @Test("Pages from both ends equal a full sort for every kind of list")
  func pagesEqualAFullSort() async throws {
    let feeds = try await library(cache)
    let subscriptions = try cache.store.reader.feeds.subscriptions()
    let folders = subscriptions.folders.map { ArticleQuery.Scope.folder($0.id) }
    let newest = try cache.store.reader.articles.latestArticleID()
    let all = try cache.all(ArticleQuery(scope: .all))
    let kept = Set(all.filter { $0.id.rawValue % 11 == 0 }.map(\.id))
    let sevenths = all.filter { $0.id.rawValue % 7 == 0 }.map(\.id)
    try await cache.store.reader.states.changeTags(of: sevenths, adding: ["seventh"], removing: [])
    let scopes: [ArticleQuery.Scope] =
      [
        .all, .exceptQuiet, .feed(feeds[5]), .smart(.today), .smart(.unread), .smart(.starred),
        .smart(.later), .tag("Seventh"),
      ] + folders
    for scope in scopes {
      for filter in [ArticleQuery.Filter.all, .unread, .starred] {
        for order in [ArticleQuery.Order.newestFirst, .oldestFirst] {
          for asOf in [nil, ArticleID(rawValue: newest.rawValue / 2)] {
            for keeping in [[], kept] {
              for text in [nil, "FISH", "über"] {
                let query = ArticleQuery(
                  scope: scope, filter: filter, order: order, asOf: asOf, keeping: keeping,
                  titleContains: text)
                let rows = expected(query, of: all, subscriptions, at: cache.clock.now)
                try check(query, rows, cache.store)
              }
            }
          }
        }
      }
    }
  }

  @Test("Hits of a search are paged and filtered as the list shows them")
  func hitsArePagedAndFiltered() async throws {
    _ = try await library(cache)
    try await cache.index()
    let everything = ArticleQuery(scope: .all)
    let all = try cache.all(everything)
    let byDate = try #require(try await cache.store.search.hits(holding: "fis", in: everything))
    let best = try #require(
      try await cache.store.search.hits(
        SearchQuery("fische OR sqlite"), in: everything, order: .best))
    #expect(byDate.ids == all.map(\.id))
    #expect(best.isRanked && best.count == all.count && best.ids != byDate.ids)
    let rowOf = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    for hits in [byDate, best] {
      for filter in [ArticleQuery.Filter.all, .unread, .starred] {
        for order in [ArticleQuery.Order.newestFirst, .oldestFirst] {
          var query = ArticleQuery(scope: .all, filter: filter, order: order)
          query.hits = hits
          var rows = hits.ids.compactMap { rowOf[$0] }.filter { row in
            switch filter {
            case .all: true
            case .unread: !row.status.isRead
            case .starred: row.status.isStarred
            }
          }
          if order == .oldestFirst, !hits.isRanked { rows.reverse() }
          try check(query, rows, cache.store)
        }
      }
    }
  }

  private func check(_ query: ArticleQuery, _ rows: [ArticleRow], _ store: FeedStore) throws {
    var forward: [ArticleRow] = []
    var start = PageStart.top
    while true {
      let page = try store.reader.articles.page(query, start, limit: 41)
      forward += page
      guard page.count == 41, let last = page.last else { break }
      start = .after(last.key)
    }
    #expect(forward == rows, "\(query.brief)")
    var backward: [ArticleRow] = []
    start = .bottom
    while true {
      let page = try store.reader.articles.page(query, start, limit: 67)
      backward = page + backward
      guard page.count == 67, let first = page.first else { break }
      start = .before(first.key)
    }
    #expect(backward == rows, "\(query.brief)")
    #expect(try store.reader.articles.count(query) == rows.count, "\(query.brief)")
    let part = rows[(rows.count / 3)..<(rows.count - rows.count / 4)]
    if let first = part.first, let last = part.last {
      let ids = try store.reader.articles.articleIDs(query, from: last.key, through: first.key)
      #expect(ids == part.map(\.id), "\(query.brief)")
      #expect(
        try store.reader.articles.articleIDs(query, from: last.key, through: last.key) == [last.id],
        "\(query.brief)")
    }
    if let middle = rows.dropFirst(rows.count / 2).first {
      let page = try store.reader.articles.page(query, .from(middle.key), limit: 5)
      #expect(page == Array(rows.dropFirst(rows.count / 2).prefix(5)), "\(query.brief)")
      let next = rows.dropFirst(rows.count / 2 + 1).first {
        !$0.status.isRead && (query.filter != .starred || $0.status.isStarred)
      }
      if query.keeping.isEmpty {
        #expect(
          try store.reader.articles.nextUnread(query, .after(middle.key)) == next, "\(query.brief)")
        let previous = rows.prefix(rows.count / 2).last { !$0.status.isRead }
        #expect(
          try store.reader.articles.nextUnread(query, .before(middle.key)) == previous,
          "\(query.brief)")
      }
    }
  }

  @Test("Arrivals are counted and not shown in an open list")
  func arrivalsAreOnlyCounted() async throws {
    let (a, b) = (try await cache.feed("a", folder: ["F"]), try await cache.feed("b"))
    try await cache.merge(a, (0..<5).map { .dated($0) })
    let folder = try #require(try cache.store.reader.feeds.subscriptions().folders.first).id
    let asOf = try cache.store.reader.articles.latestArticleID()
    let arrived = try await cache.merge(a, (5..<8).map { .dated($0) }).added
    try await cache.merge(b, (0..<4).map { .dated($0) })
    func query(_ scope: ArticleQuery.Scope, _ filter: ArticleQuery.Filter = .all) -> ArticleQuery {
      ArticleQuery(scope: scope, filter: filter, asOf: asOf)
    }
    #expect(try cache.store.reader.articles.arrivals(query(.all)) == 7)
    #expect(try cache.store.reader.articles.arrivals(query(.feed(a))) == 3)
    #expect(try cache.store.reader.articles.arrivals(query(.folder(folder))) == 3)
    #expect(try cache.store.reader.articles.arrivals(query(.all, .starred)) == 0)
    try await cache.store.reader.states.set(.read, [arrived[0]], true)
    #expect(try cache.store.reader.articles.arrivals(query(.feed(a), .unread)) == 2)
    #expect(try cache.store.reader.articles.count(query(.all)) == 5)
    #expect(try cache.store.reader.articles.arrivals(ArticleQuery(scope: .all)) == 0)
  }

  @Test("Today begins at the user's midnight") func todayBeginsAtMidnight() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.merge(feed, [.dated(1, hours: 9.99), .dated(2, hours: 10.01)])
    let today = ArticleQuery(scope: .smart(.today))
    #expect(try cache.all(today).map(\.title) == ["Article 1"])
    #expect(try cache.feeds.subscriptions().smartCounts == [.today: 1, .unread: 2, .starred: 0])
    cache.clock.now += 86_400
    #expect(try cache.all(today).isEmpty)
  }

  @Test("Every list reads a range of an index without sorting")
  func listsReadIndexRanges() async throws {
    // `INDEXED BY` makes a plan without its index an error; this test excludes a sort.
    let plans = try Foreign.listPlans(in: cache.directory)
    #expect(plans.count == 12)
    for plan in plans {
      #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
      #expect(plan.contains("SEARCH s USING"), "\(plan)")
    }
  }

  @Test("The recorded end of a session survives maintenance, and the newest one is returned")
  func visits() async throws {
    #expect(try cache.store.reader.articles.lastVisit() == nil)
    try await cache.store.reader.articles.recordVisit()
    let empty = ArticleKey(sortDate: cache.clock.now, id: ArticleID(rawValue: 0))
    #expect(try cache.store.reader.articles.lastVisit() == empty)
    let feed = try await cache.feed("https://a.example/feed")
    try await cache.merge(feed, [ParsedItem(id: "1", title: "One")])
    cache.clock.now += 60
    try await cache.store.reader.articles.recordVisit()
    try await cache.store.maintenance.tidy()
    let last = ArticleKey(sortDate: cache.clock.now, id: try cache.articles.latestArticleID())
    #expect(try cache.store.reader.articles.lastVisit() == last)
  }

  @Test("A range of a list contains all articles between its ends, in either direction")
  func aRangeOfAListIsRead() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.merge(feed, (0..<900).map { .dated($0) })
    try await cache.merge(feed, (900..<1_700).map { .dated($0) })
    let query = ArticleQuery(scope: .feed(feed))
    let rows = try cache.store.reader.articles.page(query, .top, limit: 2_000)
    let some = try cache.articles.articleIDs(query, from: rows[3].key, through: rows[1_500].key)
    #expect(some.count == 1_498)
    #expect(Set(some) == Set(rows[3...1_500].map(\.id)))
    let turned = try cache.articles.articleIDs(query, from: rows[1_500].key, through: rows[3].key)
    #expect(turned == some)
    #expect(
      try cache.store.reader.articles.articleIDs(query, from: rows[7].key, through: rows[7].key)
        == [rows[7].id])
  }
}

extension ArticleQuery {
  /// A description with the number of the kept keys.
  fileprivate var brief: String {
    """
    \(scope) \(filter) \(order) asOf \(asOf?.rawValue ?? 0) keeping \(keeping.count) \
    text \(titleContains ?? "") hits \(hits.map { $0.isRanked ? "ranked" : "by date" } ?? "")
    """
  }
}
