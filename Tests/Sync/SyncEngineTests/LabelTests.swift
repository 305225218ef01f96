@testable import SyncEngine

/// Tags that are sent as a server's labels and fetched from them.
@Suite("Labels of servers") struct LabelTests {
  private func filled(_ style: FakeAggregator.Style = .freshRSS) async throws -> AccountFixture {
    try await AccountFixture.synced(1...4, style, folder: "News")
  }

  private func tags(_ fixture: AccountFixture, _ item: Int64) throws -> [String] {
    try fixture.store.reader.states.tags(of: [#require(try fixture.articles()[item])])
  }

  @discardableResult
  private func change(
    _ fixture: AccountFixture, _ items: Int64..., adding: [String] = [], removing: [String] = []
  ) async throws -> Set<LocalTags> {
    let articles = try fixture.articles()
    return try await fixture.store.reader.states.changeTags(
      of: items.compactMap { articles[$0] }, adding: adding, removing: removing)
  }

  @Test("A tag that another client removes before the next pull is removed here")
  func removedAtOnce() async throws {
    let fixture = try await filled()
    try await change(fixture, 1, 2, adding: ["Later"])
    _ = await fixture.controller().runUntilIdle(.push)
    fixture.server.labels = ["Later": [1]]
    for _ in 0..<2 { try await fixture.sync() }
    #expect(try fixture.store.reader.articles.count(ArticleQuery(scope: .tag("Later"))) == 1)
    #expect(fixture.server.labels == ["Later": [1]])
  }

  @Test("A tag is sent once as a label, and so is its removal")
  func sent() async throws {
    let fixture = try await filled()
    #expect(try await change(fixture, 1, 2, adding: ["Later"]).isEmpty)
    #expect(try fixture.state()?.outbox.pending == 2)
    try await fixture.sync()
    #expect(fixture.server.labels == ["Later": [1, 2]])
    #expect(fixture.server.editSizes == [2])
    try await fixture.sync()
    try await fixture.sync(after: 2_000)
    #expect(fixture.server.editSizes == [2])
    #expect(try fixture.state()?.outbox == OutboxCounts())
    #expect(try fixture.store.accountSync.confirmedItems(fixture.account).isEmpty)
    try await change(fixture, 1, removing: ["later"])
    try await fixture.sync()
    #expect(fixture.server.labels == ["Later": [2]])
    #expect(try tags(fixture, 1).isEmpty && tags(fixture, 2) == ["Later"])
  }

  @Test("A server's label becomes a tag and disappears with it; folders become no tags")
  func pulled() async throws {
    let fixture = try await filled()
    try await change(fixture, 4, adding: ["mine"])
    fixture.server.labels = ["To read": [1, 3], "mine": []]
    try await fixture.sync()
    #expect(try tags(fixture, 1) == ["To-read"] && tags(fixture, 2).isEmpty)
    #expect(try fixture.store.reader.feeds.subscriptions().tags.map(\.name) == ["mine", "To-read"])
    fixture.server.labels["To read"] = [3]
    try await fixture.sync()
    #expect(try tags(fixture, 1).isEmpty && tags(fixture, 3) == ["To-read"])
    // The server's spelling is used.
    try await change(fixture, 2, adding: ["to-read"])
    try await fixture.sync()
    #expect(fixture.server.labels["To read"] == [2, 3])
    fixture.server.labels["To read"] = nil
    try await fixture.sync(after: 2_000)
    #expect(try tags(fixture, 3).isEmpty && tags(fixture, 4) == ["mine"])
  }

  @Test("A tag that is removed and added again before sending keeps its label")
  func removedAndGivenAgain() async throws {
    let fixture = try await filled()
    fixture.server.labels = ["Later": [1]]
    try await fixture.sync()
    try await change(fixture, 1, removing: ["Later"])
    try await change(fixture, 1, adding: ["Later"])
    #expect(try fixture.state()?.outbox == OutboxCounts())
    fixture.server.labels = ["Later": []]
    try await fixture.sync()
    #expect(try tags(fixture, 1).isEmpty)
  }

  @Test("New articles have their labels, and a read article with a label is fetched")
  func arriving() async throws {
    let fixture = try await AccountFixture()
    fixture.server.addItems(
      1...3, feed: fixture.server.addFeed("http://a.example/", title: "A", folder: "News"))
    fixture.server.labels = ["Later": [1, 2]]
    fixture.server.unread = [1]
    try await fixture.sync()
    #expect(try Set(fixture.articles().keys) == [1, 2])
    #expect(try tags(fixture, 1) == ["Later"] && tags(fixture, 2) == ["Later"])
    #expect(try fixture.unread() == [1])
  }

  @Test("Tags from before the account, of local feeds or named like a folder stay local")
  func local() async throws {
    let fixture = try await filled()
    let feed = try await fixture.store.reader.feeds.subscribe(
      url: "http://own.example/", title: nil, folder: nil)
    let document = ParsedFeed(format: .rss, items: [ParsedItem(id: "own", title: "Own 9")])
    let own = try await fixture.store.engine.fetches.merge([
      RefreshResult(feed: feed, at: fixture.fixture.now, outcome: .parsed(document, bodyHash: "0"))
    ]).flatMap(\.added)
    #expect(
      try await fixture.store.reader.states.changeTags(of: own, adding: ["Later"], removing: [])
        .isEmpty)
    let folder = try await change(fixture, 1, adding: ["news"])
    #expect(folder.map(\.reason) == [.folder("news")])
    #expect(try fixture.state()?.outbox == OutboxCounts())
    try await fixture.sync(after: 2_000)
    #expect(fixture.server.editSizes.isEmpty)
    #expect(try tags(fixture, 1) == ["news"])
    // Its removal is not sent either.
    try await change(fixture, 1, removing: ["news"])
    try await fixture.sync()
    #expect(fixture.server.editSizes.isEmpty)
  }

  @Test("Articles kept for later have the configured label at the server, and the other way round")
  func later() async throws {
    let fixture = try await filled()
    func kept() throws -> Set<Int64> {
      let query = ArticleQuery(scope: .smart(.later))
      let rows = try fixture.store.reader.articles.page(query, .top, limit: 10)
      return try Set(fixture.articles().filter { rows.map(\.id).contains($0.value) }.keys)
    }
    func sync(_ label: String? = "Read later") async throws {
      fixture.fixture.manual.advance(by: .seconds(2_000))
      try await fixture.store.reader.accounts.requestAccountSync(fixture.account)
      _ = await fixture.controller { $0.laterTag = { _ in label } }.runUntilIdle()
    }
    fixture.server.labels = ["Read later": [2]]
    let articles = try fixture.articles()
    let (one, three) = (try #require(articles[1]), try #require(articles[3]))
    try await fixture.store.reader.states.set(.later, [one], true)
    try await sync(nil)
    #expect(fixture.server.labels == ["Read later": [2]])
    #expect(try kept() == [1])
    // The setting is new: both sides get what the other has.
    try await sync()
    try await sync()
    #expect(try fixture.server.labels == ["Read later": [1, 2]] && kept() == [1, 2])
    try await fixture.store.reader.states.set(.later, [three], true)
    try await fixture.store.reader.states.set(.later, [one], false)
    try await sync()
    #expect(try fixture.server.labels == ["Read later": [2, 3]] && kept() == [2, 3])
    #expect(try tags(fixture, 1).isEmpty && tags(fixture, 3) == ["Read-later"])
    // Another client.
    fixture.server.labels = ["Read later": [3, 4]]
    try await sync()
    #expect(try kept() == [3, 4])
    _ = try await fixture.store.reader.journal.undo()
    #expect(try kept() == [1, 3, 4])
    try await change(fixture, 4, removing: ["read-later"])
    try await sync()
    #expect(try fixture.server.labels == ["Read later": [1, 3]] && kept() == [1, 3])
    // An article that arrives with the label.
    fixture.server.addItems([5], feed: 1)
    fixture.server.labels = ["Read later": [1, 5]]
    try await sync()
    #expect(try kept() == [1, 5])
    fixture.server.labels = [:]
    try await sync()
    #expect(try kept().isEmpty)
  }

  @Test("Undo before or after sending is applied at the server")
  func undone() async throws {
    let fixture = try await filled()
    try await change(fixture, 1, adding: ["Later"])
    try await fixture.sync()
    _ = try await fixture.store.reader.journal.undo()
    try await fixture.sync()
    #expect(fixture.server.labels == ["Later": []])
    _ = try await fixture.store.reader.journal.redo()
    try await fixture.sync()
    #expect(fixture.server.labels == ["Later": [1]])
  }

  @Test("A newer change from another client wins at the next pull, however late that is")
  func newerElsewhere() async throws {
    let fixture = try await filled()
    for item in [1, 2] as [Int64] { try await change(fixture, item, adding: ["Later"]) }
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(fixture.server.labels == ["Later": [1, 2]])
    fixture.server.labels = ["Later": [2]]
    try await fixture.sync(after: 1_860)
    #expect(try tags(fixture, 1).isEmpty)
    #expect(try tags(fixture, 2) == ["Later"])
    #expect(fixture.server.editSizes == [2])
  }

  @Test("A server without tags delays no other change: tags stay local, which is reported once")
  func miniflux() async throws {
    let fixture = try await filled(.miniflux)
    try await change(fixture, 1, adding: ["Later"])
    try await change(fixture, 2, adding: ["Other"])
    try await fixture.store.reader.states.set(.starred, [#require(try fixture.articles()[3])], true)
    let summary = try await fixture.sync()
    #expect(summary.accounts.map(\.refusesTags) == [true])
    #expect(fixture.server.starred == [3])
    #expect(try fixture.state()?.outbox == OutboxCounts())
    #expect(try fixture.state()?.refusesTags == true)
    #expect(try fixture.state()?.failure == nil)
    #expect(try tags(fixture, 1) == ["Later"] && tags(fixture, 2) == ["Other"])
    let edits = fixture.server.editSizes
    #expect(try await change(fixture, 3, adding: ["Later"]).map(\.reason) == [.server])
    fixture.fixture.manual.advance(by: .seconds(2_000))
    let later = try await fixture.sync()
    #expect(later.accounts.map(\.refusesTags) == [false])
    #expect(fixture.server.editSizes == edits)
    #expect(try tags(fixture, 1) == ["Later"] && tags(fixture, 3) == ["Later"])
  }

  @Test("An outage removes no tag, and it is sent when the server is back")
  func outage() async throws {
    let fixture = try await filled()
    try await change(fixture, 1, adding: ["Later"])
    let (server, web) = (fixture.server, fixture.fixture.web)
    web.onAnythingElse { _ in .reply(500, [], "broken") }
    for _ in 0..<6 {
      try await fixture.sync(after: 2_000)
    }
    #expect(try fixture.state()?.outbox.waiting == 1)
    #expect(try fixture.state()?.refusesTags == false)
    server.answer(for: web)
    try await fixture.sync(after: 4_000)
    #expect(server.labels == ["Later": [1]])
  }

  @Test("A server with labels that fails on one is retried for ever, but seldom")
  func failingOnTags() async throws {
    let fixture = try await filled()
    fixture.server.labels = ["Later": [1]]
    try await fixture.sync()
    try await change(fixture, 2, adding: ["Later"])
    let (server, web) = (fixture.server, fixture.fixture.web)
    server.answer(for: web) { request in
      request.url.contains("edit-tag") ? .reply(500, [], "broken") : nil
    }
    for _ in 0..<6 {
      try await fixture.sync(after: 4_000)
    }
    #expect(try fixture.state()?.outbox.failed == 1)
    #expect(try fixture.state()?.failure == nil)
    server.answer(for: web)
    try await fixture.sync(after: 4_000)
    #expect(server.labels == ["Later": [1, 2]])
  }

  @Test("A tag that the server rejects with 4xx is set aside, where the user sees it")
  func refused() async throws {
    let fixture = try await filled()
    fixture.server.setPoison([2])
    try await change(fixture, 1, 2, 3, adding: ["Later"])
    try await fixture.sync()
    #expect(fixture.server.labels == ["Later": [1, 3]])
    #expect(try fixture.state()?.outbox.refused == 1)
    let changes = try fixture.store.reader.accounts.outbox(of: fixture.account, limit: 10)
    #expect(changes.map(\.change) == [.tagged("Later", true)])
    #expect(changes.first?.title.hasPrefix("Item 2") == true)
    #expect(try tags(fixture, 2) == ["Later"])
  }

  @Test("With Fever, the key reports that a tag stays local")
  func fever() async throws {
    let fixture = try await AccountFixture.synced(1...2, kind: .fever)
    #expect(try await change(fixture, 1, adding: ["Later"]).map(\.reason) == [.fever])
    #expect(try fixture.state()?.outbox == OutboxCounts())
    #expect(try tags(fixture, 1) == ["Later"])
  }

  @Test("A subscription that is ended and restored has its tags again at the server")
  func renewed() async throws {
    let fixture = try await filled()
    try await change(fixture, 1, adding: ["Later"])
    try await fixture.sync()
    try await change(fixture, 2, adding: ["Later"])
    let feed = try #require(try fixture.store.reader.feeds.subscriptions().feeds.first)
    try await fixture.store.reader.feeds.unsubscribe([feed.id])
    try await fixture.sync(after: 60)
    #expect(fixture.server.feeds.isEmpty)
    _ = try await fixture.store.reader.journal.undo()
    try await fixture.sync()
    let renewed = try #require(fixture.server.feeds.first?.id)
    fixture.server.addItems(11...12, feed: renewed)
    fixture.server.setPages([11: "https://origin.example/1/1", 12: "https://origin.example/1/2"])
    for _ in 0..<3 { try await fixture.sync() }
    #expect(fixture.server.labels["Later"] == [11, 12])
    #expect(try fixture.store.reader.articles.count(ArticleQuery(scope: .tag("Later"))) == 2)
  }
}

@Suite("The order of feeds at a server") struct ServerOrderTests {
  private func names(_ fixture: AccountFixture) throws -> [String] {
    let subscriptions = try fixture.store.reader.feeds.subscriptions()
    return subscriptions.folders.filter { $0.parent != nil }.flatMap { folder in
      [folder.title] + subscriptions.feeds.filter { $0.folder == folder.id }.map(\.name)
    }
  }

  private func filled() async throws -> AccountFixture {
    let fixture = try await AccountFixture()
    for (name, folder) in [("A", "X"), ("B", "X"), ("C", "Y"), ("D", "Y")] {
      fixture.server.addFeed("http://\(name).example/", title: name, folder: folder)
    }
    return fixture
  }

  /// Arranges the folders, and the feeds of the folders X and Y, at the server.
  private func order(_ fixture: AccountFixture, _ folders: String, _ x: String, _ y: String) {
    fixture.server.setOrder([
      "user/1/state/com.google/root": folders, "user/1/label/X": x, "user/1/label/Y": y,
    ])
  }

  @Test("The order that the user arranged at the server is used here")
  func arranged() async throws {
    let fixture = try await filled()
    order(fixture, "F0000001F0000002", "0000000200000001", "0000000300000004")
    try await fixture.sync()
    #expect(try names(fixture) == ["X", "B", "A", "Y", "C", "D"])
    order(fixture, "F0000002F0000001", "0000000100000002", "0000000300000004")
    try await fixture.sync()
    #expect(try names(fixture) == ["Y", "C", "D", "X", "A", "B"])
    // An order arranged here stays until the order at the server changes.
    let c = try #require(
      try fixture.store.reader.feeds.subscriptions().feeds.first { $0.name == "C" })
    try await fixture.store.reader.feeds.reorder(c.id, by: 1)
    try await fixture.sync()
    #expect(try names(fixture) == ["Y", "D", "C", "X", "A", "B"])
    for y in ["0000000300000004", "0000000400000003"] {
      order(fixture, "F0000001F0000002", "0000000100000002", y)
      try await fixture.sync()
      #expect(try names(fixture) == ["X", "A", "B", "Y", "D", "C"])
    }
    order(fixture, "F0000001F0000002", "0000000100000002", "0000000300000004")
    try await fixture.sync()
    #expect(try names(fixture) == ["X", "A", "B", "Y", "C", "D"])
  }

  @Test("Moving a feed here changes nothing else that was arranged here")
  func moved() async throws {
    let fixture = try await filled()
    order(fixture, "F0000001F0000002", "0000000100000002", "0000000300000004")
    try await fixture.sync()
    let feeds = try fixture.store.reader.feeds.subscriptions().feeds
    func id(_ name: String) throws -> FeedID {
      try #require(feeds.first { $0.name == name }).id
    }
    try await fixture.store.reader.feeds.reorder(id("C"), by: 1)
    let accountFolder = try #require(
      try fixture.store.reader.feeds.subscriptions().folders.first { $0.account != nil })
    try await fixture.store.reader.feeds.move(id("A"), toFolder: [accountFolder.title, "Z"])
    #expect(try names(fixture) == ["X", "B", "Y", "D", "C", "Z", "A"])
    for _ in 0..<3 { try await fixture.sync() }
    #expect(fixture.server.feeds.first { $0.title == "A" }?.folder == "Z")
    #expect(try names(fixture).suffix(2) == ["Z", "A"])
    #expect(try names(fixture).contains(["D", "C"]))
  }

  @Test("Without such an order, the list's order is used, except where the user arranged feeds")
  func listed() async throws {
    let fixture = try await filled()
    try await fixture.sync()
    // The server lists the newest first.
    #expect(try names(fixture) == ["Y", "D", "C", "X", "B", "A"])
    fixture.server.addFeed("http://E.example/", title: "E", folder: "X")
    try await fixture.sync()
    #expect(try names(fixture) == ["X", "E", "B", "A", "Y", "D", "C"])
    let e = try #require(
      try fixture.store.reader.feeds.subscriptions().feeds.first { $0.name == "E" })
    try await fixture.store.reader.feeds.reorder(e.id, by: 2)
    fixture.server.addFeed("http://F.example/", title: "F", folder: "X")
    try await fixture.sync()
    #expect(try names(fixture) == ["X", "B", "A", "E", "F", "Y", "D", "C"])
  }
}
