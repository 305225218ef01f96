import FeedModel
import Foundation

/// How one host is to be treated, from what it answered. Pure; times are dates, since what comes of
/// them outlives the process.
package struct HostState: Sendable, Equatable {
  static let shortestPause = Duration.seconds(60)
  package static let longestPause = Duration.days(7)
  /// The longest that addresses wait for what others were refused without a word of how long.
  static let longestGuess = Duration.hours(1)
  /// So many requests within this time are a burst: a refusal right behind it is about us.
  static let burst = 10
  static let burstPeriod = Duration.seconds(60)

  /// The end of the wait that the host asked for, for the addresses that it refused.
  private(set) var pausedUntil: Date?
  /// The same for all the others, where the refusals turn out to be the host's or its domain's.
  private var othersUntil: Date?
  /// The addresses that were refused with no good answer of the host in between.
  private var refusedURLs: Set<String> = []
  private(set) var status: Int?
  private(set) var refusals = 0
  private var requests: [Date] = []

  /// Until when nothing may be asked of the host; nil if it may. The scope of a refusal is
  /// learned: one address that is refused waits alone (its own record says until when), so that one
  /// busy route does not silence a host of many feeds; a second one makes it the host's.
  func pause(at now: Date) -> Date? { isHostWide ? othersWait(at: now) : nil }

  /// Until when addresses wait that were not refused themselves.
  func othersWait(at now: Date) -> Date? { Self.end(othersUntil, at: now) }

  /// Until when some address of the host waits.
  func wait(at now: Date) -> Date? { Self.end(pausedUntil, at: now) }

  private static func end(_ until: Date?, at now: Date) -> Date? {
    // What lies further off was reckoned by a clock that has been set back since.
    until.flatMap { $0 > now && $0 <= now + longestPause ? $0 : nil }
  }

  /// Until when an address waits that was refused itself.
  func wait(of url: String, at now: Date) -> Date? {
    refusedURLs.contains(url) ? wait(at: now) : nil
  }

  private var isHostWide: Bool { refusedURLs.count > 1 }

  mutating func asked(at now: Date) {
    requests.removeAll { max(now.time(since: $0), $0.time(since: now)) > Self.burstPeriod }
    if requests.count < Self.burst { requests.append(now) }
  }

  /// A 403 with a web page right after a burst is a 429 in other words.
  func isSoftRefusal(status: Int, contentType: String?, at now: Date) -> Bool {
    guard status == 403, contentType?.lowercased().hasPrefix("text/html") == true else {
      return false
    }
    return requests.count { now.time(since: $0) <= Self.burstPeriod } >= Self.burst
  }

  /// 429 or 503: waits as long as told, at least a minute and at most a week; twice as long each
  /// default time (RFC 6585, §4; RFC 9110, §10.2.3).
  /// - Parameters:
  ///   - retryAfter: in seconds, as the header says.
  ///   - earlier: refusals of this address in a row that are known from before this start.
  /// - Returns: until when.
  @discardableResult
  mutating func refused(
    _ url: String, status: Int, retryAfter: Double?, earlier: Int = 0, at now: Date
  ) -> Date {
    refusedURLs.insert(url)
    // Several exchanges that were in flight together are one refusal.
    let isNews = wait(at: now) == nil
    if isNews { refusals = max(refusals, earlier) + 1 }
    let told = retryAfter.flatMap { $0.isFinite ? Duration.seconds(min(max(0, $0), 1e9)) : nil }
    let doubled = Self.shortestPause * (1 << (min(refusals, 16) - 1))
    let pause = min(max(told ?? doubled, Self.shortestPause), Self.longestPause)
    let until = max(now + pause, wait(at: now) ?? now)
    pausedUntil = until
    // Two routes that have failed for weeks may be all that ails the host.
    let others = told == nil ? min(pause, Self.longestGuess) : pause
    othersUntil = max(now + others, othersWait(at: now) ?? now)
    self.status = status
    return until
  }

  /// What a row remembers of a refusal before this start.
  mutating func remember(_ url: String, until: Date, status: Int?, refusals: Int) {
    refusedURLs.insert(url)
    pausedUntil = max(until, pausedUntil ?? until)
    othersUntil = pausedUntil
    self.status = status ?? self.status
    self.refusals = max(self.refusals, refusals)
  }

  mutating func answeredWell() {
    refusals = 0
    refusedURLs = []
    (pausedUntil, othersUntil) = (nil, nil)
    status = nil
  }
}
