@Suite("Quiet feeds and folders") struct QuietFeedTests {
  private func feeds(_ cache: TestCache, _ query: ArticleQuery) throws -> Set<FeedID> {
    #expect(try cache.store.reader.articles.count(query) == cache.all(query).count, "\(query)")
    return Set(try cache.all(query).map(\.feed))
  }

  /// Feeds whose articles Unread shows.
  private func listed(_ cache: TestCache) throws -> Set<FeedID> {
    let shown = try feeds(cache, ArticleQuery(scope: .exceptQuiet, filter: .unread))
    #expect(try feeds(cache, ArticleQuery(scope: .smart(.today), filter: .unread)) == shown)
    #expect(try feeds(cache, ArticleQuery(scope: .smart(.unread))) == shown)
    return shown
  }

  @Test("A quiet feed is in its own list, its folder, Starred and searches, but not in Unread")
  func quietFeed() async throws {
    let cache = try TestCache()
    let (news, quiet) = (
      try await cache.feed("news", folder: ["F"]), try await cache.feed("quiet", folder: ["F"])
    )
    for feed in [news, quiet] { try await cache.merge(feed, [.dated(1), .dated(2, hours: 1)]) }
    let folder = try #require(try cache.feeds.feed(quiet)?.folder)
    try await cache.feeds.setPriority(quiet, .quiet)
    #expect(try cache.feeds.feed(quiet)?.priority == .quiet)
    #expect(try listed(cache) == [news])
    #expect(try cache.feeds.subscriptions().smartCounts[.unread] == 2)
    #expect(try cache.feeds.subscriptions().smartCounts[.today] == 2)
    for scope in [ArticleQuery.Scope.all, .folder(folder)] {
      #expect(try feeds(cache, ArticleQuery(scope: scope)) == [news, quiet])
    }
    #expect(try feeds(cache, ArticleQuery(scope: .feed(quiet), filter: .unread)) == [quiet])
    #expect(try cache.feeds.feed(quiet)?.counts.unread == 2)
    let starred = try cache.all(ArticleQuery(scope: .feed(quiet))).map(\.id)
    try await cache.states.set(.starred, starred, true)
    #expect(try feeds(cache, ArticleQuery(scope: .smart(.starred))) == [quiet])
    #expect(try cache.feeds.subscriptions().smartCounts[.starred] == 2)
    try await cache.index()
    let hits = try await cache.store.search.hits(SearchQuery("body"), in: .all)
    #expect(hits?.count == 4)

    #expect(try await cache.states.markShownRead(ArticleQuery(scope: .exceptQuiet)).changed == 2)
    #expect(try cache.feeds.feed(quiet)?.counts.unread == 2)
  }

  @Test("The priority of a feed or a folder can be undone and redone") func undo() async throws {
    let cache = try TestCache()
    let inner = try await cache.feed("inner", folder: ["F", "G"])
    let other = try await cache.feed("other")
    for feed in [inner, other] { try await cache.merge(feed, [.dated(1)]) }
    let folder = try #require(try cache.feeds.subscriptions().folders.first { $0.title == "F" }?.id)
    try await cache.folders.setPriority(folder, .quiet)
    #expect(try listed(cache) == [other])
    try await cache.feeds.setPriority(other, .quiet)
    #expect(try listed(cache) == [])
    #expect(try await cache.journal.undo()?.kind == .editFeed)
    #expect(try listed(cache) == [other])
    #expect(try await cache.journal.undo()?.kind == .editFolder)
    #expect(try listed(cache) == [inner, other])
    _ = try await cache.journal.redo()
    #expect(try listed(cache) == [other])
    // A feed that leaves the folder is listed again.
    try await cache.feeds.move(inner, toFolder: [])
    #expect(try listed(cache) == [inner, other])
  }

  @Test("A story that a quiet feed brought first appears once in Unread and in its own list")
  func duplicates() async throws {
    let (cache, feeds) = try await TestCache.withSharedStory()
    try await cache.store.reader.feeds.setPriority(feeds[0], .quiet)
    #expect(try listed(cache) == [feeds[1]])
    #expect(try cache.store.reader.feeds.subscriptions().smartCounts[.unread] == 1)
    try await cache.store.reader.feeds.setPriority(feeds[1], .quiet)
    #expect(try listed(cache) == [feeds[2]])
    try await cache.store.reader.feeds.setPriority(feeds[2], .quiet)
    #expect(try listed(cache) == [])
  }

