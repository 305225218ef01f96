public import FeedModel
public import Networking

/// The same width whatever the line does, p0 included: what the adaptive one is compared with, in
/// the simulator and on a real line.
public struct FixedWidth: WidthController {
  public let width: Int
  private var operations: Set<OperationID> = []

  public init(_ width: Int) { self.width = max(1, width) }

  public mutating func operationStarted(_ id: OperationID, _ workClass: WorkClass, at now: Double) {
    operations.insert(id)
  }
  public mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {}
  public mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: LineDemand, at now: Double
  ) -> Bool {
    operations.remove(id)
    return end == .timedOut
  }
  public mutating func probeEnded(reached: Bool, at now: Double) {}
  public mutating func tick(at now: Double, demand: LineDemand) -> [LineAction] { [] }
  public func mayStart(_ workClass: WorkClass) -> Bool { operations.count < width }

  public var grade: LineGrade? { nil }
  public var failedProbes: Int { 0 }
  public func outage(at now: Double) -> Double { 0 }
  public var hasHeard: Bool { true }
  public var isInDoubt: Bool { false }
  public var rate: Double { 0 }
  public var patience: LinePatience { LinePatience(silence: 30) }
  public var reason: WidthReason { .fixed }
}
