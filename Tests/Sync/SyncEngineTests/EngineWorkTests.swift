@testable import SyncEngine

/// Work that enters and leaves the engine's state.
@Suite("Work of the engine's state") struct EngineWorkTests {
  private func key(_ row: Int64) -> OperationKey { OperationKey(kind: .refresh, row: row) }

  private func fetched(_ state: inout EngineState, _ id: OperationID, at now: Double = 1) {
    _ = state.apply(.fetched(id, FetchEnd(end: .answered, hostLimit: 2)), at: .at(now))
  }

  // MARK: Due feeds

  @Test("The first due feeds of a reader are spread over time, except those on screen")
  func spread() {
    var state = EngineState.stubbed {
      $0.initialSpread = .seconds(10)
      $0.jitter = { 0.25 }
    }
    _ = state.apply(.visibleFeeds([key(3)]), at: .at(0))
    _ = state.apply(.due(DueWork(work: [.test(1), .test(3)], next: nil)), at: .at(2))
    #expect(state.due.spread[key(1)]?.at.seconds == 4.5)
    #expect(state.table.waiting.keys.map(\.row) == [3])
    // The engine wakes for them, and loads due feeds again after an hour.
    #expect(state.due.nextAt?.seconds == 3_602)
    _ = state.apply(.tick, at: .at(4.4))
    #expect(state.due.spread.count == 1)
    #expect(state.apply(.tick, at: .at(4.5)).names == ["start 1"])
    #expect(state.due.spread.isEmpty)
    // Later ones are not spread.
    _ = state.apply(.due(DueWork(work: [.test(4)], next: nil)), at: .at(5))
    #expect(state.due.spread.isEmpty && state.table.contains(key(4)))
    #expect(state.due.nextAt == nil)
    var run = EngineState.stubbed(.untilIdle(.dueAndRequested)) { $0.initialSpread = .seconds(10) }
    _ = run.apply(.due(DueWork(work: [.test(1)], next: nil)), at: .at(0))
    #expect(run.due.spread.isEmpty && !run.due.hasSpread)
  }

  @Test("Spread feeds start in the order of their times, and not while the cache fails")
  func spreadOrder() {
    var state = EngineState.stubbed(.serving, StubLimiter(admitted: [.userInitiated]))
    for (row, at) in [(1, 3.0), (2, 1), (3, 2), (4, 9)] as [(Int64, Double)] {
      state.due.spread[key(row)] = (.test(row), .at(at))
    }
    _ = state.apply(.storeFailed(.busy), at: .at(3))
    _ = state.apply(.tick, at: .at(3))
    #expect(state.due.spread.count == 4)
    state.backoff.end()
    _ = state.apply(.tick, at: .at(3))
    #expect(state.due.spread.keys.map(\.row) == [4])
    let order = state.table.waiting.values.sorted { $0.order < $1.order }.map(\.entry.key.row)
    #expect(order == [2, 3, 1])
  }

  @Test("Feeds that are due in excluded hours are planned again for later") func late() {
    var state = EngineState.stubbed()
    let plan = (
      feed: FeedID(rawValue: 1), at: EngineFixture.start + 50, reasons: [CheckReason.hourly]
    )
    let due = DueWork(work: [.test(1), .test(2)], late: [plan], next: nil)
    #expect(state.apply(.due(due), at: .at(0)).names == ["plan"])
    #expect(state.table.waiting.keys.map(\.row) == [2])
    #expect(state.due.suppressed[key(1)]?.seconds == 50)
    let again = DueWork(work: [.test(1)], next: nil)
    #expect(state.apply(.due(again), at: .at(49.9)).names == [])
    #expect(!state.table.contains(key(1)))
    _ = state.apply(.due(again), at: .at(50))
    #expect(state.table.contains(key(1)) && state.due.suppressed.isEmpty)
  }

  @Test("Due feeds that wait, run or are spread are not enqueued again") func dueTwice() {
    var state = EngineState.running([.test(1)])
    state.due.spread[key(2)] = (.test(2), .at(100))
    _ = state.apply(.due(DueWork(work: [.test(1), .test(2)], next: nil)), at: .at(1))
    #expect(state.table.waitingCount == 0 && state.due.spread.count == 1)
    #expect(state.due.loadedAt?.seconds == 1 && !state.due.isStale)
    // A request removes a spread feed from the spread.
    _ = state.apply(.found([.test(2)]), at: .at(1))
    #expect(state.due.spread.isEmpty && state.table.contains(key(2)))
  }

  // MARK: Coming

