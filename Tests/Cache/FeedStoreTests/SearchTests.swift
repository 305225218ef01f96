import GRDB

@testable import FeedStore
@testable import SearchStore

@Suite("Search") final class SearchTests: FeedSuite {
  /// Titles of a search's hits, the newest first, with the index and without it.
  private func find(_ text: String, _ cache: TestCache, in list: ArticleQuery = .init(scope: .all))
    async throws -> [String]
  {
    let hits = try #require(try await cache.store.search.hits(SearchQuery(text), in: list))
    var list = list
    list.hits = hits
    return try cache.all(list).map(\.title)
  }

  private func item(
    _ number: Int, _ title: String, body: String = "", author: String? = nil, tags: [String] = [],
    hours: Double? = nil
  ) -> ParsedItem {
    var item = ParsedItem.dated(number, hours: hours ?? Double(number), title: title)
    item.contentHTML = body
    item.authors = author.map { [Author(name: $0)] } ?? []
    item.tags = tags
    return item
  }

  private func library() async throws -> TestCache {
    let cache = try TestCache()
    let blog = try await cache.feed("blog", folder: ["News", "Daily"])
    try await cache.merge(
      blog,
      [
        item(
          1, "Notes on WAL checkpoints", body: "<p>SQLite <b>write</b>s ahead</p><p>log</p>",
          author: "Jo Doe", tags: ["databases"]),
        item(2, "東京の水", body: "<p>東京都の新しい堰について。河流與水壩</p>", author: "山田"),
        item(
          3, "Café life", body: "<p>Naïve readers; e\u{301}lan</p>", tags: ["coffee", "slow life"]),
        item(4, "아침 소식", body: "<p>아침에 강을 읽다</p>"),
        item(5, "שלום", body: "<p>שָׁלוֹם עולם، أخبار</p>"),
        item(6, "Party 🎉", body: "<p>ahead write, no log &amp; no &lt;markup&gt;</p>"),
      ], title: "The Blog")
    let other = try await cache.feed("other")
    try await cache.merge(
      other,
      [
        item(7, "SQLite in space", body: "<a href=\"https://hidden.example\">x</a>", hours: 24 * 10)
      ],
      title: "Old Gazette")
    let rows = try cache.all(ArticleQuery(scope: .all))
    try await cache.states.set(.read, rows.filter { $0.title == "Café life" }.map(\.id), true)
    try await cache.states.set(.starred, rows.filter { $0.title.contains("WAL") }.map(\.id), true)
    try await cache.store.reader.states.changeTags(
      of: rows.filter { $0.title.contains("水") }.map(\.id), adding: ["Übung"], removing: [])
    return cache
  }

  static let questions: [(String, [String])] = [
    ("sqlite", ["Notes on WAL checkpoints", "SQLite in space"]),
    ("SQLITE log", ["Notes on WAL checkpoints"]),
    ("\"writes ahead log\"", ["Notes on WAL checkpoints"]), ("\"ahead writes\"", []),
    ("\"ahead write\"", ["Party 🎉"]), ("write-no", ["Party 🎉"]), ("write-yes", []),
    ("sql*", ["Notes on WAL checkpoints", "SQLite in space"]),
    ("log -sqlite", ["Party 🎉"]), ("log -\"no log\"", ["Notes on WAL checkpoints"]),
    ("space OR life", ["Café life", "SQLite in space"]),
    ("東京", ["東京の水"]), ("京都", ["東京の水"]), ("水", ["東京の水"]), ("水壩", ["東京の水"]), ("新しい堰", ["東京の水"]),
    ("大阪", []), ("堰新", []), ("강", ["아침 소식"]), ("아침", ["아침 소식"]), ("침에", ["아침 소식"]),
    ("cafe", ["Café life"]), ("naive élan", ["Café life"]), ("שלום", ["שלום"]), ("اخبار", ["שלום"]),
    ("🎉", ["Party 🎉"]), ("title:sqlite", ["SQLite in space"]),
    ("author:doe", ["Notes on WAL checkpoints"]),
    ("author:山田", ["東京の水"]), ("title:doe", []), ("hidden.example", []), ("markup", ["Party 🎉"]),
    ("tag:databases", ["Notes on WAL checkpoints"]), ("tag:\"slow life\"", ["Café life"]),
    ("tag:übung", ["東京の水"]), ("tag:databases OR tag:übung", ["Notes on WAL checkpoints", "東京の水"]),
    ("feed:gazette", ["SQLite in space"]), ("feed:gazette log", []),
    ("sqlite -feed:gazette", ["Notes on WAL checkpoints"]),
    ("in:news sqlite", ["Notes on WAL checkpoints"]),
    ("in:daily is:starred", ["Notes on WAL checkpoints"]),
    ("is:read", ["Café life"]), ("life is:unread", []),
    ("is:starred OR is:read", ["Notes on WAL checkpoints", "Café life"]),
    ("/sql(ite)?s? (in|on)/", ["SQLite in space"]),
    ("title:/^(notes|party)/", ["Notes on WAL checkpoints", "Party 🎉"]),
    ("author:/^jo\\b/", ["Notes on WAL checkpoints"]),
    ("sqlite -title:/space$/", ["Notes on WAL checkpoints"]),
    ("/東京./", ["東京の水"]), ("title:/log/", []), ("/slow life/", ["Café life"]),
    ("/naïve/ OR 🎉", ["Café life", "Party 🎉"]), ("minutes:<1", []),
    ("life minutes:1", ["Café life"]), ("is:duplicate", []),
    ("before:7d", ["SQLite in space"]), ("sqlite after:7d", ["Notes on WAL checkpoints"]),
    ("sqlite before:2026-11-12", ["SQLite in space"]), ("after:2027", []),
    ("-sqlite -no -東京 -life -아침", ["שלום"]), ("!!!", []), ("", []),
  ]

