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

  init(_ kind: Account.Kind = .googleReader) async throws {
    cache = try TestCache()
    account = try await cache.store.accounts.addAccount(
      kind: kind, url: "https://aggregator.example/api.php/", user: "ann")
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
    try await store.accounts.takeSubscriptions(
      names.map { RemoteFeed(name: $0, title: "T \($0)", url: "https://a.example/\($0)") },
      of: account, began: now)
  }

  @discardableResult
  func fill(_ count: Int) async throws -> [ArticleID] {
    try await subscribe("feed/1")
    return try await store.accounts.takeArticles((1...count).map { Self.article($0) }, of: account)
      .reversed()
  }

  func pull(unread: [Int], starred: [Int] = [], isComplete: Bool = true) async throws {
    try await store.accounts.takeStates(
      of: account, unread: RemoteNames(unread.map(String.init), isComplete: isComplete),
      starred: RemoteNames(starred.map(String.init), isComplete: isComplete), began: now)
  }

  func changes() throws -> [OutboxEntry.Change] {
    try store.reader.outbox(of: account, limit: 1_000).map(\.change)
  }

  /// All that waits, confirmed as a good server does.
  func send() async throws {
    while let batch = try store.accounts.outboxBatch(of: account, limit: 100, at: nil) {
      try await store.accounts.confirmOutbox(batch.rows.map(\.seq))
    }
  }

  func unread() throws -> Set<String> {
    Set(try cache.all(ArticleQuery(scope: .all, filter: .unread)).map(\.title))
  }
}

