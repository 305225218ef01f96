@testable import SyncEngine

/// A run beside a reader that is the engine: the reader does the work, and the run waits for it.
@Suite("Waiting for another process's engine", .timeLimit(.minutes(120))) struct AccountWatchTests {
  /// A synced account with three articles, a reader that serves it, and another process's cache.
  private struct Pair {
    let fixture: AccountFixture
    let reader: NetworkController
    let other: FeedStore

    init() async throws {
      fixture = try await AccountFixture.synced(1...3)
      fixture.fixture.web.forget()
      reader = fixture.controller { $0.isAutomatic = false }
      other = try EngineFixture.open(fixture.fixture.directory, fixture.fixture.manual)
      reader.start()
      for await event in reader.events {
        if case .becameEngine = event { break }
      }
    }

    /// Starts a run in the other process; its value has the account's state at the end.
    func run(_ work: SyncWork) async -> Task<(SyncSummary, AccountState?), Never> {
      let controller = fixture.fixture.controller(on: other)
      let (other, account) = (other, fixture.account)
      let run = Task {
        let summary = await controller.runUntilIdle(work)
        return (summary, ((try? other.reader.accounts.account(account)) ?? nil)?.state)
      }
      for await event in controller.events {
        if case .standingBy = event { break }
      }
      return run
    }

    func close() async {
      await reader.end()
      other.close()
    }
  }

  @Test("A requested sync waits until the reader has done it")
  func syncWaitsForReader() async throws {
    let pair = try await Pair()
    pair.fixture.server.addItems([4], feed: 1)
    pair.fixture.fixture.web.pause()
    try await pair.other.reader.accounts.requestAccountSync(pair.fixture.account)
    let run = await pair.run(.requested)
    await pair.fixture.fixture.web.waitForRequests(1)
    pair.fixture.fixture.web.release()
    let (summary, state) = await run.value
    #expect(summary.wasServedElsewhere && !summary.isOffline)
    #expect(state?.isRequested == false && state?.failure == nil)
    #expect(try pair.fixture.unread() == [1, 2, 3, 4])
    await pair.close()
  }

  @Test("A push waits until the reader has sent the changes")
  func pushWaitsForReader() async throws {
    let pair = try await Pair()
    try await pair.other.reader.states.markShownRead(ArticleQuery(scope: .all))
    let run = await pair.run(.push)
    // The reader gathers keys for these seconds.
    pair.fixture.fixture.manual.advance(by: .seconds(3))
    let (summary, state) = await run.value
    #expect(summary.wasServedElsewhere)
    #expect(state?.outbox.waiting == 0)
    #expect(pair.fixture.server.unread.isEmpty)
    await pair.close()
  }

  @Test("A run does not wait for a sync that has failed")
  func failedSyncIsNotAwaited() async throws {
    let pair = try await Pair()
    pair.fixture.fixture.web.onAnythingElse { _ in .status(500) }
    try await pair.other.reader.accounts.requestAccountSync(pair.fixture.account)
    let (summary, state) = await (await pair.run(.requested)).value
    #expect(summary.wasServedElsewhere)
    #expect(state?.failure?.kind == .refused && state?.isRequested == false)
    await pair.close()
  }

  @Test("A run waits a limited time for an engine that does nothing, as on a dead network")
  func idleEngineWaitIsLimited() async throws {
    let fixture = try await AccountFixture()
    let engine = EngineElection(directory: fixture.fixture.directory) {}
    #expect(engine.stand())
    let summary = await fixture.fixture.runWithTime(fixture.controller())
    #expect(summary.wasServedElsewhere)
    #expect(summary.duration >= .seconds(15) && summary.duration < .seconds(30))
    #expect(try fixture.state()?.isRequested == true)
    engine.resign()
  }

  /// The engine's process was stopped during a request to the account's server.
  @Test("A run waits a limited time for an account's sync that makes no progress")
  func stalledSyncWaitIsLimited() async throws {
    let fixture = try await AccountFixture()
    let engine = EngineElection(directory: fixture.fixture.directory) {}
    #expect(engine.stand())
    try await fixture.store.accountSync.beginAccountSync(fixture.account)
    #expect(try fixture.state()?.isSyncing == true)
    let summary = await fixture.fixture.runWithTime(
      fixture.controller { $0.accountTimeout = .seconds(60) })
    #expect(summary.duration >= .seconds(60) && summary.duration < .seconds(75))
    #expect(try fixture.state()?.isRequested == true)
    engine.resign()
  }
}
