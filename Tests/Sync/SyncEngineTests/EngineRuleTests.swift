@testable import SyncEngine

/// Rules of the engine's state with a stub limiter.
@Suite("Rules of the engine's state") struct EngineRuleTests {
  private static let runs: [RunMode] = [
    .serving, .untilIdle(.dueAndRequested), .untilIdle(.requested), .untilIdle(.push),
    .untilIdle(.pack),
  ]
  private static let local = LocalSource.hostKey

  // MARK: Loading

  @Test("Each kind of run loads only its own work") func loads() {
    func loaded(_ isMeant: (EngineState) -> Bool) -> [Bool] {
      Self.runs.map { isMeant(.stubbed($0)) }
    }
    #expect(loaded { $0.loadsRequests } == [true, true, true, false, true])
    #expect(loaded { $0.loadsRefreshes } == [true, true, true, false, false])
    #expect(loaded { $0.loadsDue(at: .at(0)) } == [true, true, false, false, false])
    let idle = EngineState.stubbed { $0.isAutomatic = false }
    #expect(!idle.loadsDue(at: .at(0)))
  }

  @Test("Due feeds are loaded when the next one is due") func loadsTheNextDue() {
    var state = EngineState.stubbed()
    let next = EngineFixture.start + 100
    _ = state.apply(.due(DueWork(work: [], next: next)), at: .at(0))
    #expect(!state.loadsDue(at: .at(99.9)))
    #expect(state.loadsDue(at: .at(100)))
    // Overdue feeds are already queued; others are loaded after at most an hour.
    for (wait, nap) in [(-5.0, 60.0), (0, 60), (3_600, 3_600), (9_000, 3_600)] {
      var state = EngineState.stubbed()
      let next = EngineFixture.start + wait
      _ = state.apply(.due(DueWork(work: [], next: next)), at: .at(0))
      #expect(state.due.nextAt?.seconds == nap)
    }
    _ = state.apply(.due(DueWork(work: [], next: nil)), at: .at(0))
    #expect(state.due.nextAt == nil)
  }

  @Test("Due feeds are loaded at most once a second while the network is used")
  func loadsDueSeldom() {
    var state = EngineState.stubbed()
    _ = state.apply(.due(DueWork(work: [.test(1)], next: nil)), at: .at(10))
    _ = state.apply(.feedSettingsChanged, at: .at(10))
    #expect(!state.loadsDue(at: .at(10.9)))
    #expect(state.loadsDue(at: .at(11)))
    _ = state.apply(.tick, at: .at(10))
    #expect(!state.loadsDue(at: .at(10.9)))
    _ = state.apply(.fetched(1, FetchEnd(end: .answered, hostLimit: 2)), at: .at(10.5))
    #expect(state.loadsDue(at: .at(10.9)))
  }

  @Test("Pauses are loaded again after 15 s while there are any") func stalePauses() {
    var state = EngineState.stubbed()
    #expect(!state.arePausesStale(at: .at(100)))
    _ = state.apply(.paused([.host("h")]), at: .at(1))
    #expect(!state.arePausesStale(at: .at(15.9)))
    #expect(state.arePausesStale(at: .at(16)))
    state.pausesLoadedAt = nil
    #expect(state.arePausesStale(at: .at(1)))
    _ = state.apply(.paused([]), at: .at(20))
    #expect(!state.arePausesStale(at: .at(100)))
  }

  @Test(
    "Prefetches need a good connection, measured or expected",
    arguments: [
      (nil, nil, false), (nil, .good, true), (nil, .fair, false), (.fair, .good, false),
      (.good, .poor, true), (.excellent, nil, true), (.offline, .good, false),
    ] as [(ConnectionQuality?, ConnectionQuality?, Bool)])
  func prefetches(quality: ConnectionQuality?, expected: ConnectionQuality?, areLoaded: Bool) {
    var state = EngineState.stubbed()
    _ = state.apply(.expect(expected), at: .at(0))
    #expect(state.stub.expected == expected)
    state.stub.quality = quality
    #expect(state.prefetches == areLoaded)
    #expect(state.isPrefetchStale == areLoaded)
    _ = state.apply(.prefetches(true), at: .at(0))
    #expect(state.isPrefetchStale == !areLoaded)
  }

