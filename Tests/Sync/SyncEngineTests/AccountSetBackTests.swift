@testable import SyncEngine

/// Servers that were restored from a backup and have lost later marks.
@Suite("Servers that were set back") struct AccountSetBackTests {
  /// A synced account with 60 unread articles.
  private func fixture() async throws -> AccountFixture {
    let fixture = try await AccountFixture.synced(1...60)
    fixture.fixture.manual.advance(by: .seconds(3_600))
    return fixture
  }

  private func ids(_ items: ClosedRange<Int64>, _ fixture: AccountFixture) throws -> [ArticleID] {
    let articles = try fixture.articles()
    return try items.map { try #require(articles[$0]) }
  }

  /// A fixture whose server lost 15 read marks and 3 stars, after the pull that detects it.
  private func setBack() async throws -> AccountFixture {
    let fixture = try await fixture()
    let backup = fixture.server.backup()
    try await fixture.store.reader.states.set(.read, ids(1...15, fixture), true)
    try await fixture.store.reader.states.set(.starred, ids(20...22, fixture), true)
    try await fixture.syncUntilIdle()
    #expect(fixture.server.unread == Set(16...60) && fixture.server.starred == [20, 21, 22])
    fixture.server.restore(backup)
    try await fixture.sync()
    return fixture
  }

  @Test("Marks that a server has lost are sent again") func sentAgain() async throws {
    let fixture = try await setBack()
    #expect(try fixture.unread() == Set(16...60))
    #expect(try fixture.state()?.rebuiltAt != nil)
    try await fixture.syncUntilIdle()
    #expect(fixture.server.unread == Set(16...60))
    #expect(fixture.server.starred == [20, 21, 22])
    #expect(try fixture.unread() == Set(16...60))
    #expect(try fixture.state()?.failure == nil)
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  @Test("Undo takes over the states of a server that was set back") func takenOver() async throws {
    let fixture = try await setBack()
    let entry = try await fixture.store.reader.journal.undo()
    #expect(entry?.kind == .sendAgain && entry?.count == 18)
    try await fixture.syncUntilIdle()
    #expect(try fixture.unread() == Set(1...60))
    #expect(try fixture.starred().isEmpty)
    #expect(fixture.server.unread == Set(1...60))
    #expect(try fixture.state()?.outbox == OutboxCounts())
  }

  @Test("Nine marks that another client reverted are applied without a question")
  func few() async throws {
    let fixture = try await fixture()
    try await fixture.store.reader.states.set(.read, ids(1...9, fixture), true)
    try await fixture.syncUntilIdle()
    fixture.server.unread = Set(1...60)
    try await fixture.syncUntilIdle()
    #expect(try fixture.unread() == Set(1...60))
    #expect(try fixture.state()?.failure == nil)
  }

  @Test("Many stars that another client removed are applied if later marks stay")
  func tidiedElsewhere() async throws {
    let fixture = try await fixture()
    try await fixture.store.reader.states.set(.starred, ids(1...12, fixture), true)
    try await fixture.syncUntilIdle()
    try await fixture.store.reader.states.set(.read, ids(20...50, fixture), true)
    try await fixture.syncUntilIdle()
    fixture.server.starred = []
    try await fixture.syncUntilIdle()
    #expect(try fixture.starred().isEmpty)
    #expect(try fixture.state()?.failure == nil)
  }

  @Test("Changes that the user discarded do not count as lost") func discarded() async throws {
    let fixture = try await fixture()
    let poison = Set((1...12).map { Int64($0 * 2) })
    fixture.server.setPoison(poison)
    try await fixture.store.reader.states.set(.read, ids(1...30, fixture), true)
    for _ in 0..<3 { try await fixture.syncUntilIdle() }
    let refused = try fixture.store.reader.accounts.outbox(of: nil, limit: 99)
    #expect(refused.count == 12)
    try await fixture.store.reader.accounts.discardOutbox(refused.map(\.id))
    try await fixture.syncUntilIdle()
    #expect(try fixture.unread() == poison.union(31...60))
    #expect(try fixture.state()?.failure == nil)
  }
}
