/// Subscriptions at servers that end and begin again.
@Suite("Articles of feeds that are subscribed to again") struct MigratedArticleTests {
  /// An account's feed with four articles: 1 read, 2 starred, 3 deleted, 4 unchanged.
  private func feed() async throws -> (bench: AccountBench, feed: FeedID, articles: [ArticleID]) {
    let (bench, ids) = try await AccountBench.filled(4)
    try await bench.store.reader.states.set(.read, [ids[0]], true)
    try await bench.store.reader.states.set(.starred, [ids[1]], true)
    try await bench.store.reader.states.delete([ids[2]])
    try await bench.send()
    try await bench.pull(unread: [2, 3, 4], starred: [2])
    #expect(try bench.changes().isEmpty)
    return (bench, try bench.store.reader.feeds.subscriptions().feeds[0].id, ids)
  }

  private func states(_ bench: AccountBench, _ ids: [ArticleID]) throws -> [ArticleStatus?] {
    try ids.map { try bench.store.reader.articles.article($0)?.row.status }
  }

  /// The same four articles in a renewed subscription: unread, with other names.
  private func renewed(_ bench: AccountBench) async throws -> [ArticleID] {
    try await bench.store.accountSync.applySubscriptions(
      [RemoteFeed(id: "feed/77", title: "T feed/1", url: "https://a.example/feed/1")],
      of: bench.account, began: bench.now)
    try await bench.pull(unread: [1001, 1002, 1003, 1004])
    let articles = (1...4).map { number in
      var article = AccountBench.article(number)
      article.item.id = String(1000 + number)
      article.feed = "feed/77"
      return article
    }
    return try await bench.store.accountSync.storeArticles(articles, of: bench.account).added
  }

  @Test("An unsubscription that is undone within half a minute sends nothing")
  func undoInGrace() async throws {
    let (bench, feed, ids) = try await feed()
    let before = try states(bench, ids)
    try await bench.store.reader.feeds.unsubscribe([feed])
    let work = try #require(try bench.store.accountSync.accountWork().first)
    #expect(work.pushAt == nil)
    #expect(work.heldUntil == bench.now + 30)
    #expect(try bench.store.accountSync.outboxBatch(of: bench.account, limit: 9, at: nil) == nil)
    // A pull in between changes nothing. A restart would not either, since all state is in rows.
    try await bench.subscribe("feed/1")
    try await bench.pull(unread: [2, 3, 4], starred: [2])
    bench.cache.clock.now += 29
    _ = try await bench.store.reader.journal.undo()
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.accountSync.hasOutbox() == false)
    #expect(try states(bench, ids) == before)
    try await bench.pull(unread: [2, 3, 4], starred: [2])
    #expect(try states(bench, ids) == before)
  }

  @Test("An unsubscription is sent after half a minute, or when the program ends")
  func sentAfterGrace() async throws {
    for isEnd in [false, true] {
      let (bench, feed, _) = try await feed()
      try await bench.store.reader.feeds.unsubscribe([feed])
      if isEnd {
        try await bench.store.accountSync.endHolding()
      } else {
        bench.cache.clock.now += 30
      }
      #expect(try bench.store.accountSync.accountWork().first?.pushAt != nil)
      #expect(try bench.store.accountSync.outboxBatch(of: bench.account, limit: 9, at: nil) != nil)
    }
  }

  @Test("A redone unsubscription is held back again") func redo() async throws {
    let (bench, feed, _) = try await feed()
    try await bench.store.reader.feeds.unsubscribe([feed])
    _ = try await bench.store.reader.journal.undo()
    _ = try await bench.store.reader.journal.redo()
    #expect(try bench.changes() == [.subscribed(false)])
    #expect(try bench.store.accountSync.accountWork().first?.heldUntil == bench.now + 30)
  }

  @Test("A feed whose unsubscription is not sent yet is still subscribed after undo")
  func undoOfUnsentSubscription() async throws {
    let bench = try await AccountBench()
    let accountFolder = try #require(try bench.store.reader.accounts.account(bench.account)?.folder)
    let feed = try await bench.store.reader.feeds.subscribe(
      url: "https://n.example/feed", title: nil, folder: accountFolder)
    try await bench.store.reader.feeds.unsubscribe([feed])
    _ = try await bench.store.reader.journal.undo()
    #expect(try bench.changes() == [.subscribed(true)])
  }

  @Test("An undo after the unsubscription was sent loses no state and duplicates no article")
  func undoAfterSending() async throws {
    let (bench, feed, ids) = try await feed()
    let before = try states(bench, ids)
    try await bench.store.reader.feeds.unsubscribe([feed])
    bench.cache.clock.now += 31
    try await bench.send()
    try await bench.store.accountSync.applySubscriptions([], of: bench.account, began: bench.now)
    try await bench.pull(unread: [])
    _ = try await bench.store.reader.journal.undo()
    #expect(try bench.changes() == [.subscribed(true)])
    // The server's lists do not contain the feed yet.
    try await bench.store.accountSync.applySubscriptions([], of: bench.account, began: bench.now)
    try await bench.pull(unread: [])
    #expect(try states(bench, ids) == before)
    try await bench.send()
    #expect(try await renewed(bench).isEmpty)
    #expect(try states(bench, ids) == before)
    #expect(
      try Set(bench.store.reader.accounts.outbox(of: bench.account, limit: 9).map(\.title))
        == ["Article 1", "Article 2"])
    #expect(
      try bench.changes().contains(.marked(.read, true))
        && bench.changes().contains(.marked(.starred, true)))
    #expect(try bench.store.accountSync.requestedFeeds(of: bench.account) == ["feed/77"])
    // Deleted articles are known by their new names.
    #expect(try bench.sync.unknown(["1003", "1004", "1005"], of: bench.account) == ["1005"])
    try await bench.send()
    try await bench.pull(unread: [1002, 1003, 1004], starred: [1002])
    try await bench.store.accountSync.endAccountSync(
      bench.account,
      AccountOutcome(began: bench.now, hasPulled: true, failure: nil, nextSyncAt: nil))
    #expect(try states(bench, ids) == before)
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.accountSync.requestedFeeds(of: bench.account).isEmpty)
    #expect(try bench.store.file.integrityProblems().isEmpty)
  }

  @Test("A feed that another program unsubscribed and subscribed again keeps articles and states")
  func renewedElsewhere() async throws {
    let (bench, _, ids) = try await feed()
    let before = try states(bench, ids)
    try await bench.store.accountSync.applySubscriptions([], of: bench.account, began: bench.now)
    try await bench.pull(unread: [])
    #expect(try await renewed(bench).isEmpty)
    #expect(try states(bench, ids) == before)
    #expect(try bench.store.reader.feeds.subscriptions().feeds.count == 1)
  }

  @Test("If a server keeps its names for a feed's articles, they are found again")
  func sameNames() async throws {
    let (bench, feed, ids) = try await feed()
    let before = try states(bench, ids)
    try await bench.store.reader.feeds.unsubscribe([feed], holdsBack: false)
    try await bench.send()
    try await bench.store.accountSync.applySubscriptions([], of: bench.account, began: bench.now)
    _ = try await bench.store.reader.journal.undo()
    try await bench.send()
    try await bench.subscribe("feed/1")
    try await bench.pull(unread: [2, 3, 4], starred: [2])
    #expect(try states(bench, ids) == before)
    #expect(try bench.changes().isEmpty)
  }
}