  @Test("Waiting prefetches are withdrawn when the connection becomes poor")
  func withdrawnPrefetches() {
    var state = EngineState.stubbed()
    _ = state.apply(.found([.test(1, .prefetch), .test(2, .background)]), at: .at(0))
    _ = state.apply(.prefetches(true), at: .at(1))
    #expect(state.table.waitingCount == 2)
    _ = state.apply(.prefetches(false), at: .at(1))
    #expect(state.table.waiting.keys.map(\.row) == [2])
  }

  // MARK: Starting

  @Test("Only user requests start while everything is paused") func pausedStarts() {
    var state = EngineState.stubbed()
    #expect(OperationPriority.allCases.allSatisfy(state.mayStart))
    _ = state.apply(.paused([.host("h")]), at: .at(0))
    #expect(OperationPriority.allCases.allSatisfy(state.mayStart))
    _ = state.apply(.paused([.everything]), at: .at(0))
    #expect(OperationPriority.allCases.filter(state.mayStart) == [.userInitiated])
    _ = state.apply(
      .found([.test(1), .test(2, host: Self.local), .test(3, .userInitiated)]), at: .at(0))
    #expect(state.apply(.tick, at: .at(0)).names == ["start 3"])
  }

  @Test("User requests may exceed the ceiling") func ceiling() {
    var state = EngineState.stubbed {
      $0.connections = 3
      $0.reserve = 2
    }
    state.run((1...9).map { .test($0) })
    #expect(state.table.inFlight == 3)
    // Local sources do not count.
    state.run([.test(20, host: Self.local)])
    #expect(state.table.inFlight == 4)
    state.run((10...19).map { .test($0, .userInitiated) })
    #expect(state.table.inFlight == 6)
    // Operations that wait to be stored count.
    for id in 1...6 {
      let answer = FetchEnd(end: .answered, hostLimit: 2)
      _ = state.apply(.fetched(OperationID(id), answer), at: .at(1))
    }
    #expect((state.table.inFlight, state.table.digesting) == (0, 6))
    #expect(!state.mayStart(.scheduled))
    for id in 1...4 { _ = state.apply(.ended(OperationID(id), .stored([])), at: .at(2)) }
    #expect(state.table.digesting == 2)
    #expect(state.mayStart(.scheduled))
    state.stub.admitted = []
    #expect(!state.mayStart(.scheduled) && state.mayStart(.userInitiated))
  }

