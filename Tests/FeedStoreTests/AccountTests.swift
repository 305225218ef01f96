import FeedModel
import FeedStore
import Foundation
import Testing

/// An account whose server is a list of rows.
struct AccountBench {
  let cache: TestCache
  let account: AccountID
  var store: FeedStore { cache.store }
  var now: Date { cache.clock.now }

  init() async throws {
    cache = try TestCache()
    account = try await cache.store.addAccount(
      kind: .googleReader, url: "https://aggregator.example/api.php/", user: "ann")
  }

  static func article(_ number: Int, feed: String = "feed/1") -> RemoteArticle {
    RemoteArticle(
      item: ParsedItem(
        id: String(number), url: "https://a.example/\(feed)/\(number)", title: "Article \(number)",
        contentHTML: "<p>Text</p>",
        datePublished: TestCache.start - Double(number)),
      feed: feed, isRead: false, isStarred: false)
  }

  func subscribe(_ names: String...) async throws {
    try await store.takeSubscriptions(
      names.map { RemoteFeed(name: $0, title: "T \($0)", url: "https://a.example/\($0)") },
      of: account, began: now)
  }

  @discardableResult
  func fill(_ count: Int) async throws -> [ArticleID] {
    try await subscribe("feed/1")
    return try await store.takeArticles((1...count).map { Self.article($0) }, of: account)
      .reversed()
  }

  func pull(unread: [Int], starred: [Int] = [], isComplete: Bool = true) async throws {
    try await store.takeStates(
      of: account, unread: RemoteNames(unread.map(String.init), isComplete: isComplete),
      starred: RemoteNames(starred.map(String.init), isComplete: isComplete), began: now)
  }

  func changes() throws -> [OutboxEntry.Change] {
    try store.outbox(of: account, limit: 1_000).map(\.change)
  }

  /// All that waits, confirmed as a good server does.
  func send() async throws {
    while let batch = try store.outboxBatch(of: account, limit: 100, at: nil) {
      try await store.confirmOutbox(batch.rows.map(\.seq))
    }
  }

  func unread() throws -> Set<String> {
    Set(try cache.all(ArticleQuery(scope: .all, filter: .unread)).map(\.title))
  }
}

