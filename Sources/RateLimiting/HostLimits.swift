import Foundation

/// The most concurrent requests per host.
package struct HostLimits: Sendable {
  /// The limit until more is measured.
  package var perHost: Int
  /// The limit of streams on one HTTP/2 connection.
  package var perMultiplexingHost: Int
  /// Whether limits are measured; else each host has `perHost`.
  package var isMeasured: Bool

  package init(perHost: Int = 2, perMultiplexingHost: Int = 6, isMeasured: Bool = true) {
    self.perHost = perHost
    self.perMultiplexingHost = perMultiplexingHost
    self.isMeasured = isMeasured
  }
}

extension Date {
  static func + (date: Date, wait: Duration) -> Date {
    let (seconds, attoseconds) = wait.components
    // A division by one second would not be exact.
    return date.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
  }

  /// Negative where the other is later.
  func time(since other: Date) -> Duration { .seconds(timeIntervalSince(other)) }
}
