@Suite("Accounts") struct AccountTests {
  @Test("An account gets a folder with a unique name and cannot be added twice")
  func accountIsAddedOnce() async throws {
    let cache = try TestCache()
    _ = try await cache.store.reader.folders.folder(path: ["Reader"])
    let id = try await cache.store.accounts.addAccount(
      kind: .fever, url: "https://f.example/fever/", user: "ann", title: "Reader",
      passwordCommand: ["pass", "show", "fever"])
    let account = try #require(try cache.store.reader.accounts.account(id))
    #expect(account.url == "https://f.example/fever")
    #expect(account.passwordCommand == ["pass", "show", "fever"])
    #expect(account.state.isRequested)
    let accountFolder = try #require(
      try cache.store.reader.feeds.subscriptions().folders.first { $0.id == account.folder })
    #expect(accountFolder.title == "Reader (2)" && accountFolder.account == id)
    await #expect(throws: StoreError.accountExists(id)) {
      try await cache.store.accounts.addAccount(
        kind: .fever, url: "https://f.example/fever", user: "ann")
    }
  }

  @Test("The user's changes enter the outbox, and undo removes those that were not sent")
  func changesEnterTheOutbox() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    try await bench.cache.merge(local, [.dated(1)])
    let ids = try await bench.fill(3)
    #expect(try bench.changes().isEmpty)
    try await bench.store.reader.states.set(.read, [ids[0]], true)
    try await bench.store.reader.states.set(.starred, [ids[1]], true)
    #expect(try bench.changes() == [.marked(.read, true), .marked(.starred, true)])
    #expect(
      try bench.accounts.outbox(of: nil, limit: 9).map(\.title) == ["Article 1", "Article 2"])
    _ = try await bench.store.reader.journal.undo()
    // The star was not sent, so undo has nothing to send.
    #expect(try bench.changes() == [.marked(.read, true)])
    try await bench.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    #expect(
      try bench.changes() == [.marked(.read, true), .marked(.read, true), .marked(.read, true)])
    let state = try #require(try bench.store.reader.accounts.account(bench.account)?.state)
    #expect(state.outbox == OutboxCounts(pending: 3))
  }

  @Test("A change made while its opposite is being sent stays in the outbox")
  func toggleDuringSendStays() async throws {
    let (bench, ids) = try await AccountBench.filled(1)
    try await bench.store.reader.states.set(.read, ids, true)
    let sent = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 100, at: nil))
    let wanted = try await bench.store.accountSync.noteSending(sent.rows.map(\.seq))
    #expect(wanted == Set(sent.rows.map(\.seq)))
    try await bench.store.reader.states.set(.read, ids, false)
    try await bench.store.accountSync.confirmOutbox(sent.rows.map(\.seq))
    let left = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 100, at: nil))
    #expect(left.change == .marked(.read, false))
    #expect(left.rows[0].seq > sent.rows[0].seq)
  }

  @Test("A change that was undone before it was sent is not sent") func takenBack() async throws {
    let (bench, ids) = try await AccountBench.filled(1)
    try await bench.store.reader.states.set(.read, ids, true)
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 100, at: nil))
    try await bench.store.reader.states.set(.read, ids, false)
    #expect(try await bench.store.accountSync.noteSending(batch.rows.map(\.seq)).isEmpty)
  }

  @Test("The server's states apply except to articles with pending changes")
  func pendingChangesWin() async throws {
    let (bench, ids) = try await AccountBench.filled(4)
    try await bench.store.reader.states.set(.read, [ids[0]], true)
    try await bench.pull(unread: [1, 2], starred: [4])
    #expect(try bench.unread() == ["Article 2"])
    #expect(try bench.store.reader.articles.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    // The server's own states are not sent back to it.
    #expect(try bench.changes() == [.marked(.read, true)])
  }

  @Test("An incomplete list of states treats no missing article as read or unstarred")
  func incompleteStatesAreSafe() async throws {
    let (bench, ids) = try await AccountBench.filled(3)
    try await bench.pull(unread: [1, 2, 3], starred: [1])
    try await bench.pull(unread: [2], starred: [], isComplete: false)
    #expect(try bench.unread().count == 3)
    #expect(try bench.store.reader.articles.count(ArticleQuery(scope: .all, filter: .starred)) == 1)
    try await bench.store.reader.states.set(.read, [ids[0]], true)
    try await bench.send()
    try await bench.pull(unread: [2], isComplete: false)
    #expect(try bench.unread() == ["Article 2", "Article 3"])
  }

  @Test("A server has a minute to show a change; after that the change is sent once more")
  func grace() async throws {
    let (bench, ids) = try await AccountBench.filled(1)
    try await bench.store.reader.states.set(.read, ids, true)
    try await bench.send()
    bench.cache.clock.now += 59
    try await bench.pull(unread: [1])
    #expect(try bench.unread().isEmpty)
    bench.cache.clock.now += 1
    try await bench.pull(unread: [1])
    #expect(try bench.unread().isEmpty)
    #expect(try bench.changes() == [.marked(.read, true)])
    try await bench.send()
    bench.cache.clock.now += 60
    try await bench.pull(unread: [1])
    let entries = try bench.store.reader.accounts.outbox(of: bench.account, limit: 9)
    #expect(entries.map(\.state) == [.refused])
    #expect(try bench.unread().isEmpty)
  }

  @Test("A differing state beside a confirmed change of the same request counts as a newer change")
  func newerElsewhere() async throws {
    let (bench, ids) = try await AccountBench.filled(2)
    try await bench.store.reader.states.set(.read, ids, true)
    try await bench.send()
    bench.cache.clock.now += 60
    try await bench.pull(unread: [1])
    #expect(try bench.unread() == ["Article 1"])
    #expect(try bench.changes().isEmpty)
    #expect(try bench.confirmedItems().isEmpty)
  }

  @Test("While a server asks for a pause, only a request of the user is tried")
  func pause() async throws {
    let (bench, ids) = try await AccountBench.filled(1)
    try await bench.store.reader.states.set(.read, ids, true)
    let until = bench.now + 7_200
    try await bench.store.accountSync.endAccountSync(
      bench.account,
      AccountOutcome(
        began: bench.now, hasPulled: false,
        failure: AccountFailure(kind: .busy, status: 429, since: bench.now),
        nextSyncAt: bench.now + 60, pausedUntil: until))
    var work = try #require(try bench.store.accountSync.accountWork().first)
    #expect(work.pushAt == until && work.pullAt == until)
    try await bench.store.accounts.hastenAccountSyncs(olderThan: bench.now)
    work = try #require(try bench.store.accountSync.accountWork().first)
    #expect(work.pullAt == until)
    try await bench.store.reader.accounts.requestAccountSync(bench.account)
    work = try #require(try bench.store.accountSync.accountWork().first)
    #expect(work.pullAt == bench.now)
    #expect(try #require(work.pushAt) <= bench.now + 10)
  }

  @Test("A pull is brought forward if the last one is older and the password was not rejected")
  func hastening() async throws {
    let bench = try await AccountBench()
    let later = bench.now + 900
    func pullAt(_ failure: AccountFailure.Kind?, after seconds: Double) async throws -> Date? {
      try await bench.store.accountSync.endAccountSync(
        bench.account,
        AccountOutcome(
          began: bench.now, hasPulled: true,
          failure: failure.map { AccountFailure(kind: $0, since: bench.now) }, nextSyncAt: later))
      bench.cache.clock.now += seconds
      try await bench.store.accounts.hastenAccountSyncs(olderThan: bench.now - 120)
      return try bench.store.accountSync.accountWork().first?.pullAt
    }
    #expect(try await pullAt(nil, after: 100) == later)
    #expect(try await pullAt(.wrongCredentials, after: 130) == later)
    #expect(try await pullAt(.unreachable, after: 130) == bench.now)
  }

  @Test("With Fever, read marks are sent before stars") func feverOrder() async throws {
    let bench = try await AccountBench(.fever)
    let ids = try await bench.fill(3)
    try await bench.store.reader.states.set(.starred, [ids[0]], true)
    try await bench.store.reader.states.set(.read, [ids[1]], true)
    let batch = try #require(try bench.sync.outboxBatch(of: bench.account, limit: 9, at: nil))
    #expect(batch.change == .marked(.read, true))
  }

  @Test("Removing an account removes its feeds, folders and outbox, and keeps local feeds")
  func removalKeepsLocalFeeds() async throws {
    let bench = try await AccountBench()
    let local = try await bench.cache.feed("local")
    let ids = try await bench.fill(2)
    try await bench.store.reader.states.set(.read, ids, true)
    let feed = RemoteFeed(
      id: "feed/1", title: "T", url: "https://a.example/feed/1", folders: ["News"])
    try await bench.sync.applySubscriptions([feed], of: bench.account, began: bench.now)
    #expect(try bench.store.reader.feeds.subscriptions().folders.count == 2)
    #expect(try await bench.store.accounts.removeAccount(bench.account) == 2)
    let left = try bench.store.reader.feeds.subscriptions()
    #expect(left.feeds.map(\.id) == [local])
    #expect(left.folders.isEmpty)
    #expect(try bench.store.reader.accounts.all().isEmpty)
    #expect(try bench.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
    #expect(try bench.store.file.integrityProblems().isEmpty)
  }

  @Test("A second account at a server has its user's name in its title")
  func titles() async throws {
    let cache = try TestCache()
    for user in ["ann", "bob"] {
      try await cache.store.accounts.addAccount(
        kind: .fever, url: "https://rss.example.org/fever", user: user)
    }
    #expect(try cache.accounts.all().map(\.title) == ["rss.example.org", "bob at rss.example.org"])
    for url in ["https://rss.example.org/", "https://rss.example.org/two"] {
      try await cache.store.accounts.addAccount(kind: .googleReader, url: url, user: "bob")
    }
    #expect(
      try cache.store.reader.accounts.all().map(\.title).suffix(2) == [
        "bob at rss.example.org (greader)", "bob at rss.example.org (2)",
      ])
  }

  @Test("An article that the user deleted is not fetched again")
  func deletedIsNotFetched() async throws {
    let (bench, ids) = try await AccountBench.filled(2)
    try await bench.store.reader.states.delete([ids[0]])
    #expect(try bench.store.accountSync.unknown(["1", "2", "3"], of: bench.account) == ["3"])
  }

  @Test("A sync that is requested during another sync stays requested")
  func requestDuringSyncStays() async throws {
    let bench = try await AccountBench()
    let began = bench.now
    try await bench.store.accountSync.beginAccountSync(bench.account)
    #expect(try bench.store.reader.accounts.account(bench.account)?.state.isSyncing == true)
    bench.cache.clock.now += 1
    try await bench.store.accountSync.endAccountSync(
      bench.account,
      AccountOutcome(
        began: began, hasPulled: false,
        failure: AccountFailure(kind: .busy, status: 429, since: bench.now),
        nextSyncAt: bench.now + 60))
    var state = try #require(try bench.store.reader.accounts.account(bench.account)?.state)
    #expect(!state.isRequested && !state.isSyncing && state.failure?.count == 1)
    try await bench.store.reader.requests.requestRefresh(.all)
    try await bench.store.accountSync.endAccountSync(
      bench.account,
      AccountOutcome(began: began, hasPulled: true, failure: nil, nextSyncAt: nil))
    state = try #require(try bench.store.reader.accounts.account(bench.account)?.state)
    #expect(state.isRequested && state.failure == nil && state.syncedAt != nil)
  }
}
