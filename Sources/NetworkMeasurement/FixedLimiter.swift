public import FeedModel
public import Networking

/// The same limit whatever the network does, for user requests too. The simulator and the network
/// lab compare the adaptive limiter with it.
public struct FixedLimiter: ConcurrencyLimiter {
  public let limit: Int
  private var operations: Set<OperationID> = []

  /// - Parameter limit: less than 1 counts as 1.
  public init(_ limit: Int) { self.limit = max(1, limit) }

  /// Counts the operation.
  public mutating func operationStarted(
    _ id: OperationID, _ priority: OperationPriority, at now: Double
  ) {
    operations.insert(id)
  }
  /// Does nothing, as nothing is measured.
  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
  /// True for `.timedOut` only.
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

  /// `nil`, as nothing is measured.
  public var quality: ConnectionQuality? { nil }
  /// Always 0, as no outage is measured.
  public var failedProbes: Int { 0 }
  /// Always 0, as no outage is measured.
  public func outage(at now: Double) -> Double { 0 }
  /// True, so that a start without answers is no outage.
  public var hasHeard: Bool { true }
  /// False, as failures are always the hosts'.
  public var isInDoubt: Bool { false }
  public var rate: Double { 0 }
  /// 30 seconds of silence.
  public var patience: ConnectionTimeouts { ConnectionTimeouts(silence: 30) }
  public var reason: LimitReason { .fixed }
}
