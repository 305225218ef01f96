@_exported public import Networking

/// Measures the network and sets the concurrency limit, which rises while goodput grows, falls when
/// a queue builds up, and is zero while offline.
///
/// The limit follows two signals that depend on the network alone. *Goodput* is the rate of all
/// socket bytes together, not bytes ÷ time of one request: by that measure a 304 looks like GPRS,
/// and a slow server like a slow network. *Queueing* is the TCP handshake time minus its minimum,
/// because a handshake includes no processing by the server. If all connections are reused, the
/// kernel's round-trip time minus its minimum replaces it.
///
/// The limit changes at the end of each *epoch*, in which about half as many operations end as the
/// limit allows. An operation that waits long for its server is *parked*: it keeps its file
/// descriptor but does not count towards the limit.
public struct AdaptiveLimiter: ConcurrencyLimiter {
  /// The first limit, and the least.
  static let start = 12.0
  static let floor = 2.0

  struct Operation: Sendable {
    enum Stage { case connecting, waiting, receiving }
    var priority: OperationPriority
    var startedAt: Double
    /// The time of the last event from the host, initially the start.
    var heardAt: Double
    var stage = Stage.connecting
    var requestedAt: Double?
    var bytes = 0
    var isPaused = false
    /// True if the limiter has requested its end.
    var isLeaving = false

    /// True if the operation counts towards the limit. User requests never do.
    var counts: Bool { priority > .userInitiated && !isPaused && !isLeaving }
  }

  /// The measurements between two decisions.
  struct Epoch: Sendable {
    var start: Double
    var bytesBefore: Int64
    var ended = 0
    var loads = 0
    var checks = 0
    var connects: [Double] = []
    /// Queueing on reused connections in seconds, from the kernel's round-trip times.
    var delays: [Double] = []

    var load: Double { checks > 0 ? Double(loads) / Double(checks) : 0 }
  }

  let ceiling: Double
  var current: Double
  var operations: [OperationID: Operation] = [:]
  var ledger = ByteLedger()
  var epoch = Epoch(start: 0, bytesBefore: 0)
  var line = Line()
  /// The limit and the network before an outage.
  var memory: (limit: Double, line: Line)?
  var detector = OfflineDetector()
  var estimate = QualityEstimate()
  public var expected: ConnectionQuality?
  var actions: [LimiterAction] = []
  // Response times of servers and durations of operations in seconds: the last twenty.
  var thinkTimes: [Double] = []
  var durations: [Double] = []
  /// Seconds of silence before parking, as of the last check at which the network worked.
  var parkLimit = 3.0
  var now = 0.0
  var checkedAt = -Double.infinity
  /// The time until which measurements may reflect this machine's slowness.
  var distractedUntil = -Double.infinity
  /// The time when the network last collapsed, was suspect, or was found slow.
  var falteredAt = -Double.infinity

  public internal(set) var reason = LimitReason.starting

  /// - Parameter ceiling: the maximum number of concurrent operations.
  public init(ceiling: Int) {
    self.ceiling = max(Self.floor, Double(ceiling))
    current = min(Self.start, self.ceiling)
  }

  public var limit: Int { detector.isOffline ? 0 : max(1, Int(current)) }
  public var quality: ConnectionQuality? { detector.isOffline ? .offline : estimate.quality }
  public var failedProbes: Int { detector.failedProbes }
  public var isInDoubt: Bool { detector.isInDoubt }
  public var hasHeard: Bool { detector.hasHeard }
  public func outage(at now: Double) -> Double { detector.outage(at: now) }
  /// B/s over the last second, or over four on a network with very little capacity.
  public var rate: Double { ledger.goodput(over: line.capacity > Line.tiny ? 1 : 4) }

  public var timeouts: ConnectionTimeouts {
    let buffer = line.isSlow && quality != nil ? 32 << 10 : nil
    return switch quality {
    case .poor, .offline: ConnectionTimeouts(silence: 45, connect: 30, receiveBuffer: buffer)
    case .fair: ConnectionTimeouts(silence: 30, connect: 20, receiveBuffer: buffer)
    case .good, .excellent, nil: ConnectionTimeouts(silence: 20, receiveBuffer: buffer)
    }
  }

  public func mayStart(_ priority: OperationPriority) -> Bool {
    guard !detector.isOffline, !detector.isSuspect else { return false }
    if priority == .userInitiated { return true }
    let known = quality ?? (priority == .prefetch ? expected : nil) ?? .offline
    guard known >= priority.leastQuality else { return false }
    let running = operations.values.map(\.priority)
    if priority == .prefetch, running.count(where: { $0 == .prefetch }) >= 2 { return false }
    if line.isSlow, isGated { return load < gatedWidth }
    let keepsPlace = priority > .visible && (line.isSlow || !hasDecided)
    return load < (keepsPlace && running.contains(.visible) ? max(1, limit - 1) : limit)
  }

