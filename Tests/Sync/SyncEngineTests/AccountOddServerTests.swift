@testable import RemoteAccounts
@testable import SyncEngine

/// Servers with wrong answers, which must not lose any stored data.
@Suite("Servers with wrong answers") struct AccountOddServerTests {
  /// A synced account with three articles; the second is starred.
  private func fixture(_ kind: Account.Kind = .googleReader) async throws -> AccountFixture {
    let fixture = try await AccountFixture.synced(1...3, kind: kind)
    fixture.server.starred = [2]
    try await fixture.sync()
    return fixture
  }

  /// Answers this call with `body`, and every other call as the server does.
  private func answer(_ call: String, with body: String, _ fixture: AccountFixture) {
    fixture.server.answer(for: fixture.fixture.web) { request in
      request.url.contains(call) ? .reply(200, [], body) : nil
    }
  }

  @Test("A feed that the server lists without its address stays", arguments: Account.Kind.allCases)
  func unaddressedFeedStays(kind: Account.Kind) async throws {
    let fixture = try await fixture(kind)
    fixture.server.setHidingAddresses(true)
    try await fixture.sync()
    #expect(try fixture.state()?.failure == nil)
    #expect(
      try fixture.store.reader.feeds.subscriptions().feeds.map(\.url) == ["http://a.example/"])
    #expect(try fixture.starred() == [2])
  }

  @Test("An error instead of a list marks nothing read") func errorMarksNothingRead() async throws {
    let fixture = try await fixture()
    answer("items/ids", with: #"{"error":"database is locked"}"#, fixture)
    try await fixture.sync()
    #expect(try fixture.state()?.failure?.kind == .unusable)
    #expect(try fixture.unread() == [1, 2, 3])
    #expect(try fixture.starred() == [2])
  }

  @Test("A change whose answers are meaningless is retried and never set aside")
  func senselessAnswers() async throws {
    let fixture = try await fixture()
    try await fixture.store.reader.states.set(
      .starred,
      [try #require(try fixture.articles()[1])], true)
    answer("edit-tag", with: #"{"thanks":true}"#, fixture)
    var states: [[OutboxEntry.State]] = []
    for _ in 0..<4 {
      _ = await fixture.controller().runUntilIdle(.push)
      states.append(try fixture.store.reader.accounts.outbox(of: nil, limit: 9).map(\.state))
    }
    #expect(states == Array(repeating: [.failed], count: 4))
    #expect(
      try fixture.store.reader.accounts.outbox(of: nil, limit: 9).first?.detail
        == #"{"thanks":true}"#)
  }

  @Test("A list of too many subscriptions is rejected") func hugeListIsRejected() async throws {
    let fixture = try await fixture()
    let account = try #require(try fixture.store.reader.accounts.account(fixture.account))
    let outcome = try await AccountPull(
      account: account, backend: ManyFeeds(), store: fixture.store.accountSync
    ).run(began: fixture.fixture.now)
    #expect(outcome.failure == .unusable(detail: "50001 subscriptions"))
    #expect(
      try fixture.store.reader.feeds.subscriptions().feeds.map(\.url) == ["http://a.example/"])
  }

  /// A server lists a starred article of an unsubscribed feed for ever.
  @Test("An article that the server cannot deliver is not requested again for a day")
  func missingArticleWaitsADay() async throws {
    let fixture = try await fixture()
    fixture.server.addItems([9], feed: 77)
    fixture.server.unread.remove(9)
    fixture.server.starred.insert(9)
    let controller = fixture.controller()
    /// The number of requests for articles in five syncs.
    func asked() async throws -> Int {
      fixture.fixture.web.forget()
      for _ in 0..<5 {
        fixture.fixture.manual.advance(by: .seconds(60))
        try await fixture.store.reader.accounts.requestAccountSync(fixture.account)
        _ = await controller.runUntilIdle(.requested)
      }
      return fixture.fixture.web.urls.count { $0.contains("items/contents") }
    }
    #expect(try await asked() == 3)
    #expect(try await asked() == 0)
    fixture.server.addFeed("http://b.example/", title: "B")
    #expect(try await asked() == 3)
    fixture.fixture.manual.advance(by: .seconds(86_400))
    #expect(try await asked() == 3)
    #expect(try fixture.unread() == [1, 2, 3])
  }
}

/// A server that lists too many subscriptions.
private struct ManyFeeds: RemoteBackend {
  let itemsAtOnce = 250
  let editsAtOnce = 100

  func signIn() async throws(AccountError) {}
  func subscriptions() async throws(AccountError) -> [RemoteFeed] {
    (0...50_000).map { RemoteFeed(id: "feed/\($0)", title: "", url: "http://a.example/") }
  }
  func ids(_ list: RemoteList, after continuation: String?) async throws(AccountError)
    -> RemotePage
  { RemotePage(ids: []) }
  func items(_ ids: [String]) async throws(AccountError) -> [RemoteArticle] { [] }
  func edit(_ ids: [String], _ edit: RemoteEdit) async throws(AccountError) {}
  func subscribe(url: String, title: String?, folder: String?) async throws(AccountError) {}
  func edit(_ edit: SubscriptionEdit) async throws(AccountError) {}
}
