import Foundation

/// How one host is to be treated, from what it answered. Pure; times are dates, since what comes of
/// them outlives the process.
struct HostState: Sendable, Equatable {
  static let shortestPause = 60.0
  static let longestPause = 7 * 86_400.0
  /// So many requests within so many seconds are a burst: a refusal right behind it is about us.
  static let burst = 10
  static let burstPeriod = 60.0

  private(set) var pausedUntil: Date?
  /// The status that the pause came with.
  private(set) var status: Int?
  /// Refusals in a row.
  private(set) var refusals = 0
  private var requests: [Date] = []

  /// Until when nothing may be asked; nil where it may.
  func pause(at now: Date) -> Date? { pausedUntil.flatMap { $0 > now ? $0 : nil } }

  mutating func asked(at now: Date) {
    requests.removeAll { now.timeIntervalSince($0) > Self.burstPeriod }
    if requests.count < Self.burst { requests.append(now) }
  }

  /// A 403 with a web page right after a burst is a 429 in other words.
  func isSoftRefusal(status: Int, contentType: String?, at now: Date) -> Bool {
    guard status == 403, contentType?.lowercased().hasPrefix("text/html") == true else {
      return false
    }
    return requests.count { now.timeIntervalSince($0) <= Self.burstPeriod } >= Self.burst
  }

  /// 429 or 503: waits as long as told, at least a minute and at most a week; twice as long each time
  /// where nothing is told (RFC 6585, §4; RFC 9110, §10.2.3).
  /// - Returns: until when.
  @discardableResult
  mutating func refused(status: Int, retryAfter: Double?, at now: Date) -> Date {
    // Several exchanges that were in flight together are one refusal.
    let isNews = pause(at: now) == nil
    if isNews { refusals += 1 }
    let told = retryAfter.flatMap { $0.isFinite ? $0 : nil }
    let doubled = Self.shortestPause * pow(2, Double(min(refusals, 16) - 1))
    let seconds = min(max(told ?? doubled, Self.shortestPause), Self.longestPause)
    let until = max(now.addingTimeInterval(seconds), pausedUntil ?? now)
    pausedUntil = until
    self.status = status
    return until
  }

  mutating func answeredWell() {
    refusals = 0
    pausedUntil = nil
    status = nil
  }
}
