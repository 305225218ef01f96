@testable import SyncEngine

/// Tables of the engine's reaction to each event, without tasks, clocks or a database.
@Suite("Events of the engine's state") struct EngineStateTests {
  private static let key = OperationKey.refresh(FeedID(rawValue: 1))

  private func entry(
    _ row: Int64, host: String = "", kind: OperationKind = .refresh,
    _ priority: OperationPriority = .scheduled
  ) -> OperationEntry {
    OperationEntry(
      key: OperationKey(kind: kind, row: row), host: host.isEmpty ? "h\(row).example" : host,
      priority: priority, enqueuedAt: .at(0))
  }

  private func state(_ mode: RunMode = .serving) -> EngineState {
    var configuration = SyncConfiguration()
    configuration.initialSpread = .zero
    configuration.limiter = { FixedLimiter($0) }
    var state = EngineState(configuration)
    _ = state.apply(.began(mode), at: .at(0))
    return state
  }

  /// The state of the only operation.
  enum Stage: String, CaseIterable {
    case absent, spread, waiting, fetching, suspected, digesting
  }

  private func state(with stage: Stage) -> EngineState {
    var state = state()
    switch stage {
    case .absent: break
    case .spread: state.due.spread[Self.key] = (entry(1), .at(100))
    case .waiting:
      _ = state.apply(.paused([.everything]), at: .at(1))
      _ = state.apply(.found([entry(1)]), at: .at(1))
    case .fetching, .suspected, .digesting:
      _ = state.apply(.found([entry(1)]), at: .at(1))
      _ = state.apply(.tick, at: .at(1))
      if stage == .digesting {
        _ = state.apply(.fetched(1, FetchEnd(end: .answered, hostLimit: 2)), at: .at(2))
      } else if stage == .suspected {
        state.table.endTransfer(Self.key)
        state.table.setSuspected(Self.key, true)
      }
    }
    return state
  }

  private func stage(_ state: EngineState) -> Stage {
    if state.due.spread[Self.key] != nil { return .spread }
    if state.table.waiting[Self.key] != nil { return .waiting }
    switch state.table.running[Self.key]?.state {
    case .fetching: return .fetching
    case .suspected: return .suspected
    case .digesting: return .digesting
    case .waiting, nil: return .absent
    }
  }

  private func names(_ actions: [EngineAction]) -> [String] {
    actions.map { String(describing: $0).prefix { $0 != "(" }.description }
      .filter { $0 != "wake" && $0 != "emit" }
  }

  private static let unchanged: [(Stage, [String])] = Stage.allCases.map { ($0, []) }
  private static let transferEnds: [(Stage, [String])] = [
    (.absent, []), (.spread, []), (.waiting, []), (.digesting, ["proceed"]), (.suspected, []),
    (.digesting, []),
  ]
  private static let workEnds: [(Stage, [String])] = [
    (.absent, []), (.spread, []), (.waiting, []), (.absent, []), (.absent, []), (.absent, []),
  ]

  /// An event, and for each `Stage` in order the next stage and the actions.
  static let table: [(name: String, event: EngineEvent, results: [(Stage, [String])])] = [
    (
      "work found", .found([entryOne]),
      [
        (.waiting, []), (.waiting, []), (.waiting, []), (.fetching, []), (.suspected, []),
        (.digesting, []),
      ]
    ),
    (
      "due", .due(DueWork(work: [entryOne], next: nil)),
      [
        (.waiting, []), (.spread, []), (.waiting, []), (.fetching, []), (.suspected, []),
        (.digesting, []),
      ]
    ),
    (
      "row wanted no longer", .wanted(kind: .refresh, rows: []),
      [
        (.absent, []), (.spread, []), (.absent, []), (.fetching, ["cancel"]),
        (.absent, ["cancel"]), (.digesting, []),
      ]
    ),
    (
      "cancelled by the user", .cancelled([.feed(FeedID(rawValue: 1))]),
      [
        (.absent, ["completeCancellations"]), (.absent, ["completeCancellations"]),
        (.absent, ["completeCancellations"]),
        (.fetching, ["cancel", "completeCancellations"]),
        (.absent, ["cancel", "completeCancellations"]),
        (.digesting, ["completeCancellations"]),
      ]
    ),
    (
      "everything that waits cancelled", .cancelled([.waiting]),
      [
        (.absent, ["completeCancellations"]), (.absent, ["completeCancellations"]),
        (.absent, ["completeCancellations"]),
        (.fetching, ["completeCancellations"]), (.absent, ["cancel", "completeCancellations"]),
        (.digesting, ["completeCancellations"]),
      ]
    ),
    ("fetched", .fetched(1, FetchEnd(end: .answered, hostLimit: 2)), transferEnds),
    ("stored", .ended(1, .stored([])), workEnds),
    ("dropped", .ended(1, .dropped), workEnds),
    ("not stored", .ended(1, .failed(.diskFull)), workEnds),
    ("sync paused", .paused([.everything]), unchanged),
    ("clock set back", .clockSetBack, Stage.allCases.map { ($0, ["correctPlans"]) }),
    ("a read fails", .storeFailed(.busy), unchanged),
    (
      "bytes arrive",
      .reported([.init(operation: 1, report: .transfer(.received(100), at: .at(3)))]),
      unchanged
    ),
    ("on screen", .visibleFeeds([key]), unchanged),
    ("feed settings changed", .feedSettingsChanged, unchanged),
    ("the user asks for something", .asked, unchanged),
    ("a probe reached its host", .probed(reached: true), unchanged),
    ("a probe reached nobody", .probed(reached: false), unchanged),
    ("plans corrected", .plansCorrected, unchanged),
    ("cancellations settled", .cancellationsCompleted([key]), unchanged),
    ("the status is being written", .flushBegan, unchanged),
    ("status written", .flushEnded(nil), unchanged),
    ("status not written", .flushEnded(.diskFull), unchanged),
    ("host promises much", .fetched(1, FetchEnd(end: .answered, hostLimit: .max)), transferEnds),
    ("host serves nobody", .fetched(1, FetchEnd(end: .answered, hostLimit: 0)), transferEnds),
    ("no request is open", .requests(open: [], new: []), unchanged),
    ("a run begins", .began(.serving), Stage.allCases.map { _ in (.absent, []) }),
    (
      "tick", .tick,
      [
        (.absent, []), (.spread, []), (.waiting, []), (.fetching, []), (.digesting, ["proceed"]),
        (.digesting, []),
      ]
    ),
  ]