  @Test("Counts and pages of Unread agree with the articles for any priorities")
  func randomLibraries() async throws {
    for seed in 1...UInt64(6) {
      var random = SeededRandom(seed: seed)
      let cache = try TestCache()
      var feeds: [FeedID] = []
      for number in 0..<30 {
        let folder = [[], ["A"], ["A", "B"], ["C"]][number % 4]
        let feed = try await cache.feed("\(number)", folder: folder)
        let stories = (0..<4).map { _ in Int.random(in: 0..<40, using: &random) }
        try await cache.merge(
          feed,
          Set(stories).sorted().map {
            ParsedItem(
              id: "\($0)", url: "https://example.org/story/\($0)",
              datePublished: TestCache.start - Double($0) * 60)
          })
        feeds.append(feed)
      }
      for _ in 0..<12 {
        let priority = FeedPriority.allCases.randomElement(using: &random) ?? .normal
        if Bool.random(using: &random), let feed = feeds.randomElement(using: &random) {
          try await cache.feeds.setPriority(feed, priority)
        } else if let folder = try cache.feeds.subscriptions().folders.randomElement(
          using: &random)
        {
          try await cache.folders.setPriority(folder.id, priority)
        }
        if let row = try cache.all(ArticleQuery(scope: .all)).randomElement(using: &random) {
          try await cache.states.set(.read, [row.id], Bool.random(using: &random))
        }
        if Int.random(in: 0..<4, using: &random) == 0 { _ = try await cache.journal.undo() }
        try check(cache, feeds)
      }
    }
  }

  /// Compares Unread with the unread stories of the feeds that are not quiet.
  private func check(_ cache: TestCache, _ feeds: [FeedID]) throws {
    let subscriptions = try cache.store.reader.feeds.subscriptions()
    let folders = Dictionary(
      subscriptions.folders.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    func priority(_ own: FeedPriority, in folder: FolderID?) -> FeedPriority {
      guard own == .normal, let folder = folder.flatMap({ folders[$0] }) else { return own }
      return priority(folder.priority, in: folder.parent)
    }
    let listed = subscriptions.feeds.filter { priority($0.priority, in: $0.folder) != .quiet }
    let high = subscriptions.feeds.filter { priority($0.priority, in: $0.folder) == .high }
    #expect(try Set(cache.store.engine.fetches.highFeeds()) == Set(high.map(\.id)))
    let stories = try listed.flatMap {
      try cache.all(ArticleQuery(scope: .feed($0.id), filter: .unread)).map(\.url)
    }
    let unread = ArticleQuery(scope: .exceptQuiet, filter: .unread)
    let shown = try cache.all(unread)
    #expect(shown.map(\.url).count == Set(stories).count)
    #expect(Set(shown.map(\.url)) == Set(stories))
    #expect(Set(shown.map(\.feed)).isSubset(of: listed.map(\.id)))
    #expect(subscriptions.smartCounts[.unread] == shown.count)
    #expect(subscriptions.smartCounts[.today] == shown.count)
    let page = try cache.store.reader.articles.page(unread, .top, limit: 5)
    #expect(page.map(\.id) == shown.prefix(5).map(\.id))
  }

  @Test("An outline restores the priorities of feeds and folders") func outline() async throws {
    let (cache, copy) = (try TestCache(), try TestCache())
    let feed = try await cache.feed("a")
    _ = try await cache.feed("b", folder: ["F", "G"])
    try await cache.feeds.setPriority(feed, .quiet)
    let folders = try cache.feeds.subscriptions().folders
    try await cache.folders.setPriority(try #require(folders.first { $0.title == "G" }?.id), .high)
    let entries = try cache.feeds.outline()
    #expect(entries.map(\.priority) == [.normal, .quiet])
    #expect(entries.map(\.folderPriorities) == [[.normal, .high], []])
    _ = try await copy.store.reader.feeds.subscribe(entries, isUndoable: true)
    #expect(try copy.store.reader.feeds.outline() == entries)
    #expect(
      try copy.store.reader.feeds.subscriptions().folders.map(\.priority) == [.normal, .high])
  }
}
