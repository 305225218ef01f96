@testable import SyncEngine

/// Servers that give IDs of feeds and articles to others.
@Suite("IDs that a server gives to others") struct AccountRenumberedTests {
  /// A synced account whose feeds A and B have the articles 1 and 3, and 2 and 4.
  private func fixture() async throws -> AccountFixture {
    let fixture = try await AccountFixture()
    for (name, items) in [("a", [1, 3] as [Int64]), ("b", [2, 4])] {
      fixture.server.addItems(
        items, feed: fixture.server.addFeed("http://\(name).example/", title: name))
    }
    try await fixture.sync()
    return fixture
  }

  private func feed(_ name: String, _ fixture: AccountFixture) throws -> Feed {
    try #require(
      try fixture.store.reader.feeds.subscriptions().feeds
        .first { $0.url == "http://\(name).example/" })
  }

  private func unsubscribe(_ name: String, _ fixture: AccountFixture) async throws {
    try await fixture.store.reader.feeds.unsubscribe([try feed(name, fixture).id])
    try await fixture.store.accountSync.endHolding()
  }

  private func syncUntilIdle(_ fixture: AccountFixture) async throws {
    for _ in 0..<3 {
      try await fixture.sync(after: 90)
      _ = await fixture.controller().runUntilIdle(.push)
    }
  }

  @Test("A feed with another ID keeps its name and is named so at the server")
  func namesStay() async throws {
    let fixture = try await fixture()
    try await fixture.store.reader.feeds.edit(feed("a", fixture).id) { $0.title = "Mine" }
    try await syncUntilIdle(fixture)
    let items = Dictionary(uniqueKeysWithValues: fixture.server.addresses.keys.map { ($0, $0) })
    fixture.server.renumber(feeds: { ($0.id + 7, "T", "News") }, items: items)
    try await syncUntilIdle(fixture)
    #expect(try feed("a", fixture).userTitle == "Mine")
    #expect(fixture.server.feeds.map(\.title) == ["Mine", "T"])
  }

  @Test("A name that was sent between two losses of a server is sent again")
  func nameSentBetween() async throws {
    let fixture = try await fixture()
    let (server, other) = (fixture.server, [1: 2, 2: 1, 3: 3, 4: 4] as [Int64: Int64])
    try await fixture.store.reader.feeds.edit(feed("a", fixture).id) { $0.title = "Mine" }
    try await fixture.store.reader.states.set(.read, [#require(try fixture.articles()[1])], true)
    server.renumber(feeds: { ($0.id + 7, "T", "News") }, items: other)
    // The first push finds that the server was set up again.
    for _ in 0..<2 { _ = await fixture.controller().runUntilIdle(.push) }
    #expect(server.feeds.map(\.title) == ["Mine", "T"])
    server.renumber(feeds: { ($0.id + 7, "T", "News") }, items: other)
    try await syncUntilIdle(fixture)
    #expect(try feed("a", fixture).userTitle == "Mine")
    #expect(server.feeds.map(\.title) == ["Mine", "T"])
  }

  @Test("A mark reaches its article under the ID that an article of an ended feed had")
  func idOfEndingFeed() async throws {
    let fixture = try await fixture()
    let article = try #require(try fixture.articles()[1])
    try await fixture.store.reader.states.set(.read, [article], true)
    try await unsubscribe("b", fixture)
    fixture.server.renumber(
      feeds: { ($0.id == 1 ? 5 : 2, $0.title, $0.folder) }, items: [1: 2, 2: 1, 3: 3, 4: 4])
    try await syncUntilIdle(fixture)
    #expect(fixture.server.unread == [3])
    #expect(try fixture.unread() == [3])
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  @Test(
    "An article arrives under the ID that an article of an ended feed had",
    arguments: [true, false])
  func idOfEndedFeed(isEndedHere: Bool) async throws {
    let fixture = try await fixture()
    if isEndedHere {
      try await unsubscribe("b", fixture)
    } else {
      fixture.server.feeds.removeLast()
    }
    try await syncUntilIdle(fixture)
    fixture.server.addItem(4, number: 9, feed: 1)
    try await syncUntilIdle(fixture)
    #expect(try fixture.articles()[9] != nil)
  }

  @Test("A mark that was sent before its feed ended is not sent again")
  func markOfEndedFeed() async throws {
    let fixture = try await fixture()
    let article = try #require(try fixture.articles()[2])
    try await fixture.store.reader.states.set(.starred, [article], true)
    try await unsubscribe("b", fixture)
    try await syncUntilIdle(fixture)
    #expect(fixture.server.feeds.map(\.id) == [1])
    #expect(try fixture.starred() == [2])
    #expect(try fixture.state()?.outbox == OutboxCounts())
    #expect(try fixture.store.reader.accounts.outbox(of: nil, limit: 9).isEmpty)
  }
}
