@testable import SyncEngine

/// The status and the wakes of the engine's state with a stub limiter, and its use of the limiter.
@Suite("Status and times of the engine's state") struct EngineStatusTests {
  private static let local = LocalSource.hostKey

  // MARK: Publishing

  @Test("The status shows the sync, and a rate only while it runs") func status() {
    var state = EngineState.stubbed(.serving, StubLimiter(quality: .good, rate: 100))
    state.run([.test(1), .test(2)])
    _ = state.apply(
      .reported([
        .init(operation: 1, report: .transfer(.received(500), at: .at(1))),
        .init(operation: 1, report: .transfer(.requesting, at: .at(1))),
      ]), at: .at(1))
    #expect(state.stub.events.count == 2)
    #expect(state.table[1]?.bytes == 500 && state.table[1]?.stage == .waitingForAnswer)
    let running = state.status
    #expect(running.isRunning && running.rate == 100 && running.bytes == 500)
    #expect((running.total, running.done, running.inFlight, running.limit) == (2, 0, 2, 8))
    #expect(running.quality == .good && running.startedAt == EngineFixture.start)
    for id in 1...2 {
      let report = RefreshReport(
        feed: FeedID(rawValue: Int64(id)), name: "", url: "",
        outcome: .refreshed(added: 2, updated: 0), bytes: 400)
      _ = state.apply(.ended(OperationID(id), .stored([.refreshEnded(report)])), at: .at(2))
    }
    let actions = state.apply(.tick, at: .at(2))
    #expect(actions.events == ["syncEnded"])
    let ended = state.status
    #expect(!ended.isRunning && ended.rate == 0 && ended.bytes == 800)
    #expect((ended.total, ended.done, ended.newArticles, ended.inFlight) == (2, 2, 4, 0))
    #expect(state.summary.newArticles == 4)
    // The next sync counts from zero.
    _ = state.apply(.found([.test(1)]), at: .at(5))
    #expect(state.status.bytes == 0 && state.progress.receivedBytes == 0)
  }

