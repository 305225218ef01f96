@testable import SyncEngine

/// A limiter whose answers a test sets.
struct StubLimiter: ConcurrencyLimiter {
  var limit = 8
  var quality: ConnectionQuality?
  var failedProbes = 0
  var secondsOffline = 0.0
  var hasHeard = true
  var isInDoubt = false
  var rate = 0.0
  var timeouts = ConnectionTimeouts(silence: 20)
  var reason = LimitReason.steady
  /// The answer to each end of an operation.
  var mayBeNetwork = false
  /// Priorities that may start.
  var admitted = Set(OperationPriority.allCases)
  /// The answer to the next tick.
  var actions: [LimiterAction] = []

  private(set) var started: [OperationID] = []
  private(set) var ends: [OperationEnd] = []
  private(set) var demands: [NetworkDemand] = []
  private(set) var probes: [Bool] = []
  private(set) var events: [TransferEvent] = []
  var expected: ConnectionQuality?

  mutating func operationStarted(
    _ id: OperationID, _ priority: OperationPriority, at now: Double
  ) { started.append(id) }
  mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {
    events.append(event)
  }
  mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool {
    ends.append(end)
    demands.append(demand)
    return mayBeNetwork
  }
  mutating func probeEnded(reached: Bool, at now: Double) { probes.append(reached) }
  mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] {
    demands.append(demand)
    defer { actions = [] }
    return actions
  }
  func mayStart(_ priority: OperationPriority) -> Bool { admitted.contains(priority) }
  func outage(at now: Double) -> Double { secondsOffline }
}

extension EngineState {
  /// A state whose run began at 0, with a limiter that the test sets.
  static func stubbed(
    _ mode: RunMode = .serving, _ limiter: StubLimiter = StubLimiter(),
    configure: (inout SyncConfiguration) -> Void = { _ in }
  ) -> EngineState {
    var configuration = SyncConfiguration()
    configuration.initialSpread = .zero
    configuration.connections = 8
    configuration.limiter = { _ in limiter }
    configure(&configuration)
    var state = EngineState(configuration)
    _ = state.apply(.began(mode), at: .at(0))
    return state
  }

  /// A stubbed state in which these operations run.
  static func running(_ entries: [OperationEntry]) -> EngineState {
    var state = stubbed()
    state.run(entries)
    return state
  }

  var stub: StubLimiter {
    get { limiter as? StubLimiter ?? StubLimiter() }
    set { limiter = newValue }
  }

  /// Starts all operations that may start.
  mutating func run(_ entries: [OperationEntry], at seconds: Double = 0) {
    _ = apply(.found(entries), at: .at(seconds))
    _ = apply(.tick, at: .at(seconds))
  }
}

extension OperationEntry {
  /// An operation on its own host, unless `host` is given.
  static func test(
    _ row: Int64, host: String? = nil, kind: OperationKind = .refresh,
    _ priority: OperationPriority = .scheduled
  ) -> OperationEntry {
    OperationEntry(
      key: OperationKey(kind: kind, row: row), host: host ?? "h\(row).example",
      priority: priority, enqueuedAt: .at(0))
  }
}

extension [EngineAction] {
  /// Short descriptions of the actions, without `wake` and events.
  var names: [String] {
    compactMap { action in
      switch action {
      case .start(let entry, _): "start \(entry.key.row)"
      case .cancel(let id): "cancel \(id)"
      case .proceed(let id): "proceed \(id)"
      case .setReading(let id, let isOn): "setReading \(id) \(isOn)"
      case .enforceMinimumRate(let isOn): "enforceMinimumRate \(isOn)"
      case .probe(let url, let key): "probe \(url ?? "-") \(key.map { "\($0.row)" } ?? "-")"
      case .emit, .wake: nil
      default: String(describing: action).prefix { $0 != "(" }.description
      }
    }
  }

  /// Names of the events.
  var events: [String] {
    compactMap { action in
      if case .emit(let event) = action {
        String(describing: event).prefix { $0 != "(" }.description
      } else {
        nil
      }
    }
  }

  var wakes: Bool { contains { if case .wake = $0 { true } else { false } } }
}
