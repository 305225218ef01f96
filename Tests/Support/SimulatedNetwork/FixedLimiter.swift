public import NetworkMeasurement

/// A limiter whose limit never changes and also applies to user requests, which measures nothing.
/// The simulator compares the adaptive limiter with it.
public struct FixedLimiter: ConcurrencyLimiter {
  public let limit: Int
  public var expected: ConnectionQuality?
  private var operations: Set<OperationID> = []

  /// - Parameter limit: less than 1 counts as 1.
  public init(_ limit: Int) { self.limit = max(1, limit) }

  public mutating func operationStarted(
    _ id: OperationID, _ priority: OperationPriority, at now: Double
  ) {
    operations.insert(id)
  }
  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
  public mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool {
    operations.remove(id)
    return end == .timedOut
  }
  public mutating func probeEnded(reached: Bool, at now: Double) {}
  public mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] { [] }
  public func mayStart(_ priority: OperationPriority) -> Bool { operations.count < limit }

  public var quality: ConnectionQuality? { nil }
  public var failedProbes: Int { 0 }
  public func outage(at now: Double) -> Double { 0 }
  /// Always true, so that a start without answers is not an outage.
  public var hasHeard: Bool { true }
  public var isInDoubt: Bool { false }
  public var rate: Double { 0 }
  public var timeouts: ConnectionTimeouts { ConnectionTimeouts(silence: 30) }
  public var reason: LimitReason { .steady }
}
