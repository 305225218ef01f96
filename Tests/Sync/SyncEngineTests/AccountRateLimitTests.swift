@testable import SyncEngine

@Suite("Rate limits and routes of accounts") struct AccountRateLimitTests {
  /// A synced account with three articles.
  let fixture: AccountFixture

  init() async throws {
    fixture = try await AccountFixture.synced(1...3)
    fixture.fixture.web.forget()
  }

  @Test("A rejected password is not sent again for an hour, unless it is changed")
  func badPasswordWaitsAnHour() async throws {
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    try await fixture.store.reader.accounts.requestAccountSync(fixture.account)
    func logins(after wait: Int, _ work: SyncWork) async throws -> Int {
      fixture.fixture.manual.advance(by: .seconds(wait))
      fixture.fixture.web.forget()
      _ = await fixture.controller(secret: "nope").runUntilIdle(work)
      return fixture.fixture.web.urls.count { $0.hasSuffix("accounts/ClientLogin") }
    }
    // The push and the pull log in once each.
    #expect(try await logins(after: 0, .requested) == 2)
    #expect(try fixture.state()?.failure?.kind == .wrongCredentials)
    #expect(try await logins(after: 600, .push) == 0)
    #expect(try await logins(after: 600, .requested) == 0)
    #expect(try await logins(after: 2_401, .push) == 1)
    // The same as `weir account password`.
    try await fixture.store.accounts.setPasswordCommand(fixture.account, nil)
    try await fixture.sync()
    #expect(fixture.server.unread.isEmpty)
  }

  @Test(
    "After a 429, requests wait until the named time, except one try per user request",
    arguments: ["subscription/list", "edit-tag"])
  func retryAfter(call: String) async throws {
    let (server, web) = (fixture.server, fixture.fixture.web)
    server.answer(for: web) { request in
      request.url.contains(call) ? .status(429, [("Retry-After", "7200")]) : nil
    }
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    try await fixture.sync()
    #expect(try fixture.state()?.failure?.kind == .busy)
    // The second call was not tried.
    #expect(web.urls.last?.contains(call) == true)
    #expect(try fixture.state()?.isRequested == false)
    // A new request of the user makes one call, which is rejected.
    web.forget()
    try await fixture.store.reader.states.set(
      .starred,
      [try #require(try fixture.articles()[1])], true)
    try await fixture.sync()
    #expect(web.urls.count { $0.contains(call) } == 1)
    #expect(try fixture.state()?.failure?.kind == .busy)
    web.forget()
    fixture.fixture.manual.advance(by: .seconds(7_000))
    _ = await fixture.controller().runUntilIdle()
    #expect(web.log.isEmpty)
    server.answer(for: web)
    fixture.fixture.manual.advance(by: .seconds(201))
    _ = await fixture.controller().runUntilIdle()
    #expect(server.unread.isEmpty && server.starred == [1])
    #expect(try fixture.state()?.failure == nil)
    #expect(try fixture.state()?.pausedUntil == nil)
  }

  @Test("After a 503 that names five seconds, a change is sent five seconds later")
  func shortRetryAfter() async throws {
    let (server, web) = (fixture.server, fixture.fixture.web)
    server.answer(for: web) { request in
      request.url.contains("edit-tag") ? .status(503, [("Retry-After", "5")]) : nil
    }
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(try fixture.store.accountSync.accountWork().first?.pushAt == fixture.fixture.now + 5)
    server.answer(for: web)
    fixture.fixture.manual.advance(by: .seconds(5))
    _ = await fixture.controller().runUntilIdle(.push)
    #expect(server.unread.isEmpty)
  }

  @Test("Opening a reader pulls if the last pull is older than two minutes")
  func pullAtOpening() async throws {
    let before = try fixture.state()?.syncedAt
    fixture.fixture.manual.advance(by: .seconds(121))
    let controller = fixture.startedController()
    try await expectEventually { try fixture.state()?.syncedAt != before }
    await controller.end()
  }

  @Test("The time between two pulls is the configured one") func interval() async throws {
    try await fixture.store.reader.accounts.requestAccountSync(fixture.account)
    _ = await fixture.controller { $0.accountInterval = .seconds(3_600) }.runUntilIdle()
    #expect(try fixture.state()?.nextSyncAt == fixture.fixture.now + 3_240)
  }

  @Test("The wait after an error is the server's, or grows from seconds to minutes") func waits() {
    func wait(_ retryAfter: Double?) -> Double {
      AccountError.busy(status: 429, retryAfter: retryAfter).wait(failures: 0) / .seconds(1)
    }
    #expect(wait(2e9) == 7 * 86_400)
    #expect(wait(5) == 5 && wait(0) == 1 && wait(nil) == 10)
    #expect(AccountError.busy(status: 503, retryAfter: nil).wait(failures: 20) == .seconds(900))
    #expect(AccountError.refused(status: 500, detail: "").wait(failures: 20) == .seconds(900))
    // A network that requires a sign-in answers with a page or a redirect.
    for error in [AccountError.noSuchAPI(status: 200), .moved(to: "http://portal.example")] {
      #expect(error.wait(failures: 0) == .seconds(5) && error.wait(failures: 20) == .seconds(900))
    }
    #expect(AccountError.noSuchAPI(status: 404).wait(failures: 0) == .seconds(3_600))
  }

  @Test("Requests of an account use the proxy and user agent configured for its address")
  func accountUsesItsProxy() async throws {
    let proxy = ProxyChoice.server("socks5h://127.0.0.1:9050", hasExceptions: true)
    let controller = fixture.controller { configuration in
      configuration.settings = { url in
        guard url.hasPrefix(AccountFixture.base) else { return FeedSettings() }
        return FeedSettings(
          userAgent: "Somebody/1", proxy: proxy, user: "ann", password: .text("of her feeds"))
      }
    }
    try await fixture.store.reader.accounts.requestAccountSync(fixture.account)
    _ = await controller.runUntilIdle()
    let synced = fixture.fixture.web.log.count
    #expect(synced > 3)
    let failure = await controller.verify(
      kind: .googleReader, url: AccountFixture.base, user: FakeAggregator.user,
      secret: FakeAggregator.password)
    #expect(failure == nil)
    _ = await controller.encrypted(AccountFixture.base)
    let log = fixture.fixture.web.log
    #expect(log.count == synced + 2)
    let expected = RequestIdentity(userAgent: "Somebody/1", proxy: proxy)
    #expect(log.allSatisfy { $0.identity == expected })
  }
}
