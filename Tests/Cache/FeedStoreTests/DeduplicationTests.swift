@Suite("Deduplication") struct DeduplicationTests {
  private func item(_ id: String, _ url: String, hours: Double = 0) -> ParsedItem {
    ParsedItem(
      id: id, url: url, title: "Title \(WebAddress(url).canonical ?? url)",
      contentHTML: "<p>\(id)</p>",
      datePublished: TestCache.start - hours * 3_600)
  }

  /// Two feeds in a folder and one outside; each has a common story and one of its own.
  private func stories() async throws -> (
    cache: TestCache, feeds: [FeedID], duplicates: [ArticleID]
  ) {
    let cache = try TestCache()
    let feeds = [
      try await cache.feed("a", folder: ["F"]), try await cache.feed("b", folder: ["F"]),
      try await cache.feed("c"),
    ]
    var duplicates: [ArticleID] = []
    let addresses = [
      "https://www.example.org/story/", "http://example.org/story?utm_source=rss",
      "https://example.org/story#top",
    ]
    for (number, feed) in feeds.enumerated() {
      let outcome = try await cache.merge(
        feed,
        [
          item("story-\(number)", addresses[number], hours: Double(number)),
          item("own-\(number)", "https://example.org/own/\(number)", hours: 5),
        ])
      duplicates.append(try #require(outcome.added.last))
    }
    return (cache, feeds, duplicates)
  }

  private func ids(_ cache: TestCache, _ query: ArticleQuery) throws -> Set<ArticleID> {
    Set(try cache.all(query).map(\.id))
  }

  private func check(_ cache: TestCache) throws {
    for scope in [
      ArticleQuery.Scope.all, .smart(.unread), .smart(.starred), .smart(.today),
      .folder(FolderID(rawValue: 1)),
    ] {
      for filter in [ArticleQuery.Filter.all, .unread, .starred] {
        let query = ArticleQuery(scope: scope, filter: filter)
        #expect(try cache.store.reader.articles.count(query) == cache.all(query).count, "\(query)")
      }
    }
    for feed in try cache.store.reader.feeds.subscriptions().feeds {
      let rows = try cache.all(ArticleQuery(scope: .feed(feed.id)))
      #expect(feed.counts.total == rows.count)
      #expect(feed.counts.unread == rows.count { !$0.status.isRead })
      #expect(feed.counts.starred == rows.count { $0.status.isStarred })
    }
  }

  @Test(
    "A folder shows one of its two duplicates if the canonical article is in a feed outside of it")
  func copiesOfAnotherFolder() async throws {
    let cache = try TestCache()
    var feeds: [FeedID] = []
    for (name, folder) in [("outside", []), ("a", ["F"]), ("b", ["F"])] {
      let feed = try await cache.feed(name, folder: folder)
      try await cache.merge(feed, [item(name, "https://example.org/story")])
      feeds.append(feed)
    }
    let folder = ArticleQuery.Scope.folder(try #require(cache.feeds.feed(feeds[1])?.folder))
    #expect(try cache.all(ArticleQuery(scope: folder)).map(\.feed) == [feeds[1]])
    var later = ArticleQuery(scope: folder)
    later.asOf = ArticleID(rawValue: 0)
    #expect(try cache.store.reader.articles.arrivals(later) == 1)
    try check(cache)
    try await cache.store.reader.feeds.unsubscribe([feeds[1]])
    #expect(try cache.all(ArticleQuery(scope: folder)).map(\.feed) == [feeds[2]])
    try check(cache)
  }

  @Test("A story is shown once in mixed lists and in each of its feeds, and read in all of them")
  func storyIsShownOnce() async throws {
    let (cache, feeds, duplicates) = try await stories()
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 4)
    #expect(try cache.all(ArticleQuery(scope: .folder(FolderID(rawValue: 1)))).count == 3)
    for (feed, copy) in zip(feeds, duplicates) {
      #expect(try ids(cache, ArticleQuery(scope: .feed(feed))).contains(copy))
    }
    try check(cache)

    try await cache.store.reader.states.set(.read, [duplicates[2]], true)
    for copy in duplicates {
      #expect(try cache.store.reader.articles.article(copy)?.row.status.isRead == true)
    }
    #expect(try cache.all(ArticleQuery(scope: .smart(.unread))).count == 3)
    try check(cache)
    _ = try await cache.store.reader.journal.undo()
    for copy in duplicates {
      #expect(try cache.store.reader.articles.article(copy)?.row.status.isRead == false)
    }
    try await cache.store.reader.states.set(.starred, [duplicates[1]], true)
    #expect(try cache.all(ArticleQuery(scope: .smart(.starred))).count == 1)
    try check(cache)
    let query = ArticleQuery(scope: .folder(FolderID(rawValue: 1)))
    #expect(try await cache.store.reader.states.markShownRead(query).changed == 5)
    try check(cache)
  }

  @Test("A later copy of a read story is unread in its feed; mixed lists show it no more")
  func laterDuplicate() async throws {
    let (cache, _, duplicates) = try await stories()
    try await cache.store.reader.states.set(.read, [duplicates[0]], true)
    let late = try await cache.feed("late")
    try await cache.merge(late, [item("late", "https://example.org/story/amp")])
    #expect(try cache.all(ArticleQuery(scope: .feed(late), filter: .unread)).count == 1)
    #expect(try cache.feeds.feed(late)?.counts == ArticleCounts(total: 1, unread: 1, starred: 0))
    #expect(try cache.all(ArticleQuery(scope: .all, filter: .unread)).count == 3)
    try check(cache)
    // Marking the mixed list read marks the story read in all feeds.
    try await cache.states.markShownRead(ArticleQuery(scope: .all))
    #expect(try cache.counts().unread == 0)
    try check(cache)
  }

  @Test("A copy is shown in place of a first copy whose feed was unsubscribed")
  func duplicateReplacesFirst() async throws {
    let (cache, feeds, duplicates) = try await stories()
    let all = ArticleQuery(scope: .all)
    #expect(try ids(cache, all).intersection(duplicates) == [duplicates[0]])
    try await cache.store.reader.feeds.unsubscribe([feeds[0]])
    #expect(try ids(cache, all).intersection(duplicates) == [duplicates[1]])
    try check(cache)
    try await cache.store.reader.feeds.unsubscribe([feeds[1]])
    #expect(try ids(cache, all).intersection(duplicates) == [duplicates[2]])
    try await cache.store.reader.feeds.unsubscribe([feeds[2]])
    #expect(try cache.all(all).isEmpty)
    for _ in 0..<3 {
      _ = try await cache.store.reader.journal.undo()
      #expect(try ids(cache, all).intersection(duplicates).count == 1)
      try check(cache)
    }
    // Deleting the story deletes all of its copies.
    #expect(try await cache.store.reader.states.delete([duplicates[1]]) == 3)
    #expect(try ids(cache, all).intersection(duplicates).isEmpty)
    _ = try await cache.store.reader.journal.undo()
    #expect(try ids(cache, all).intersection(duplicates).count == 1)
    try check(cache)
  }

  @Test("A tagged copy is shown in the list of its tag, once per story")
  func taggedDuplicateIsListed() async throws {
    let (cache, _, duplicates) = try await stories()
    let query = ArticleQuery(scope: .tag("x"))
    try await cache.store.reader.states.changeTags(of: [duplicates[1]], adding: ["x"], removing: [])
    #expect(try ids(cache, query) == [duplicates[1]])
    #expect(try cache.store.reader.articles.count(query) == 1)
    #expect(try cache.store.reader.feeds.subscriptions().tags.map(\.counts.unread) == [1])
    #expect(try cache.store.reader.articles.nextUnread(query, .top)?.id == duplicates[1])
    var found = query
    found.hits = try await cache.store.search.hits(SearchQuery("Title"), in: query)
    #expect(try ids(cache, found) == [duplicates[1]])
    // Together with the canonical article, only one is shown.
    try await cache.store.reader.states.changeTags(of: [duplicates[0]], adding: ["x"], removing: [])
    #expect(try ids(cache, query) == [duplicates[0]])
    #expect(try cache.store.reader.articles.count(query) == 1)
  }

  @Test("A copy whose link changes becomes a separate story, and rejoins when the link returns")
  func changedLinkSeparates() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let all = ArticleQuery(scope: .all)
    let first = try await cache.merge(a, [item("1", "https://example.org/s")]).added
    let second = try await cache.merge(b, [item("2", "https://example.org/s")]).added
    #expect(try ids(cache, all) == Set(first))
    try await cache.merge(b, [item("2", "https://example.org/t")])
    #expect(try ids(cache, all) == Set(first + second))
    try await cache.store.reader.states.set(.read, first, true)
    #expect(try cache.store.reader.articles.article(second[0])?.row.status.isRead == false)
    try check(cache)
    // The link returns: each article keeps its state.
    try await cache.merge(b, [item("2", "https://example.org/s")])
    #expect(try ids(cache, all) == Set(first))
    #expect(try cache.store.reader.articles.article(second[0])?.row.status.isRead == false)
    // The link of the canonical article changes: the duplicate is shown.
    try await cache.merge(a, [item("1", "https://example.org/u")])
    #expect(try ids(cache, all) == Set(first + second))
    try check(cache)
  }

  @Test("A link used by several items of one feed, or to a front page, identifies no story")
  func sharedLinkIsIgnored() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    try await cache.merge(
      a, [item("1", "https://example.org/status"), item("2", "https://example.org/status")])
    try await cache.merge(b, [item("3", "https://example.org/status")])
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 3)
    // A front page identifies no story either.
    try await cache.merge(a, [item("4", "https://example.org/")])
    try await cache.merge(b, [item("5", "https://example.org/?utm_source=b")])
    #expect(try cache.all(ArticleQuery(scope: .all)).count == 5)
  }

  @Test("A star, a tag and an unread mark concern one copy, and mixed lists show it")
  func marksOfOneCopy() async throws {
    let (cache, feeds, duplicates) = try await stories()
    try await cache.states.set(.starred, [duplicates[1]], true)
    #expect(try cache.all(.starred).map(\.id) == [duplicates[1]])
    #expect(try cache.counts().starred == 1)
    try await cache.states.set(.starred, [duplicates[2]], true)
    #expect(try cache.all(.starred).map(\.id) == [duplicates[1]])
    try check(cache)
    try await cache.states.set(.read, [duplicates[0]], true)
    #expect(try cache.counts().unread == 3)
    // The copy that is kept unread stands for the story.
    try await cache.states.set(.read, [duplicates[2]], false)
    #expect(try ids(cache, .unread).intersection(duplicates) == [duplicates[2]])
    #expect(try cache.feeds.feed(feeds[0])?.counts.unread == 1)
    try check(cache)
    _ = try await cache.journal.undo()
    #expect(try ids(cache, .unread).isDisjoint(with: duplicates))
    #expect(try ids(cache, .all).intersection(duplicates) == [duplicates[0]])
    try check(cache)
  }

  @Test("A copy that arrives while the first is hidden is shown, and the first when it returns")
  func hiddenFirst() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let first = try await cache.merge(a, [item("1", "https://example.org/s")]).added
    try await cache.plan.snooze(first, until: cache.clock.now + 60)
    let second = try await cache.merge(b, [item("2", "https://example.org/s")]).added
    #expect(try ids(cache, .all) == Set(second))
    try check(cache)
    try await cache.plan.snooze(first, until: nil)
    #expect(try ids(cache, .all) == Set(first))
    try check(cache)
  }

  @Test(
    "Articles with one address tell one story only if titles or texts agree",
    arguments: [
      ("Flood warning North", "Storm warning South", false),
      ("Flood warning North", "Flood warning South", false),
      ("Show one: 14", "Show two: 3", false), ("By: Kim", "My trip to Oslo", false),
      ("Delays", "Payment delays", false), ("DNS outage", "Payment delays", false),
      ("A long post about bees", "A LONG post, about bees!", true),
      ("A long post about bees", "A long post about bees | The blog", true),
      ("A long post about bees", "Bees: a long read (blog.example)", true),
      ("Rust und C++ im Vergleich", "Über Bienen und andere Tiere", false),
      ("東京で大雪", "東京で大雪", true), ("東京で大雪", "大阪で地震", false),
    ])
  func likeTitles(first: String, second: String, isStory: Bool) async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    var items = [item("1", "https://example.org/s"), item("2", "http://www.example.org/s/")]
    (items[0].title, items[1].title) = (first, second)
    try await cache.merge(a, [items[0]])
    try await cache.merge(b, [items[1]])
    #expect(try cache.all(.all).count == (isStory ? 1 : 2))
  }

  @Test("A text that another feed cuts is the same story under another title")
  func likeTexts() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let words = (0..<90).map { "word\($0 * 7919 % 101)" }
    var items = (0..<3).map { item("\($0)", "https://example.org/s") }
    items[0].contentHTML = "<p>\(words.joined(separator: " "))</p>"
    (items[1].title, items[1].contentHTML) = (
      "Heard elsewhere", "<div>\(words.prefix(40).joined(separator: " <i>"))…</div>"
    )
    (items[2].title, items[2].contentHTML) = (
      "Other news", "<p>\(words.reversed().joined(separator: " "))</p>"
    )
    try await cache.merge(a, [items[0]])
    try await cache.merge(b, [items[1]])
    #expect(try cache.all(.all).count == 1)
    try await cache.merge(try await cache.feed("c"), [items[2]])
    #expect(try cache.all(.all).count == 2)
  }

  @Test("Counters and lists agree after random merges, marks, deletions and undo steps")
  func countersEqualLists() async throws {
    let cache = try TestCache()
    var random = SeededRandom(seed: 11)
    var feeds: [FeedID] = []
    for number in 0..<30 {
      feeds.append(try await cache.feed("f\(number)", folder: number % 3 == 0 ? [] : ["F"]))
    }
    for step in 0..<120 {
      let feed = try #require(feeds.randomElement(using: &random))
      let all = try cache.all(ArticleQuery(scope: .all)).map(\.id)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        let items = (0..<4).map { _ in
          let story = Int.random(in: 0..<25, using: &random)
          return item("\(story)", "https://example.org/s/\(story)", hours: Double(story))
        }
        try await cache.merge(feed, items)
      case 3:
        if let id = all.randomElement(using: &random) {
          try await cache.store.reader.states.set(.read, [id], Bool.random(using: &random))
        }
      case 4:
        if let id = all.randomElement(using: &random) {
          try await cache.store.reader.states.delete([id])
        }
      case 5: try await cache.store.reader.feeds.unsubscribe([feed])
      case 6:
        let rows = try cache.all(ArticleQuery(scope: .feed(feed)))
        if let id = rows.randomElement(using: &random)?.id {
          try await cache.states.set(.starred, [id], Bool.random(using: &random))
          try await cache.states.set(.read, [id], Bool.random(using: &random))
        }
      default: _ = try await cache.store.reader.journal.undo()
      }
      if step % 10 == 9 { try check(cache) }
      let rows = try cache.all(ArticleQuery(scope: .all))
      #expect(Set(rows.compactMap(\.url)).count == rows.count)
    }
    #expect(try cache.store.file.integrityProblems().isEmpty)
  }
}
