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
  /// Distinct hosts of waiting and running work.
  public var hosts: Int
  public init(waiting: Int, hosts: Int) { (self.waiting, self.hosts) = (waiting, hosts) }
}

/// Sets the limit of concurrent operations from measurements. Limiters are pure values without
/// tasks, clocks or I/O; times are seconds of a monotonic clock.
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
  /// Records the result of a probe.
  mutating func probeEnded(reached: Bool, at now: Double)
  /// Returns the actions to perform now, each once. Called about every 100 ms while anything runs
  /// or waits for the network, at once after a user request starts, and never when idle.
  mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction]

  /// Returns true if an operation of this priority may start; false while the network is offline
  /// or all connections are silent.
  func mayStart(_ priority: OperationPriority) -> Bool
  /// The most concurrent operations; 0 while offline.
  var limit: Int { get }
  /// The network's quality; `nil` before a measurement.
  var quality: ConnectionQuality? { get }
  /// The recent measurement of an earlier process, if any, used until a new one exists.
  var expected: ConnectionQuality? { get set }
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
  /// The last decision's reason; `.starting` before the first.
  var reason: LimitReason { get }
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
  public init(silence: Double, connect: Double? = nil, receiveBuffer: Int? = nil) {
    (self.silence, self.connect, self.receiveBuffer) = (silence, connect, receiveBuffer)
  }
}
