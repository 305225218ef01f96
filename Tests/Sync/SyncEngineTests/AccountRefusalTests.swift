@testable import SyncEngine

@Suite("Refused changes of an account") struct AccountRefusalTests {
  @Test("A change that the server refuses is isolated and set aside until it is retried")
  func refusedChangeIsSetAside() async throws {
    let fixture = try await AccountFixture.synced(1...100)
    fixture.server.setPoison([42])
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    let summary = await fixture.controller().runUntilIdle(.push)
    #expect(summary.accounts.first?.refused == 1)
    #expect(fixture.server.unread == [42])
    let outbox = try fixture.store.reader.accounts.outbox(of: nil, limit: 9)
    #expect(outbox.map(\.state) == [.refused])
    #expect(outbox.first?.title == "Item 42 & friends")
    #expect(outbox.first?.detail?.hasPrefix("400") == true)
    // The pull keeps the user's state.
    try await fixture.sync()
    #expect(try fixture.unread().isEmpty)
    fixture.server.setPoison([])
    try await fixture.store.reader.accounts.retryOutbox(outbox.map(\.id))
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(fixture.server.unread.isEmpty)
  }

  @Test("If a server refuses all changes, none is set aside")
  func refusesEverything() async throws {
    let fixture = try await AccountFixture.synced(1...100)
    fixture.server.setPoison(Set(1...100))
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    _ = await fixture.controller().runUntilIdle(.push)
    let counts = try #require(try fixture.state()?.outbox)
    #expect(counts.refused == 0 && counts.waiting == 100)
    // Three of a hundred are refused as changes, in any position.
    fixture.server.setPoison([1, 2, 3])
    for _ in 0..<2 { try await fixture.sync() }
    #expect(try fixture.state()?.outbox == OutboxCounts(refused: 3))
    #expect(fixture.server.unread == [1, 2, 3])
  }

  @Test(
    "An outage, a timeout or a network's sign-in page sets no change aside",
    arguments: [500, 502, 504, 408, 511, 200])
  func outage(status: Int) async throws {
    let fixture = try await AccountFixture.synced(1...200)
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    let (server, web) = (fixture.server, fixture.fixture.web)
    web.onAnythingElse { _ in
      .reply(status, [("Content-Type", "text/html")], "<!DOCTYPE html><p>Please sign in")
    }
    for _ in 0..<8 {
      fixture.fixture.manual.advance(by: .seconds(1_000))
      _ = await fixture.controller().runUntilIdle(.push)
    }
    #expect(try fixture.state()?.outbox.waiting == 200)
    server.answer(for: web)
    fixture.fixture.manual.advance(by: .seconds(1_000))
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(server.unread.isEmpty)
  }

  @Test("A change that the server fails on delays no others and is not refused")
  func failsOnOne() async throws {
    let fixture = try await AccountFixture.synced(1...100)
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    let (server, web) = (fixture.server, fixture.fixture.web)
    fixture.server.setPoison([42])
    server.answer(for: web) { request in
      server.answer(for: request).status == 400 ? .status(500) : nil
    }
    for _ in 0..<5 {
      fixture.fixture.manual.advance(by: .seconds(1_000))
      _ = await fixture.controller().runUntilIdle(.push)
    }
    #expect(server.unread == [42])
    let counts = try #require(try fixture.state()?.outbox)
    #expect(counts.pending == 0 && counts.failed == 1 && counts.refused == 0)
  }

  @Test("A failed push does not prevent the pull") func failedPushAllowsPull() async throws {
    let fixture = try await AccountFixture.synced(1...5)
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    fixture.server.addItems([6], feed: 1)
    fixture.server.answer(for: fixture.fixture.web) { request in
      request.url.contains("edit-tag") ? .status(500) : nil
    }
    try await fixture.sync()
    #expect(try fixture.unread() == [6])
    #expect(try fixture.state()?.outbox.failed == 5)
    #expect(try fixture.state()?.syncedAt != nil)
  }

  @Test(
    "A short period of 403 answers delays a push by seconds, not by an hour",
    arguments: ["edit-tag", "aggregator.example"])
  func forbiddenOnce(part: String) async throws {
    let fixture = try await AccountFixture()
    fixture.server.addItems(1...5, feed: fixture.server.addFeed("http://a.example/", title: "A"))
    try await fixture.store.reader.accounts.requestAccountSync(fixture.account)
    let controller = fixture.controller()
    _ = await controller.runUntilIdle()
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    let (server, web) = (fixture.server, fixture.fixture.web)
    server.answer(for: web) { $0.url.contains(part) ? .status(403) : nil }
    _ = await controller.runUntilIdle(.push)
    #expect(server.unread.count == 5)
    #expect(try fixture.state()?.failure?.kind == .busy)
    server.answer(for: web)
    fixture.fixture.manual.advance(by: .seconds(15))
    _ = await controller.runUntilIdle(.push)
    #expect(server.unread.isEmpty)
  }
}
