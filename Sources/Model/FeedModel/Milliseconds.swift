package import Foundation

extension Date {
  /// Whole milliseconds since 1970, limited to what a Date can represent.
  package var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1_000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(min(max(value, -1e14), 1e14))
  }

  /// Limits dates that no calendar can represent, which only damaged rows have.
  package init(milliseconds: Int64) {
    let value = min(max(milliseconds, -100_000_000_000_000), 100_000_000_000_000)
    self.init(timeIntervalSince1970: Double(value) / 1_000)
  }
}

extension Duration {
  package var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
