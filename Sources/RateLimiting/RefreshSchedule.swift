public import FeedModel
public import FeedStore
public import Foundation
public import Networking

/// When a feed is asked next, and why. Pure: what is known and a clock's reading in, a date out.
///
/// Next check = max(1 h, RSS `ttl`, `sy:updatePeriod`, freshness of the headers, Retry-After, the
/// learned cadence), where the user's own interval takes the place of hour and cadence, moved out
/// of `skipHours` and `skipDays`, at most 7 days, a little later by jitter: never earlier than the
/// publisher allows. `ScoreFactor` shortens hour and cadence of feeds with good scores.
public struct RefreshSchedule: Sendable {
  /// An hour. Only the user's own interval and feeds with good scores have less.
  public static let shortest = Duration.hours(1)
  /// A week. The longest wait, apart from a pause that a server asked for (`afterPause`).
  public static let longest = Duration.days(7)
  /// A feed that is silent is still looked at once a day.
  static let longestLearned = Duration.days(1)
  /// Looks per expected article.
  static let looksPerArticle = 4.0
  /// The jitter's share of the interval, and its most.
  static let jitterShare = 0.1
  static let longestJitter = Duration.seconds(900)

  /// A decision, in a form that can be stored and shown.
  public struct Check: Sendable, Equatable {
    public var at: Date
    /// Why then; the functions of `RefreshSchedule` give at least one.
    public var reasons: [CheckReason]
    public init(at: Date, reasons: [CheckReason]) {
      (self.at, self.reasons) = (at, reasons)
    }
  }

  /// It has no settings: everything is given to its functions.
  public init() {}

  /// After a success.
  /// - Parameters:
  ///   - hints: what the newest document asked.
  ///   - headers: what the newest answer asked.
  ///   - articlesPerDay: the learned cadence; nil if nothing is known of it.
  ///   - score: of the feed's articles; the least, ever, is `ScoreFactor.shortest`.
  ///   - own: the interval that the user set, in place of the learned one and of the hour: what the
  ///     publisher asks stays the least.
  ///   - jitter: 0 ..< 1.
  public func next(
    after now: Date, hints: UpdateHints?, headers: CacheHints, articlesPerDay: Double?,
    score: Int = 0, own: Duration? = nil, jitter: Double
  ) -> Check {
    var reasons: [CheckReason] = []
    // What nothing is known of is asked hourly, whatever its score is.
    let factor = ScoreFactor(articlesPerDay == nil || own != nil ? 0 : score)
    let least = own ?? factor.shortened(Self.shortest)
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
      // At most a day.
      let looksPerDay = max(1, articlesPerDay * Self.looksPerArticle)
      let (asked, learned) = (interval, Self.longestLearned / looksPerDay)
      interval = max(asked, factor.shortened(learned))
      reasons.append(.articlesPerDay(articlesPerDay))
      if interval < max(asked, Self.shortest, learned) { reasons.append(.score(score)) }
    }
    let jittered = interval + Self.jitter(interval, jitter)
    return leavingSkipped(now + min(jittered, Self.longest), reasons, hints, now)
  }

  /// - Parameter random: 0 ..< 1.
  private static func jitter(_ interval: Duration, _ random: Double) -> Duration {
    min(interval * jitterShare, longestJitter) * random
  }

  /// After a failure that is the feed's own: twice as long each time.
  /// - Parameters:
  ///   - failures: in a row, this one included.
  ///   - isTransient: what may pass by itself (network, server errors), or an answer that stands
  ///     until somebody changes something (404, no feed).
  ///   - retryAfter: what the refusing answer asked, in seconds, as the header says.
  ///   - hints: what the newest document asked; hours and days to leave out hold for retries too.
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
    return leavingSkipped(now + min(late, Self.longest), reasons, hints, now)
  }

  /// After 429 or 503: not before `until`, and a little later, so that not everybody comes at once.
  public func afterPause(
    until: Date, now: Date, hints: UpdateHints? = nil, jitter: Double
  ) -> Check {
    let wait = max(.zero, until.time(since: now))
    let late = Self.jitter(max(wait, .seconds(60)), jitter)
    return leavingSkipped(until + late, [.backoff(Int(wait.components.seconds))], hints, now)
  }

  /// Checks that fell due while no engine ran, in hours or days that their publishers
  /// want left out: when they are to be made instead.
  public func late(
    of due: [FetchRecord], at now: Date
  ) -> [(feed: FeedID, at: Date, reasons: [CheckReason])] {
    due.compactMap { record in
      let check = leavingSkipped(now, [], record.updateHints, now)
      return check.at > now ? (record.feed, check.at, check.reasons) : nil
    }
  }

  /// The date moved out of the hours and days that the publisher wants left out, within the longest
  /// wait.
  private func leavingSkipped(
    _ date: Date, _ reasons: [CheckReason], _ hints: UpdateHints?, _ now: Date
  ) -> Check {
    var (date, reasons) = (date, reasons)
    if let hints, let allowed = Self.leavingSkipped(date, hints), allowed != date {
      date = min(allowed, max(date, now + Self.longest))
      reasons.append(hints.skipDays.isEmpty ? .skippedHours : .skippedDays)
    }
    return Check(at: date, reasons: reasons.isEmpty ? [.hourly] : reasons)
  }

  /// The first full hour at or after `date` that is not skipped; nil if every hour is.
  static func leavingSkipped(_ date: Date, _ hints: UpdateHints) -> Date? {
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

/// How often a feed brings something.
package enum Cadence {
  static let period = 28.0

  /// Articles a day, from what arrived in the last 28 days and from the dates in a document that
  /// was just read: a new subscription has no history, but its document has.
  /// - Parameter arrived: nil for a feed that was never fetched.
  package static func articlesPerDay(arrived: Int?, document: ParsedFeed?, at now: Date) -> Double?
  {
    var rates: [Double] = []
    if let arrived { rates.append(Double(arrived) / period) }
    if let document {
      let ages = document.items.compactMap { $0.datePublished ?? $0.dateModified }
        .map { now.timeIntervalSince($0) / .days(1) }
      let recent = ages.filter { (0..<period).contains($0) }
      // A document full of recent items reaches less far back than the period.
      let span = recent.count == ages.count ? max(1, recent.max() ?? period) : period
      if !ages.isEmpty { rates.append(Double(recent.count) / span) }
    }
    return rates.max()
  }
}
