public import FeedModel
public import Networking

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
  public var patience: ConnectionTimeouts { ConnectionTimeouts(silence: 30) }
  public var reason: LimitReason { .fixed }
}
