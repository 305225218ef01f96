import Foundation

/// The limits of concurrent requests per host.
package struct HostLimits: Sendable {
  /// The limit of a local source, and of each host if limits are not measured.
  package var perHost: Int
  /// The limit of streams on one HTTP/2 connection.
  package var perMultiplexingHost: Int
  /// True if limits are measured; otherwise each host has `perHost`.
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

  /// Returns the time since `other`; negative if `other` is later.
  func time(since other: Date) -> Duration { .seconds(timeIntervalSince(other)) }
}
