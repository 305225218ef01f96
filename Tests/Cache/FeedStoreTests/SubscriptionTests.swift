@testable import ArticleStore

@Suite("Subscriptions") final class SubscriptionTests: CacheSuite {
  @Test("A known address cannot be subscribed twice") func knownAddressIsRejected() async throws {
    let (cache, feed) = try await TestCache.withFeed()
    await #expect(throws: StoreError.alreadySubscribed(feed)) { _ = try await cache.feed("a") }
    #expect(try cache.feeds.feed(url: "https://example.org/a")?.id == feed)
  }

  @Test("An imported outline is exported unchanged") func outlineRoundTrip() async throws {
    let entries = [
      OutlineEntry(url: "https://e.org/1", title: "One", folder: ["A"], tags: ["x", "y"]),
      OutlineEntry(url: "https://e.org/2", title: "Two", folder: ["A"]),
      OutlineEntry(
        url: "https://e.org/3", title: "Three", homePageURL: "https://e.org/", folder: ["B", "C"]),
      OutlineEntry(url: "https://e.org/4"),
    ]
    let (added, known) = try await cache.feeds.subscribe(entries)
    #expect(added.count == 4)
    #expect(known == 0)
    #expect(try cache.feeds.outline() == entries)
    let again = try await cache.feeds.subscribe(
      entries + [OutlineEntry(url: "https://e.org/5", folder: ["B"])])
    #expect(again.added.count == 1)
    #expect(again.known == 4)
    #expect(try cache.feeds.outline().map(\.url) == [1, 2, 3, 5, 4].map { "https://e.org/\($0)" })
    let subscriptions = try cache.feeds.subscriptions()
    let top = subscriptions.folders.filter { $0.parent == nil }
    #expect(top.map(\.title) == ["A", "B"])
    let inner = try #require(subscriptions.folders.first { $0.title == "C" })
    #expect(inner.parent == top.last?.id)
    #expect(try cache.store.engine.fetches.dueFeeds(at: cache.clock.now, limit: 99).count == 5)
  }

