import Synchronization

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
  private var isPaused = false

  init(seconds: Double, bytesPerSecond: Double = 500, now: Double) {
    self.seconds = seconds
    self.bytesPerSecond = bytesPerSecond
    lastCheck = now
  }

  mutating func setPaused(_ isPaused: Bool, now: Double) {
    count(now)
    self.isPaused = isPaused
  }

  /// - Parameter total: the bytes received so far.
  mutating func isSpent(now: Double, total: Int64) -> Bool {
    count(now)
    return spent > seconds + Double(total) / bytesPerSecond
  }

  private mutating func count(_ now: Double) {
    if !isPaused { spent += min(max(0, now - lastCheck), Self.longestGap) }
    lastCheck = now
  }
}

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

/// The minimum rate of an answer, applied only while `isEnforced` is set: the network then has
/// spare capacity, so slowness is the server's fault. Shared by a group of transfers. Thread-safe.
public final class MinimumRate: Sendable {
  /// B/s, averaged from the answer's first byte.
  let bytesPerSecond: Double
  /// Seconds in addition to the time that the received bytes earn.
  let grace: Double
  private let enforced = Atomic<Bool>(false)

  public init(bytesPerSecond: Double = 2_000, grace: Double = 20) {
    (self.bytesPerSecond, self.grace) = (bytesPerSecond, grace)
  }

  /// True while the network has spare capacity.
  public var isEnforced: Bool {
    get { enforced.load(ordering: .relaxed) }
    set { enforced.store(newValue, ordering: .relaxed) }
  }
}
