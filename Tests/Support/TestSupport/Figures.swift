import Foundation

extension [Double] {
  /// The median, or 0 if there is no value.
  public var median: Double {
    let sorted = sorted()
    if isEmpty { return 0 }
    return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
  }
  /// The mean, or 0 if there is no value.
  public var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}

extension Double {
  /// Returns the number with this many digits after the point.
  public func text(_ digits: Int) -> String {
    isFinite ? String(format: "%.\(digits)f", self) : "∞"
  }
}
