@testable import AccountStore

@Suite("Subscriptions of an account") final class AccountSubscriptionTests: BenchSuite {
  @Test("Fever's subscriptions cannot be changed, and nothing changes locally either")
  func feverSubscriptions() async throws {
    let bench = try await AccountBench(.fever)
    try await bench.subscribe("feed/1")
    let accountFolder = try #require(try bench.store.reader.accounts.account(bench.account)?.folder)
    let before = try bench.store.reader.feeds.subscriptions()
    let feed = before.feeds[0].id
    let error = StoreError.fixedSubscriptions(account: "aggregator.example")
    await #expect(throws: error) { try await bench.store.reader.feeds.rename(feed, to: "Mine") }
    await #expect(throws: error) {
      try await bench.store.reader.feeds.move(feed, toFolder: ["Tech"])
    }
    await #expect(throws: error) { try await bench.store.reader.feeds.unsubscribe([feed]) }
    await #expect(throws: error) {
      try await bench.store.reader.feeds.subscribe(
        url: "https://b.example/feed", title: nil, folder: accountFolder)
    }
    let after = try bench.store.reader.feeds.subscriptions()
    #expect(after.feeds.map(\.name) == before.feeds.map(\.name))
    #expect(after.feeds.map(\.folder) == before.feeds.map(\.folder))
    #expect(try bench.changes().isEmpty)
    // The server's own list is applied all the same.
    try await bench.store.accountSync.applySubscriptions([], of: bench.account, began: bench.now)
    #expect(try bench.store.reader.feeds.subscriptions().feeds.isEmpty)
  }

  @Test("A request for a single feed is kept until a sync that began after it has ended")
  func singleFeedRequestStays() async throws {
    try await bench.subscribe("feed/1", "feed/2")
    let feeds = try bench.store.reader.feeds.subscriptions().feeds
    func wanted() throws -> [String] {
      try bench.store.accountSync.requestedFeeds(of: bench.account)
    }
    func sync(began: Date) async throws {
      try await bench.store.accountSync.endAccountSync(
        bench.account,
        AccountOutcome(began: began, hasPulled: true, failure: nil, nextSyncAt: nil))
    }
    #expect(try wanted().isEmpty)
    try await bench.store.reader.requests.requestRefresh(.all)
    #expect(try wanted().isEmpty)
    let began = bench.now
    bench.cache.clock.now += 1
    // Requested while a sync runs that has already read the requests.
    try await bench.store.reader.requests.requestRefresh(.feed(feeds[1].id))
    try await sync(began: began)
    #expect(try wanted() == ["feed/2"])
    #expect(try bench.store.reader.accounts.account(bench.account)?.state.isRequested == true)
    bench.cache.clock.now += 1
    try await sync(began: bench.now)
    #expect(try wanted().isEmpty)
  }

  @Test("Subscriptions follow the server, and the server receives what the user arranges")
  func subscriptionsFollow() async throws {
    try await bench.subscribe("feed/1", "feed/2")
    let accountFolder = try #require(try bench.store.reader.accounts.account(bench.account)?.folder)
    var feeds = try bench.store.reader.feeds.subscriptions().feeds
    #expect(feeds.map(\.folder) == [accountFolder, accountFolder])
    #expect(feeds.map(\.name) == ["T feed/1", "T feed/2"])
    #expect(feeds.allSatisfy { $0.account == bench.account })
    // The local schedule does not contain them.
    #expect(try bench.store.engine.fetches.dueFeeds(at: bench.now + 1e6, limit: 9).isEmpty)
    #expect(try await bench.store.reader.requests.requestRefresh(.feed(feeds[0].id)).isFinished)

    try await bench.store.reader.feeds.rename(feeds[0].id, to: "Mine & ours")
    try await bench.store.reader.feeds.move(feeds[1].id, toFolder: ["aggregator.example", "Tech"])
    #expect(try bench.changes() == [.renamed("Mine & ours"), .moved("Tech")])
    try await bench.send()
    try await bench.store.accountSync.applySubscriptions(
      [
        RemoteFeed(id: "feed/1", title: "Mine ＆ ours", url: "https://a.example/feed/1"),
        RemoteFeed(
          id: "feed/2", title: "T feed/2", url: "https://a.example/feed/2", folders: ["Tech"]),
      ], of: bench.account, began: bench.now)
    feeds = try bench.store.reader.feeds.subscriptions().feeds
    #expect(feeds.map(\.name) == ["Mine & ours", "T feed/2"])
    #expect(try bench.changes().isEmpty)

    // At the server, one feed is renamed and moved, one is unsubscribed and one is added.
    try await bench.store.accountSync.applySubscriptions(
      [
        RemoteFeed(
          id: "feed/1", title: "Theirs", url: "https://a.example/feed/1", folders: ["News"]),
        RemoteFeed(id: "feed/3", title: "Third", url: "https://a.example/3"),
      ], of: bench.account, began: bench.now)
    let all = try bench.store.reader.feeds.subscriptions()
    #expect(all.feeds.map(\.name).sorted() == ["Theirs", "Third"])
    let news = try #require(all.folders.first { $0.title == "News" })
    #expect(news.parent == accountFolder)
    #expect(all.feeds.first { $0.name == "Theirs" }?.folder == news.id)
    #expect(try bench.changes().isEmpty)
  }

  @Test("Subscribing and unsubscribing in an account's folder are sent to the server")
  func subscribingIsSent() async throws {
    let accountFolder = try #require(try bench.store.reader.accounts.account(bench.account)?.folder)
    // The same address as a local feed and in the account.
    try await bench.store.reader.feeds.subscribe(
      url: "https://n.example/feed", title: nil, folder: nil)
    let feed = try await bench.store.reader.feeds.subscribe(
      url: "https://n.example/feed", title: "New", folder: accountFolder)
    #expect(try bench.changes() == [.subscribed(true)])
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(batch.change == .subscribed(true))
    let sent = try #require(batch.feed)
    #expect([sent.url, sent.title, sent.folder] == ["https://n.example/feed", "New", ""])
    try await bench.send()
    try await bench.store.accountSync.applySubscriptions(
      [RemoteFeed(id: "feed/9", title: "New", url: "https://n.example/feed")],
      of: bench.account, began: bench.now)
    #expect(try bench.changes().isEmpty)
    try await bench.store.reader.feeds.unsubscribe([feed], holdsBack: false)
    #expect(try bench.changes() == [.subscribed(false)])
    // The server still lists the feed, but it does not come back.
    try await bench.store.accountSync.applySubscriptions(
      [RemoteFeed(id: "feed/9", title: "New", url: "https://n.example/feed")],
      of: bench.account, began: bench.now)
    #expect(try bench.store.reader.feeds.subscriptions().feeds.count == 1)
    _ = try await bench.store.reader.journal.undo()
    #expect(try bench.changes() == [.subscribed(true)])
    #expect(try bench.store.reader.feeds.subscriptions().feeds.count == 2)
  }

  @Test("A feed moves to the server's folder if the server repeatedly ignores the user's move")
  func ignoredMoveIsDropped() async throws {
    let accountFolder = try #require(try bench.store.reader.accounts.account(bench.account)?.folder)
    let url = "https://n.example/feed"
    try await bench.store.reader.feeds.subscribe(url: url, title: nil, folder: accountFolder)
    try await bench.send()
    let list = [RemoteFeed(id: "feed/9", title: "N", url: url, folders: ["Uncategorized"])]
    try await bench.store.accountSync.applySubscriptions(list, of: bench.account, began: bench.now)
    #expect(try bench.changes() == [.moved("")])
    for _ in 0..<4 {
      try await bench.send()
      bench.cache.clock.now += 700
      try await bench.sync.applySubscriptions(list, of: bench.account, began: bench.now)
    }
    #expect(try bench.changes().isEmpty)
    let all = try bench.store.reader.feeds.subscriptions()
    let folder = try #require(all.folders.first { $0.title == "Uncategorized" })
    #expect(folder.parent == accountFolder && all.feeds[0].folder == folder.id)
  }

  @Test("A feed gets the server's name back if the server repeatedly ignores the user's name")
  func ignoredNameIsDropped() async throws {
    try await bench.subscribe("feed/1")
    let feed = try bench.store.reader.feeds.subscriptions().feeds[0].id
    try await bench.store.reader.feeds.rename(feed, to: "Longer than it keeps")
    for _ in 0..<4 {
      try await bench.send()
      bench.cache.clock.now += 700
      try await bench.subscribe("feed/1")
    }
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.reader.feeds.feed(feed)?.name == "T feed/1")
  }

  @Test("Discarding a rename and a move brings back the server's name and folder")
  func discardRestoresServer() async throws {
    try await bench.subscribe("feed/1")
    let accountFolder = try #require(try bench.store.reader.accounts.account(bench.account)?.folder)
    let feed = try bench.store.reader.feeds.subscriptions().feeds[0].id
    try await bench.store.reader.feeds.rename(feed, to: "Mine")
    try await bench.store.reader.feeds.move(feed, toFolder: ["aggregator.example", "Tech"])
    let rows = try bench.store.reader.accounts.outbox(of: bench.account, limit: 9)
    #expect(rows.map(\.change) == [.renamed("Mine"), .moved("Tech")])
    try await bench.store.reader.accounts.discardOutbox(rows.map(\.id))
    try await bench.subscribe("feed/1")
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.reader.feeds.feed(feed)?.name == "T feed/1")
    #expect(try bench.store.reader.feeds.feed(feed)?.folder == accountFolder)
  }

  @Test("A starred feed unsubscribed at the server is reported, and undo subscribes again")
  func endedWithStars() async throws {
    let (bench, ids) = try await AccountBench.filled(3)
    try await bench.subscribe("feed/1", "feed/2")
    try await bench.store.reader.states.set(.starred, [ids[0]], true)
    let ended = try await bench.store.accountSync.applySubscriptions(
      [RemoteFeed(id: "feed/3", title: "T", url: "https://a.example/feed/3")],
      of: bench.account, began: bench.now
    ).ended
    #expect(ended.map(\.name) == ["T feed/1"] && ended.map(\.starred) == [1])
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .starred)).count == 1)
    #expect(try bench.cache.all(ArticleQuery(scope: .smart(.archived))).map(\.id) == [ids[0]])
    let entry = try #require(try await bench.store.reader.journal.undo())
    #expect(try bench.cache.all(ArticleQuery(scope: .smart(.archived))).isEmpty)
    #expect(entry.subject == "aggregator.example" && entry.count == 1)
    #expect(try bench.cache.all(ArticleQuery(scope: .all, filter: .starred)).count == 1)
    #expect(try bench.changes() == [.subscribed(true)])
    // The star is sent once the server has fetched the article again.
    try await bench.send()
    try await bench.sync.applySubscriptions(
      [RemoteFeed(id: "feed/9", title: "T", url: "https://a.example/feed/1")],
      of: bench.account, began: bench.now)
    var article = AccountBench.article(1)
    (article.item.id, article.feed) = ("101", "feed/9")
    #expect(try await bench.sync.storeArticles([article], of: bench.account).added.isEmpty)
    #expect(try bench.changes() == [.marked(.starred, true)])
  }

  @Test("With Fever, a feed that the server ends is reported and adds no undo step")
  func endedWithFever() async throws {
    let bench = try await AccountBench(.fever)
    let ids = try await bench.fill(1)
    try await bench.store.reader.states.set(.starred, ids, true)
    let ended = try await bench.sync.applySubscriptions([], of: bench.account, began: bench.now)
      .ended
    #expect(ended.map(\.starred) == [1])
    #expect(try bench.store.reader.journal.next()?.kind == .star)
  }
}
