@testable import SyncEngine

@Suite("Confirmed changes") struct AccountConfirmedTests {
  /// A synced account with `count` articles.
  private func filled(_ count: Int64 = 3) async throws -> AccountFixture {
    let fixture = try await AccountFixture()
    fixture.server.addItems(
      1...count, feed: fixture.server.addFeed("http://a.example/", title: "A"))
    try await fixture.sync()
    return fixture
  }

  /// The same account with an engine that serves it.
  private func serving(
    _ count: Int64 = 3
  ) async throws -> (fixture: AccountFixture, controller: NetworkController) {
    let fixture = try await filled(count)
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
  private func wait(
    _ fixture: AccountFixture, _ isSo: @escaping () throws -> Bool
  ) async throws -> Bool {
    try await eventually {
      fixture.fixture.manual.advance(by: .seconds(1))
      return try isSo()
    }
  }

  @Test("A newer change from another client wins at the next pull, however late that is")
  func newerChangeElsewhere() async throws {
    let fixture = try await filled()
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
    #expect(try await wait(fixture) { server.editSizes == [1] })
    #expect(try await wait(fixture) { web.urls.contains { $0.contains("contents") } })
    #expect(try fixture.starred() == [2])
    server.starred = [2]
    #expect(try await wait(fixture) { try isSettled(fixture) })
    #expect(try fixture.starred() == [2])
    #expect(server.editSizes == [1])
    await controller.end()
  }

  @Test("A change that a server confirms but ignores is sent once more, then set aside")
  func forgetfulServer() async throws {
    let (fixture, controller) = try await serving()
    fixture.server.setForgetful(true)
    try await star(fixture)
    #expect(try await wait(fixture) { fixture.server.editSizes == [1, 1] })
    #expect(try await wait(fixture) { try fixture.state()?.outbox == OutboxCounts(refused: 1) })
    #expect(try fixture.starred() == [2])
    #expect(fixture.server.editSizes == [1, 1])
    await controller.end()
  }

  @Test("After thousands of marks, the lists are fetched instead of each article")
  func manyMarks() async throws {
    let (fixture, controller) = try await serving(600)
    try await fixture.store.reader.states.markAllRead(ArticleQuery(scope: .all))
    #expect(try await wait(fixture) { fixture.server.unread.isEmpty })
    #expect(try await wait(fixture) { try isSettled(fixture) })
    // The newest articles are compared once.
    #expect(fixture.fixture.web.urls.count { $0.contains("contents") } == 1)
    #expect(fixture.server.editSizes == Array(repeating: 100, count: 6))
    await controller.end()
  }

  @Test(
    "A change without an answer is read back, and sent again only if it did not arrive",
    arguments: [true, false])
  func lostAnswer(arrives: Bool) async throws {
    let fixture = try await filled()
    let (server, web) = (fixture.server, fixture.fixture.web)
    web.onAnythingElse { request in
      let isLost = request.url.contains("edit-tag")
      if isLost && !arrives { return .failure(.connectionLost) }
      let answer = server.answer(for: request)
      if isLost { return .failure(.connectionLost) }
      return .reply(answer.status, [("Content-Type", answer.type)], answer.body)
    }
    try await fixture.store.reader.states.markAllRead(ArticleQuery(scope: .all))
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
