public import FeedModel
public import Networking

/// The same limit whatever the network does, for user requests too. The simulator and the network
/// lab compare the adaptive limiter with it.
public struct FixedLimiter: ConcurrencyLimiter {
  /// As given; at least 1.
  public let limit: Int
  private var operations: Set<OperationID> = []

  /// - Parameter limit: less than 1 counts as 1.
  public init(_ limit: Int) { self.limit = max(1, limit) }

  /// Only counted.
  public mutating func operationStarted(
    _ id: OperationID, _ priority: OperationPriority, at now: Double
  ) {
    operations.insert(id)
  }
  /// Nothing is measured.
  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
  /// True for `.timedOut` only.
  public mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool {
    operations.remove(id)
    return end == .timedOut
  }
  /// Nothing is measured.
  public mutating func probeEnded(reached: Bool, at now: Double) {}
  /// Never asks for anything.
  public mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] { [] }
  /// The same for every priority.
  public func mayStart(_ priority: OperationPriority) -> Bool { operations.count < limit }

  /// Nil: nothing is measured.
  public var quality: ConnectionQuality? { nil }
  /// 0: no outage is measured.
  public var failedProbes: Int { 0 }
  /// 0: no outage is measured.
  public func outage(at now: Double) -> Double { 0 }
  /// True, so that a start without answers does not count as an outage.
  public var hasHeard: Bool { true }
  /// False: failures are always the hosts'.
  public var isInDoubt: Bool { false }
  /// 0: nothing is measured.
  public var rate: Double { 0 }
  /// 30 seconds of silence.
  public var patience: ConnectionTimeouts { ConnectionTimeouts(silence: 30) }
  public var reason: LimitReason { .fixed }
}
