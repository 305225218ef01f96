public import FeedModel
public import Networking

/// Identifies one run of an operation.
public typealias OperationID = UInt64

/// The end of an operation on the network.
public enum OperationEnd: Sendable, Equatable {
  case answered
  /// This exchange failed; other hosts may do well.
  case failed
  /// Ended by silence of the host or the network.
  case timedOut
  case refused(host: String)
  /// The host's name was not found: the name's fault, or the network's.
  case unresolved(host: String)
  case unreachable(host: String)
  /// Cancelled, or ended before an exchange.
  case cancelled
}

/// An action that the limiter requests.
public enum LimiterAction: Sendable, Hashable {
  /// End this operation and put its work back where it was in the queue.
  case requeue(OperationID)
  /// Stop reading this operation's body, so that others get the bandwidth.
  case pause(OperationID)
  case resume(OperationID)
  /// Connect to a host that answered before, and say how it went (`probeEnded`).
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

/// Sets the limit of concurrent operations from measurements. A pure value; times are monotonic
/// seconds.
public protocol ConcurrencyLimiter: Sendable {
  /// Records the start of an operation, which ends exactly once.
  mutating func operationStarted(_ id: OperationID, _ priority: OperationPriority, at now: Double)
  /// Records an event of a transfer.
  mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double)
  /// Returns whether the failure may be the network's, so that the work deserves one more try.
  @discardableResult
  mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool
  /// Sets a recent measurement of an earlier process, used until a new one exists.
  mutating func expect(_ quality: ConnectionQuality?)
  /// Records the result of a probe.
  mutating func probeEnded(reached: Bool, at now: Double)
  /// Called about every 100 ms while anything runs or waits for the network, at once after a user
  /// request started, and never when idle.
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
  /// Whether any host has answered on this network.
  var hasHeard: Bool { get }
  /// Whether recent failures may be the network's.
  var isInDoubt: Bool { get }
  /// B/s over the last window.
  var rate: Double { get }
  /// The timeouts on this network.
  var patience: ConnectionTimeouts { get }
  /// The reason for the limit.
  var reason: LimitReason { get }
}

extension ConcurrencyLimiter {
  /// Changes nothing.
  public mutating func expect(_ quality: ConnectionQuality?) {}
}

/// The timeouts of exchanges and the receive buffer.
public struct ConnectionTimeouts: Sendable, Equatable {
  /// Seconds of silence on an open connection.
  public var silence: Double
  /// Seconds to connect; `nil` for the configured value.
  public var connect: Double?
  /// The receive buffer in bytes, small on a slow connection so that a paused transfer stops soon.
  /// `nil` for the system's default.
  public var receiveBuffer: Int?
  /// Creates timeouts, by default with configured values.
  public init(silence: Double, connect: Double? = nil, receiveBuffer: Int? = nil) {
    self.silence = silence
    self.connect = connect
    self.receiveBuffer = receiveBuffer
  }
}
