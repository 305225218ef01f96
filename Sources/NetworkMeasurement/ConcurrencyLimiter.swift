public import FeedModel
public import Networking

/// One run of one operation, for as long as it is in flight.
public typealias OperationID = UInt64

/// How an operation's part on the network ended, as far as the network is concerned.
public enum OperationEnd: Sendable, Equatable {
  case answered
  /// This exchange failed; other hosts may do well.
  case failed
  /// Silence ended it: the host's, or the network's.
  case timedOut
  /// Nobody listened there: the host's fault, unless it is everybody's.
  case refused(host: String)
  /// The host's name was not found: the name's fault, or the network's.
  case unresolved(host: String)
  case unreachable(host: String)
  /// We ended it, or it never came to an exchange.
  case cancelled
}

/// What the controller wants done beside what it answers when asked.
public enum LimiterAction: Sendable, Hashable {
  /// End this operation and put its work back where it was in the queue.
  case requeue(OperationID)
  /// Stop reading this operation's body, so that others get the bandwidth.
  case pause(OperationID)
  case resume(OperationID)
  /// Connect to a host that answered before, and say how it went (`probeEnded`).
  case probe
}

/// What waits and runs, as far as a controller needs to know.
public struct NetworkDemand: Sendable, Equatable {
  public var waiting: Int
  public var hosts: Int
  /// - Parameter hosts: distinct ones among all that waits or runs.
  public init(waiting: Int, hosts: Int) {
    self.waiting = waiting
    self.hosts = hosts
  }
}

/// Sets how many operations run at once, from what they measure. A pure value: samples and a clock
/// in, decisions out; no time, no tasks, no I/O of its own. Times are monotonic seconds.
public protocol ConcurrencyLimiter: Sendable {
  /// An operation began. Every operation that runs has begun once and ends once.
  mutating func operationStarted(_ id: OperationID, _ priority: OperationPriority, at now: Double)
  /// Bytes, connect times and first bytes as they come.
  mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double)
  /// Returns whether the failure may be the network's, so that the work deserves one more try.
  @discardableResult
  mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool
  /// What an earlier process measured of the network a short time ago, to go by until something is
  /// measured; nil: nothing.
  mutating func expect(_ quality: ConnectionQuality?)
  /// What a probe came to: whether anybody was reached.
  mutating func probeEnded(reached: Bool, at now: Double)
  /// Called about every 100 ms while anything runs or waits for the network, at once after a user
  /// request started, and never when idle.
  mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction]

  /// Whether another operation of this priority may start; none may while the network seems to be
  /// down.
  func mayStart(_ priority: OperationPriority) -> Bool
  /// Operations that may run at once; 0 while the network seems to be down.
  var limit: Int { get }
  /// The network's quality; nil before anything was measured.
  var quality: ConnectionQuality? { get }
  /// Probes that failed since the network was found dead; 0 while it lives.
  var failedProbes: Int { get }
  /// Seconds for which the network has seemed to be down; 0 while it works.
  func outage(at now: Double) -> Double
  /// Whether any host ever answered on this network.
  var hasHeard: Bool { get }
  /// True while failures came in that may turn out to be the network's and not the hosts'.
  var isInDoubt: Bool { get }
  /// Bytes a second over the last window.
  var rate: Double { get }
  /// Patience with hosts on this network.
  var patience: ConnectionTimeouts { get }
  /// Why the limit is what it is.
  var reason: LimitReason { get }
}

extension ConcurrencyLimiter {
  /// Changes nothing.
  public mutating func expect(_ quality: ConnectionQuality?) {}
}

/// How long a host may keep silent before that ends an exchange, and how much may arrive unread.
public struct ConnectionTimeouts: Sendable, Equatable {
  /// Seconds of silence, once the connection is open.
  public var silence: Double
  /// Seconds until the connection must be open; nil: as configured.
  public var connect: Double?
  /// Bytes that a socket may hold unread: on a slow connection a paused transfer must stop soon.
  /// Nil: the system's default.
  public var receiveBuffer: Int?
  /// What is not given is as configured.
  public init(silence: Double, connect: Double? = nil, receiveBuffer: Int? = nil) {
    self.silence = silence
    self.connect = connect
    self.receiveBuffer = receiveBuffer
  }
}
