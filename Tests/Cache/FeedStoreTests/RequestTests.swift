@Suite("Requests for refreshes") final class RequestTests: CacheSuite {
  private func finish(
    _ feed: FeedID, _ cache: TestCache, items: [ParsedItem] = [], bytes: Int64 = 100
  ) async throws {
    var result = RefreshResult.parsed(feed, items, at: cache.clock.now)
    result.bytes = bytes
    _ = try await cache.store.engine.fetches.merge([result])
  }

  @Test("Equal requests share one row") func tenPullsAreOneRow() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let first = try await cache.store.reader.requests.requestRefresh(.all)
    #expect(first.total == 2)
    for _ in 0..<9 {
      #expect(try await cache.store.reader.requests.requestRefresh(.all).id == first.id)
    }
    let feeds = try await cache.store.reader.requests.requestRefresh(.feeds([b, a]))
    #expect(feeds.id != first.id)
    #expect(try await cache.store.reader.requests.requestRefresh(.feeds([a, b, a])).id == feeds.id)
    #expect(try cache.requests.refreshRequests(finishedSince: cache.clock.now).count == 2)
  }

  @Test("A merge advances every request that includes the feed")
  func mergeAdvancesRequests() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let all = try await cache.store.reader.requests.requestRefresh(.all).id
    let one = try await cache.store.reader.requests.requestRefresh(.feed(a)).id
    #expect(try cache.store.engine.requests.pendingFeeds(of: all).map(\.feed) == [a, b])
    try await finish(a, cache, items: [.dated(1), .dated(2)])
    let half = try #require(try cache.store.reader.requests.refreshRequest(all))
    #expect((half.done, half.failed, half.newArticles, half.bytes) == (1, 0, 2, 100))
    #expect(!half.isFinished)
    #expect(try cache.store.reader.requests.refreshRequest(one)?.isFinished == true)
    #expect(try cache.store.engine.requests.pendingFeeds(of: all).map(\.feed) == [b])

    _ = try await cache.store.engine.fetches.merge([
      RefreshResult(
        feed: b, at: cache.clock.now, outcome: .failed(.stalled, status: nil, detail: nil))
    ])
    let whole = try #require(try cache.store.reader.requests.refreshRequest(all))
    #expect((whole.done, whole.failed, whole.newArticles) == (2, 1, 2))
    #expect(whole.finishedAt == cache.clock.now)
    // Later refreshes of the feed do not change the finished request.
    try await finish(a, cache, items: [.dated(3)])
    #expect(try cache.store.reader.requests.refreshRequest(all) == whole)
    #expect(try await cache.store.reader.requests.requestRefresh(.all).id != all)
  }

  @Test("A request survives a restart") func aRequestOutlivesARestart() async throws {
    let a = try await cache.feed("a", folder: ["F", "G"])
    _ = try await cache.feed("b")
    let folder = try #require(try cache.store.reader.feeds.subscriptions().folders.first)
    let request = try await cache.store.reader.requests.requestRefresh(.folder(folder.id))
    cache.store.close()
    let store = try cache.another()
    defer { store.close() }
    #expect(try store.reader.requests.refreshRequests(finishedSince: cache.clock.now) == [request])
    #expect(try store.engine.requests.pendingFeeds(of: request.id).map(\.feed) == [a])
    #expect(try await store.reader.requests.requestRefresh(.folder(folder.id)) == request)
  }

  @Test("A cancelled request keeps its counts and requests nothing more")
  func cancelKeepsTheCounts() async throws {
    let a = try await cache.feed("a")
    _ = try await cache.feed("b")
    let id = try await cache.store.reader.requests.requestRefresh(.all).id
    try await finish(a, cache, items: [.dated(1)])
    cache.clock.now += 5
    try await cache.store.reader.requests.cancelRefresh(id)
    let request = try #require(try cache.store.reader.requests.refreshRequest(id))
    #expect((request.done, request.newArticles) == (1, 1))
    #expect(request.finishedAt == cache.clock.now)
    #expect(try cache.store.engine.requests.pendingFeeds(of: id).isEmpty)
    #expect(try cache.requests.refreshRequests(finishedSince: TestCache.start) == [request])
    #expect(try cache.store.reader.requests.refreshRequests(finishedSince: cache.clock.now).isEmpty)
  }

  @Test("Paused, gone and local feeds are refreshed only if they are named")
  func pausedFeedsMustBeNamed() async throws {
    let a = try await cache.feed("a")
    let paused = try await cache.feed("p")
    try await cache.store.reader.feeds.edit(paused) { $0.isPaused = true }
    let gone = try await cache.feed("g")
    var result = RefreshResult(
      feed: gone, at: cache.clock.now, outcome: .failed(.gone, status: 410, detail: nil))
    result.isGone = true
    _ = try await cache.store.engine.fetches.merge([result])
    let guide = try await cache.feeds.subscribe(url: "weir:guide", title: "Start here", folder: nil)
    _ = try await cache.engine.fetches.merge([.parsed(guide, [.dated(1)], at: cache.clock.now)])

    let all = try await cache.store.reader.requests.requestRefresh(.all)
    #expect(try cache.store.engine.requests.pendingFeeds(of: all.id).map(\.feed) == [a])
    #expect(try await cache.store.reader.requests.requestRefresh(.feed(paused)).total == 1)
    #expect(try await cache.store.reader.requests.requestRefresh(.feed(guide)).isFinished)
    #expect(
      try cache.store.engine.fetches.dueFeeds(at: cache.clock.now + 999_999, limit: 9).map(\.feed)
        == [a])
    #expect(try cache.store.reader.feeds.outline().map(\.url).contains("weir:guide") == false)
    #expect(try cache.store.reader.feeds.feed(gone)?.state.nextCheckAt == nil)
  }

  @Test("Unsubscribing a feed removes it from running requests")
  func unsubscribingEndsRequest() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let id = try await cache.store.reader.requests.requestRefresh(.all).id
    try await finish(a, cache)
    try await cache.store.reader.feeds.unsubscribe([b])
    let request = try #require(try cache.store.reader.requests.refreshRequest(id))
    #expect((request.total, request.done) == (1, 1))
    #expect(request.isFinished)
  }

  @Test("The feed that is overdue the longest comes first")
  func longestOverdueIsFirst() async throws {
    var feeds: [FeedID] = []
    for number in 0..<4 {
      feeds.append(try await cache.feed("\(number)"))
      cache.clock.now += 10
    }
    #expect(try cache.store.engine.fetches.nextDueDate() == TestCache.start)
    #expect(
      try cache.store.engine.fetches.dueFeeds(at: cache.clock.now, limit: 3).map(\.feed)
        == Array(feeds[..<3]))
    _ = try await cache.store.engine.fetches.merge(
      feeds[..<3].map { RefreshResult.parsed($0, [], at: cache.clock.now) })
    #expect(
      try cache.store.engine.fetches.dueFeeds(at: cache.clock.now, limit: 9).map(\.feed) == [
        feeds[3]
      ])
    #expect(try cache.engine.fetches.dueFeeds(at: cache.clock.now + 3_600, limit: 9).count == 4)
  }

  @Test("The cadence counts the articles of the last four weeks")
  func cadenceCountsFourWeeks() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    try await cache.merge(feed, [.dated(1), .dated(2, hours: 27 * 24), .dated(3, hours: 29 * 24)])
    #expect(try cache.store.engine.fetches.fetchRecord(feed)?.recentArticles == 2)
  }

  @Test("Discoveries are requested, answered and removed")
  func discoveriesAreRemoved() async throws {
    let store = cache.store
    let id = try await store.reader.requests.requestDiscovery(url: "example.org")
    #expect(try store.engine.discoveries.pending() == [Discovery(id: id, url: "example.org")])
    let found = Discovery.State.found([
      FeedCandidate(url: "https://example.org/feed", title: "T", latestTitles: ["a", "b"])
    ])
    try await store.engine.discoveries.finishDiscovery(id, found)
    #expect(try store.reader.requests.discovery(id)?.state == found)
    #expect(try store.engine.discoveries.pending().isEmpty)
    let failed = Discovery.State.failed(
      RefreshFailure(kind: .hostNotFound, detail: "example.org", since: cache.clock.now))
    try await store.engine.discoveries.finishDiscovery(id, failed)
    #expect(try store.reader.requests.discovery(id)?.state == failed)
    try await store.reader.requests.endDiscovery(id)
    try await store.engine.discoveries.finishDiscovery(id, found)
    #expect(try store.reader.requests.discovery(id) == nil)
  }

  @Test("The engine's status is one row") func theEnginesStatusIsOneRow() async throws {
    #expect(try cache.store.reader.requests.syncStatus() == SyncStatus())
    let status = SyncStatus(
      quality: .fair, isRunning: true, done: 3, total: 9, failed: 1, newArticles: 4, bytes: 5,
      rate: 6.5, limit: 7, inFlight: 2, startedAt: cache.clock.now)
    try await cache.store.engine.requests.setSyncStatus(status)
    #expect(try cache.store.reader.requests.syncStatus() == status)
  }
}
