import Foundation

/// How many requests at once a host gets.
package struct HostLimits: Sendable {
  /// Until more is measured, or where nothing is measured.
  package var perHost: Int
  /// Where the host is known to multiplex (HTTP/2): streams of one connection.
  package var perMultiplexingHost: Int
  /// Limits per host are measured; else each host has `perHost`.
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