  private static let entryOne = OperationEntry(
    key: key, host: "h1.example", priority: .scheduled, enqueuedAt: .at(0))

  @Test("Each event has its effect in each stage of an operation", arguments: table.indices)
  func eventsByStage(index: Int) {
    let row = Self.table[index]
    for (stage, expected) in zip(Stage.allCases, row.results) {
      var state = state(with: stage)
      let actions = names(state.apply(row.event, at: .at(3)))
      #expect(self.stage(state) == expected.0, "\(row.name) in stage \(stage)")
      #expect(actions == expected.1, "\(row.name) in stage \(stage)")
      // An operation is in one place only, and the counts are right.
      #expect(state.table.inFlight == state.table.running.values.count { $0.state == .fetching })
      #expect(state.table.digesting >= 0)
    }
  }

  @Test("A wall clock that jumps changes no stage", arguments: Stage.allCases, [-1.0, 1])
  func clockJump(stage: Stage, years: Double) {
    var (usual, jumped) = (state(with: stage), state(with: stage))
    let expected = names(usual.apply(.tick, at: .at(3)))
    let date = Instant.at(3).date.addingTimeInterval(years * 366 * 86_400)
    let now = Instant(uptime: Instant.at(3).uptime, date: date)
    #expect(names(jumped.apply(.tick, at: now)) == expected)
    #expect(self.stage(jumped) == self.stage(usual))
    let (wake, other) = (
      jumped.nextWake(at: now, others: []), usual.nextWake(at: .at(3), others: [])
    )
    #expect(wake?.uptime == other?.uptime)
  }

  @Test("A host that misreports its speed gets no more operations than its limit")
  func hostLimit() {
    var state = state()
    _ = state.apply(.found((1...9).map { entry($0, host: "fast.example") }), at: .at(0))
    _ = state.apply(.tick, at: .at(0))
    #expect(state.table.inFlight == 2)
    _ = state.apply(.fetched(1, FetchEnd(end: .answered, hostLimit: 4)), at: .at(1))
    _ = state.apply(.tick, at: .at(1))
    #expect(state.table.inFlight == 4)
    _ = state.apply(.fetched(2, FetchEnd(end: .answered, hostLimit: 1)), at: .at(2))
    _ = state.apply(.tick, at: .at(2))
    #expect(state.table.inFlight == 3)
  }

  @Test("A requeued operation goes back before others of its class") func requeued() {
    var state = state(with: .fetching)
    _ = state.apply(.found([entry(2)]), at: .at(2))
    _ = state.apply(.paused([.everything]), at: .at(2))
    state.table.setRequeued(Self.key)
    _ = state.apply(.ended(1, .dropped), at: .at(3))
    #expect(stage(state) == .waiting)
    #expect(state.progress.total == 2)
    _ = state.apply(.paused([]), at: .at(4))
    let starts = state.apply(.tick, at: .at(4)).compactMap { action in
      if case .start(let entry, _) = action { entry.key.row } else { nil }
    }
    #expect(starts == [1, 2])
  }

  @Test("A run until idle gives up a cache that rejects writes") func givingUp() {
    var state = state(.untilIdle(.dueAndRequested))
    _ = state.apply(.found([entry(1)]), at: .at(0))
    _ = state.apply(.storeFailed(.diskFull), at: .at(0))
    _ = state.apply(.tick, at: .at(0))
    #expect(state.isFinished)
    #expect(state.summary.storeFailure == .diskFull)
  }

  @Test("Before the first sync the status counts nothing") func statusBeforeSync() {
    let status = EngineState.stubbed().status
    #expect(!status.isRunning && status.bytes == 0 && status.total == 0 && status.done == 0)
  }

  @Test("The limiter ticks at once when a sync starts, however short the time since the last one")
  func tickOfNewSync() {
    var state = EngineState.running([.test(1)])
    _ = state.apply(.ended(1, .stored([])), at: .at(0.01))
    #expect(state.apply(.tick, at: .at(0.02)).events == ["syncEnded"])
    let before = state.stub.demands.count
    state.run([.test(2)], at: 0.03)
    #expect(state.stub.demands.count == before + 1)
  }

  @Test("Until a host answers, probes use running operations as they started, then waiting ones")
  func probedWork() {
    var state = EngineState.running([.test(3), .test(1), .test(2)])
    state.stub.admitted = []
    _ = state.apply(.found([.test(4)]), at: .at(0))
    func probe(failed: Int) -> [String] {
      (state.stub.actions, state.stub.failedProbes) = ([.probe], failed)
      state.network.tickedAt = nil
      return state.apply(.tick, at: .at(1)).names
    }
    let probes = (0...4).flatMap { probe(failed: $0) }
    #expect(probes == ["probe - 3", "probe - 1", "probe - 2", "probe - 4", "probe - 3"])
  }
}
