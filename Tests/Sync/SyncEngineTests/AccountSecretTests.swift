@testable import SyncEngine

@Suite("Wrong or unavailable passwords of accounts") struct AccountSecretTests {
  @Test("A wrong password is reported and not tried again")
  func wrongPasswordIsReported() async throws {
    let fixture = try await AccountFixture()
    let controller = fixture.controller(secret: "nope")
    let summary = await controller.runUntilIdle()
    #expect(summary.accounts.first?.failure?.kind == .wrongCredentials)
    #expect(try fixture.state()?.failure?.kind == .wrongCredentials)
    #expect(try fixture.state()?.nextSyncAt == nil)
    let asked = fixture.fixture.web.log.count
    _ = await controller.runUntilIdle()
    #expect(fixture.fixture.web.log.count == asked)
    // No address contains the password.
    #expect(fixture.fixture.web.urls.allSatisfy { !$0.contains("nope") })
  }

  @Test("Signing in can be verified without storing an account")
  func signInIsVerified() async throws {
    let fixture = try await AccountFixture()
    let controller = fixture.controller()
    func verify(_ secret: String, _ url: String = AccountFixture.base) async -> AccountFailure? {
      await controller.verify(
        kind: .googleReader, url: url, user: FakeAggregator.user, secret: secret)
    }
    #expect(await verify(FakeAggregator.password) == nil)
    #expect(await verify("nope")?.kind == .wrongCredentials)
    fixture.server.setSwitchedOff(true)
    #expect(await verify(FakeAggregator.password)?.kind == .noSuchAPI)
    fixture.fixture.web.onAnythingElse { _ in .failure(.connectionRefused) }
    let failure = await verify(FakeAggregator.password)
    #expect(failure?.kind == .unreachable && failure?.detail == "connectionRefused")
  }

  @Test("An unavailable password is reported and no request is sent")
  func missingSecretIsReported() async throws {
    let fixture = try await AccountFixture()
    let controller = fixture.fixture.controller()
    let summary = await controller.runUntilIdle()
    #expect(summary.accounts.first?.failure?.kind == .noSecret)
    #expect(fixture.fixture.web.log.isEmpty)
  }

  @Test("An unavailable password is requested again after an hour")
  func missingSecretIsRetried() async throws {
    let fixture = try await AccountFixture()
    _ = await fixture.fixture.controller().runUntilIdle()
    #expect(try fixture.state()?.failure?.kind == .noSecret)
    #expect(try fixture.state()?.nextSyncAt == fixture.fixture.now + 3_600)
    // A keyring that was locked is open by then, and the user need not press a key.
    fixture.fixture.manual.advance(by: .seconds(3_601))
    let summary = await fixture.controller().runUntilIdle()
    #expect(summary.accounts.first?.hasPulled == true)
    #expect(try fixture.state()?.failure == nil)
  }

  @Test("The reason why a password is unavailable is stored in the outbox")
  func secretFailureIsStored() async throws {
    let fixture = try await AccountFixture.synced(1...1)
    fixture.fixture.web.forget()
    try await fixture.store.reader.states.markShownRead(ArticleQuery(scope: .all))
    func outboxAfterPush(_ detail: String?) async throws -> [String?] {
      let controller = fixture.fixture.controller { configuration in
        configuration.secret = { _ in
          throw AccountFailure(kind: .noSecret, detail: detail, since: .distantPast)
        }
      }
      let summary = await controller.runUntilIdle(.push)
      #expect(summary.accounts.first?.failure?.kind == .noSecret)
      #expect(summary.accounts.first?.failure?.detail == detail)
      return try fixture.store.reader.accounts.outbox(of: fixture.account, limit: 9).map(\.detail)
    }
    #expect(try await outboxAfterPush("pass: exit code 1") == ["pass: exit code 1"])
    // No server was contacted, so none is named.
    fixture.fixture.manual.advance(by: .seconds(3_601))
    #expect(try await outboxAfterPush(nil) == [AccountFailure.Kind.noSecret.rawValue])
    #expect(fixture.fixture.web.log.isEmpty)
  }

  @Test("A cache that cannot be read does not count as a missing password")
  func unreadableCache() async throws {
    let fixture = try await AccountFixture()
    let account = try #require(try fixture.store.accounts.account(fixture.account))
    let asked = Mutex(0)
    var configuration = SyncConfiguration()
    configuration.secret = { _ in
      asked.withLock { $0 += 1 }
      return FakeAggregator.password
    }
    let sync = AccountSync(
      accounts: fixture.store.accountSync, configuration: configuration, clock: .system,
      transport: { FixtureTransport() })
    let backend = sync.backend(of: account)
    fixture.store.close()
    #expect(throws: StoreError.self) { try fixture.store.accounts.account(fixture.account) }
    // No operation runs, so nothing is sent.
    await #expect(throws: AccountError.transport(TransportError(.cancelled))) {
      try await backend.signIn()
    }
    #expect(asked.withLock { $0 } == 1)
  }
}
