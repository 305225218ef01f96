public import Foundation

/// A kind of network, with its usual speed.
public enum PackNetwork: String, Sendable, CaseIterable {
  /// A mobile network of about 200 kbit/s.
  case edge
  /// A mobile network of about 1.5 Mbit/s.
  case threeG = "3g"
  /// A telephone line of about 16 Mbit/s.
  case dsl
  /// A network of 100 Mbit/s or more.
  case fibre

  /// Bytes a second.
  public var usualRate: Double {
    switch self {
    case .edge: 20_000
    case .threeG: 150_000
    case .dsl: 1_500_000
    case .fibre: 10_000_000
    }
  }

  /// True if a pack of the usual size takes minutes.
  public var isSlow: Bool { usualRate < 1_000_000 }

  /// Returns `nil` offline, or if the quality is unknown or sets no limit.
  public init?(_ quality: ConnectionQuality?) {
    switch quality {
    case .poor: self = .edge
    case .fair: self = .threeG
    case .good, .excellent, .offline, nil: return nil
    }
  }

  /// Returns the bytes that arrive until a time, within the budget.
  /// - Parameters:
  ///   - budget: bytes.
  ///   - dueAt: `nil` for no deadline.
  public func fits(_ budget: Int64, until dueAt: Date?, from now: Date) -> Int64 {
    guard let dueAt else { return budget }
    return min(budget, max(10_000, Int64(dueAt.timeIntervalSince(now) * usualRate)))
  }
}