@Suite struct AccountTests {
  @Test func anAccountHasABranchOfItsOwnAndIsThereOnce() async throws {
    let cache = try TestCache()
    _ = try await cache.store.reader.folder(path: ["Reader"])
    let id = try await cache.store.accounts.addAccount(
      kind: .fever, url: "https://f.example/fever/", user: "ann", title: "Reader",
      passwordCommand: ["pass", "show", "fever"])
    let account = try #require(try cache.store.reader.account(id))
    #expect(account.url == "https://f.example/fever")
    #expect(account.passwordCommand == ["pass", "show", "fever"])
    #expect(account.state.isRequested)
    let branch = try #require(
      try cache.store.reader.subscriptions().folders.first { $0.id == account.folder })
    #expect(branch.title == "Reader (2)" && branch.account == id)
    await #expect(throws: StoreError.accountExists(id)) {
      try await cache.store.accounts.addAccount(
        kind: .fever, url: "https://f.example/fever", user: "ann")
    }
  }

  @Test func whatTheUserDoesIsInTheOutboxAndUndoIsToo() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    try await bench.cache.merge(local, [.dated(1)])
    let ids = try await bench.fill(3)
    #expect(try bench.changes().isEmpty)
    try await bench.store.reader.setRead([ids[0]], true)
    try await bench.store.reader.setStarred([ids[1]], true)
    #expect(try bench.changes() == [.read(true), .starred(true)])
    #expect(
      try bench.store.reader.outbox(of: nil, limit: 9).map(\.title) == ["Article 1", "Article 2"])
    _ = try await bench.store.reader.undo()
    #expect(try bench.changes() == [.read(true), .starred(false)])
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    #expect(try bench.changes() == [.read(true), .starred(false), .read(true), .read(true)])
    let state = try #require(try bench.store.reader.account(bench.account)?.state)
    #expect(state.outbox == OutboxCounts(pending: 4))
  }

  @Test func aToggleMadeInFlightSurvivesTheAnswer() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.reader.setRead(ids, true)
    let sent = try #require(
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 100, at: nil))
    try await bench.store.reader.setRead(ids, false)
    try await bench.store.accounts.confirmOutbox(sent.rows.map(\.seq))
    let left = try #require(
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 100, at: nil))
    #expect(left.content == .read(false))
    #expect(left.rows[0].seq > sent.rows[0].seq)
  }

  @Test func theServerIsRightExceptAboutWhatIsPending() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(4)
    try await bench.store.reader.setRead([ids[0]], true)
    try await bench.pull(unread: [1, 2], starred: [4])
    #expect(try bench.unread() == ["Article 2"])
    #expect(try bench.store.reader.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    // The server's own states are not sent back to it.
    #expect(try bench.changes() == [.read(true)])
  }

  @Test func aWalkThatBrokeOffTakesNothingForAbsent() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(3)
    try await bench.pull(unread: [1, 2, 3], starred: [1])
    try await bench.pull(unread: [2], starred: [], isComplete: false)
    #expect(try bench.unread().count == 3)
    #expect(try bench.store.reader.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    try await bench.store.reader.setRead([ids[0]], true)
    try await bench.send()
    try await bench.pull(unread: [2], isComplete: false)
    #expect(try bench.unread() == ["Article 2", "Article 3"])
  }

  @Test("A server has a minute to show a change; after that what it shows is a newer change")
  func grace() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.reader.setRead(ids, true)
    try await bench.send()
    bench.cache.clock.now += 59
    try await bench.pull(unread: [1])
    #expect(try bench.unread().isEmpty)
    bench.cache.clock.now += 1
    try await bench.pull(unread: [1])
    #expect(try bench.unread() == ["Article 1"])
    // Nothing is sent again.
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.accounts.confirmedStates(of: bench.account).articles.isEmpty)
  }

  @Test("A list of single articles says nothing about others")
  func partialList() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(3)
    try await bench.store.reader.setRead([ids[0], ids[1]], true)
    try await bench.send()
    try await bench.store.accounts.takeStates(
      of: bench.account, unread: RemoteNames(["3"], among: ["1", "3"]),
      starred: RemoteNames(["3"], among: ["1", "3"]), began: bench.now)
    // The first is shown, the second was not asked for.
    #expect(try bench.store.accounts.confirmedStates(of: bench.account).articles == ["2"])
    #expect(try bench.unread() == ["Article 3"])
    #expect(try bench.store.reader.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
  }

  @Test("A confirmed change is read back after three seconds and once more after a minute")
  func readBackTimes() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    func readBackAt() throws -> Date? { try bench.store.accounts.accountWork().first?.readBackAt }
    try await bench.store.reader.setRead(ids, true)
    #expect(try readBackAt() == nil)
    try await bench.send()
    let sent = bench.now
    #expect(try readBackAt() == sent + 3)
    bench.cache.clock.now += 3
    try await bench.store.accounts.noteReadBack(of: bench.account, began: bench.now)
    #expect(try readBackAt() == sent + 60)
    bench.cache.clock.now += 60
    try await bench.store.accounts.noteReadBack(of: bench.account, began: bench.now)
    #expect(try readBackAt() == nil)
  }

  @Test("While a server asks for no requests only a request of the user's is tried")
  func pause() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.reader.setRead(ids, true)
    let until = bench.now + 7_200
    try await bench.store.accounts.endAccountSync(
      bench.account,
      AccountOutcome(
        began: bench.now, hasPulled: false,
        failure: AccountFailure(kind: .busy, status: 429, since: bench.now),
        nextSyncAt: bench.now + 60, pausedUntil: until))
    var work = try #require(try bench.store.accounts.accountWork().first)
    #expect(work.pushAt == until && work.pullAt == until)
    try await bench.store.accounts.hastenAccountSyncs(olderThan: bench.now)
    work = try #require(try bench.store.accounts.accountWork().first)
    #expect(work.pullAt == until)
    try await bench.store.reader.requestAccountSync(bench.account)
    work = try #require(try bench.store.accounts.accountWork().first)
    #expect(work.pullAt == bench.now)
    #expect(try #require(work.pushAt) <= bench.now + 10)
  }

  @Test("A pull is hastened where the last one is older, and the password was not refused")
  func hastening() async throws {
    let bench = try await AccountBench()
    let later = bench.now + 900
    func pullAt(_ failure: AccountFailure.Kind?, after seconds: Double) async throws -> Date? {
      try await bench.store.accounts.endAccountSync(
        bench.account,
        AccountOutcome(
          began: bench.now, hasPulled: true,
          failure: failure.map { AccountFailure(kind: $0, since: bench.now) }, nextSyncAt: later))
      bench.cache.clock.now += seconds
      try await bench.store.accounts.hastenAccountSyncs(olderThan: bench.now - 120)
      return try bench.store.accounts.accountWork().first?.pullAt
    }
    #expect(try await pullAt(nil, after: 100) == later)
    #expect(try await pullAt(.wrongCredentials, after: 130) == later)
    #expect(try await pullAt(.unreachable, after: 130) == bench.now)
  }

  @Test("With Fever marks are sent before stars")
  func feverOrder() async throws {
    let bench = try await AccountBench(.fever)
    let ids = try await bench.fill(3)
    try await bench.store.reader.setStarred([ids[0]], true)
    try await bench.store.reader.setRead([ids[1]], true)
    let batch = try #require(
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(batch.content == .read(true))
  }

  @Test("Fever's subscriptions cannot be changed, and nothing changes here either")
  func feverSubscriptions() async throws {
    let bench = try await AccountBench(.fever)
    try await bench.subscribe("feed/1")
    let branch = try #require(try bench.store.reader.account(bench.account)?.folder)
    let before = try bench.store.reader.subscriptions()
    let feed = before.feeds[0].id
    let error = StoreError.fixedSubscriptions(account: "aggregator.example")
    await #expect(throws: error) { try await bench.store.reader.rename(feed, to: "Mine") }
    await #expect(throws: error) { try await bench.store.reader.move(feed, toFolder: ["Tech"]) }
    await #expect(throws: error) { try await bench.store.reader.unsubscribe([feed]) }
    await #expect(throws: error) {
      try await bench.store.reader.subscribe(
        url: "https://b.example/feed", title: nil, folder: branch)
    }
    let after = try bench.store.reader.subscriptions()
    #expect(after.feeds.map(\.name) == before.feeds.map(\.name))
    #expect(after.feeds.map(\.folder) == before.feeds.map(\.folder))
    #expect(try bench.changes().isEmpty)
    // What the server lists is taken all the same.
    try await bench.store.accounts.takeSubscriptions([], of: bench.account, began: bench.now)
    #expect(try bench.store.reader.subscriptions().feeds.isEmpty)
  }

  @Test("Changes that failed before are sent after all others")
  func failedLast() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(3)
    try await bench.store.reader.setStarred([ids[0]], true)
    let batch = try #require(
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: nil))
    try await bench.store.accounts.failOutbox(
      batch.rows.map(\.seq), of: bench.account, detail: "500", until: bench.now)
    try await bench.store.reader.setRead(ids, true)
    try await bench.store.reader.setStarred([ids[1]], true)
    var sent: [Set<String>] = []
    while let batch = try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: nil) {
      sent.append(Set(batch.rows.map(\.item)))
      try await bench.store.accounts.confirmOutbox(batch.rows.map(\.seq))
    }
    #expect(sent == [["2"], ["1", "2", "3"], ["1"]])
  }

  @Test func whatIsShownLeavesTheOutbox() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.reader.setStarred(ids, true)
    try await bench.send()
    try await bench.pull(unread: [1], starred: [1])
    // Another device takes the star away.
    try await bench.pull(unread: [1], starred: [])
    #expect(try bench.store.reader.count(ArticleQuery(scope: .all, filter: .starred)) == 0)
  }

  @Test func changesThatFailWaitAndThoseThatAreRefusedAreSetAside() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(2)
    try await bench.store.reader.setRead(ids, true)
    let batch = try #require(
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: nil))
    let until = bench.now + 60
    try await bench.store.accounts.failOutbox(
      [batch.rows[0].seq], of: bench.account, detail: "timed out", until: until)
    #expect(try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil)
    try await bench.store.reader.setStarred([ids[1]], true)
    #expect(try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil)
    #expect(try bench.store.accounts.accountWork().map(\.pushAt) == [until])
    try await bench.store.accounts.refuseOutbox(batch.rows[0].seq, detail: "400")
    var outbox = try bench.store.reader.outbox(of: bench.account, limit: 9)
    #expect(outbox.map(\.state) == [.refused, .pending, .pending])
    #expect(outbox[0].detail == "400")
    #expect(
      try bench.store.reader.account(bench.account)?.state.outbox
        == OutboxCounts(pending: 2, refused: 1, nextTry: until))
    try await bench.store.reader.retryOutbox([outbox[0].id])
    outbox = try bench.store.reader.outbox(of: bench.account, limit: 9)
    #expect(outbox.map(\.state) == [.pending, .pending, .pending])
    try await bench.store.reader.discardOutbox(outbox.map(\.id))
    try await bench.pull(unread: [1, 2])
    #expect(try bench.unread().count == 2)
  }

  @Test func batchesHoldWhatIsAlikeAndAStarWaitsForNoMarks() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(250)
    try await bench.store.reader.setRead([ids[7]], true)
    try await bench.store.reader.setStarred([ids[0]], true)
    try await bench.store.reader.markAllRead(ArticleQuery(scope: .all))
    var sizes: [Int] = []
    while let batch = try bench.store.accounts.outboxBatch(of: bench.account, limit: 100, at: nil) {
      if sizes.count == 1 { #expect(batch.rows.first?.item == "8") }
      sizes.append(batch.rows.count)
      try await bench.store.accounts.confirmOutbox(batch.rows.map(\.seq))
    }
    #expect(sizes == [1, 100, 100, 50])
  }

  @Test func whatFailedWaitsNoLongerThanUntilSomebodyWantsItOrTheServerAnswers() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(1)
    try await bench.store.reader.setRead(ids, true)
    let began = bench.now
    func fail(_ kind: AccountFailure.Kind) async throws {
      try await bench.store.accounts.failOutbox(
        [], of: bench.account, detail: nil, until: bench.now + 3_600)
      try await bench.store.accounts.endAccountSync(
        bench.account,
        AccountOutcome(
          began: began, hasPulled: false, failure: AccountFailure(kind: kind, since: bench.now),
          nextSyncAt: nil))
    }
    func waits() throws -> Bool {
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: bench.now) == nil
    }
    try await fail(.unreachable)
    #expect(try waits())
    try await bench.store.reader.requestRefresh(.all)
    #expect(try !waits())
    try await fail(.wrongCredentials)
    #expect(try waits())
    try await bench.store.accounts.setPasswordCommand(bench.account, nil)
    #expect(try !waits())
    try await fail(.unreachable)
    try await bench.store.accounts.endAccountSync(
      bench.account,
      AccountOutcome(began: bench.now, hasPulled: true, failure: nil, nextSyncAt: nil))
    #expect(try !waits())
    try await fail(.busy)
    try await bench.store.reader.requestAccountSync(bench.account)
    #expect(try !waits())
  }

  @Test func aFeedThatIsAskedForByItselfIsKnownUntilItsSync() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1", "feed/2")
    let feeds = try bench.store.reader.subscriptions().feeds
    func wanted() throws -> [String] { try bench.store.accounts.requestedFeeds(of: bench.account) }
    func sync(began: Date) async throws {
      try await bench.store.accounts.endAccountSync(
        bench.account,
        AccountOutcome(began: began, hasPulled: true, failure: nil, nextSyncAt: nil))
    }
    #expect(try wanted().isEmpty)
    try await bench.store.reader.requestRefresh(.all)
    #expect(try wanted().isEmpty)
    let began = bench.now
    bench.cache.clock.now += 1
    // While a sync runs that has asked already.
    try await bench.store.reader.requestRefresh(.feed(feeds[1].id))
    try await sync(began: began)
    #expect(try wanted() == ["feed/2"])
    #expect(try bench.store.reader.account(bench.account)?.state.isRequested == true)
    bench.cache.clock.now += 1
    try await sync(began: bench.now)
    #expect(try wanted().isEmpty)
  }

  @Test func subscriptionsFollowTheServerAndItFollowsTheUser() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1", "feed/2")
    let branch = try #require(try bench.store.reader.account(bench.account)?.folder)
    var feeds = try bench.store.reader.subscriptions().feeds
    #expect(feeds.map(\.folder) == [branch, branch])
    #expect(feeds.map(\.name) == ["T feed/1", "T feed/2"])
    #expect(feeds.allSatisfy { $0.account == bench.account })
    // They are not for the local schedule.
    #expect(try bench.store.engine.dueFeeds(at: bench.now + 1e6, limit: 9).isEmpty)
    #expect(try await bench.store.reader.requestRefresh(.feed(feeds[0].id)).isFinished)

    try await bench.store.reader.rename(feeds[0].id, to: "Mine & ours")
    try await bench.store.reader.move(feeds[1].id, toFolder: ["aggregator.example", "Tech"])
    #expect(try bench.changes() == [.renamed("Mine & ours"), .moved("Tech")])
    try await bench.send()
    try await bench.store.accounts.takeSubscriptions(
      [
        RemoteFeed(name: "feed/1", title: "Mine ＆ ours", url: "https://a.example/feed/1"),
        RemoteFeed(
          name: "feed/2", title: "T feed/2", url: "https://a.example/feed/2", folders: ["Tech"]),
      ], of: bench.account, began: bench.now)
    feeds = try bench.store.reader.subscriptions().feeds
    #expect(feeds.map(\.name) == ["Mine & ours", "T feed/2"])
    #expect(try bench.changes().isEmpty)

    // Elsewhere one is renamed and moved, the other ended, and one begun.
    try await bench.store.accounts.takeSubscriptions(
      [
        RemoteFeed(
          name: "feed/1", title: "Theirs", url: "https://a.example/feed/1", folders: ["News"]),
        RemoteFeed(name: "feed/3", title: "Third", url: "https://a.example/3"),
      ], of: bench.account, began: bench.now)
    let all = try bench.store.reader.subscriptions()
    #expect(all.feeds.map(\.name).sorted() == ["Theirs", "Third"])
    let news = try #require(all.folders.first { $0.title == "News" })
    #expect(news.parent == branch)
    #expect(all.feeds.first { $0.name == "Theirs" }?.folder == news.id)
    #expect(try bench.changes().isEmpty)
  }

  @Test func subscribingAndUnsubscribingInTheBranchIsSent() async throws {
    let bench = try await AccountBench()
    let branch = try #require(try bench.store.reader.account(bench.account)?.folder)
    // The same address here and there.
    try await bench.store.reader.subscribe(url: "https://n.example/feed", title: nil, folder: nil)
    let feed = try await bench.store.reader.subscribe(
      url: "https://n.example/feed", title: "New", folder: branch)
    #expect(try bench.changes() == [.subscribed(true)])
    let batch = try #require(
      try bench.store.accounts.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(
      batch.content
        == .subscription(
          .subscribed(true),
          OutboxFeed(url: "https://n.example/feed", title: "New")))
    try await bench.send()
    try await bench.store.accounts.takeSubscriptions(
      [RemoteFeed(name: "feed/9", title: "New", url: "https://n.example/feed")],
      of: bench.account, began: bench.now)
    #expect(try bench.changes().isEmpty)
    try await bench.store.reader.unsubscribe([feed], holdsBack: false)
    #expect(try bench.changes() == [.subscribed(false)])
    // The server still has it: it does not come back.
    try await bench.store.accounts.takeSubscriptions(
      [RemoteFeed(name: "feed/9", title: "New", url: "https://n.example/feed")],
      of: bench.account, began: bench.now)
    #expect(try bench.store.reader.subscriptions().feeds.count == 1)
    _ = try await bench.store.reader.undo()
    #expect(try bench.changes() == [.subscribed(true)])
    #expect(try bench.store.reader.subscriptions().feeds.count == 2)
  }

  @Test func removingAnAccountTakesWhatIsItsOwn() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    let ids = try await bench.fill(2)
    try await bench.store.reader.setRead(ids, true)
    #expect(try await bench.store.accounts.removeAccount(bench.account) == 2)
    let left = try bench.store.reader.subscriptions()
    #expect(left.feeds.map(\.id) == [local])
    #expect(left.folders.isEmpty)
    #expect(try bench.store.reader.accounts().isEmpty)
    #expect(try bench.store.reader.outbox(of: nil, limit: 9).isEmpty)
    #expect(try bench.store.maintenance.integrityProblems().isEmpty)
  }

  @Test func whatThisReaderDeletedIsNotFetchedAgain() async throws {
    let bench = try await AccountBench()
    let ids = try await bench.fill(2)
    try await bench.store.reader.delete([ids[0]])
    #expect(try bench.store.accounts.unknown(["1", "2", "3"], of: bench.account) == ["3"])
  }

  @Test func aFolderThatTheServerDoesNotKeepIsGivenUp() async throws {
    let bench = try await AccountBench()
    let branch = try #require(try bench.store.reader.account(bench.account)?.folder)
    let url = "https://n.example/feed"
    try await bench.store.reader.subscribe(url: url, title: nil, folder: branch)
    try await bench.send()
    let list = [RemoteFeed(name: "feed/9", title: "N", url: url, folders: ["Uncategorized"])]
    try await bench.store.accounts.takeSubscriptions(list, of: bench.account, began: bench.now)
    #expect(try bench.changes() == [.moved("")])
    for _ in 0..<4 {
      try await bench.send()
      bench.cache.clock.now += 700
      try await bench.store.accounts.takeSubscriptions(list, of: bench.account, began: bench.now)
    }
    #expect(try bench.changes().isEmpty)
    let all = try bench.store.reader.subscriptions()
    let folder = try #require(all.folders.first { $0.title == "Uncategorized" })
    #expect(folder.parent == branch && all.feeds[0].folder == folder.id)
  }

  @Test func aNameThatTheServerDoesNotKeepIsGivenUp() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1")
    let feed = try bench.store.reader.subscriptions().feeds[0].id
    try await bench.store.reader.rename(feed, to: "Longer than it keeps")
    for _ in 0..<4 {
      try await bench.send()
      bench.cache.clock.now += 700
      try await bench.subscribe("feed/1")
    }
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.reader.feed(feed)?.name == "T feed/1")
  }

  @Test func aNameAndAFolderThatAreGivenUpAreTheServersAgain() async throws {
    let bench = try await AccountBench()
    try await bench.subscribe("feed/1")
    let branch = try #require(try bench.store.reader.account(bench.account)?.folder)
    let feed = try bench.store.reader.subscriptions().feeds[0].id
    try await bench.store.reader.rename(feed, to: "Mine")
    try await bench.store.reader.move(feed, toFolder: ["aggregator.example", "Tech"])
    let rows = try bench.store.reader.outbox(of: bench.account, limit: 9)
    #expect(rows.map(\.change) == [.renamed("Mine"), .moved("Tech")])
    try await bench.store.reader.discardOutbox(rows.map(\.id))
    try await bench.subscribe("feed/1")
    #expect(try bench.changes().isEmpty)
    #expect(try bench.store.reader.feed(feed)?.name == "T feed/1")
    #expect(try bench.store.reader.feed(feed)?.folder == branch)
  }

  @Test func aSyncThatWasAskedForMeanwhileIsStillWanted() async throws {
    let bench = try await AccountBench()
    let began = bench.now
    try await bench.store.accounts.beginAccountSync(bench.account)
    #expect(try bench.store.reader.account(bench.account)?.state.isSyncing == true)
    bench.cache.clock.now += 1
    try await bench.store.accounts.endAccountSync(
      bench.account,
      AccountOutcome(
        began: began, hasPulled: false,
        failure: AccountFailure(kind: .busy, status: 429, since: bench.now),
        nextSyncAt: bench.now + 60))
    var state = try #require(try bench.store.reader.account(bench.account)?.state)
    #expect(!state.isRequested && !state.isSyncing && state.failure?.count == 1)
    try await bench.store.reader.requestRefresh(.all)
    try await bench.store.accounts.endAccountSync(
      bench.account,
      AccountOutcome(began: began, hasPulled: true, failure: nil, nextSyncAt: nil))
    state = try #require(try bench.store.reader.account(bench.account)?.state)
    #expect(state.isRequested && state.failure == nil && state.syncedAt != nil)
  }
}
