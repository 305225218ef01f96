import Foundation

/// The time of a feed's next check and its reasons, in one line.
public struct NextCheckWording {
  private let dates: DateWording

  public init(dates: DateWording) { self.dates = dates }

  /// Returns text like "next check 14:20 (6 articles a day; the server asks for 1 hour)"; empty if
  /// none is scheduled.
  public func sentence(for feed: Feed) -> String {
    let state = feed.state
    if state.failure?.kind == .gone { return "never: gone" }
    if feed.isPaused { return "never: paused" }
    guard let date = state.nextCheckAt else { return "" }
    let when = date <= dates.now ? "due" : "next check \(dates.moment(date))"
    let reasons = [Self.reasons(state.nextCheckReasons), refusal(state)].compactMap { $0 }
    return reasons.isEmpty ? when : "\(when) (\(reasons.joined(separator: "; ")))"
  }

  /// Returns text like "the server asks for 1 hour; 6 articles a day"; `nil` if there is no reason.
  public static func reasons(_ reasons: [CheckReason]) -> String? {
    reasons.isEmpty ? nil : reasons.map(reason).joined(separator: "; ")
  }

  private static func reason(_ reason: CheckReason) -> String {
    switch reason {
    case .retryAfter, .backoff: "the server asked for a pause"
    case .freshFor(let seconds): "the server asks for \(span(seconds))"
    case .interval(let seconds): "the feed asks for \(span(seconds))"
    case .ownInterval(let seconds):
      "set to every \(IntervalWording.text(.seconds(seconds)))"
    case .articlesPerDay(let count): cadence(count)
    case .failed(let times): times <= 1 ? "failed" : "failed \(times) times"
    case .skippedHours: "the feed skips these hours"
    case .skippedDays: "the feed skips these days"
    case .hourly: "hourly"
    case .stoppedByUser: "stopped by hand"
    }
  }

  private static func span(_ seconds: Int) -> String {
    seconds < 60 ? "\(seconds) s" : IntervalWording.text(.seconds(seconds))
  }

  private static func cadence(_ perDay: Double) -> String {
    func count(_ value: Double) -> String { AmountWording.articles(Int(min(value, 1e6).rounded())) }
    if perDay >= 0.9 { return count(perDay) + " a day" }
    if perDay * 7 >= 0.9 { return count(perDay * 7) + " a week" }
    if perDay * 30 >= 0.9 { return count(perDay * 30) + " a month" }
    return "quiet for weeks"
  }

  /// Returns text like "429 at 13:02".
  private func refusal(_ state: FeedState) -> String? {
    guard let failure = state.failure, let status = failure.status else { return nil }
    return
      "\(status) at \(dates.moment(failure.count == 0 ? failure.since : state.checkedAt ?? failure.since))"
  }
}