  @Test("Every operator and script finds the same before and after indexing")
  func findsWhatMatches() async throws {
    let cache = try await library()
    // Tags of articles are found only by the index.
    for (text, titles) in Self.questions where !text.hasPrefix("tag:") {
      #expect(try await find(text, cache) == titles, "\(text), not indexed")
    }
    try await cache.index()
    #expect(try cache.store.search.searchProgress().isComplete)
    for (text, titles) in Self.questions {
      #expect(try await find(text, cache) == titles, "\(text), indexed")
    }
  }

  @Test("A search is limited to its list, filter and arrival mark") func inLists() async throws {
    let cache = try await library()
    try await cache.index()
    let feeds = try cache.store.reader.feeds.subscriptions().feeds
    #expect(
      try await find("sqlite", cache, in: .init(scope: .feed(feeds[1].id))) == ["SQLite in space"])
    #expect(try await find("life", cache, in: .init(scope: .all, filter: .unread)) == [])
    #expect(
      try await find("life", cache, in: .init(scope: .all, asOf: ArticleID(rawValue: 0))) == [])
  }

  @Test("No query causes an SQL error", arguments: 1...6)
  func hostileQueries(seed: UInt64) async throws {
    let cache = try await library()
    try await cache.index()
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "\"", "-", " OR ", " ", ":", "is:read", "title:", "*", "東京", "水", "👩‍🚀", "\u{0}", "(", ")",
      "NEAR(",
      "^", "{title}", "feed:", "' OR 1=1 --", "AND", "NOT ", ";", "\\", "%", "tag:", "log", "in:",
      "\u{301}",
      "sqlite", "col:x", "+", ",", "\u{FFFD}", "é",
    ]
    for _ in 0..<60 {
      let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let query = try? SearchQuery(text, isBeingTyped: .random(using: &random)) else {
        continue
      }
      let hits = try await cache.store.search.hits(query, in: .init(scope: .all), order: .best)
      _ = try cache.store.search.found(hits?.ids ?? [], by: query)
      _ = try await cache.store.search.hits(holding: text, in: .init(scope: .all))
    }
  }

  @Test("The index finds the same as a scan of the texts", arguments: 1...3)
  func indexAgreesWithTexts(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let words = ["ab", "abc", "Äb", "b", "水", "東京", "京", "東", "x-y", "🎉", "да"]
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in
        (words.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
      }.joined()
    }
    try await cache.merge(feed, (0..<120).map { item($0, text(4), body: text(8), author: text(1)) })
    var questions: [(String, [String])] = []
    for _ in 0..<80 {
      let query = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let sign = ["", "", "-", "title:", "author:"].randomElement(using: &random) ?? ""
        return sign + (Bool.random(using: &random) ? "\"\(text(3))\"" : text(1))
      }.joined(separator: [" ", " OR "].randomElement(using: &random) ?? " ")
      questions.append((query, try await find(query, cache)))
    }
    try await cache.index()
    for (query, titles) in questions { #expect(try await find(query, cache) == titles, "\(query)") }
  }

  // MARK: The index's life

  private func vocabulary(_ cache: TestCache) throws -> Set<String> {
    try cache.store.database.core.pool.write { db in
      try db.execute(sql: "INSERT INTO searchIndex (searchIndex) VALUES ('integrity-check')")
      try db.execute(
        sql: "CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'searchIndex', 'row')")
      defer { try? db.execute(sql: "DROP TABLE temp.words") }
      return Set(try String.fetchAll(db, sql: "SELECT term FROM temp.words"))
    }
  }

  @Test("Old words of edited or deleted articles are not found and leave no rows")
  func editsAndDeletions() async throws {
    try await cache.merge(
      feed, [item(1, "One", body: "<p>alpha</p>", tags: ["t"]), item(2, "Two", body: "beta")])
    try await cache.index()
    // The text changes twice between two runs of the job; the first text is the indexed one.
    try await cache.merge(feed, [item(1, "One", body: "<p>gamma</p>", tags: ["u"])])
    try await cache.merge(feed, [item(1, "Uno", body: "<p>delta</p>", tags: ["u"])])
    try await cache.index()
    for gone in ["alpha", "gamma", "one", "tag:t"] { #expect(try await find(gone, cache) == []) }
    for there in ["delta", "uno", "tag:u"] { #expect(try await find(there, cache) == ["Uno"]) }
    #expect(try vocabulary(cache) == ["uno", "delta", "u", "two", "beta"])
    try await cache.store.database.core.pool.write { db in
      try db.execute(sql: "DELETE FROM article WHERE title = 'Uno'")
    }
    #expect(try await find("delta", cache) == [])
    try await cache.index()
    #expect(try vocabulary(cache) == ["two", "beta"])
    try await cache.store.database.core.pool.write { db in try db.execute(sql: "DELETE FROM feed") }
    try await cache.index()
    #expect(try vocabulary(cache) == [])
  }

  @Test("An article that changes before it is indexed is indexed once")
  func changesBeforeIndexing() async throws {
    try await cache.merge(feed, [item(1, "One", body: "alpha")])
    try await cache.merge(feed, [item(1, "One", body: "beta")])
    #expect(try cache.count("searchStale") == 0)
    try await cache.index()
    #expect(try vocabulary(cache) == ["one", "beta"])
  }

  @Test("A merge writes nothing to the index, and an unchanged merge queues nothing")
  func mergesStayCheap() async throws {
    let items = (0..<50).map { item($0, "T\($0)", body: "word\($0)") }
    let before = try cache.count("searchIndex_data")
    try await cache.merge(feed, items)
    #expect(try cache.count("searchIndex_data") == before)
    try await cache.index()
    let after = try cache.count("searchIndex_data")
    try await cache.merge(feed, items)
    #expect(try cache.count("searchStale") == 0)
    try await cache.merge(feed, [item(1, "T1", body: "other")])
    #expect(try cache.count("searchStale") == 1)
    #expect(try cache.count("searchIndex_data") == after)
  }

  @Test("An indexing step ends at its time limit, and the next one continues")
  func steps() async throws {
    try await cache.merge(feed, (0..<30).map { item($0, "T\($0)") })
    var steps = 0
    while try !cache.store.search.searchProgress().isComplete {
      #expect(try await cache.store.search.indexSome(within: .zero) || steps == 29)
      steps += 1
    }
    // Each step indexes one article, because its time limit is zero.
    #expect(steps == 30)
    #expect(try cache.store.search.searchProgress().isComplete)
    #expect(try await find("T7", cache) == ["T7"])
  }

  @Test("The job indexes existing and later articles without a request") func job() async throws {
    try await cache.merge(feed, [item(1, "One")])
    let indexer = SearchIndexer(cache.store.search)
    defer { indexer.cancel() }
    #expect(try await eventually { try cache.store.search.searchProgress().isComplete })
    try await cache.merge(feed, [item(2, "Two")])
    #expect(try await eventually { try cache.search.searchProgress().indexedTo.rawValue == 2 })
  }

  // MARK: What is shown

  @Test("Hits are marked in the passage that contains most of them") func passages() async throws {
    let filler = String(repeating: "lorem ipsum ", count: 60)
    try await cache.merge(
      feed,
      [
        item(
          1, "Wéir & Bach",
          body:
            "<p>A weir.</p><p>\(filler)</p><p>The <b>we</b>ir on the 東京都 river</p><p>\(filler)</p>")
      ])
    let query = try SearchQuery("weir river 京都")
    let hits = try #require(try await cache.store.search.hits(query, in: .init(scope: .all)))
    let found = try #require(try cache.store.search.found(hits.ids, by: query).first)
    func marked(_ text: MarkedText) -> [String] {
      text.pieces.filter(\.isHit).map { String($0.text) }
    }
    #expect(marked(found.title) == ["Wéir"])
    #expect(marked(found.snippet) == ["weir", "京都", "river"])
    #expect(found.snippet.pieces.map(\.text).joined() == found.snippet.text)
    #expect(found.snippet.text.hasPrefix("…") && found.snippet.text.hasSuffix("…"))
    let single = try cache.store.search.found(hits.ids, by: SearchQuery("京"))[0]
    #expect(marked(single.snippet) == ["京"])
    let none = try cache.store.search.found(hits.ids, by: SearchQuery("is:unread"))[0]
    #expect(none.snippet.hits.isEmpty && none.snippet.text.hasPrefix("A weir."))
  }

  @Test("Best-first order ranks titles before texts, then by frequency, then by date")
  func ranking() async throws {
    let filler = String(repeating: "other words here ", count: 20)
    try await cache.merge(
      feed,
      [
        item(1, "New", body: "weir \(filler)"), item(2, "Weir", body: filler, hours: 24),
        item(3, "Often", body: "weir weir weir weir \(filler)"),
        item(4, "Old", body: "weir \(filler)", hours: 24 * 500),
      ])
    let hits = try #require(
      try await cache.store.search.hits(SearchQuery("weir"), in: .init(scope: .all), order: .best))
    let titles = try hits.ids.compactMap { try cache.store.reader.articles.article($0)?.row.title }
    #expect(titles == ["Weir", "Often", "New", "Old"])
    #expect(hits.isRanked)
  }

  @Test("Pages of hits equal the filtered hits, from either end") func pages() async throws {
    try await cache.merge(
      feed, (0..<40).map { item($0, "T\($0)", body: $0 % 2 == 0 ? "even" : "odd") })
    for order in [SearchOrder.newest, .best] {
      var list = ArticleQuery(scope: .all)
      list.hits = try await cache.store.search.hits(SearchQuery("even"), in: list, order: order)
      let all = try cache.all(list)
      #expect(all.count == 20)
      #expect(try cache.store.reader.articles.count(list) == 20)
      let (third, last) = (all[3].key, all[19].key)
      #expect(try cache.articles.page(list, .after(third), limit: 5) == Array(all[4..<9]))
      #expect(try cache.articles.page(list, .from(third), limit: 5) == Array(all[3..<8]))
      #expect(try cache.articles.page(list, .before(third), limit: 2) == Array(all[1..<3]))
      #expect(try cache.store.reader.articles.page(list, .bottom, limit: 3) == Array(all[17...]))
      #expect(try cache.store.reader.articles.page(list, .after(last), limit: 3).isEmpty)
    }
    var list = ArticleQuery(scope: .all, filter: .unread)
    list.hits = try await cache.store.search.hits(SearchQuery("even"), in: list)
    let all = try cache.all(list)
    try await cache.store.reader.states.set(.read, [all[0].id, all[1].id], true)
    #expect(try cache.all(list).map(\.id) == all.dropFirst(2).map(\.id))
    list.keeping = [all[1].id]
    #expect(try cache.all(list).map(\.id) == all.dropFirst(1).map(\.id))
    #expect(try cache.store.reader.articles.nextUnread(list, .top)?.id == all[2].id)
    #expect(try await cache.store.reader.states.markShownRead(list).changed == 18)
    _ = try await cache.store.reader.journal.undo()
    #expect(try cache.counts().unread == 38)
  }

  @Test("A search that reached its limit continues from there") func continuing() async throws {
    try await cache.merge(feed, (0..<25).map { item($0, "T\($0)", body: "two words") })
    try await cache.index()
    for query in ["words", "\"two words\"", "is:unread"] {
      var seen: [ArticleID] = []
      var olderThan: ArticleID?
      repeat {
        let hits = try #require(
          try await cache.store.search.hits(
            SearchQuery(query), in: .init(scope: .feed(feed), filter: .all), olderThan: olderThan,
            limit: 10))
        seen += hits.ids
        olderThan = hits.continuesBefore
      } while olderThan != nil
      #expect(Set(seen).count == 25 && seen.count == 25, "\(query)")
    }
  }

  @Test("A filter finds parts of titles, authors and feed names") func titleHits() async throws {
    let cache = try await library()
    for (text, titles) in [
      ("QLit", ["SQLite in space"]), ("gazette", ["SQLite in space"]), ("é L", ["Café life"]),
      ("山", ["東京の水"]), ("nowhere", []),
    ] {
      var list = ArticleQuery(scope: .all)
      list.hits = try await cache.store.search.hits(holding: text, in: list)
      #expect(try cache.all(list).map(\.title) == titles)
    }
  }
}

extension TestCache {
  func count(_ table: String) throws -> Int {
    try store.database.core.pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
  }
}
