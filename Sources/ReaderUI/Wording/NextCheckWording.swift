public import FeedModel

/// When a feed is asked next, and why then, in one line.
public nonisolated struct NextCheckWording {
  private let dates: DateWording

  public init(dates: DateWording) { self.dates = dates }

  /// "next 14:20: max-age 3600; 6 articles a day", "next 13:04: asked to wait 120 s; 429 at 13:02",
  /// "never: gone". Empty for a feed that needs no asking.
  public func sentence(for feed: Feed) -> String {
    let state = feed.state
    if state.failure?.kind == .gone { return "never: gone" }
    if feed.isPaused { return "never: paused" }
    guard let date = state.nextCheckAt else { return "" }
    let when = date <= dates.now ? "due" : "next \(dates.moment(date))"
    let reasons = [state.nextCheckReason, refusal(state)].compactMap { $0 }
    return reasons.isEmpty ? when : "\(when): \(reasons.joined(separator: "; "))"
  }

  /// "429 at 13:02".
  private func refusal(_ state: FeedState) -> String? {
    guard let failure = state.failure, let status = failure.status else { return nil }
    return
      "\(status) at \(dates.moment(failure.count == 0 ? failure.since : state.checkedAt ?? failure.since))"
  }
}
