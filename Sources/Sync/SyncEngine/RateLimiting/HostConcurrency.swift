import Foundation

/// The time to the first byte of one answer.
struct HostLatency: Sendable, Equatable {
  /// The host's share, without the network's estimated queue.
  var own: Duration
  /// The network's estimated queue, which changes during the wait.
  var queue = Duration.zero
}

/// Measures how many concurrent requests one host can serve, from its answers. A pure value.
///
/// The limit starts at two. While all places are in use, each full round of good answers whose time
/// to first byte has not grown raises the limit by one, up to six, as in browsers. After growth the
/// limit is two again. If the answers are then faster, two remain the limit for a day; otherwise
/// something else is slow, and the limit rises again. A refusal sets the limit to one for a day.
struct HostConcurrency: Sendable, Equatable {
  static let start = 2
  static let ceiling = 6
  private static let memory = Duration.days(1)
  /// A time to first byte has grown if it exceeds both this multiple of the least, and the least
  /// plus `leastGrowth` and half of the network's queue.
  private static let growth = 1.5
  private static let leastGrowth = Duration.milliseconds(50)
  /// The number of requests was the cause if two at once take less than this part of the grown
  /// time.
  private static let recovery = 0.75
  /// The number of answers that decide about the cause of growth.
  private static let decisive = 4

  private(set) var limit = HostConcurrency.start
  private(set) var reason = HostLimitReason.usual
  /// The time until which the limit does not rise.
  private(set) var until: Date?
  /// The least time to first byte.
  private var least: Duration?
  private var round: [HostLatency] = []
  /// The grown time to first byte, until its cause is known.
  private var grown: Duration?

  init() {}

  init(_ stored: HostLimit) {
    (limit, reason, until) = (stored.atOnce, stored.reason, stored.until)
  }

  /// Records an answer that is not a refusal.
  /// - Parameters:
  ///   - latency: `nil` if unknown.
  ///   - isFull: true if all places were in use.
  mutating func answered(latency: HostLatency?, isFull: Bool, at now: Date) {
    if let until {
      // A later date comes from a clock that has been set back.
      guard until <= now || until > now + Self.memory else { return }
      self = HostConcurrency()
    }
    guard let latency else { return }
    least = min(least ?? latency.own, latency.own)
    guard isFull else { return }
    round.append(latency)
    guard round.count >= (grown == nil ? limit : Self.decisive) else { return }
    let (typical, queue) = (Self.median(round.map(\.own)), Self.median(round.map(\.queue)))
    round = []
    if let grown {
      self.grown = nil
      if typical < grown * Self.recovery { return setLimit(Self.start, .slower, now) }
      least = typical
    }
    let least = least ?? typical
    if typical > max(least * Self.growth, least + Self.leastGrowth + queue / 2) {
      if limit > Self.start { (limit, reason, grown) = (Self.start, .slower, typical) }
    } else if limit < Self.ceiling {
      (limit, reason) = (limit + 1, .fast)
    }
  }

  /// Returns the lower median, because one slow page says nothing about the host.
  private static func median(_ times: [Duration]) -> Duration {
    times.sorted()[(times.count - 1) / 2]
  }

  /// Records a missing answer.
  mutating func slowed(at now: Date) {
    round = []
    if limit > Self.start { setLimit(Self.start, .slower, now) }
  }

  /// Records a 429, a 503, a reset or a refused connection.
  mutating func refused(at now: Date) { setLimit(1, .refused, now) }

  private mutating func setLimit(_ limit: Int, _ reason: HostLimitReason, _ now: Date) {
    (self.limit, self.reason) = (limit, reason)
    until = now + Self.memory
    (round, grown) = ([], nil)
  }
}
