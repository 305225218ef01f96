@testable import SyncEngine

/// Ends of operations in an engine with a stub limiter.
@Suite("Ends of operations") struct EngineEndTests {
  private static let key = OperationKey.refresh(FeedID(rawValue: 1))
  private static let refused = OperationEnd.refused(host: "h1.example")

  /// A state with running operations, whose ids are 1, 2, …
  private func fetching(_ rows: Int64 = 1) -> EngineState {
    var state = EngineState.stubbed()
    state.run((1...rows).map { .test($0) }, at: 1)
    return state
  }

  private func end(
    _ state: inout EngineState, _ id: OperationID, _ end: OperationEnd?, at now: Double = 2
  ) -> [String] {
    state.apply(.fetched(id, FetchEnd(end: end, hostLimit: 2)), at: .at(now)).names
  }

  @Test("The runner cancels an operation that is requeued") func requeuedIsCancelled() {
    var state = fetching(2)
    state.limiter = StubLimiter(limit: 0)
    #expect(end(&state, 2, .unreachable(host: "h2.example")) == ["cancel 2"])
    #expect(state.table.waiting.keys.map(\.row) == [2])
    #expect(state.table.running.keys.map(\.row) == [1])
  }

  @Test("Suspected operations are requeued and cancelled with the one that proves the outage")
  func suspectsAreRequeued() {
    var state = fetching(2)
    state.limiter = StubLimiter(isInDoubt: true)
    #expect(end(&state, 1, Self.refused) == [])
    #expect(state.table.suspected == [Self.key])
    state.limiter = StubLimiter(limit: 0)
    #expect(end(&state, 2, .unreachable(host: "h2.example")) == ["cancel 2", "cancel 1"])
    #expect(state.table.running.isEmpty && state.table.suspected.isEmpty)
    #expect(Set(state.table.waiting.keys.map(\.row)) == [1, 2])
  }

  @Test(
    "A failure that the network may have caused is retried once",
    arguments: [refused, .failed, .timedOut])
  func retriedOnce(failure: OperationEnd) {
    var state = fetching()
    state.limiter = StubLimiter(mayBeNetwork: true)
    #expect(end(&state, 1, failure) == ["cancel 1"])
    #expect(state.table.waiting[Self.key]?.entry.retries == 1)
    _ = state.apply(.tick, at: .at(3))
    #expect(end(&state, 2, failure, at: 4) == ["proceed 2"])
    #expect(state.table.running[Self.key]?.state == .digesting)
  }

  @Test("A refresh that an outage requeues is reported as postponed, and may still be retried")
  func postponed() {
    var state = fetching()
    state.limiter = StubLimiter(limit: 0)
    let fetch = FetchEnd(end: .unreachable(host: "h1.example"), hostLimit: 2)
    let feeds = state.apply(.fetched(1, fetch), at: .at(2)).compactMap { action in
      if case .emit(.refreshPostponed(let feed)) = action { feed.rawValue } else { nil }
    }
    #expect(feeds == [1])
    #expect(state.table.waiting[Self.key]?.entry.retries == 0)
    state.limiter = StubLimiter(mayBeNetwork: true)
    _ = state.apply(.tick, at: .at(3))
    #expect(end(&state, 2, .failed, at: 4) == ["cancel 2"])
    #expect(state.table.waiting[Self.key]?.entry.retries == 1)
  }

  @Test(
    "A failure caused by the host is not retried",
    arguments: [refused, .failed, .timedOut, .answered, .cancelled, nil])
  func notRetried(failure: OperationEnd?) {
    var state = fetching()
    #expect(end(&state, 1, failure) == ["proceed 1"])
  }

  @Test(
    "Due feeds are loaded again after a refresh of a list that may add feeds",
    arguments: [true, false])
  func listsMayAddFeeds(mayAddFeeds: Bool) {
    var state = fetching()
    _ = state.apply(.due(DueWork(work: [], next: nil)), at: .at(1))
    _ = end(&state, 1, .answered)
    #expect(!state.loadsDue(at: .at(60)))
    let report = RefreshReport(
      feed: FeedID(rawValue: 1), name: "", url: "", outcome: .unchanged, mayAddFeeds: mayAddFeeds)
    _ = state.apply(.ended(1, .stored([.refreshEnded(report)])), at: .at(3))
    #expect(state.loadsDue(at: .at(60)) == mayAddFeeds)
  }

  @Test("A feed that was refreshed for a request may be due again when the request ends")
  func endedRequest() {
    var state = EngineState.stubbed()
    _ = state.apply(.requests(open: [7], new: [(id: 7, work: [.test(1)])]), at: .at(1))
    _ = state.apply(.tick, at: .at(1))
    _ = end(&state, 1, .answered)
    _ = state.apply(.ended(1, .stored([])), at: .at(3))
    #expect(state.isIdle)
    _ = state.apply(.requests(open: [], new: []), at: .at(4))
    #expect(state.requests.isEmpty && state.due.suppressed.isEmpty)
    _ = state.apply(.due(DueWork(work: [.test(1)], next: nil)), at: .at(5))
    #expect(state.table.contains(Self.key))
  }
}
