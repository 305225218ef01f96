/// Detects a stalled transfer: fewer than 100 B/s over a window of seconds. libcurl's own limit
/// triggered six seconds late within a body.
///
/// A pure value. Times are seconds of any clock.
struct StallMeter {
  static let floor = 100.0
  /// The number of steps per window.
  private static let steps = 20

  private let silence: Double
  private var step: Double { silence / Double(Self.steps) }
  /// The byte counts at the steps of the window, oldest first.
  private var marks: [Int64]
  private var lastMark: Double

  init(silence: Double, now: Double, total: Int64 = 0) {
    self.silence = max(0.01, silence)
    marks = [total]
    lastMark = now
  }

  var nextCheck: Double { lastMark + step }

  /// Begins a new window.
  mutating func restart(now: Double, total: Int64) {
    marks = [total]
    lastMark = now
  }

  /// Returns true if the window is full and fewer than 100 B/s were received in it.
  mutating func isStalled(now: Double, total: Int64) -> Bool {
    // Time without a check (the machine slept, the process was stopped) does not count, because
    // bytes that arrived meanwhile are still in the socket.
    if now - lastMark > 3 * step { lastMark = now - step }
    while now >= lastMark + step {
      lastMark += step
      marks.append(total)
      if marks.count > Self.steps + 1 { marks.removeFirst() }
    }
    guard marks.count == Self.steps + 1, let oldest = marks.first else { return false }
    return Double(total - oldest) < Self.floor * silence
  }
}
