import Foundation

/// The state of one host, from its answers. A pure value; its dates outlive the process.
struct HostState: Sendable, Equatable {
  static let shortestPause = Duration.seconds(60)
  static let longestPause = Duration.days(7)
  /// The longest back-off of other addresses without a `Retry-After`.
  static let longestGuess = Duration.hours(1)
  /// The number of requests in a burst; a 403 right after a burst means 429.
  static let burst = 10
  static let burstPeriod = Duration.seconds(60)

  /// The end of the back-off of refused addresses.
  private(set) var pausedUntil: Date?
  /// The end of the back-off of other addresses, used if it applies to the host or its domain.
  private var othersUntil: Date?
  /// The addresses refused since the host's last good answer.
  private var refusedURLs: Set<String> = []
  private(set) var status: Int?
  private(set) var refusals = 0
  private var requests: [Date] = []

  /// Returns the end of the host's back-off; `nil` without one. A back-off applies to the host
  /// after two refused addresses, so that one busy route does not stop all its requests.
  func pause(at now: Date) -> Date? {
    refusedURLs.count > 1 ? othersWait(at: now) : nil
  }

  func othersWait(at now: Date) -> Date? { Self.end(othersUntil, at: now) }

  func wait(at now: Date) -> Date? { Self.end(pausedUntil, at: now) }

  private static func end(_ until: Date?, at now: Date) -> Date? {
    // A later date comes from a clock that has been set back.
    until.flatMap { $0 > now && $0 <= now + longestPause ? $0 : nil }
  }

  /// Returns the end of the address's back-off; `nil` if it was not refused.
  func wait(of url: String, at now: Date) -> Date? {
    refusedURLs.contains(url) ? wait(at: now) : nil
  }

  mutating func asked(at now: Date) {
    requests.removeAll { max(now.time(since: $0), $0.time(since: now)) > Self.burstPeriod }
    if requests.count < Self.burst { requests.append(now) }
  }

  /// Returns true for a 403 with a web page right after a burst, which means 429.
  func isSoftRefusal(status: Int, contentType: String?, at now: Date) -> Bool {
    guard status == 403, contentType?.lowercased().hasPrefix("text/html") == true else {
      return false
    }
    return requests.count { now.time(since: $0) <= Self.burstPeriod } >= Self.burst
  }

  /// Records a 429 or 503. The back-off is `Retry-After`, from a minute to a week, or doubles each
  /// time (RFC 6585, §4; RFC 9110, §10.2.3).
  /// - Parameters:
  ///   - retryAfter: seconds, as in the header.
  ///   - earlier: consecutive refusals of this address in earlier processes.
  /// - Returns: the end of the back-off.
  @discardableResult
  mutating func refused(
    _ url: String, status: Int, retryAfter: Double?, earlier: Int = 0, at now: Date
  ) -> Date {
    refusedURLs.insert(url)
    // Refusals of exchanges that were in flight together count once.
    let isNews = wait(at: now) == nil
    if isNews { refusals = max(refusals, earlier) + 1 }
    let told = retryAfter.flatMap { $0.isFinite ? Duration.seconds(min(max(0, $0), 1e9)) : nil }
    let doubled = Self.shortestPause * (1 << (min(refusals, 16) - 1))
    let pause = min(max(told ?? doubled, Self.shortestPause), Self.longestPause)
    let until = max(now + pause, wait(at: now) ?? now)
    pausedUntil = until
    // Perhaps only two routes fail, for weeks, so other addresses wait an hour at most.
    let others = told == nil ? min(pause, Self.longestGuess) : pause
    othersUntil = max(now + others, othersWait(at: now) ?? now)
    self.status = status
    return until
  }

  /// Loads a back-off from a row.
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

struct HostLimits: Sendable {
  /// The limit of a local source, and of each host if limits are not measured.
  var perHost = 2
  /// The limit of streams on one HTTP/2 connection.
  var perMultiplexingHost = 6
  /// True if limits are measured; otherwise each host has `perHost`.
  var isMeasured = true
}

extension Date {
  static func + (date: Date, wait: Duration) -> Date { date.addingTimeInterval(wait.seconds) }

  /// Returns the time since `other`; negative if `other` is later.
  func time(since other: Date) -> Duration { .seconds(timeIntervalSince(other)) }
}
