/// Limits the total time of an exchange. Pauses and suspensions do not count, and received bytes
/// extend the time, so that a large feed arrives on a poor network and a trickle above
/// `StallMeter`'s limit still ends.
///
/// A pure value. Times are seconds of any clock.
struct TimeBudget {
  /// The most seconds that are counted between two checks.
  private static let longestGap = 10.0

  private let seconds: Double
  /// The number of bytes that extend the time by a second.
  private let bytesPerSecond: Double
  private var spent = 0.0
  private var lastCheck: Double
  private var isHeld = false

  init(seconds: Double, bytesPerSecond: Double = 500, now: Double) {
    self.seconds = seconds
    self.bytesPerSecond = bytesPerSecond
    lastCheck = now
  }

  mutating func hold(_ isHeld: Bool, now: Double) {
    count(now)
    self.isHeld = isHeld
  }

  /// - Parameter total: the bytes received so far.
  mutating func isSpent(now: Double, total: Int64) -> Bool {
    count(now)
    return spent > seconds + Double(total) / bytesPerSecond
  }

  private mutating func count(_ now: Double) {
    if !isHeld { spent += min(max(0, now - lastCheck), Self.longestGap) }
    lastCheck = now
  }
}