  @Test("Enqueued refreshes count once and start a sync") func enqueuing() {
    var state = EngineState.stubbed()
    let revision = state.revision
    #expect(state.apply(.found([.test(1)]), at: .at(1)).events == ["syncStarted"])
    #expect(state.revision > revision)
    #expect(state.progress.total == 1 && state.status.refreshing.isEmpty)
    #expect(state.table.waiting[key(1)]?.entry.enqueuedAt.seconds == 1)
    let later = state.revision
    #expect(state.apply(.found([.test(1)]), at: .at(2)).events == [])
    #expect(state.revision == later && state.progress.total == 1)
    #expect(state.apply(.found([.test(1, .userInitiated)]), at: .at(3)).events == [])
    #expect(state.revision > later && state.progress.total == 1)
    // Other kinds do not count.
    _ = state.apply(.found([.test(2, kind: DiscoveryOperation.kind)]), at: .at(3))
    #expect(state.progress.total == 1)
  }

  @Test("A user request ends the wait of a suppressed feed") func requestedAgain() {
    var state = EngineState.stubbed()
    state.due.suppressed[key(1)] = .at(1_000)
    _ = state.apply(.due(DueWork(work: [.test(1)], next: nil)), at: .at(1))
    #expect(!state.table.contains(key(1)))
    _ = state.apply(.found([.test(1)]), at: .at(1))
    #expect(state.table.contains(key(1)) && state.due.suppressed.isEmpty)
  }

  // MARK: Going

  @Test("A request that ends cancels its work, which is not due for an hour") func endedRequest() {
    var state = EngineState.stubbed(.serving, StubLimiter(admitted: [.scheduled]))
    let work: [OperationEntry] = [.test(1), .test(2, .background), .test(3), .test(4)]
    let new: [(id: Int64, work: [OperationEntry])] = [(7, work), (8, [.test(4)])]
    _ = state.apply(.requests(open: [7, 8], new: new), at: .at(0))
    _ = state.apply(.tick, at: .at(0))
    #expect(Set(state.table.running.keys.map(\.row)) == [1, 3, 4])
    fetched(&state, state.table.running[key(3)]?.id ?? 0)
    let id = state.table.running[key(1)]?.id ?? 0
    #expect(state.apply(.requests(open: [8], new: []), at: .at(2)).names == ["cancel \(id)"])
    #expect(state.table.waiting.isEmpty && state.requests.keys.sorted() == [8])
    #expect(state.due.suppressed.mapValues(\.seconds) == [key(1): 3_602, key(2): 3_602])
    #expect(state.progress.total == 3)
  }

  @Test("Rows that are no longer wanted are withdrawn, of their kind only") func unwanted() {
    var state = EngineState.stubbed(.serving, StubLimiter(admitted: []))
    let entries: [OperationEntry] = [
      .test(1), .test(2), .test(1, kind: .download), .test(2, kind: .download),
    ]
    _ = state.apply(.found(entries), at: .at(0))
    let revision = state.revision
    _ = state.apply(.wanted(kind: .download, rows: [2]), at: .at(1))
    #expect(state.table.waitingCount == 3)
    #expect(!state.table.contains(OperationKey(kind: .download, row: 1)))
    #expect(state.revision > revision)
  }

