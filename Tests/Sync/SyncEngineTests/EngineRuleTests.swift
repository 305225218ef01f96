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
}
