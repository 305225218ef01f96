import FeedModel
import FeedStore
import Foundation

/// The time to the first byte of one answer.
package struct HostLatency: Sendable, Equatable {
  /// The host's share, after the network's estimated queue.
  package var own: Duration
  /// The estimated queue, which changes during the wait.
  package var queue: Duration

  package init(own: Duration, queue: Duration = .zero) { (self.own, self.queue) = (own, queue) }
}

/// How many requests at once one host can serve, measured from its answers. A pure value.
///
/// It starts at two. While all places are in use it is raised by one after each full round of good
/// answers whose time to first byte has not grown against its least, up to six, as many as browsers
/// open. Growth brings it back to two. If the answers are then faster, two remain the limit for a
/// day; else something else is slow, and it is raised again. A refusal brings it to one for a day.
package struct HostConcurrency: Sendable, Equatable {
  static let start = 2
  static let ceiling = 6
  private static let memory = Duration.days(1)
  /// A time to first byte has grown if it exceeds this multiple of the least, with the margin and
  /// half of the network's queue.
  private static let growth = 1.5
  private static let leastGrowth = Duration.milliseconds(50)
  /// The number of requests was the cause if two at once take less than this part of the time.
  private static let recovery = 0.75
  /// The deciding answers with two at once.
  private static let decisive = 4

  private(set) var limit = HostConcurrency.start
  private(set) var reason = HostLimitReason.usual
  /// The earliest time of a raise.
  private(set) var until: Date?
  /// The least time to first byte.
  private var least: Duration?
  private var round: [HostLatency] = []
  /// The grown time to first byte until its cause is known.
  private var grown: Duration?

  init() {}

  init(_ stored: HostLimit) {
    (limit, reason, until) = (stored.atOnce, stored.reason, stored.until)
  }

  /// Records an answer that is no refusal.
  /// - Parameters:
  ///   - latency: `nil` if unknown.
  ///   - isFull: whether all places were in use.
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
      if typical < grown * Self.recovery { return hold(Self.start, .slower, now) }
      least = typical
    }
    let least = least ?? typical
    if typical > max(least * Self.growth, least + Self.leastGrowth + queue / 2) {
      if limit > Self.start { (limit, reason, grown) = (Self.start, .slower, typical) }
    } else if limit < Self.ceiling {
      (limit, reason) = (limit + 1, .fast)
    }
  }

  /// Returns the lower median, as one slow page says nothing of the host.
  private static func median(_ times: [Duration]) -> Duration {
    times.sorted()[(times.count - 1) / 2]
  }

  /// Records a missing answer.
  mutating func slowed(at now: Date) {
    round = []
    if limit > Self.start { hold(Self.start, .slower, now) }
  }

  /// Records a 429, a 503, a reset or a refused connection.
  mutating func refused(at now: Date) { hold(1, .refused, now) }

  private mutating func hold(_ limit: Int, _ reason: HostLimitReason, _ now: Date) {
    (self.limit, self.reason) = (limit, reason)
    until = now + Self.memory
    (round, grown) = ([], nil)
  }
}
