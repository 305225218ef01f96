@testable import SyncEngine

@Suite("Confirmed changes") struct AccountConfirmedTests {
  /// A synced account with `count` articles, and an engine that serves it.
  private func serving(
    _ count: Int64 = 3
  ) async throws -> (fixture: AccountFixture, controller: NetworkController) {
    let fixture = try await AccountFixture.synced(1...count)
    fixture.fixture.web.forget()
    let controller = fixture.startedController()
    return (fixture, controller)
  }

  /// Stars the second article.
  private func star(_ fixture: AccountFixture) async throws {
    try await fixture.store.reader.states.set(.starred, [#require(try fixture.articles()[2])], true)
  }

  /// True if every change was sent and the server has shown it.
  private func isSettled(_ fixture: AccountFixture) throws -> Bool {
    try fixture.state()?.outbox == OutboxCounts()
      && fixture.store.accountSync.confirmedItems(fixture.account).isEmpty
  }

  /// Advances the clock by seconds until the condition is true.
  private func wait(_ fixture: AccountFixture, _ isSo: () throws -> Bool) async throws {
    try await expectEventually(advancing: fixture.fixture.manual, by: .seconds(1), isSo)
  }

  @Test("A newer change from another client wins at the next pull, however late that is")
  func newerChangeElsewhere() async throws {
    let fixture = try await AccountFixture.synced(1...3)
    let articles = try fixture.articles()
    try await fixture.store.reader.states.set(
      .read,
      [#require(articles[2]), #require(articles[3])], true)
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(fixture.server.unread == [1])
    // Another client marks it unread before any pull has shown the change.
    fixture.server.unread.insert(2)
    try await fixture.sync(after: 1_860)
    #expect(try fixture.unread() == [1, 2])
    try await fixture.sync(after: 1_860)
    #expect(fixture.server.unread == [1, 2])
    #expect(fixture.server.editSizes == [2])
  }

  @Test("A server that takes seconds to show a change does not revert it on the screen")
  func slowServer() async throws {
    let (fixture, controller) = try await serving()
    let (server, web) = (fixture.server, fixture.fixture.web)
    // The server confirms the change without showing it yet.
    server.setForgetful(true)
    try await star(fixture)
    try await wait(fixture) { server.editSizes == [1] }
    try await wait(fixture) { web.urls.contains { $0.contains("contents") } }
    #expect(try fixture.starred() == [2])
    server.starred = [2]
    try await wait(fixture) { try isSettled(fixture) }
    #expect(try fixture.starred() == [2])
    #expect(server.editSizes == [1])
    await controller.end()
  }

  @Test("After thousands of marks, the lists are fetched instead of each article")
  func manyMarks() async throws {
    let (fixture, controller) = try await serving(600)
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    try await wait(fixture) { fixture.server.unread.isEmpty }
    try await wait(fixture) { try isSettled(fixture) }
    // The newest articles are compared once.
    #expect(fixture.fixture.web.urls.count { $0.contains("contents") } == 1)
    #expect(fixture.server.editSizes == Array(repeating: 100, count: 6))
    await controller.end()
  }

  @Test(
    "A change without an answer is read back, and sent again only if it did not arrive",
    arguments: [true, false])
  func lostAnswer(arrives: Bool) async throws {
    let fixture = try await AccountFixture.synced(1...3)
    let (server, web) = (fixture.server, fixture.fixture.web)
    server.answer(for: web) { request in
      guard request.url.contains("edit-tag") else { return nil }
      if arrives { _ = server.answer(for: request) }
      return .failure(.connectionLost)
    }
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(server.unread == (arrives ? [] : [1, 2, 3]))
    #expect(try fixture.state()?.outbox.failed == 3)
    server.answer(for: web)
    try await fixture.sync()
    #expect(server.editSizes == [3])
    #expect(server.unread.isEmpty)
    #expect(try fixture.state()?.outbox == OutboxCounts())
    #expect(try fixture.unread().isEmpty)
  }
}
