@testable import SyncEngine

/// The end of a subscription at its server, and its undo after the server has confirmed it.
@Suite("Ended subscriptions of accounts") struct AccountUndoTests {
  /// An account that has pulled the articles 1, 2, 3 and 5 of 20, which are unread.
  private func fixture(
    _ style: FakeAggregator.Style = .freshRSS
  ) async throws -> AccountFixture {
    let fixture = try await AccountFixture(
      style, url: style == .miniflux ? "http://aggregator.example" : nil)
    let server = fixture.server
    server.addItems(1...20, feed: server.addFeed("http://a.example/", title: "A"))
    server.unread = [1, 2, 3, 5]
    try await fixture.sync()
    return fixture
  }

  private func unsubscribe(_ fixture: AccountFixture) async throws {
    let feed = try #require(try fixture.store.reader.feeds.subscriptions().feeds.first?.id)
    try await fixture.store.reader.feeds.unsubscribe([feed])
    fixture.fixture.manual.advance(by: .seconds(40))
    _ = await fixture.controller().runUntilIdle(.push)
  }

  /// Undoes the end of the subscription. The server then has other articles with the same
  /// addresses, all unread.
  private func undo(_ fixture: AccountFixture, _ items: ClosedRange<Int64>) async throws {
    let server = fixture.server
    #expect(server.feeds.isEmpty)
    #expect(try await fixture.store.reader.journal.undo()?.kind == .unsubscribe)
    _ = await fixture.controller().runUntilIdle(.push)
    server.addItems(items.map { $0 + 1_000 }, feed: try #require(server.feeds.first?.id))
    server.setPages(
      Dictionary(
        uniqueKeysWithValues: items.map { ($0 + 1_000, "https://origin.example/1/\($0)") }))
    for _ in 0..<3 {
      try await fixture.sync(after: 90)
      _ = await fixture.controller().runUntilIdle(.push)
    }
  }

  @Test(
    "Marks made elsewhere before a subscription ended return when the end is undone",
    arguments: [FakeAggregator.Style.freshRSS, .miniflux])
  func marksElsewhere(style: FakeAggregator.Style) async throws {
    let fixture = try await fixture(style)
    let server = fixture.server
    try await fixture.store.reader.states.set(.read, [#require(try fixture.articles()[5])], true)
    // Since the last pull, another client has read 1, and starred 2, 4 and the new and read 21.
    server.addItems(21...22, feed: 1)
    server.unread.subtract([1, 21])
    server.starred = [2, 4, 21]
    try await unsubscribe(fixture)
    try await undo(fixture, 1...22)
    #expect(server.unread == [1_002, 1_003, 1_022])
    #expect(server.starred == [1_002, 1_004, 1_021])
    #expect(try fixture.unread().count == 3)
    #expect(try fixture.starred().count == 3)
    #expect(try fixture.articles().count == 22)
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  @Test("Stars made elsewhere before a subscription ended stay in the list Kept")
  func starsStay() async throws {
    let fixture = try await fixture()
    fixture.server.starred = [2, 4]
    try await unsubscribe(fixture)
    #expect(fixture.server.feeds.isEmpty)
    #expect(try Set(fixture.articles().keys) == [2, 4])
  }

  @Test("States of articles that contradict the lists of ids are not kept")
  func wrongStates() async throws {
    let fixture = try await fixture(.miniflux)
    fixture.server.setWrongCategories(true)
    fixture.server.starred = [2, 4]
    try await unsubscribe(fixture)
    try await undo(fixture, 1...20)
    #expect(fixture.server.unread == [1_001, 1_002, 1_003, 1_005])
    #expect(fixture.server.starred == [1_002, 1_004])
  }

  @Test("Empty lists of a starting server remove no mark") func emptyLists() async throws {
    let fixture = try await fixture()
    fixture.server.starred = [2]
    try await fixture.sync()
    fixture.server.setEmptyLists(true)
    try await unsubscribe(fixture)
    fixture.server.setEmptyLists(false)
    try await undo(fixture, 1...20)
    #expect(fixture.server.unread.isSuperset(of: [1_001, 1_002, 1_003, 1_005]))
    #expect(fixture.server.starred == [1_002])
  }

  @Test("A server that gave its ids to other articles marks only those with the same address")
  func otherIDs() async throws {
    let fixture = try await fixture()
    let server = fixture.server
    server.renumber(
      feeds: { ($0.id, $0.title, $0.folder) },
      items: Dictionary(uniqueKeysWithValues: (1...20).map { ($0, 21 - $0) }))
    server.unread.subtract([21 - 1, 21 - 9])
    try await unsubscribe(fixture)
    try await undo(fixture, 1...20)
    #expect(server.unread == Set(1_001...1_020).subtracting([1_001, 1_009]))
    #expect(try fixture.store.reader.articles.page(.all, .top, limit: 99).count == 20)
  }

  @Test("A subscription stays while its marks cannot be stored")
  func unstorableMarks() async throws {
    let fixture = try await fixture()
    let (server, store) = (fixture.server, fixture.store)
    fixture.fixture.web.onAnythingElse { request in
      let answer = server.answer(for: request)
      if request.url.contains("s=feed") { store.close() }
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await unsubscribe(fixture)
    #expect(fixture.fixture.web.urls.contains { $0.contains("s=feed") })
    #expect(server.feeds.count == 1)
  }

  @Test(
    "A subscription ends at a server that does not list its articles",
    arguments: [400, 404, 500])
  func unlistedArticles(status: Int) async throws {
    let fixture = try await fixture()
    let server = fixture.server
    fixture.fixture.web.onAnythingElse { request in
      guard !request.url.contains("s=feed") else { return .status(status) }
      let answer = server.answer(for: request)
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await unsubscribe(fixture)
    #expect(server.feeds.isEmpty == (status == 400))
    try await fixture.sync(after: 3_700)
    #expect(server.feeds.isEmpty)
  }
}
