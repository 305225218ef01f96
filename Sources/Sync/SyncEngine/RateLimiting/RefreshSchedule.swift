public import Foundation

/// Decides when a feed is refreshed next, and why. Pure.
///
/// Next check = max(1 h, RSS `ttl`, `sy:updatePeriod`, freshness of the headers, Retry-After, the
/// learned cadence), plus jitter, at most 7 days, and outside of `skipHours` and `skipDays`: never
/// earlier than the publisher allows. The user's interval replaces hour and cadence.
public struct RefreshSchedule: Sendable {
  /// The minimum without a user interval.
  public static let shortest = Duration.hours(1)
  /// The longest wait, apart from a back-off (`afterPause`).
  public static let longest = Duration.days(7)
  static let longestLearned = Duration.days(1)
  /// Refreshes per expected article.
  static let looksPerArticle = 4.0
  static let jitterShare = 0.1
  static let longestJitter = Duration.seconds(900)

  /// A decision, in a form that can be stored and shown.
  public struct Check: Sendable, Equatable {
    public var at: Date
    public var reasons: [CheckReason]
  }

  public init() {}

  /// Returns the next check after a success.
  /// - Parameters:
  ///   - hints: from the newest document.
  ///   - headers: from the newest answer.
  ///   - articlesPerDay: the learned cadence; `nil` if unknown.
  ///   - own: the user's interval, which replaces the hour and the learned cadence, but not the
  ///     publisher's minimum.
  ///   - jitter: 0 ..< 1.
  public func next(
    after now: Date, hints: UpdateHints?, headers: CacheHints, articlesPerDay: Double?,
    own: Duration? = nil, jitter: Double
  ) -> Check {
    var reasons: [CheckReason] = []
    let least = own ?? Self.shortest
    var interval = least
    if let own { reasons.append(.ownInterval(Int(own.components.seconds))) }
    func demand(_ seconds: Double?, _ reason: (Int) -> CheckReason) {
      guard let seconds, seconds > 0, seconds.isFinite else { return }
      let wait = Duration.seconds(min(seconds, 1e9))
      if wait >= least { reasons.append(reason(Int(wait.components.seconds))) }
      interval = max(interval, min(wait, Self.longest))
    }
    demand(headers.retryAfter) { .retryAfter($0) }
    demand(headers.freshFor) { .freshFor($0) }
    demand(hints?.interval) { .interval($0) }
    if own == nil, let articlesPerDay {
      // The learned interval is at most a day.
      let looksPerDay = max(1, articlesPerDay * Self.looksPerArticle)
      interval = max(interval, Self.longestLearned / looksPerDay)
      reasons.append(.articlesPerDay(articlesPerDay))
    }
    let jittered = interval + Self.jitter(interval, jitter)
    return afterSkipped(now + min(jittered, Self.longest), reasons, hints, now)
  }

  /// - Parameter random: 0 ..< 1.
  private static func jitter(_ interval: Duration, _ random: Double) -> Duration {
    min(interval * jitterShare, longestJitter) * random
  }

  /// Returns the next check after a failure of the feed; the wait doubles with each failure.
  /// - Parameters:
  ///   - failures: consecutive failures, including this one.
  ///   - isTransient: true if the failure may pass (network, server errors), false if something
  ///     must change (404, no feed).
  ///   - retryAfter: seconds, as in the header.
  ///   - hints: from the newest document; skipped hours and days hold for retries too.
  public func backOff(
    after now: Date, failures: Int, isTransient: Bool, retryAfter: Double? = nil,
    hints: UpdateHints? = nil, jitter: Double
  ) -> Check {
    let base = isTransient ? Self.shortest : Self.shortest * 6
    let doubled = base * (1 << (min(max(failures, 1), 12) - 1))
    var reasons = [CheckReason.failed(max(1, failures))]
    let told = retryAfter.flatMap { $0.isFinite ? Duration.seconds(min(max(0, $0), 1e9)) : nil }
    let asked = told.flatMap { $0 > doubled ? $0 : nil }
    if let asked { reasons.append(.retryAfter(Int(asked.components.seconds))) }
    let interval = min(asked ?? doubled, Self.longest)
    let late = interval + Self.jitter(interval, jitter)
    return afterSkipped(now + min(late, Self.longest), reasons, hints, now)
  }

  /// Returns the next check after a 429 or 503: `until` plus jitter.
  public func afterPause(
    until: Date, now: Date, hints: UpdateHints? = nil, jitter: Double
  ) -> Check {
    let wait = max(.zero, until.time(since: now))
    let late = Self.jitter(max(wait, .seconds(60)), jitter)
    return afterSkipped(until + late, [.backoff(Int(wait.components.seconds))], hints, now)
  }

  /// Returns new times for due feeds whose publisher excludes the present hour or day.
  public func late(
    of due: [FetchRecord], at now: Date
  ) -> [(feed: FeedID, at: Date, reasons: [CheckReason])] {
    due.compactMap { record in
      let check = afterSkipped(now, [], record.updateHints, now)
      return check.at > now ? (record.feed, check.at, check.reasons) : nil
    }
  }

  /// Moves a date out of excluded hours and days, within the longest wait.
  private func afterSkipped(
    _ date: Date, _ reasons: [CheckReason], _ hints: UpdateHints?, _ now: Date
  ) -> Check {
    var (date, reasons) = (date, reasons)
    if let hints, let allowed = Self.afterSkipped(date, hints), allowed != date {
      date = min(allowed, max(date, now + Self.longest))
      reasons.append(hints.skipDays.isEmpty ? .skippedHours : .skippedDays)
    }
    return Check(at: date, reasons: reasons.isEmpty ? [.hourly] : reasons)
  }

  /// Returns `date`, or the first full hour after it that is not skipped; `nil` if all are.
  static func afterSkipped(_ date: Date, _ hints: UpdateHints) -> Date? {
    let hours = Set(hints.skipHours.map { $0 == 24 ? 0 : $0 })
    let days = Set(hints.skipDays)
    guard !hours.isEmpty || !days.isEmpty else { return date }
    var candidate = date
    for _ in 0..<(8 * 24) {
      let seconds = candidate.timeIntervalSince1970
      let hour = Int((seconds / .hours(1)).rounded(.down))
      // 1 January 1970 was a Thursday: day 5 of a week that begins on Sunday with 1.
      let day = Int((seconds / .days(1)).rounded(.down))
      let weekday = ((day + 4) % 7 + 7) % 7 + 1
      if !hours.contains(((hour % 24) + 24) % 24), !days.contains(weekday) { return candidate }
      candidate = Date(timeIntervalSince1970: .hours(Double(hour + 1)))
    }
    return nil
  }
}

/// The rate of a feed's articles.
package enum Cadence {
  static let period = 28.0

  /// Returns the articles per day, from the last 28 days or the dates of a new document, because
  /// new subscriptions have no history.
  /// - Parameter arrived: articles of the last 28 days; `nil` for a feed that was never fetched.
  package static func articlesPerDay(arrived: Int?, document: ParsedFeed?, at now: Date) -> Double?
  {
    var rates: [Double] = []
    if let arrived { rates.append(Double(arrived) / period) }
    if let document {
      let ages = document.items.compactMap { $0.datePublished ?? $0.dateModified }
        .map { now.timeIntervalSince($0) / .days(1) }
      let recent = ages.filter { (0..<period).contains($0) }
      // A document that holds only recent items covers less than the period.
      let span = recent.count == ages.count ? max(1, recent.max() ?? period) : period
      if !ages.isEmpty { rates.append(Double(recent.count) / span) }
    }
    return rates.max()
  }
}
