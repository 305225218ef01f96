/// The time that an exchange has as a whole. Only time in which its bytes may flow counts, not that
/// in which its reader holds them back or nothing runs (the machine slept, the process was
/// stopped); and what has come earns more of it. So a large feed on a poor network arrives, and a
/// drip just above what `StallMeter` lets pass ends all the same.
///
/// A pure value: time (seconds on any clock) and byte counts in, a verdict out.
struct TimeBudget {
  /// The most seconds that the time between two checks counts for: a running process checks far
  /// more often.
  private static let longestLook = 10.0

  private let seconds: Double
  /// Bytes that earn a second: what flows so fast is never late.
  private let bytesPerSecond: Double
  private var spent = 0.0
  private var lastLook: Double
  private var isHeld = false

  init(seconds: Double, bytesPerSecond: Double = 500, now: Double) {
    self.seconds = seconds
    self.bytesPerSecond = bytesPerSecond
    lastLook = now
  }

  /// From now on nothing may flow, or it may again.
  mutating func hold(_ isHeld: Bool, now: Double) {
    count(now)
    self.isHeld = isHeld
  }

  /// - Parameter total: bytes so far.
  mutating func isSpent(now: Double, total: Int64) -> Bool {
    count(now)
    return spent > seconds + Double(total) / bytesPerSecond
  }

  private mutating func count(_ now: Double) {
    if !isHeld { spent += min(max(0, now - lastLook), Self.longestLook) }
    lastLook = now
  }
}
