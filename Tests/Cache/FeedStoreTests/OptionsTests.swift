import HTMLContent

/// Options of single feeds: in the cache, in the configuration and in an outline.
@Suite("Options of feeds") final class OptionsTests: CacheSuite {
  private func options() -> FeedOptions {
    var options = FeedOptions()
    for (option, text) in [
      (FeedOption.interval, "30"), (.userAgent, "Other/1.0"), (.proxy, ""), (.headers, "X-A: b"),
      (.cookies, "/c.txt"), (.fullText, "false"), (.sort, "oldest"), (.markRead, "never"),
    ] {
      options.set(option, to: text)
    }
    return options
  }

  @Test("A feed's options are stored, undone, redone and exported in the outline")
  func areKept() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let edit = FeedEdit(
      title: nil, url: "https://example.org/a", folder: [], isPaused: false, options: options())
    try await cache.store.reader.feeds.edit(feed, edit)
    #expect(try cache.store.reader.feeds.options(of: feed).own == options())
    #expect(try cache.store.engine.fetches.fetchRecord(feed)?.options == options())
    _ = try await cache.store.reader.journal.undo()
    #expect(try cache.store.reader.feeds.options(of: feed).own.isEmpty)
    _ = try await cache.store.reader.journal.redo()
    #expect(try cache.store.reader.feeds.outline().first?.options == options())
  }

  @Test("A foreign outline cannot set headers, cookies, a proxy or a user agent")
  func foreignListSetsNothing() async throws {
    var all = options()
    all.keepDays = 30
    let entries = [OutlineEntry(url: "https://example.org/a", options: all)]
    let feed = try #require(try await cache.store.reader.feeds.subscribe(entries).added.first)
    let own = try cache.store.reader.feeds.options(of: feed).own
    #expect(own.userAgent == nil && own.proxy == nil && own.headers == nil && own.cookies == nil)
    #expect(own.interval == .seconds(1_800) && own.sort == .oldest)
    #expect(try cache.store.reader.feeds.retention(of: feed) == Retention(days: 30))
    let mine = [OutlineEntry(url: "https://example.org/b", options: all)]
    let other = try #require(try await cache.feeds.subscribe(mine, mayBeOwn: true).added.first)
    #expect(try cache.store.reader.feeds.options(of: other).own.headers == "X-A: b")
  }

  @Test("A new interval moves the next check, but not before the time that the feed asks for")
  func intervalMovesTheCheck() async throws {
    let feeds = [try await cache.feed("a"), try await cache.feed("b")]
    for (feed, hint) in zip(feeds, [nil, 7_200.0]) {
      var result = RefreshResult.parsed(feed, [], title: "T", at: cache.clock.now)
      if case .parsed(var document, let hash) = result.outcome {
        document.updateHints.interval = hint
        result.outcome = .parsed(document, bodyHash: hash)
      }
      result.nextCheckAt = cache.clock.now + 86_400
      _ = try await cache.store.engine.fetches.merge([result])
      var options = FeedOptions()
      options.interval = .seconds(1_800)
      try await cache.store.reader.feeds.edit(
        feed,
        FeedEdit(
          title: nil, url: try #require(try cache.store.reader.feeds.feed(feed)).url, folder: [],
          isPaused: false, options: options))
    }
    let states = try feeds.map { try #require(try cache.store.reader.feeds.feed($0)).state }
    #expect(states[0].nextCheckAt == cache.clock.now + 1_800)
    #expect(states[0].nextCheckReasons == [.ownInterval(1_800)])
    #expect(states[1].nextCheckAt == cache.clock.now + 7_200)
  }

  @Test("The configuration's options for an address apply to options that the feed does not set")
  func theConfigurationHolds() async throws {
    let feeds = [try await cache.feed("a"), try await cache.feed("b")]
    cache.store.close()
    let clock = cache.clock
    let store = try FeedStore.open(
      directory: cache.directory,
      options: StoreOptions(
        now: { clock.now }, plainText: HTMLContent.plainTextBytes,
        feedOptions: { url in
          var options = FeedOptions()
          guard url.hasSuffix("/a") else { return options }
          options.fullText = true
          options.markRead = .passed
          options.keepArticles = 1
          return options
        }))
    defer { store.close() }
    #expect(try store.reader.feeds.options(of: feeds[0]).effective.markRead == .passed)
    #expect(try store.reader.feeds.markPolicies() == [feeds[0]: .passed])
    for feed in feeds {
      let items = (1...2).map { number in
        ParsedItem(
          id: "\(feed.rawValue)-\(number)", url: "https://example.org/\(feed.rawValue)/\(number)",
          datePublished: clock.now - Double(number))
      }
      _ = try await store.engine.fetches.merge([.parsed(feed, items, title: "T", at: clock.now)])
    }
    #expect(try store.engine.fullTexts.waiting().count == 2)
    try await store.reader.feeds.edit(feeds[0]) { $0.options.fullText = false }
    #expect(try store.reader.feeds.options(of: feeds[0]).effective.fullText == false)
    _ = try await store.reader.states.markShownRead(ArticleQuery(scope: .all))
    while try await store.engine.maintenance.maintenanceStep() {}
    #expect(try store.reader.articles.count(ArticleQuery(scope: .feed(feeds[0]))) == 1)
    #expect(try store.reader.articles.count(ArticleQuery(scope: .feed(feeds[1]))) == 2)
  }
}
