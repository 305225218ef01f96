@testable import SyncEngine

@Suite("Addresses that a server cannot fetch") struct AccountAddressTests {
  @Test("A feed that the server fails on does not delay any other change")
  func oneBadAddress() async throws {
    let fixture = try await AccountFixture.synced(1...3, .miniflux)
    let articles = try fixture.articles()
    let accountFolder = try #require(
      try fixture.store.reader.accounts.account(fixture.account)?.folder)
    try await fixture.store.reader.feeds.subscribe(
      url: "https://broken.example/feed", title: nil, folder: accountFolder)
    try await fixture.store.reader.states.set(.starred, [articles[1]].compactMap { $0 }, true)
    let summary = await fixture.controller().runUntilIdle(.push)
    #expect(summary.accounts.first?.sent == 1)
    #expect(summary.accounts.first?.waiting == 1)
    #expect(fixture.server.starred == [1])
    #expect(try fixture.state()?.failure == nil)
    let row = try #require(
      try fixture.store.reader.accounts.outbox(of: fixture.account, limit: 9).first)
    #expect(row.change == .subscribed(true) && row.state == .failed)
    try await fixture.store.reader.states.set(.starred, [articles[2]].compactMap { $0 }, true)
    #expect(await fixture.controller().runUntilIdle(.push).accounts.first?.sent == 1)
    #expect(fixture.server.starred == [1, 2])
  }
}