  var hasDecided: Bool { !line.goodputs.isEmpty }
  var hasPaused: Bool { operations.values.contains(where: \.isPaused) }
  var isAlive: Bool { silence < 1.5 }
  var silence: Double { now - ledger.heardAt }

  /// The number of operations that use the network, without parked ones.
  var load: Int {
    operations.values.count { $0.counts && ($0.stage == .receiving || now - $0.heardAt <= park) }
  }

  /// Seconds of silence before parking; infinite while the network may be silent.
  var park: Double { isAlive ? parkLimit : .infinity }
  /// The limit beside a user request on a slow network: half, and none on a tiny one.
  var gatedWidth: Int { line.capacity < Line.tiny ? 0 : max(1, Int(current / 2)) }

  public mutating func operationStarted(
    _ id: OperationID, _ priority: OperationPriority, at now: Double
  ) {
    self.now = now
    if operations.isEmpty { begin(after: now - ledger.heardAt, at: now) }
    operations[id] = Operation(priority: priority, startedAt: now, heardAt: now)
    if priority == .userInitiated {
      if line.isSlow {
        // Connecting operations leave in favour of the user's request.
        requeue { $0.priority > .visible && $0.stage == .connecting && $0.bytes < 1_000 }
      }
      regulate()
    }
  }

  /// All events but `.requesting` show that the network carries data.
  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {
    self.now = max(self.now, now)
    let startedInEpoch = operations[id].map { $0.startedAt >= epoch.start } ?? false
    switch event {
    case .connected(let seconds):
      heard(0, by: id, at: now)
      operations[id]?.stage = .connecting
      if startedInEpoch { epoch.connects.append(seconds) }
    case .requesting:
      operations[id]?.stage = .waiting
      operations[id]?.requestedAt = now
    case .roundTrip(let seconds, let least):
      heard(0, by: id, at: now)
      if startedInEpoch { epoch.delays.append(max(0, seconds - least)) }
      if line.base == nil { line.base = least }
    case .firstByte:
      heard(0, by: id, at: now)
      operations[id]?.stage = .receiving
      if let asked = operations[id]?.requestedAt { thinkTimes.appendRecent(now - asked) }
    case .received(let bytes):
      heard(bytes, by: id, at: now)
    }
  }

  private mutating func heard(_ bytes: Int, by id: OperationID, at now: Double) {
    answered(bytes, at: now)
    operations[id]?.heardAt = now
    operations[id]?.bytes += bytes
  }

  private mutating func answered(_ bytes: Int = 0, at now: Double) {
    ledger.add(bytes, at: now)
    if detector.isOffline { recover() }
    detector.answered(at: now)
  }

  @discardableResult
  public mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool {
    self.now = max(self.now, now)
    let operation = operations.removeValue(forKey: id)
    if let operation {
      if end != .cancelled, operation.startedAt >= epoch.start { epoch.ended += 1 }
      if end == .answered, operation.priority > .userInitiated {
        durations.appendRecent(now - operation.startedAt)
      }
    }
    if end == .answered {
      answered(at: now)
      // A short sync ends before its first epoch, and the user still sees a quality.
      if estimate.quality == nil {
        estimate.judge(goodput: 0, delay: epoch.connects.min() ?? line.base, wasFull: false)
      }
    }
    let wasOffline = detector.isOffline
    detector.failed(end, of: demand.hosts, at: now)
    if detector.isOffline, !wasOffline { falter(.offline) }
    clearSuspicion(demand)
    if hasPaused || operation?.priority == .userInitiated { regulate() }
    guard let operation, end == .timedOut || end == .failed else { return false }
    return detector.isSuspect || detector.isOffline || falteredAt >= operation.startedAt
      || estimate.quality.map { $0 <= .fair } ?? false
  }

  private mutating func clearSuspicion(_ demand: NetworkDemand) {
    if operations.isEmpty, demand.waiting == 0, !detector.isOffline { detector.clearSuspicion() }
  }

  public mutating func probeEnded(reached: Bool, at now: Double) {
    self.now = max(self.now, now)
    if reached { answered(at: now) } else { detector.probeFailed() }
  }

  public mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] {
    clearSuspicion(demand)
    check(at: now, demand)
    defer { actions = [] }
    return actions
  }
}

extension [Double] {
  /// Appends a value and keeps the last twenty.
  mutating func appendRecent(_ value: Double) {
    append(value)
    if count > 20 { removeFirst() }
  }

  /// Returns the value below which this share of the values lies; `nil` if there are too few.
  func quantile(_ share: Double, ofAtLeast needed: Int = 1) -> Double? {
    count < needed ? nil : sorted()[Swift.min(count - 1, Int(share * Double(count)))]
  }
}