  @Test("A feed that is subscribed to again keeps its folder and the name that the user chose")
  func subscribedAgain() async throws {
    let feeds = cache.feeds
    let (own, named) = (
      try await cache.feed("own", folder: ["F"]), try await cache.feed("named", folder: ["F"])
    )
    for feed in [own, named] { try await cache.merge(feed, [.dated(1)], title: "Its own") }
    try await feeds.rename(named, to: "Mine")
    let folder = try #require(try feeds.feed(own)?.folder)
    let titles = ["own": "Its own", "named": "Mine"]
    func expectUnchanged() throws {
      for feed in [own, named] { #expect(try feeds.feed(feed)?.folder == folder) }
      #expect(try feeds.feed(own)?.userTitle == nil)
      #expect(try feeds.feed(named)?.userTitle == "Mine")
    }
    // From a list without folders.
    try await feeds.unsubscribe([own, named])
    let list = titles.map { OutlineEntry(url: "https://example.org/\($0)", title: $1) }
    #expect(try await feeds.subscribe(list).added.count == 2)
    try expectUnchanged()
    // By its address.
    try await feeds.unsubscribe([own, named])
    for name in titles.keys { _ = try await cache.feed(name) }
    try expectUnchanged()
    // A folder that was deleted meanwhile is not created again.
    try await feeds.unsubscribe([own])
    try await cache.folders.delete(folder)
    _ = try await cache.feed("own")
    #expect(try feeds.feed(own)?.folder == nil)
  }

  @Test("A name in an imported list that is the feed's own title follows that title")
  func importedTitles() async throws {
    let feeds = cache.feeds
    let (added, _) = try await feeds.subscribe([
      OutlineEntry(url: "https://example.org/own", title: "Its own"),
      OutlineEntry(url: "https://example.org/named", title: "Mine"),
    ])
    #expect(try feeds.outline().map(\.title) == ["Its own", "Mine"])
    for title in ["Its own", "Mine"] {
      for feed in added { try await cache.merge(feed, [.dated(1)], title: title) }
    }
    #expect(try added.map { try feeds.feed($0)?.userTitle } == [nil, "Mine"])
  }

  @Test("A password in an address is exported, but does not appear in names")
  func passwordIsExportedOnly() async throws {
    let url = "https://me:s3cret@example.org/feed"
    let feed = try await cache.feeds.subscribe(url: url, title: nil, folder: nil)
    try await cache.merge(feed, [ParsedItem(id: "1", title: "One")], title: "")
    let row = try #require(try cache.all(.all).first)
    #expect(row.feedName == "https://example.org/feed")
    #expect(try cache.feeds.feed(feed)?.name == row.feedName)
    let entry = try #require(try cache.feeds.outline().first)
    #expect(entry.url == url && entry.title == nil)
  }

  @Test("A thousand entries are added in one commit") func importIsOneCommit() async throws {
    let commits = Commits()
    let observation = cache.store.reader.observe(.subscriptions) { _ in commits.add() }
    defer { observation.cancel() }
    let entries = (0..<1_000).map {
      OutlineEntry(url: "https://e.org/\($0)", folder: ["Folder \($0 % 20)"])
    }
    #expect(try await cache.feeds.subscribe(entries).added.count == 1_000)
    #expect(await eventually { commits.count == 1 })
  }

  @Test("An import searches the removed feeds once, and restores one that it names")
  func removedFeeds() async throws {
    let searches = Commits()
    let store = try FeedStore.open(
      directory: TestCache.freshDirectory(),
      options: StoreOptions(trace: { if $0.contains("removedAt IS NOT NULL") { searches.add() } }))
    defer { store.close() }
    let feeds = store.reader.feeds
    let entries = (0..<50).map { OutlineEntry(url: "https://e.org/\($0)") }
    let removed = try await feeds.subscribe(url: entries[7].url, title: nil, folder: nil)
    try await feeds.unsubscribe([removed])
    let before = searches.count
    let added = try await feeds.subscribe(entries).added
    #expect(added.count == 50 && added[7] == removed)
    #expect(searches.count - before < 10)
  }

  @Test("A feed moves to the end of a folder, and unknown feeds throw errors")
  func feedsMoveToFolderEnd() async throws {
    let (a, b) = (try await cache.feed("a"), try await cache.feed("b", folder: ["F"]))
    let folder = try #require(try cache.feeds.feed(b)?.folder)
    try await cache.feeds.move(a, toFolder: ["F"])
    #expect(try cache.feeds.feed(a)?.folder == folder)
    #expect(try cache.feeds.outline().map(\.url).last == "https://example.org/a")
    try await cache.feeds.move(a, toFolder: [])
    #expect(try cache.feeds.feed(a)?.folder == nil)
    let nobody = FeedID(rawValue: 77)
    await #expect(throws: StoreError.notFound) { try await cache.feeds.move(nobody, toFolder: []) }
    await #expect(throws: StoreError.notFound) { try await cache.feeds.rename(nobody, to: "x") }
    try await cache.folders.setExpanded(folder, false)
    #expect(try cache.feeds.subscriptions().folders.first?.isExpanded == false)
  }

  @Test("A feed takes the address it moved to on request, unless another feed has it")
  func movedAddressIsApplied() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    await #expect(throws: StoreError.notFound) { try await cache.feeds.useMovedAddress(a) }
    for (feed, target) in [(a, "https://example.org/new"), (b, "https://example.org/new")] {
      var result = RefreshResult(feed: feed, at: cache.clock.now, outcome: .unchanged)
      result.validators = ("\"x\"", nil, "https://example.org/a")
      result.moved = (to: target, since: cache.clock.now)
      _ = try await cache.store.engine.fetches.merge([result])
    }
    #expect(try cache.feeds.feed(a)?.state.movedTo == "https://example.org/new")
    try await cache.feeds.useMovedAddress(a)
    let record = try #require(try cache.store.engine.fetches.fetchRecord(a))
    #expect(record.url == "https://example.org/new")
    // Validators belong to the address that sent them, whatever the subscription's address is.
    #expect(record.etag == "\"x\"")
    #expect(record.validatorsURL == "https://example.org/a")
    #expect(record.movedTo == nil)
    #expect(record.nextCheckAt == cache.clock.now)
    await #expect(throws: StoreError.alreadySubscribed(a)) {
      try await cache.feeds.useMovedAddress(b)
    }
  }

  @Test(
    "Accepting a move drops the wait of the old host and keeps that of the new one",
    arguments: [("old.example", false), ("new.example", true)])
  func moveDropsOldHostWait(refuser: String, stays: Bool) async throws {
    let (cache, feed) = try await TestCache.withFeed()
    let now = cache.clock.now
    // After the redirect, the new host is the one that refuses.
    var result = RefreshResult(
      feed: feed, at: now, outcome: .failed(.rateLimited, status: 429, detail: refuser))
    result.moved = (to: "https://new.example/feed", since: now)
    result.notBefore = now + 86_400
    _ = try await cache.store.engine.fetches.merge([result])
    try await cache.feeds.useMovedAddress(feed)
    #expect(try cache.engine.fetches.fetchRecord(feed)?.notBefore == (stays ? now + 86_400 : nil))
  }

  @Test("Feeds that are programs or files need the caller's explicit permission")
  func programsNeedPermission() async throws {
    let own = ["exec:touch /tmp/x", "filter:cat:https://example.org/", "file:///etc/passwd"]
    for url in own + ["EXEC:touch /tmp/x", " exec:touch /tmp/x"] {
      await #expect(throws: StoreError.notAllowed) {
        try await cache.feeds.subscribe(url: url, title: nil, folder: nil)
      }
    }
    let entries = (own + ["https://example.org/feed"]).map { OutlineEntry(url: $0) }
    #expect(try await cache.feeds.subscribe(entries).added.count == 1)
    #expect(try await cache.feeds.subscribe(entries, mayBeOwn: true).added.count == 3)
  }

  @Test("Setting the clock back moves planned checks back as well")
  func clockSetBackMovesChecks() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let now = cache.clock.now
    let future = now + 10 * 365 * 86_400
    var result = RefreshResult(feed: a, at: future, outcome: .unchanged)
    result.nextCheckAt = future + 7_200
    result.notBefore = future + 600
    var other = RefreshResult(feed: b, at: now, outcome: .unchanged)
    other.nextCheckAt = now + 86_400
    _ = try await cache.store.engine.fetches.merge([result, other])
    try await cache.store.engine.fetches.rebaseChecks(at: now)
    let record = try #require(try cache.store.engine.fetches.fetchRecord(a))
    #expect(record.nextCheckAt == now + 7_200)
    #expect(record.notBefore == now + 600)
    #expect(record.succeededAt == now)
    #expect(try cache.store.engine.fetches.fetchRecord(b)?.nextCheckAt == now + 86_400)
  }

  @Test("A postponed refresh does not count as a failure")
  func beingPutOffIsNoFailure() async throws {
    let (cache, a, b) = try await TestCache.withFeeds()
    let now = cache.clock.now
    func failed(_ feed: FeedID) -> RefreshResult {
      var result = RefreshResult(
        feed: feed, at: now, outcome: .failed(.rateLimited, status: 429, detail: "a.example"))
      result.nextCheckAt = now + 700
      result.notBefore = now + 600
      return result
    }
    _ = try await cache.store.engine.fetches.merge([failed(a)])
    for feed in [a, b] {
      var result = failed(feed)
      result.at = now + 60
      result.outcome = .postponed(.rateLimited, status: 429, detail: "a.example")
      for _ in 0..<3 { _ = try await cache.store.engine.fetches.merge([result]) }
    }
    let (first, second) = (
      try #require(try cache.feeds.feed(a)?.state), try #require(try cache.feeds.feed(b)?.state)
    )
    #expect(first.failure?.count == 1)
    #expect(first.failure?.since == now)
    #expect(first.checkedAt == now)
    #expect(second.failure?.kind == .rateLimited)
    #expect(second.failure?.count == 0)
    #expect(second.checkedAt == nil)
    #expect(second.nextCheckAt == now + 700)
    #expect(try cache.store.engine.fetches.waitingFeeds(at: now).map(\.feed) == [a, b])
    #expect(try cache.store.engine.fetches.waitingFeeds(at: now + 601).isEmpty)
  }

  @Test("Good answers of a host since its refusal are found")
  func goodAnswersAreFound() async throws {
    let (a, b, c) = (
      try await cache.feed("a"), try await cache.feed("b"), try await cache.feed("c")
    )
    let now = cache.clock.now
    var refused = RefreshResult(
      feed: a, at: now, outcome: .failed(.rateLimited, status: 429, detail: nil))
    refused.notBefore = now + 600
    _ = try await cache.store.engine.fetches.merge([
      refused, RefreshResult(feed: b, at: now - 1, outcome: .unchanged),
      RefreshResult(feed: c, at: now + 1, outcome: .unchanged),
    ])
    let waiting = try cache.store.engine.fetches.waitingFeeds(at: now + 2)
    let url = try #require(try cache.feeds.feed(c)?.url)
    #expect(
      try cache.store.engine.fetches.goodAnswers(sinceRefusalsOf: waiting) == [
        GoodAnswer(url: url, at: now + 1)
      ])
    #expect(try cache.store.engine.fetches.goodAnswers(sinceRefusalsOf: []) == [])
  }

  @Test("Counters equal a recount after any sequence of operations")
  func countersEqualARecount() async throws {
    for seed in [1, 2, 3] as [UInt64] {
      let cache = try TestCache()
      let store = cache.store
      var random = SeededRandom(seed: seed)
      for number in 0..<6 { _ = try await cache.feed("\(number)", folder: ["F\(number % 2)"]) }
      for step in 0..<120 {
        let feeds = try store.reader.feeds.subscriptions().feeds.map(\.id)
        let rows = try cache.all(.all)
        let some = rows.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(\.id)
        let feed = feeds.randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
          guard let feed else { continue }
          let first = Int.random(in: 0..<40, using: &random)
          try await cache.merge(
            feed, (first..<(first + 8)).map { .dated($0, title: "\(step % 3) \($0)") })
        case 3, 4: try await store.reader.states.set(.read, some, Bool.random(using: &random))
        case 5: try await store.reader.states.set(.starred, some, Bool.random(using: &random))
        case 6: if let feed { try await store.reader.states.markShownRead(.of(feed)) }
        case 7: if let feed { try await store.reader.feeds.unsubscribe([feed]) }
        case 8: _ = try await store.reader.journal.undo()
        default: _ = try await store.reader.journal.redo()
        }
        cache.clock.now += 60
        try recount(cache)
      }
      #expect(try store.file.integrityProblems().isEmpty)
    }
  }

  private func recount(_ cache: TestCache) throws {
    let subscriptions = try cache.feeds.subscriptions()
    let rows = try cache.all(.all)
    for feed in subscriptions.feeds {
      let own = rows.filter { $0.feed == feed.id }
      #expect(
        feed.counts
          == ArticleCounts(
            total: own.count, unread: own.count { !$0.status.isRead },
            starred: own.count { $0.status.isStarred }))
    }
    #expect(subscriptions.smartCounts[.unread] == rows.count { !$0.status.isRead })
    #expect(subscriptions.smartCounts[.starred] == rows.count { $0.status.isStarred })
    #expect(try cache.articles.count(.all) == rows.count)
  }
}
