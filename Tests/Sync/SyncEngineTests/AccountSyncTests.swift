@testable import SyncEngine

@Suite("Syncing accounts", .timeLimit(.minutes(120))) struct AccountSyncTests {
  @Test(
    "The first sync fetches all unread and starred articles with their folders",
    arguments: [FakeAggregator.Style.freshRSS, .miniflux])
  func firstSyncFetchesAll(style: FakeAggregator.Style) async throws {
    let fixture = try await AccountFixture(style)
    let news = fixture.server.addFeed("http://a.example/feed", title: "A & co", folder: "News")
    let other = fixture.server.addFeed("http://b.example/feed", title: "B")
    fixture.server.addItems(1...300, feed: news)
    fixture.server.addItems(301...350, feed: other)
    fixture.server.unread.subtract(320...340)
    fixture.server.starred = [5, 330]
    fixture.server.setPageSize(40)
    let summary = try await fixture.sync()
    let report = try #require(summary.accounts.first)
    #expect(report.hasPulled && report.failure == nil)
    // Read articles without a star are not fetched.
    #expect(report.newArticles == 330)
    #expect(try fixture.unread() == fixture.server.unread)
    #expect(try fixture.starred() == [5, 330])
    let all = try fixture.store.reader.feeds.subscriptions()
    #expect(all.feeds.map(\.name).sorted() == ["A & co", "B"])
    #expect(all.folders.map(\.title).sorted() == ["News", "Uncategorized", "aggregator.example"])
    #expect(try fixture.state()?.syncedAt != nil)
    #expect(try fixture.state()?.isRequested == false)
    #expect(try fixture.state()?.isSyncing == false)
    // No feed's own address is requested.
    #expect(fixture.fixture.web.urls.allSatisfy { $0.hasPrefix(AccountFixture.base) })
  }

  @Test(
    "The user's changes reach the server, and other clients' changes arrive here",
    arguments: [FakeAggregator.Style.freshRSS, .miniflux])
  func whatTheUserDoesArrives(style: FakeAggregator.Style) async throws {
    let fixture = try await AccountFixture.synced(1...10, style)
    let articles = try fixture.articles()
    try await fixture.store.reader.states.set(
      .read,
      [articles[3], articles[4]].compactMap { $0 }, true)
    try await fixture.store.reader.states.set(.starred, [articles[5]].compactMap { $0 }, true)
    let summary = await fixture.controller().runUntilIdle(.push)
    #expect(summary.accounts.first?.sent == 3)
    #expect(fixture.server.unread == Set(1...10).subtracting([3, 4]))
    #expect(fixture.server.starred == [5])
    #expect(fixture.fixture.web.urls.count { $0.hasSuffix("subscription/list?output=json") } == 1)
    // Another client removes the star and marks 3 unread.
    try await fixture.sync()
    fixture.server.starred = []
    fixture.server.unread.insert(3)
    try await fixture.sync()
    #expect(try fixture.starred().isEmpty)
    #expect(try fixture.unread() == fixture.server.unread)
  }

  @Test("1,000 marks are sent with at most 15 requests") func manyMarks() async throws {
    let fixture = try await AccountFixture.synced(1...1_000)
    fixture.fixture.web.forget()
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    let summary = await fixture.controller().runUntilIdle(.push)
    #expect(summary.accounts.first?.sent == 1_000 && fixture.server.unread.isEmpty)
    #expect(fixture.fixture.web.log.count <= 15, "\(fixture.fixture.web.log.count)")
  }

  @Test("Fever transfers states in both directions") func feverSyncsBothWays() async throws {
    let fixture = try await AccountFixture(kind: .fever)
    fixture.server.addItems(
      1...120, feed: fixture.server.addFeed("http://a.example/", title: "A", folder: "News"))
    fixture.server.starred = [7]
    try await fixture.sync()
    #expect(try fixture.unread() == Set(1...120))
    #expect(try fixture.starred() == [7])
    #expect(try fixture.store.reader.feeds.subscriptions().folders.map(\.title).contains("News"))
    let articles = try fixture.articles()
    try await fixture.store.reader.states.set(.read, [articles[1]].compactMap { $0 }, true)
    try await fixture.sync()
    #expect(fixture.server.unread == Set(2...120))
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  @Test("A Fever server that toggles stars receives only those that differ from its own")
  func togglingServer() async throws {
    let fixture = try await AccountFixture.synced(1...5, .miniflux, kind: .fever)
    let articles = try fixture.articles()
    let some = [articles[1], articles[2], articles[3]].compactMap { $0 }
    try await fixture.store.reader.states.set(.starred, some, true)
    // Another client stars one of them meanwhile.
    fixture.server.starred = [2]
    try await fixture.sync()
    #expect(fixture.server.starred == [1, 2, 3])
    try await fixture.store.reader.states.set(.starred, some, false)
    fixture.server.starred = [1, 2]
    try await fixture.sync()
    #expect(fixture.server.starred.isEmpty)
    #expect(try fixture.starred().isEmpty)
  }

  @Test("A thousand changes are sent in batches, the oldest first, before the pull")
  func changesGoInBatches() async throws {
    let fixture = try await AccountFixture.synced(1...1_000)
    let first = try #require(try fixture.articles()[77])
    try await fixture.store.reader.states.set(.starred, [first], true)
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    #expect(try fixture.state()?.outbox.pending == 1_001)
    fixture.fixture.web.forget()
    try await fixture.sync()
    #expect(fixture.server.unread.isEmpty)
    #expect(fixture.server.starred == [77])
    #expect(fixture.server.editSizes == [1] + Array(repeating: 100, count: 10))
    #expect(fixture.fixture.web.urls.count <= 35)
    // The push comes before the pull.
    let order = fixture.fixture.web.urls
    let lastEdit = try #require(order.lastIndex { $0.contains("edit-tag") })
    let firstList = try #require(order.firstIndex { $0.contains("subscription/list") })
    #expect(lastEdit < firstList)
  }

  @Test("Subscriptions, names and folders are transferred in both directions")
  func subscriptionsGoBothWays() async throws {
    let fixture = try await AccountFixture()
    let one = fixture.server.addFeed("http://a.example/", title: "A", folder: "Old")
    fixture.server.addFeed("http://b.example/", title: "B")
    try await fixture.sync()
    let accountFolder = try #require(
      try fixture.store.reader.accounts.account(fixture.account)?.folder)
    let feeds = try fixture.store.reader.feeds.subscriptions().feeds
    let a = try #require(feeds.first { $0.url == "http://a.example/" })
    let b = try #require(feeds.first { $0.url == "http://b.example/" })
    try await fixture.store.reader.feeds.edit(a.id) { $0.title = "Mine & ours" }
    try await fixture.store.reader.feeds.move(a.id, toFolder: ["aggregator.example", "New"])
    try await fixture.store.reader.feeds.unsubscribe([b.id])
    try await fixture.store.reader.feeds.subscribe(
      url: "http://c.example/feed", title: "C", folder: accountFolder)
    try await fixture.store.reader.feeds.subscribe(
      url: "http://dead.example/", title: nil, folder: accountFolder)
    // An unsubscription is held back while it can be undone.
    try await fixture.sync(after: 31)
    var there = fixture.server.feeds
    #expect(there.map(\.url) == ["http://a.example/", "http://c.example/feed"])
    #expect(there.map(\.title) == ["Mine & ours", "C"])
    #expect(there.first { $0.id == one }?.folder == "New")
    // A change that the server could not make is set aside, where the user sees it.
    #expect(try fixture.store.reader.accounts.outbox(of: nil, limit: 9).map(\.state) == [.refused])
    // Another client renames and moves the feed.
    there[0].title = "Theirs"
    there[0].folder = "Other"
    fixture.server.feeds = there
    try await fixture.sync()
    let all = try fixture.store.reader.feeds.subscriptions()
    let now = try #require(all.feeds.first { $0.url == "http://a.example/" })
    #expect(now.name == "Theirs")
    #expect(all.folders.first { $0.id == now.folder }?.title == "Other")
    #expect(all.feeds.contains { $0.url == "http://c.example/feed" && $0.name == "C" })
    // After undo in the reader, the feed returns at the server.
    while let entry = try await fixture.store.reader.journal.undo(), entry.kind != .unsubscribe {}
    try await fixture.sync()
    #expect(fixture.server.feeds.contains { $0.url == "http://b.example/" })
  }

  @Test("Two readers of one account converge and send only changes of the user")
  func twoReadersConverge() async throws {
    let server = FakeAggregator(.freshRSS)
    server.addItems(1...30, feed: server.addFeed("http://a.example/", title: "A"))
    let readers = [
      try await AccountFixture(server: server), try await AccountFixture(server: server),
    ]
    for reader in readers { try await reader.sync() }
    var random = SeededRandom(seed: 7)
    var presses = 0
    for _ in 0..<60 {
      presses += 1
      let reader = readers[Int.random(in: 0...1, using: &random)]
      let item = Int64.random(in: 1...30, using: &random)
      let article = try #require(try reader.articles()[item])
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try await reader.store.reader.states.set(.read, [article], true)
      case 1: try await reader.store.reader.states.set(.read, [article], false)
      case 2: try await reader.store.reader.states.set(.starred, [article], true)
      case 3: try await reader.store.reader.states.set(.starred, [article], false)
      default:
        presses -= 1
        for reader in readers { reader.fixture.manual.advance(by: .seconds(120)) }
        try await reader.sync()
      }
    }
    for _ in 0..<3 {
      for reader in readers {
        reader.fixture.manual.advance(by: .seconds(700))
        try await reader.sync()
      }
    }
    for reader in readers {
      try await reader.sync()
      #expect(try reader.unread() == server.unread)
      #expect(try reader.starred() == server.starred)
      #expect(try reader.state()?.outbox == OutboxCounts())
    }
    // Every change that is sent belongs to a key press.
    #expect(server.editSizes.reduce(0, +) <= presses)
  }

  @Test("A list whose pages form a cycle marks nothing read")
  func cyclicPagesMarkNothing() async throws {
    let fixture = try await AccountFixture.synced(1...50)
    fixture.server.setPageSize(10)
    fixture.server.setCircular(true)
    try await fixture.sync()
    #expect(try fixture.unread() == Set(1...50))
  }

  @Test("A list of endless empty pages marks nothing read")
  func endlessPagesMarkNothing() async throws {
    let fixture = try await AccountFixture.synced(1...5)
    let server = fixture.server
    let pages = Mutex(0)
    fixture.fixture.web.onAnythingElse { request in
      let answer = server.answer(for: request)
      guard request.url.contains("items/ids") else { return .reply(answer.status, [], answer.body) }
      let page = pages.withLock { pages in
        pages += 1
        return pages
      }
      return .reply(200, [], "{\"itemRefs\":[],\"continuation\":\"c\(page)\"}")
    }
    try await fixture.sync()
    #expect(try fixture.unread() == Set(1...5))
  }

  @Test(
    "Requesting a single feed of an account fetches older articles",
    arguments: [FakeAggregator.Style.freshRSS, .miniflux])
  func olderArticlesForOneFeed(style: FakeAggregator.Style) async throws {
    let fixture = try await AccountFixture(style)
    fixture.server.addItems(1...600, feed: fixture.server.addFeed("http://a.example/", title: "A"))
    fixture.server.addItems(
      601...650, feed: fixture.server.addFeed("http://b.example/", title: "B"))
    fixture.server.unread = Set(595...620)
    fixture.server.setPageSize(100)
    try await fixture.sync()
    #expect(try fixture.articles().count == 26)
    let feeds = try fixture.store.reader.feeds.subscriptions().feeds
    let a = try #require(feeds.first { $0.url == "http://a.example/" })
    func refresh(_ scope: RefreshScope) async throws {
      fixture.fixture.manual.advance(by: .seconds(1))
      try await fixture.store.reader.requests.requestRefresh(scope)
      fixture.fixture.manual.advance(by: .seconds(1))
      _ = await fixture.controller().runUntilIdle()
    }
    try await refresh(.feed(a.id))
    #expect(Set(try fixture.articles().keys) == Set(345...620))
    #expect(try fixture.unread() == fixture.server.unread)
    // A sync of all feeds fetches no more; another sync of this feed does.
    try await refresh(.all)
    #expect(try fixture.articles().count == 276)
    try await refresh(.feed(a.id))
    #expect(Set(try fixture.articles().keys) == Set(95...620))
    #expect(try fixture.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
  }

  /// More feeds than the limit admits, and none of them answers.
  @Test("A star is sent during a full sync of feeds that hang")
  func aStarOvertakesAFullSync() async throws {
    let fixture = try await AccountFixture.synced(1...5)
    let feeds = (0..<200).map { "http://f\($0).example/feed" }
    for feed in feeds { fixture.fixture.web.on(feed, .hang) }
    try await fixture.fixture.subscribe(feeds)
    fixture.fixture.web.forget()
    let controller = fixture.startedController()
    try await expectEventually {
      try fixture.fixture.web.log.count > 3 && fixture.store.reader.requests.syncStatus().isRunning
    }
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    try await fixture.store.reader.states.set(
      .starred,
      [try #require(try fixture.articles()[3])], true)
    try await expectEventually(advancing: fixture.fixture.manual, by: .milliseconds(100)) {
      fixture.server.starred == [3]
    }
    // Most feeds still wait for a slot, and none has given up its slot.
    let asked = fixture.fixture.web.urls.filter { $0.hasSuffix(".example/feed") }
    #expect(asked.count < feeds.count / 2)
    #expect(fixture.server.editSizes.first == 1)
    await controller.end()
  }

  @Test("Changes are gathered for two seconds and sent together")
  func changesAreGathered() async throws {
    let fixture = try await AccountFixture.synced(1...5)
    let articles = try fixture.articles()
    let controller = fixture.startedController()
    for item in Int64(1)...3 {
      try await fixture.store.reader.states.set(.read, [articles[item]].compactMap { $0 }, true)
      fixture.fixture.manual.advance(by: .seconds(1))
    }
    #expect(fixture.server.editSizes.isEmpty)
    try await expectEventually(advancing: fixture.fixture.manual, by: .milliseconds(200)) {
      fixture.server.editSizes == [3]
    }
    await controller.end()
  }
}