@Suite struct AccountTests {
  @Test func anAccountHasABranchOfItsOwnAndIsThereOnce() async throws {
    let cache = try TestCache()
    _ = try await cache.store.folder(path: ["Reader"])
    let id = try await cache.store.addAccount(
      kind: .fever, url: "https://f.example/fever/", user: "ann", title: "Reader",
      passwordCommand: ["pass", "show", "fever"])
    let account = try #require(try cache.store.account(id))
    #expect(account.url == "https://f.example/fever")
    #expect(account.passwordCommand == ["pass", "show", "fever"])
    #expect(account.state.isRequested)
    let branch = try #require(
      try cache.store.subscriptions().folders.first { $0.id == account.folder })
    #expect(branch.title == "Reader (2)" && branch.account == id)
    await #expect(throws: StoreError.accountExists(id)) {
      try await cache.store.addAccount(kind: .fever, url: "https://f.example/fever", user: "ann")
    }
  }

  @Test func whatTheUserDoesIsInTheOutboxAndUndoIsToo() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    try await bench.cache.merge(local, [.dated(1)])
    let ids = try await bench.fill(3)
    #expect(try bench.changes().isEmpty)
    try await bench.store.setRead([ids[0]], true)
    try await bench.store.setStarred([ids[1]], true)
    #expect(try bench.changes() == [.read(true), .starred(true)])
    #expect(try bench.store.outbox(of: nil, limit: 9).map(\.title) == ["Article 1", "Article 2"])
    _ = try await bench.store.undo()
    #expect(try bench.changes() == [.read(true), .starred(false)])
    try await bench.store.markAllRead(ArticleQuery(scope: .all))
    #expect(try bench.changes() == [.read(true), .starred(false), .read(true), .read(true)])
    let state = try #require(try bench.store.account(bench.account)?.state)
    #expect(state.outbox == OutboxCounts(pending: 4))
  }

  @Test func aToggleMadeInFlightSurvivesTheAnswer() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.setRead(ids, true)
    let sent = try #require(try bench.store.outboxBatch(of: bench.account, limit: 100, at: nil))
    try await bench.store.setRead(ids, false)
    try await bench.store.confirmOutbox(sent.rows.map(\.seq))
    let left = try #require(try bench.store.outboxBatch(of: bench.account, limit: 100, at: nil))
    #expect(left.content == .read(false))
    #expect(left.rows[0].seq > sent.rows[0].seq)
  }

  @Test func theServerIsRightExceptAboutWhatIsPending() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(4)
    try await bench.store.setRead([ids[0]], true)
    try await bench.pull(unread: [1, 2], starred: [4])
    #expect(try bench.unread() == ["Article 2"])
    #expect(try bench.store.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    // The server's own states are not sent back to it.
    #expect(try bench.changes() == [.read(true)])
  }

  @Test func aWalkThatBrokeOffTakesNothingForAbsent() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(3)
    try await bench.pull(unread: [1, 2, 3], starred: [1])
    try await bench.pull(unread: [2], starred: [], isComplete: false)
    #expect(try bench.unread().count == 3)
    #expect(try bench.store.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    try await bench.store.setRead([ids[0]], true)
    try await bench.send()
    try await bench.pull(unread: [2], isComplete: false)
    #expect(try bench.unread() == ["Article 2", "Article 3"])
  }

  @Test func aServerThatDoesNotShowItIsToldOnceMoreAndThenBelieved() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.setRead(ids, true)
    try await bench.send()
    try await bench.pull(unread: [1])
    #expect(try bench.unread().isEmpty)
    bench.cache.clock.now += 601
    try await bench.pull(unread: [1])
    #expect(try bench.unread().isEmpty)
    #expect(try bench.changes() == [.read(true)])
    try await bench.send()
    bench.cache.clock.now += 601
    try await bench.pull(unread: [1])
    #expect(try bench.unread() == ["Article 1"])
    #expect(try bench.changes().isEmpty)
  }

  @Test func whatIsShownLeavesTheOutbox() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.setStarred(ids, true)
    try await bench.send()
    try await bench.pull(unread: [1], starred: [1])
    // Another device takes the star away.
    try await bench.pull(unread: [1], starred: [])
    #expect(try bench.store.count(ArticleQuery(scope: .all, filter: .starred)) == 0)
  }

  @Test func changesThatFailWaitAndThoseThatAreRefusedAreSetAside() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(2)
    try await bench.store.setRead(ids, true)
    let batch = try #require(try bench.store.outboxBatch(of: bench.account, limit: 9, at: nil))
    let until = bench.now + 60
    try await bench.store.failOutbox(
      [batch.rows[0].seq], of: bench.account, detail: "timed out", until: until)
    #expect(try bench.store.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil)
    try await bench.store.setStarred([ids[1]], true)
    #expect(try bench.store.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil)
    #expect(try bench.store.accountWork().map(\.pushAt) == [until])
    try await bench.store.refuseOutbox(batch.rows[0].seq, detail: "400")
    var outbox = try bench.store.outbox(of: bench.account, limit: 9)
    #expect(outbox.map(\.state) == [.refused, .pending, .pending])
    #expect(outbox[0].detail == "400")
    #expect(
      try bench.store.account(bench.account)?.state.outbox == OutboxCounts(pending: 2, refused: 1))
    try await bench.store.retryOutbox([outbox[0].id])
    outbox = try bench.store.outbox(of: bench.account, limit: 9)
    #expect(outbox.map(\.state) == [.pending, .pending, .pending])
    try await bench.store.discardOutbox(outbox.map(\.id))
    try await bench.pull(unread: [1, 2])
    #expect(try bench.unread().count == 2)
  }

  @Test func batchesHoldWhatIsAlikeAndAStarWaitsForNoMarks() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(250)
    try await bench.store.setRead([ids[7]], true)
    try await bench.store.setStarred([ids[0]], true)
    try await bench.store.markAllRead(ArticleQuery(scope: .all))
    var sizes: [Int] = []
    while let batch = try bench.store.outboxBatch(of: bench.account, limit: 100, at: nil) {
      if sizes.count == 1 { #expect(batch.rows.first?.item == "8") }
      sizes.append(batch.rows.count)
      try await bench.store.confirmOutbox(batch.rows.map(\.seq))
    }
    #expect(sizes == [1, 100, 100, 50])
  }

  @Test func whatFailedWaitsNoLongerThanUntilSomebodyWantsItOrTheServerAnswers() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.setRead(ids, true)
    let began = bench.now
    func fail(_ kind: AccountFailure.Kind) async throws {
      try await bench.store.failOutbox([], of: bench.account, detail: nil, until: bench.now + 3_600)
      try await bench.store.endAccountSync(
        bench.account,
        AccountOutcome(
          began: began, hasPulled: false, failure: AccountFailure(kind: kind, since: bench.now),
          nextSyncAt: nil))
    }
    func waits() throws -> Bool {
      try bench.store.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil
    }
    try await fail(.unreachable)
    #expect(try waits())
    try await bench.store.requestRefresh(.all)
    #expect(try !waits())
    try await fail(.wrongCredentials)
    #expect(try waits())
    try await bench.store.setPasswordCommand(bench.account, nil)
    #expect(try !waits())
    try await fail(.unreachable)
    try await bench.store.endAccountSync(
      bench.account,
      AccountOutcome(began: bench.now, hasPulled: true, failure: nil, nextSyncAt: nil))
    #expect(try !waits())
    // The server has named the time.
    try await fail(.busy)
    try await bench.store.requestAccountSync(bench.account)
    #expect(try waits())
  }

  @Test func aFeedThatIsAskedForByItselfIsKnownUntilItsSync() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1", "feed/2")
    let feeds = try bench.store.subscriptions().feeds
    func wanted() throws -> [String] { try bench.store.requestedFeeds(of: bench.account) }
    func sync(began: Date) async throws {
      try await bench.store.endAccountSync(
        bench.account,
        AccountOutcome(began: began, hasPulled: true, failure: nil, nextSyncAt: nil))
    }
    #expect(try wanted().isEmpty)
    try await bench.store.requestRefresh(.all)
    #expect(try wanted().isEmpty)
    let began = bench.now
    bench.cache.clock.now += 1
    // While a sync runs that has asked already.
    try await bench.store.requestRefresh(.feed(feeds[1].id))
    try await sync(began: began)
    #expect(try wanted() == ["feed/2"])
    #expect(try bench.store.account(bench.account)?.state.isRequested == true)
    bench.cache.clock.now += 1
    try await sync(began: bench.now)
    #expect(try wanted().isEmpty)
  }

  @Test func subscriptionsFollowTheServerAndItFollowsTheUser() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1", "feed/2")
    let branch = try #require(try bench.store.account(bench.account)?.folder)
    var feeds = try bench.store.subscriptions().feeds
    #expect(feeds.map(\.folder) == [branch, branch])
    #expect(feeds.map(\.name) == ["T feed/1", "T feed/2"])
    #expect(feeds.allSatisfy { $0.account == bench.account })
    // They are not for the local schedule.
    #expect(try bench.store.dueFeeds(at: bench.now + 1e6, limit: 9).isEmpty)
    #expect(try await bench.store.requestRefresh(.feed(feeds[0].id)).isFinished)

    try await bench.store.rename(feeds[0].id, to: "Mine & ours")
    try await bench.store.move(feeds[1].id, toFolder: ["aggregator.example", "Tech"])
    #expect(try bench.changes() == [.renamed("Mine & ours"), .moved("Tech")])
    try await bench.send()
    try await bench.store.takeSubscriptions(
      [
        RemoteFeed(name: "feed/1", title: "Mine ＆ ours", url: "https://a.example/feed/1"),
        RemoteFeed(
          name: "feed/2", title: "T feed/2", url: "https://a.example/feed/2", folders: ["Tech"]),
      ], of: bench.account, began: bench.now)
    feeds = try bench.store.subscriptions().feeds
    #expect(feeds.map(\.name) == ["Mine & ours", "T feed/2"])
    #expect(try bench.changes().isEmpty)

    // Elsewhere one is renamed and moved, the other ended, and one begun.
    try await bench.store.takeSubscriptions(
      [
        RemoteFeed(
          name: "feed/1", title: "Theirs", url: "https://a.example/feed/1", folders: ["News"]),
        RemoteFeed(name: "feed/3", title: "Third", url: "https://a.example/3"),
      ], of: bench.account, began: bench.now)
    let all = try bench.store.subscriptions()
    #expect(all.feeds.map(\.name).sorted() == ["Theirs", "Third"])
    let news = try #require(all.folders.first { $0.title == "News" })
    #expect(news.parent == branch)
    #expect(all.feeds.first { $0.name == "Theirs" }?.folder == news.id)
    #expect(try bench.changes().isEmpty)
  }

  @Test func subscribingAndUnsubscribingInTheBranchIsSent() async throws {
    let bench = try await AccountBench()
    let branch = try #require(try bench.store.account(bench.account)?.folder)
    // The same address here and there.
    try await bench.store.subscribe(url: "https://n.example/feed", title: nil, folder: nil)
    let feed = try await bench.store.subscribe(
      url: "https://n.example/feed", title: "New", folder: branch)
    #expect(try bench.changes() == [.subscribed(true)])
    let batch = try #require(try bench.store.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(
      batch.content
        == .subscription(
          .subscribed(true),
          OutboxFeed(url: "https://n.example/feed", title: "New")))
    try await bench.send()
    try await bench.store.takeSubscriptions(
      [RemoteFeed(name: "feed/9", title: "New", url: "https://n.example/feed")],
      of: bench.account, began: bench.now)
    #expect(try bench.changes().isEmpty)
    try await bench.store.unsubscribe([feed])
    #expect(try bench.changes() == [.subscribed(false)])
    // The server still has it: it does not come back.
    try await bench.store.takeSubscriptions(
      [RemoteFeed(name: "feed/9", title: "New", url: "https://n.example/feed")],
      of: bench.account, began: bench.now)
    #expect(try bench.store.subscriptions().feeds.count == 1)
    _ = try await bench.store.undo()
    #expect(try bench.changes() == [.subscribed(true)])
    #expect(try bench.store.subscriptions().feeds.count == 2)
  }

  @Test func removingAnAccountTakesWhatIsItsOwn() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    let ids = try await bench.fill(2)
    try await bench.store.setRead(ids, true)
    #expect(try await bench.store.removeAccount(bench.account) == 2)
    let left = try bench.store.subscriptions()
    #expect(left.feeds.map(\.id) == [local])
    #expect(left.folders.isEmpty)
    #expect(try bench.store.accounts().isEmpty)
    #expect(try bench.store.outbox(of: nil, limit: 9).isEmpty)
    #expect(try bench.store.integrityProblems().isEmpty)
  }

  @Test func whatThisReaderDeletedIsNotFetchedAgain() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(2)
    try await bench.store.delete([ids[0]])
    #expect(try bench.store.unknown(["1", "2", "3"], of: bench.account) == ["3"])
  }

  @Test func aStoryReadInAnotherFeedIsReadAtTheServerToo() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    try await bench.cache.merge(
      local,
      [ParsedItem(id: "x", url: "https://a.example/feed/1/1", title: "Article 1")])
    let first = try bench.cache.all(ArticleQuery(scope: .all))
    try await bench.store.setRead(first.map(\.id), true)
    try await bench.fill(1)
    #expect(try bench.changes() == [.read(true)])
    #expect(try bench.unread().isEmpty)
  }

  @Test func aStoryThatComesBackTellsTheServerWhatWasDoneMeanwhile() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.takeSubscriptions([], of: bench.account, began: bench.now)
    let local = try await bench.cache.feed("local")
    let twin = try await bench.cache.merge(
      local, [ParsedItem(id: "x", url: "https://a.example/feed/1/1", title: "Article 1")]
    ).added
    try await bench.store.setStarred(twin, true)
    try await bench.store.setRead(twin, true)
    try await bench.subscribe("feed/1")
    #expect(try bench.changes() == [.read(true), .starred(true)])
    try await bench.pull(unread: [1])
    for id in ids + twin {
      #expect(
        try bench.store.article(id)?.row.status == ArticleStatus(isRead: true, isStarred: true))
    }
    #expect(try bench.changes() == [.read(true), .starred(true)])
  }

  @Test func aFolderThatTheServerDoesNotKeepIsGivenUp() async throws {
    let bench = try await AccountBench()
    let branch = try #require(try bench.store.account(bench.account)?.folder)
    let url = "https://n.example/feed"
    try await bench.store.subscribe(url: url, title: nil, folder: branch)
    try await bench.send()
    let list = [RemoteFeed(name: "feed/9", title: "N", url: url, folders: ["Uncategorized"])]
    try await bench.store.takeSubscriptions(list, of: bench.account, began: bench.now)
    #expect(try bench.changes() == [.moved("")])
    for _ in 0..<4 {
      try await bench.send()
      bench.cache.clock.now += 700
      try await bench.store.takeSubscriptions(list, of: bench.account, began: bench.now)
    }
    #expect(try bench.changes().isEmpty)
    let all = try bench.store.subscriptions()
    let folder = try #require(all.folders.first { $0.title == "Uncategorized" })
    #expect(folder.parent == branch && all.feeds[0].folder == folder.id)
  }

  @Test func aNameThatTheServerDoesNotKeepIsGivenUp() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1")
    let feed = try bench.store.subscriptions().feeds[0].id
    try await bench.store.rename(feed, to: "Longer than it keeps")
    for _ in 0..<4 {
      try await bench.send()
      bench.cache.clock.now += 700
      try await bench.subscribe("feed/1")
    }
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.feed(feed)?.name == "T feed/1")
  }

  @Test func aNameAndAFolderThatAreGivenUpAreTheServersAgain() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1")
    let branch = try #require(try bench.store.account(bench.account)?.folder)
    let feed = try bench.store.subscriptions().feeds[0].id
    try await bench.store.rename(feed, to: "Mine")
    try await bench.store.move(feed, toFolder: ["aggregator.example", "Tech"])
    let rows = try bench.store.outbox(of: bench.account, limit: 9)
    #expect(rows.map(\.change) == [.renamed("Mine"), .moved("Tech")])
    try await bench.store.discardOutbox(rows.map(\.id))
    try await bench.subscribe("feed/1")
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.feed(feed)?.name == "T feed/1")
    #expect(try bench.store.feed(feed)?.folder == branch)
  }

  @Test func aSyncThatWasAskedForMeanwhileIsStillWanted() async throws {
    let bench = try await AccountBench()
    let began = bench.now
    try await bench.store.beginAccountSync(bench.account)
    #expect(try bench.store.account(bench.account)?.state.isSyncing == true)
    bench.cache.clock.now += 1
    try await bench.store.endAccountSync(
      bench.account,
      AccountOutcome(
        began: began, hasPulled: false,
        failure: AccountFailure(kind: .busy, status: 429, since: bench.now),
        nextSyncAt: bench.now + 60))
    var state = try #require(try bench.store.account(bench.account)?.state)
    #expect(!state.isRequested && !state.isSyncing && state.failure?.count == 1)
    try await bench.store.requestRefresh(.all)
    try await bench.store.endAccountSync(
      bench.account,
      AccountOutcome(began: began, hasPulled: true, failure: nil, nextSyncAt: nil))
    state = try #require(try bench.store.account(bench.account)?.state)
    #expect(state.isRequested && state.failure == nil && state.syncedAt != nil)
  }
}