  @Test("A user request starts offline, alone, to probe the network") func probingRequest() {
    var state = EngineState.stubbed(.serving, StubLimiter(limit: 0, quality: .offline))
    state.run([.test(1), .test(2, host: Self.local)])
    #expect(state.table.running.keys.map(\.row) == [2])
    #expect(!state.network.hasProbe)
    state.run([.test(3, host: Self.local, .userInitiated)])
    #expect(!state.network.hasProbe)
    state.run([.test(4, .userInitiated)])
    #expect(state.table.running.keys.map(\.row).sorted() == [2, 3, 4])
    #expect(!state.network.hasProbe)
    state.run([.test(5, .userInitiated)])
    #expect(
      state.network.hasProbe
        && state.table.waiting.keys.contains(OperationKey(kind: .refresh, row: 5)))
    #expect(!state.mayStart(.userInitiated))
    _ = state.apply(.ended(3, .dropped), at: .at(1))
    #expect(state.mayStart(.userInitiated))
    // Downloads count as requested, whatever their priority.
    var other = EngineState.stubbed(.serving, StubLimiter(limit: 0, quality: .offline))
    other.run([.test(1, kind: DownloadOperation.kind)])
    #expect(other.table.inFlight == 1)
    // No probe is needed while the network works.
    var online = EngineState.stubbed()
    _ = online.apply(.found([.test(1, .userInitiated)]), at: .at(0))
    #expect(!online.network.hasProbe)
  }

  @Test("Background work does not start on a poor connection") func poorConnection() {
    var state = EngineState.stubbed(.serving, StubLimiter(quality: .poor))
    #expect(
      OperationPriority.allCases.filter(state.mayStart) == [.userInitiated, .visible, .scheduled])
    state.stub.quality = .fair
    #expect(OperationPriority.allCases.allSatisfy(state.mayStart))
  }

  @Test("The minimum rate is enforced while half of a good connection is free")
  func spareCapacity() {
    var state = EngineState.running([.test(1)])
    var now = 0.0
    func actions(_ quality: ConnectionQuality?, _ rate: Double) -> [String] {
      now += 1
      (state.stub.quality, state.stub.rate) = (quality, rate)
      return state.apply(.tick, at: .at(now)).names
    }
    #expect(actions(nil, 0) == [])
    #expect(actions(.fair, 0) == [])
    #expect(actions(.good, 124_999) == ["enforceMinimumRate true"])
    #expect(actions(.excellent, 0) == [])
    #expect(actions(.good, 125_000) == ["enforceMinimumRate false"])
  }

  @Test("The demand counts the work that may start") func demand() {
    var state = EngineState.stubbed(.serving, StubLimiter(quality: .good))
    state.run([.test(1), .test(2, host: Self.local)])
    state.stub.admitted = []
    state.run([.test(3), .test(4, host: "h1.example"), .test(5, host: Self.local)])
    _ = state.apply(.paused([.host("h9.example")]), at: .at(1))
    #expect(state.demand == NetworkDemand(waiting: 2, hosts: 2))
    _ = state.apply(.paused([.everything]), at: .at(1))
    #expect(state.demand == NetworkDemand(waiting: 0, hosts: 1))
    for (quality, waiting) in [(nil, 0), (.poor, 0), (.fair, 1)] as [(ConnectionQuality?, Int)] {
      var state = EngineState.stubbed(.serving, StubLimiter(quality: quality))
      _ = state.apply(.found([.test(1, .background)]), at: .at(0))
      #expect(state.demand.waiting == waiting)
      _ = state.apply(.found([.test(2)]), at: .at(0))
      #expect(state.demand.waiting == 2)
    }
  }

  @Test("Work is held by a pause of everything, or of all its hosts") func held() {
    var state = EngineState.stubbed(.serving, StubLimiter(admitted: []))
    _ = state.apply(.found([.test(1), .test(2)]), at: .at(0))
    func isHeld(_ pauses: SyncPause.Scope...) -> Bool {
      _ = state.apply(.paused(Set(pauses)), at: .at(0))
      return state.isHeld
    }
    #expect(!isHeld())
    #expect(isHeld(.everything))
    #expect(!isHeld(.host("h1.example")))
    #expect(isHeld(.host("h1.example"), .host("h2.example")))
    _ = state.apply(.found([.test(1, .userInitiated)]), at: .at(0))
    #expect(!isHeld(.everything))
    #expect(isHeld(.everything, .host("h1.example")))
    #expect(isHeld(.host("h1.example"), .host("h2.example")))
  }

  @Test("The engine is busy while operations run, or wait without being held") func busy() {
    var state = EngineState.stubbed()
    #expect(!state.isBusy && state.isIdle)
    _ = state.apply(.found([.test(1)]), at: .at(0))
    #expect(state.isBusy && !state.isIdle)
    _ = state.apply(.paused([.everything]), at: .at(0))
    #expect(!state.isBusy)
    _ = state.apply(.paused([]), at: .at(0))
    _ = state.apply(.tick, at: .at(0))
    #expect(state.isBusy)
    _ = state.apply(.paused([.everything]), at: .at(0))
    #expect(state.isBusy)
  }

  // MARK: Giving up

  @Test("A run until idle gives up an offline network permanently; a serving engine does not")
  func givingUpTheNetwork() {
    func hasGivenUp(
      _ mode: RunMode = .untilIdle(.requested), hears: Bool, probes: Int = 0, seconds: Double = 0,
      quality: ConnectionQuality = .offline, work: OperationEntry? = nil
    ) -> Bool {
      var state = EngineState.stubbed(
        mode,
        StubLimiter(
          limit: 0, quality: quality, failedProbes: probes, secondsOffline: seconds,
          hasHeard: hears, admitted: []))
      if let work { _ = state.apply(.found([work]), at: .at(0)) }
      return state.hasGivenUp
    }
    #expect(!hasGivenUp(hears: false, probes: 1))
    #expect(hasGivenUp(hears: false, probes: 2))
    #expect(!hasGivenUp(hears: true, probes: 9, seconds: 120))
    #expect(hasGivenUp(hears: true, seconds: 120.1))
    #expect(!hasGivenUp(.serving, hears: false, probes: 2))
    #expect(!hasGivenUp(hears: false, probes: 2, quality: .poor))
    #expect(hasGivenUp(hears: false, probes: 2, work: .test(1)))
    #expect(!hasGivenUp(hears: false, probes: 2, work: .test(1, host: Self.local)))
  }

  @Test("A run until idle gives up held work once nothing runs") func givingUpHeldWork() {
    var state = EngineState.stubbed(.untilIdle(.requested))
    _ = state.apply(.paused([.everything]), at: .at(0))
    #expect(!state.hasGivenUp && state.isFinished)
    state.run([.test(1)])
    // The tick has ended the sync and removed its work.
    #expect(state.summary.isPaused && state.table.isEmpty && state.isFinished)
    #expect(state.phases == [OperationKey(kind: .refresh, row: 1): .idle])
    #expect(!state.summary.isOffline)
    var running = EngineState.stubbed(.untilIdle(.requested))
    running.run([.test(1)])
    _ = running.apply(.paused([.everything]), at: .at(0))
    _ = running.apply(.found([.test(2)]), at: .at(0))
    #expect(!running.isHeldForGood && !running.hasGivenUp && !running.isFinished)
    _ = running.apply(.ended(1, .stored([])), at: .at(1))
    #expect(running.isHeldForGood && running.hasGivenUp)
  }

  @Test("Local sources are read offline unless they are paused") func localSourcesOffline() {
    func hasGivenUp(_ pauses: SyncPause.Scope...) -> Bool {
      var state = EngineState.stubbed(
        .untilIdle(.requested),
        StubLimiter(limit: 0, quality: .offline, failedProbes: 2, hasHeard: false))
      _ = state.apply(.found([.test(1), .test(2, host: Self.local)]), at: .at(0))
      _ = state.apply(.paused(Set(pauses)), at: .at(0))
      return state.hasGivenUp
    }
    #expect(!hasGivenUp())
    #expect(!hasGivenUp(.host("h1.example")))
    #expect(hasGivenUp(.host(Self.local)))
    #expect(hasGivenUp(.everything))
  }

  @Test("A sync that gives up the network reports that it is offline") func offlineSummary() {
    var state = EngineState.stubbed(.untilIdle(.requested))
    _ = state.apply(.found([.test(1)]), at: .at(0))
    state.stub = StubLimiter(limit: 0, quality: .offline, failedProbes: 2, hasHeard: false)
    let actions = state.apply(.tick, at: .at(3))
    #expect(actions.events.contains("syncEnded"))
    #expect(state.summary.isOffline && !state.summary.isPaused)
    #expect(!state.progress.isRunning && state.due.isStale && state.isFinished)
    #expect(state.status.endedAt == EngineFixture.start + 3)
  }

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