  @Test("Each waiting operation has its reason") func reasons() {
    func reason(
      _ entry: OperationEntry = .test(1), _ change: (inout EngineState) -> Void = { _ in }
    ) -> WaitReason? {
      var state = EngineState.stubbed()
      _ = state.apply(.found([entry]), at: .at(0))
      change(&state)
      return state.table.waiting[entry.key].map(state.reason)
    }
    #expect(reason() == .limitReached)
    #expect(reason(.test(1, .background)) == .slowNetwork)
    #expect(reason(.test(1, .background)) { $0.stub.admitted = [] } == .limitReached)
    #expect(reason { _ = $0.apply(.storeFailed(.busy), at: .at(0)) } == .storage)
    #expect(reason { _ = $0.apply(.paused([.everything]), at: .at(0)) } == .paused)
    #expect(reason { _ = $0.apply(.paused([.host("h1.example")]), at: .at(0)) } == .paused)
    #expect(reason { $0.stub.limit = 0 } == .offline)
    #expect(reason(.test(1, host: Self.local)) { $0.stub.limit = 0 } == .limitReached)
    #expect(
      reason { state in
        state.run([.test(2, host: "h1.example"), .test(3, host: "h1.example")])
        state.run([.test(1)])
      } == nil)
    #expect(
      reason(.test(9, host: "busy")) { state in
        _ = state.apply(.paused([.everything]), at: .at(0))
        state.run([.test(2, host: "busy", .userInitiated), .test(3, host: "busy", .userInitiated)])
        _ = state.apply(.paused([]), at: .at(0))
      } == .hostBusy)
  }

  @Test("A host at its limit is shown as busy, also for operations that were not tried yet")
  func busyHost() {
    var state = EngineState.running([.test(1, host: "busy"), .test(2, host: "busy")])
    _ = state.apply(.found([.test(3, host: "busy")]), at: .at(0))
    let waiting = state.table.waiting[OperationKey(kind: .refresh, row: 3)]
    #expect(waiting.map(state.reason) == .hostBusy)
    // Due feeds that were never loaded are loaded beside other work.
    #expect(state.loadsDue(at: .at(0)))
  }

  // MARK: Waking

  @Test("The engine wakes for ticks while it works, and otherwise for the next event")
  func waking() {
    func wake(at now: Double = 0, others: [Double] = [], _ change: (inout EngineState) -> Void)
      -> Double?
    {
      var state = EngineState.stubbed()
      change(&state)
      return state.nextWake(at: .at(now), others: others.map { .at($0) })?.seconds
    }
    #expect(wake { _ in } == nil)
    #expect(wake(others: [7, 5]) { _ in } == 5)
    #expect(wake { $0.run([.test(1)]) } == 0.1)
    #expect(wake { _ = $0.apply(.found([.test(1)]), at: .at(0)) } == 0.1)
    #expect(
      wake { state in
        state.stub.limit = 0
        _ = state.apply(.found([.test(1)]), at: .at(0))
      } == 0.5)
    #expect(
      wake { state in
        state.run([.test(1)])
        state.stub.limit = 0
      } == 0.1)
    #expect(
      wake { state in
        _ = state.apply(.found([.test(1)]), at: .at(0))
        _ = state.apply(.paused([.everything]), at: .at(0))
      } == 15)
    #expect(
      wake(others: [5]) { state in
        _ = state.apply(.found([.test(1)]), at: .at(0))
        _ = state.apply(.storeFailed(.busy), at: .at(0))
      } == 30)
    // The engine is retrying the cache.
    #expect(wake(at: 30, others: [35]) { _ = $0.apply(.storeFailed(.busy), at: .at(0)) } == nil)
    #expect(
      wake { state in
        state.run([.test(1)])
        _ = state.apply(.storeFailed(.busy), at: .at(0))
      } == 0.1)
    #expect(
      wake { state in
        state.due.spread[OperationKey(kind: .refresh, row: 1)] = (.test(1), .at(8))
        state.due.spread[OperationKey(kind: .refresh, row: 2)] = (.test(2), .at(6))
      } == 6)
    #expect(wake { $0.due.nextAt = .at(40) } == 40)
    #expect(wake { $0.due.nextAt = .at(0.5) } == 1)
    #expect(
      wake { state in
        state.run([.test(1)])
        _ = state.apply(.fetched(1, FetchEnd(end: .answered, hostLimit: 2)), at: .at(0))
        state.table.setSuspected(OperationKey(kind: .refresh, row: 1), true)
      } == 0.1)
  }

  // MARK: The network

  @Test("The engine carries out the limiter's actions") func limiterActions() {
    var state = EngineState.running([.test(1), .test(2)])
    _ = state.apply(.fetched(2, FetchEnd(end: .answered, hostLimit: 2)), at: .at(0))
    state.stub.actions = [.pause(1), .resume(1), .requeue(1), .requeue(2), .requeue(9)]
    #expect(
      state.apply(.tick, at: .at(1)).names == [
        "setReading 1 false", "setReading 1 true", "cancel 1",
      ])
    #expect(state.table.running.values.filter(\.isRequeued).map(\.id) == [1])
  }

  @Test("The limiter ticks at most every 0.1 s, and at once after a user request")
  func tickInterval() {
    var state = EngineState.running([.test(1)])
    func isAsked(at now: Double) -> Bool {
      let before = state.stub.demands.count
      _ = state.apply(.tick, at: .at(now))
      return state.stub.demands.count > before
    }
    #expect(!isAsked(at: 0.08))
    #expect(isAsked(at: 0.09))
    let actions =
      state.apply(.found([.test(2, .userInitiated)]), at: .at(0.1))
      + state.apply(.tick, at: .at(0.1))
    #expect(actions.wakes)
    #expect(isAsked(at: 0.11))
    #expect(!isAsked(at: 0.12))
    var idle = EngineState.stubbed()
    _ = idle.apply(.tick, at: .at(1))
    #expect(idle.stub.demands.isEmpty)
  }

  @Test("A changed limit is published once, and accounts are refreshed after an outage")
  func publishedLimit() {
    var state = EngineState.stubbed()
    func publish(_ limiter: StubLimiter) -> [EngineAction] {
      state.stub = limiter
      return state.apply(.probed(reached: true), at: .at(1))
    }
    #expect(publish(StubLimiter(quality: .offline)).events == ["limitChanged"])
    #expect(publish(StubLimiter(quality: .offline)).events == [])
    #expect(publish(StubLimiter(limit: 9, quality: .offline)).names == [])
    let back = publish(StubLimiter(limit: 9, quality: .good))
    #expect(back.names == ["refreshAccounts"] && back.events == ["limitChanged"] && back.wakes)
    #expect(publish(StubLimiter(limit: 9, quality: .fair)).names == [])
    #expect(state.stub.probes == [true])
  }

  @Test("Probes use each address that answered in turn, the first time without a connection")
  func probes() {
    var state = EngineState.stubbed()
    func probe() -> [String] {
      state.stub.actions = [.probe]
      state.network.tickedAt = nil
      return state.apply(.tick, at: .at(1)).names.filter { $0.hasPrefix("probe") }
    }
    _ = state.apply(.found([.test(1, host: Self.local)]), at: .at(0))
    #expect(probe() == ["probe - -"])
    state.stub.admitted = []
    _ = state.apply(.found([.test(3), .test(2)]), at: .at(0))
    #expect(probe() == ["probe - 3"])
    state.stub.failedProbes = 1
    #expect(probe() == ["probe - 2"])
    state.stub.failedProbes = 2
    #expect(probe() == ["probe - 3"])
    state.network.remember("http://h7.example/a")
    state.network.remember("http://h8.example/a")
    state.network.remember("http://h7.example/b")
    #expect(state.network.addresses == ["http://h8.example/a", "http://h7.example/b"])
    #expect(probe() == ["probe http://h8.example/a -"])
    #expect(probe() == ["probe http://h7.example/b -"])
    state.stub.admitted = [.scheduled]
    state.run([.test(8)])
    #expect(probe() == ["probe http://h7.example/b -"])
    #expect(probe() == ["probe http://h7.example/b -"])
    state.run([.test(7)])
    #expect(probe() == ["probe http://h8.example/a -"])
    for number in 10...20 { state.network.remember("http://h\(number).example/") }
    #expect(state.network.addresses.count == 8)
    #expect(state.network.addresses.last == "http://h20.example/")
  }

  @Test("The address of an answer is stored") func answeredAddress() {
    var state = EngineState.running([.test(1), .test(2)])
    func end(_ id: OperationID, _ end: OperationEnd) {
      let fetch = FetchEnd(end: end, address: "http://h\(id).example/", hostLimit: 2)
      _ = state.apply(.fetched(id, fetch), at: .at(1))
    }
    end(1, .failed)
    end(2, .answered)
    #expect(state.network.addresses == ["http://h2.example/"])
  }
}
