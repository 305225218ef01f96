@Suite("Feeds and folders of high priority") struct HighPriorityTests {
  /// Feeds with two unread articles each: at the top level, in the folder F, and in G within F.
  private struct Library {
    let cache: TestCache
    var feeds: [FeedID] = []
    var reader: ReaderCache { cache.store.reader }

    init() async throws {
      cache = try TestCache()
      for path in [[], ["F"], ["F", "G"]] {
        let feed = try await cache.feed("\(path.count)", folder: path)
        try await cache.merge(feed, [.dated(1), .dated(2, hours: 1)])
        feeds.append(feed)
      }
    }

    func folder(_ title: String) throws -> FolderID {
      try #require(try reader.feeds.subscriptions().folders.first { $0.title == title }?.id)
    }

    var unread: [Int] {
      get throws { try feeds.map { try reader.feeds.feed($0)?.counts.unread ?? 0 } }
    }

    /// Marks a list read, returns the unread articles of each feed, and undoes it.
    func marking(_ scope: ArticleQuery.Scope) async throws -> [Int] {
      let before = try unread.reduce(0, +)
      let marked = try await reader.states.markShownRead(ArticleQuery(scope: scope))
      let left = try unread
      #expect(before - left.reduce(0, +) == marked.articles + marked.duplicates)
      if marked.articles > 0 { _ = try await reader.journal.undo() }
      return left
    }
  }

  @Test("Marking a list above a high feed leaves it unread; its own list and High priority do not")
  func feed() async throws {
    let library = try await Library()
    let (reader, feeds) = (library.reader, library.feeds)
    #expect(try reader.feeds.subscriptions().smartCounts[.high] == nil)
    try await reader.feeds.setPriority(feeds[1], .high)
    #expect(try reader.feeds.subscriptions().smartCounts[.high] == 2)
    for scope in [ArticleQuery.Scope.all, .exceptQuiet, .smart(.today), .smart(.unread)] {
      #expect(try await library.marking(scope) == [0, 2, 0], "\(scope)")
    }
    #expect(try await library.marking(.folder(library.folder("F"))) == [2, 2, 0])
    #expect(try await library.marking(.feed(feeds[1])) == [2, 0, 2])
    #expect(try await library.marking(.smart(.high)) == [2, 0, 2])
    let marked = try await reader.states.markShownRead(ArticleQuery(scope: .exceptQuiet))
    #expect(marked == MarkedArticles(articles: 4, spared: 2))
    #expect(try reader.feeds.subscriptions().smartCounts[.high] == 2)
  }

  @Test("A high folder protects its feeds from lists above it, not from its own")
  func folder() async throws {
    let library = try await Library()
    let reader = library.reader
    let (outer, inner) = (try library.folder("F"), try library.folder("G"))
    try await reader.folders.setPriority(outer, .high)
    #expect(try await library.marking(.exceptQuiet) == [0, 2, 2])
    #expect(try await library.marking(.folder(outer)) == [2, 0, 0])
    #expect(try await library.marking(.folder(inner)) == [2, 2, 0])
    try await reader.folders.setPriority(inner, .high)
    #expect(try await library.marking(.folder(outer)) == [2, 0, 2])
    _ = try await reader.journal.undo()
    _ = try await reader.journal.undo()
    #expect(try await library.marking(.exceptQuiet) == [0, 0, 0])
  }

  @Test("The nearest priority applies: a quiet folder in a high one, a high feed in a quiet folder")
  func nearest() async throws {
    let library = try await Library()
    let (reader, feeds) = (library.reader, library.feeds)
    try await reader.folders.setPriority(try library.folder("F"), .high)
    try await reader.folders.setPriority(try library.folder("G"), .quiet)
    #expect(try library.cache.store.engine.fetches.highFeeds() == [feeds[1]])
    #expect(try await library.marking(.all) == [0, 2, 0])
    let unread = ArticleQuery(scope: .exceptQuiet, filter: .unread)
    #expect(try Set(library.cache.all(unread).map(\.feed)) == [feeds[0], feeds[1]])
    try await reader.feeds.setPriority(feeds[2], .high)
    #expect(try library.cache.store.engine.fetches.highFeeds() == [feeds[1], feeds[2]])
    #expect(try Set(library.cache.all(unread).map(\.feed)) == Set(feeds))
  }

  @Test("Parts of lists, ages and moving past leave articles of high priority unread")
  func parts() async throws {
    let library = try await Library()
    let (reader, feeds) = (library.reader, library.feeds)
    try await reader.feeds.setPriority(feeds[0], .high)
    let query = ArticleQuery(scope: .exceptQuiet)
    let own = Set(try library.cache.all(ArticleQuery(scope: .feed(feeds[0]))).map(\.id))
    let unread = try reader.articles.unread(query, .olderThan(.distantFuture))
    #expect(unread.ids.count == 4 && unread.spared == 2 && unread.kept == 0)
    #expect(Set(unread.ids).isDisjoint(with: own))
    #expect(try reader.feeds.markPolicies() == [feeds[0]: .opened])
    #expect(try await reader.states.markShownRead(.all, .olderThan(.distantFuture)).changed == 4)
    #expect(try library.unread == [2, 0, 0])
    #expect(
      try await reader.states.markShownRead(.of(feeds[0]), .olderThan(.distantFuture)).changed == 2)
  }

  @Test("A story that a high feed also brings stays unread") func duplicates() async throws {
    let (cache, feeds) = try await TestCache.withSharedStory()
    for high in feeds {
      try await cache.feeds.setPriority(high, .high)
      #expect(
        try await cache.states.markShownRead(ArticleQuery(scope: .exceptQuiet))
          == MarkedArticles(articles: 0, spared: 1))
      try await cache.feeds.setPriority(high, .normal)
    }
    #expect(try await cache.states.markShownRead(ArticleQuery(scope: .exceptQuiet)).changed == 3)
  }
}
