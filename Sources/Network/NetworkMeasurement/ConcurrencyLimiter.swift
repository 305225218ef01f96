/// Identifies one run of an operation.
public typealias OperationID = UInt64

/// The outcome of an operation on the network.
public enum OperationEnd: Sendable, Equatable {
  case answered
  /// The exchange failed for a reason that need not affect other hosts.
  case failed
  /// The host or the network was silent for too long.
  case timedOut
  case refused(host: String)
  /// The host's name was not found. The cause may be the name or the network.
  case unresolved(host: String)
  case unreachable(host: String)
  /// Cancelled, or ended before an exchange.
  case cancelled
}

/// An action that the limiter requests.
public enum LimiterAction: Sendable, Hashable {
  /// Ends this operation and returns its work to its place in the queue.
  case requeue(OperationID)
  /// Stops reading this operation's body, so that others get the bandwidth.
  case pause(OperationID)
  case resume(OperationID)
  /// Connects to a host that answered before, and reports the result to `probeEnded`.
  case probe
}

/// The waiting and running work.
public struct NetworkDemand: Sendable, Equatable {
  public var waiting: Int
  public var hosts: Int
  /// - Parameter hosts: distinct hosts of waiting and running work.
  public init(waiting: Int, hosts: Int) {
    self.waiting = waiting
    self.hosts = hosts
  }
}

/// Sets the limit of concurrent operations from measurements. Limiters are pure values; times are
/// monotonic seconds.
public protocol ConcurrencyLimiter: Sendable {
  /// Records the start of an operation, which ends exactly once.
  mutating func operationStarted(_ id: OperationID, _ priority: OperationPriority, at now: Double)
  /// Records an event of a transfer.
  mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double)
  /// Records the end of an operation. Returns true if the network may be the cause of a failure, so
  /// that the work deserves a retry.
  @discardableResult
  mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool
  /// Sets the quality that an earlier process measured, used until a new measurement exists.
  mutating func expect(_ quality: ConnectionQuality?)
  /// Records the result of a probe.
  mutating func probeEnded(reached: Bool, at now: Double)
  /// Returns the actions to perform now. Called about every 100 ms while anything runs or waits for
  /// the network, at once after a user request starts, and never when idle.
  mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction]

  /// Returns true if an operation of this priority may start; false while offline.
  func mayStart(_ priority: OperationPriority) -> Bool
  /// The most concurrent operations; 0 while offline.
  var limit: Int { get }
  /// The network's quality; `nil` before a measurement.
  var quality: ConnectionQuality? { get }
  /// Failed probes since the network went offline; 0 while it works.
  var failedProbes: Int { get }
  /// Seconds since the network went offline; 0 while it works.
  func outage(at now: Double) -> Double
  /// True if any host has answered on this network.
  var hasHeard: Bool { get }
  /// True if the network may be the cause of recent failures.
  var isInDoubt: Bool { get }
  /// B/s over the last window.
  var rate: Double { get }
  /// The timeouts on this network.
  var timeouts: ConnectionTimeouts { get }
  /// The reason for the limit.
  var reason: LimitReason { get }
}

extension ConcurrencyLimiter {
  /// Ignores the expected quality.
  public mutating func expect(_ quality: ConnectionQuality?) {}
}

/// The timeouts of exchanges and the receive buffer.
public struct ConnectionTimeouts: Sendable, Equatable {
  /// Seconds of silence on an open connection.
  public var silence: Double
  /// Seconds to connect; `nil` for the configured value.
  public var connect: Double?
  /// The receive buffer in bytes, small on a slow connection so that a paused transfer stops soon;
  /// `nil` for the system's default.
  public var receiveBuffer: Int?
  /// Creates timeouts, by default with configured values.
  public init(silence: Double, connect: Double? = nil, receiveBuffer: Int? = nil) {
    self.silence = silence
    self.connect = connect
    self.receiveBuffer = receiveBuffer
  }
}

/// A limiter whose limit never changes and also applies to user requests. The simulator and the
/// network lab compare the adaptive limiter with it.
public struct FixedLimiter: ConcurrencyLimiter {
  public let limit: Int
  private var operations: Set<OperationID> = []

  /// - Parameter limit: less than 1 counts as 1.
  public init(_ limit: Int) { self.limit = max(1, limit) }

  /// Counts the operation until it ends.
  public mutating func operationStarted(
    _ id: OperationID, _ priority: OperationPriority, at now: Double
  ) {
    operations.insert(id)
  }
  /// Does nothing, as nothing is measured.
  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
  /// Returns true for `.timedOut` only.
  public mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool {
    operations.remove(id)
    return end == .timedOut
  }
  /// Does nothing, as nothing is measured.
  public mutating func probeEnded(reached: Bool, at now: Double) {}
  /// Requests no action.
  public mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] { [] }
  /// Returns true below the limit, for every priority.
  public func mayStart(_ priority: OperationPriority) -> Bool { operations.count < limit }

  /// Always `nil`, as nothing is measured.
  public var quality: ConnectionQuality? { nil }
  /// Always 0, as no outage is measured.
  public var failedProbes: Int { 0 }
  /// Always 0, as no outage is measured.
  public func outage(at now: Double) -> Double { 0 }
  /// Always true, so that a start without answers is not an outage.
  public var hasHeard: Bool { true }
  /// Always false, as failures are attributed to hosts.
  public var isInDoubt: Bool { false }
  public var rate: Double { 0 }
  /// 30 seconds of silence.
  public var timeouts: ConnectionTimeouts { ConnectionTimeouts(silence: 30) }
  public var reason: LimitReason { .fixed }
}