  @Test("A cancelled feed waits until the cache no longer marks it as wanted")
  func cancelledFeed() {
    var state = EngineState.stubbed(.untilIdle(.requested), StubLimiter(admitted: []))
    _ = state.apply(.found([.test(1), .test(2)]), at: .at(0))
    state.due.isStale = false
    #expect(
      state.apply(.cancelled([.feed(FeedID(rawValue: 1))]), at: .at(1)).names == [
        "completeCancellations"
      ])
    #expect(state.cancelled == [key(1)] && state.table.waiting.keys.map(\.row) == [2])
    _ = state.apply(.found([.test(1)]), at: .at(1))
    #expect(!state.table.contains(key(1)))
    let settled = state.apply(.cancellationsCompleted([key(1)]), at: .at(1))
    #expect(settled.wakes && state.due.isStale && state.cancelled.isEmpty)
    _ = state.apply(.found([.test(1)]), at: .at(1))
    #expect(state.table.contains(key(1)))
  }

  @Test("Cancelling waiting work cancels only refreshes, including spread ones")
  func cancelledWaiting() {
    var state = EngineState.stubbed(.serving, StubLimiter(admitted: []))
    _ = state.apply(.found([.test(1), .test(2, kind: .discovery)]), at: .at(0))
    state.due.spread[key(3)] = (.test(3), .at(100))
    let actions = state.apply(.cancelled([.waiting]), at: .at(1))
    #expect(actions.names == ["completeCancellations"])
    #expect(state.cancelled == [key(1), key(3)] && state.due.spread.isEmpty)
    #expect(state.table.waiting.keys.map(\.kind) == [.discovery])
  }

  @Test("Dropped work leaves the counts, and requeued work does not") func dropped() {
    var state = EngineState.running([.test(1), .test(2)])
    _ = state.apply(.ended(1, .dropped), at: .at(1))
    #expect(state.progress.total == 1)
    #expect(state.stub.ends == [.cancelled] && state.summary.storeFailure == nil)
    let actions = state.apply(.ended(2, .failed(.diskFull)), at: .at(1))
    #expect(actions.events == ["storeFailed"] && state.summary.storeFailure == .diskFull)
    #expect(state.backoff.isActive && state.progress.total == 0)
    #expect(state.apply(.ended(2, .dropped), at: .at(1)).names == [])
    #expect(state.stub.ends.count == 2)
  }

  @Test("When account work ends, the accounts are loaded again and its report is added")
  func accounts() {
    var state = EngineState.running([
      .test(1, kind: PullOperation.kind), .test(2, kind: PushOperation.kind),
    ])
    var report = AccountReport(account: AccountID(rawValue: 4), title: "")
    report.newArticles = 3
    let actions = state.apply(.ended(1, .stored([.accountEnded(report)])), at: .at(1))
    #expect(actions.names == ["reloadAccounts"] && actions.events == ["accountEnded"])
    #expect(state.summary.newArticles == 3)
    #expect(state.apply(.ended(2, .dropped), at: .at(1)).names == ["reloadAccounts"])
    state.run([.test(3)])
    #expect(state.apply(.ended(3, .stored([.becameEngine])), at: .at(1)).events == ["becameEngine"])
  }

  @Test("The status lists refreshes from their start until they are stored") func refreshing() {
    var state = EngineState.running([.test(7), .test(2), .test(3, kind: .discovery)])
    #expect(state.status.refreshing.map(\.rawValue) == [2, 7])
    fetched(&state, 1)
    #expect(state.status.refreshing.map(\.rawValue) == [2, 7])
    _ = state.apply(.ended(1, .stored([])), at: .at(2))
    #expect(state.status.refreshing.map(\.rawValue) == [2])
  }

  // MARK: Suspicion

  @Test("A suspected operation continues when another host answers") func suspicion() {
    var state = EngineState.running([.test(1)])
    state.stub.isInDoubt = true
    _ = state.apply(
      .fetched(1, FetchEnd(end: .refused(host: "h1.example"), hostLimit: 2)), at: .at(1))
    #expect(state.table.suspected == [key(1)])
    #expect(state.apply(.tick, at: .at(2)).names == [])
    state.stub.isInDoubt = false
    state.stub.limit = 0
    #expect(state.apply(.tick, at: .at(3)).names == [])
    state.stub.limit = 1
    #expect(state.apply(.tick, at: .at(4)).names == ["proceed 1"])
    #expect(state.table.suspected.isEmpty && state.table.digesting == 1)
  }

  @Test("An outage requeues only kinds that wait for the network") func outage() {
    func actions(_ kind: OperationKind, _ end: OperationEnd, host: String? = nil, limit: Int = 0)
      -> [String]
    {
      var state = EngineState.running([.test(1, host: host, kind: kind)])
      state.stub = StubLimiter(limit: limit, mayBeNetwork: true)
      return state.apply(.fetched(1, FetchEnd(end: end, hostLimit: 2)), at: .at(1)).names
    }
    let refresh = RefreshOperation.kind
    for end in [OperationEnd.failed, .timedOut, .unresolved(host: "h")] {
      #expect(actions(refresh, end) == ["cancel 1"])
      #expect(actions(DiscoveryOperation.kind, end) == ["proceed 1"])
      #expect(actions(FullTextOperation.kind, end) == ["cancel 1"])
      #expect(actions(FullTextOperation.kind, end, limit: 1) == ["proceed 1"])
      #expect(actions(refresh, end, host: LocalSource.hostKey) == ["proceed 1"])
    }
    #expect(actions(refresh, .answered) == ["proceed 1"])
    #expect(actions(refresh, .unresolved(host: "h"), limit: 1) == ["proceed 1"])
  }

  @Test("The limiter does not receive local work") func localWork() {
    var state = EngineState.running([
      .test(1, host: LocalSource.hostKey), .test(2, host: LocalSource.hostKey), .test(3),
    ])
    #expect(state.stub.started == [3])
    fetched(&state, 1)
    _ = state.apply(.ended(2, .dropped), at: .at(1))
    #expect(state.stub.ends == [])
    fetched(&state, 3)
    #expect(state.stub.ends == [.answered])
    // The demand counts the ending operation.
    #expect(state.stub.demands.last == NetworkDemand(waiting: 0, hosts: 1))
  }

  // MARK: The cache

  @Test("The cache is retried once after a wait, and work is loaded again when it works")
  func triedCache() {
    var state = EngineState.stubbed()
    state.requests = [3: [key(1)]]
    _ = state.apply(.flushBegan, at: .at(0))
    let refused = state.apply(.flushEnded(.refusedValue(detail: .code(1))), at: .at(0))
    #expect(refused.events == ["storeFailed"] && refused.wakes && !state.backoff.isActive)
    #expect(state.apply(.flushEnded(.diskFull), at: .at(0)).events == ["storeFailed"])
    #expect(state.apply(.tick, at: .at(29.9)).names == [])
    #expect(state.apply(.tick, at: .at(30)).names == ["testStore"])
    _ = state.apply(.flushBegan, at: .at(30))
    #expect(state.apply(.tick, at: .at(31)).names == [])
    let ended = state.apply(.flushEnded(nil), at: .at(31))
    #expect(ended.names == ["reload"] && ended.wakes)
    #expect(!state.backoff.isActive && state.requests.isEmpty)
    #expect(state.apply(.flushEnded(nil), at: .at(32)).names == [])
    // A flush that began during the wait does not end it.
    _ = state.apply(.storeFailed(.diskFull), at: .at(40))
    #expect(state.apply(.flushEnded(nil), at: .at(41)).names == [])
    #expect(state.backoff.isActive)
    _ = state.apply(.asked, at: .at(41))
    #expect(state.backoff.until?.seconds == 70)
  }

  @Test("Plans are corrected once after the clock was set back") func clockSetBack() {
    var state = EngineState.stubbed()
    state.due.isStale = false
    #expect(state.apply(.clockSetBack, at: .at(0)).names == ["correctPlans"])
    #expect(state.apply(.clockSetBack, at: .at(1)).names == [])
    #expect(!state.due.isStale)
    let corrected = state.apply(.plansCorrected, at: .at(2))
    #expect(corrected.wakes && state.due.isStale)
    #expect(state.apply(.clockSetBack, at: .at(3)).names == ["correctPlans"])
  }

  // MARK: A run

  @Test("A run begins without the work of the previous one") func begin() {
    var state = EngineState.running([.test(1)])
    state.network.remember("http://a.example/")
    _ = state.apply(.storeFailed(.busy), at: .at(1))
    _ = state.apply(.flushBegan, at: .at(1))
    _ = state.apply(.began(.untilIdle(.push)), at: .at(2))
    #expect(state.mode == .untilIdle(.push) && state.isIdle && !state.backoff.isActive)
    #expect(state.network.addresses == ["http://a.example/"] && state.progress.total == 1)
    #expect(state.isFlushing && state.summary == SyncSummary())
  }

  @Test("Nothing runs or waits after the end of a run") func end() {
    var state = EngineState.stubbed(.serving, StubLimiter(admitted: [.scheduled]))
    state.run([.test(1), .test(2, .background), .test(3, .background), .test(4, kind: .discovery)])
    state.end(at: .at(5))
    #expect(state.isIdle && state.status.refreshing.isEmpty && !state.progress.isRunning)
    #expect(state.progress.endedAt == EngineFixture.start + 5)
    state.end(at: .at(9))
    #expect(state.progress.endedAt == EngineFixture.start + 5)
  }

  @Test("A run is finished when all of its parts are") func finished() {
    func isFinished(_ mode: RunMode = .untilIdle(.requested), _ change: (inout EngineState) -> Void)
      -> Bool
    {
      var state = EngineState.stubbed(mode)
      change(&state)
      return state.isFinished
    }
    #expect(isFinished { _ in })
    #expect(!isFinished(.serving) { _ in })
    #expect(!isFinished { _ = $0.apply(.flushBegan, at: .at(0)) })
    #expect(!isFinished { $0.cancelled = [OperationKey(kind: .refresh, row: 1)] })
    #expect(!isFinished { _ = $0.apply(.clockSetBack, at: .at(0)) })
    #expect(!isFinished { _ = $0.apply(.found([.test(1, kind: .discovery)]), at: .at(0)) })
    #expect(!isFinished { $0.run([.test(1, kind: .discovery)]) })
    #expect(
      !isFinished { state in
        _ = state.apply(.found([.test(1)]), at: .at(0))
        state.table.remove(OperationKey(kind: .refresh, row: 1))
      })
  }

  @Test("A started operation has the limiter's timeouts") func starting() {
    let expected = ConnectionTimeouts(silence: 45, connect: 30)
    var state = EngineState.stubbed(.serving, StubLimiter(timeouts: expected))
    _ = state.apply(.found([.test(1), .test(2, kind: .discovery)]), at: .at(0))
    let actions = state.apply(.tick, at: .at(0))
    let timeouts = actions.compactMap { action in
      if case .start(_, let timeouts) = action { timeouts } else { nil }
    }
    #expect(timeouts == [expected, expected] && state.stub.started == [1, 2])
    #expect(!actions.wakes)
  }

  @Test("Nothing starts while the cache fails") func startsNothing() {
    var state = EngineState.stubbed()
    _ = state.apply(.found([.test(1)]), at: .at(0))
    _ = state.apply(.storeFailed(.busy), at: .at(0))
    #expect(state.apply(.tick, at: .at(1)).names == [])
    state.backoff.end()
    #expect(state.apply(.tick, at: .at(1)).names == ["start 1"])
  }

  @Test("A pause that is loaded again changes nothing") func samePause() {
    var state = EngineState.stubbed()
    _ = state.apply(.paused([.host("a")]), at: .at(1))
    let revision = state.revision
    #expect(state.table.pausedHosts == ["a"])
    _ = state.apply(.paused([.host("a")]), at: .at(2))
    #expect(state.revision == revision && state.pausesLoadedAt?.seconds == 2)
    _ = state.apply(.paused([.everything]), at: .at(3))
    #expect(state.revision > revision && state.table.pausedHosts.isEmpty)
  }

  @Test("A serving engine's sync ends when nothing is left, and due feeds are loaded again")
  func syncEnd() {
    var state = EngineState.running([.test(1), .test(2)])
    state.due.isStale = false
    _ = state.apply(.ended(1, .stored([])), at: .at(1))
    #expect(state.apply(.tick, at: .at(1)).events == [] && !state.due.isStale)
    _ = state.apply(.found([.test(3, .prefetch)]), at: .at(1))
    state.stub.admitted = []
    _ = state.apply(.ended(2, .stored([])), at: .at(2))
    #expect(state.apply(.tick, at: .at(2)).events == [])
    state.table.remove(key(3))
    #expect(state.apply(.tick, at: .at(3)).events == ["syncEnded"])
    #expect(state.due.isStale && !state.progress.isRunning && !state.summary.isPaused)
    #expect(state.apply(.tick, at: .at(4)).events == [])
  }

  @Test("A stored refresh is published, and ends the doubling of the cache's waits")
  func storedRefresh() {
    var state = EngineState.running([.test(1)])
    _ = state.apply(.storeFailed(.busy), at: .at(0))
    let report = RefreshReport(
      feed: FeedID(rawValue: 1), name: "", url: "", outcome: .unchanged, bytes: 0)
    let actions = state.apply(.ended(1, .stored([.refreshEnded(report)])), at: .at(1))
    #expect(actions.events == ["refreshEnded"] && state.summary.done == 1)
    _ = state.apply(.storeFailed(.busy), at: .at(30))
    #expect(state.backoff.until?.seconds == 60)
  }

  @Test("Ticks and ends of operations publish a changed limit") func publishedLimit() {
    var state = EngineState.running([.test(1)])
    state.stub.quality = .good
    #expect(state.apply(.tick, at: .at(1)).events == ["limitChanged"])
    state.stub.quality = .fair
    let answer = FetchEnd(end: .answered, hostLimit: 2)
    #expect(state.apply(.fetched(1, answer), at: .at(2)).events == ["limitChanged"])
  }

  @Test("An operation that ends during its fetch is not part of the demand") func endedFetch() {
    var state = EngineState.running([.test(1), .test(2, kind: .fullText)])
    _ = state.apply(.ended(1, .dropped), at: .at(1))
    #expect(state.stub.demands.last == NetworkDemand(waiting: 0, hosts: 1))
    // A full text belongs to no account.
    #expect(state.apply(.ended(2, .dropped), at: .at(1)).names == [])
    #expect(state.stub.demands.last == NetworkDemand(waiting: 0, hosts: 0))
  }

  @Test("A spread feed that was cancelled leaves the spread at its time") func cancelledSpread() {
    var state = EngineState.stubbed()
    state.cancelled = [key(1)]
    state.due.spread[key(1)] = (.test(1), .at(2))
    _ = state.apply(.tick, at: .at(2))
    #expect(state.due.spread.isEmpty && !state.table.contains(key(1)))
  }
}
