// Why the engine does what it does, as codes: stored as text, and put into words only where people
// read them.

/// Why the concurrency limit of the network is what it is.
public enum LimitReason: String, Sendable, CaseIterable {
  /// Nothing was measured yet.
  case starting
  /// Fewer operations run than the limit allows: nothing is learned.
  case fewOperations = "few-operations"
  case queueing
  /// More operations brought no more bytes a second.
  case goodputFlat = "goodput-flat"
  /// More operations bring more bytes a second.
  case goodputGrowing = "goodput-growing"
  case atCeiling = "at-ceiling"
  case restored
  /// Measured, and right as it is.
  case steady
  case silence
  case offline
  case recovered
  /// The network became much slower at once.
  case collapsed
  /// It is not measured.
  case fixed
}

/// Why a host may have as many requests at once as it may.
public enum HostLimitReason: String, Sendable, CaseIterable {
  /// It was not measured yet.
  case usual
  /// Its answers came as fast with more at once.
  case fast
  case slower
  case refused
  /// One connection carries several requests (HTTP/2).
  case multiplexing
  case configured
}

/// Why a feed is checked when it is. Stored as text: "max-age:3600", and several joined by
/// semicolons.
public enum CheckReason: Sendable, Hashable {
  /// The answer asked for this many seconds.
  case retryAfter(Int)
  /// Its headers said that it stays fresh for this many seconds.
  case freshFor(Int)
  /// Its document asked for this many seconds between two checks.
  case interval(Int)
  /// The user set this many seconds for the feed.
  case ownInterval(Int)
  case articlesPerDay(Double)
  /// Its articles have this mean score, so it is asked more often.
  case score(Int)
  /// So many failures in a row.
  case failed(Int)
  /// Its host is in back-off for this many seconds.
  case backoff(Int)
  /// Its publisher wants hours or days left out.
  case skippedHours
  case skippedDays
  case hourly
  /// The user stopped it: it is not resumed at once.
  case stoppedByUser

  private var code: (name: String, value: Double?) {
    switch self {
    case .retryAfter(let seconds): ("retry-after", Double(seconds))
    case .freshFor(let seconds): ("max-age", Double(seconds))
    case .interval(let seconds): ("interval", Double(seconds))
    case .ownInterval(let seconds): ("own", Double(seconds))
    case .articlesPerDay(let count): ("per-day", (count * 1_000).rounded() / 1_000)
    case .score(let number): ("score", Double(number))
    case .failed(let count): ("failed", Double(count))
    case .backoff(let seconds): ("back-off", Double(seconds))
    case .skippedHours: ("skip-hours", nil)
    case .skippedDays: ("skip-days", nil)
    case .hourly: ("hourly", nil)
    case .stoppedByUser: ("stopped", nil)
    }
  }

  private init?(_ text: Substring) {
    let parts = text.split(separator: ":", maxSplits: 1)
    let value = parts.count > 1 ? Double(parts[1]) : nil
    let whole = value.flatMap { Int(exactly: $0.rounded()) }
    switch (parts.first, whole, value) {
    case ("retry-after", let seconds?, _): self = .retryAfter(seconds)
    case ("max-age", let seconds?, _): self = .freshFor(seconds)
    case ("interval", let seconds?, _): self = .interval(seconds)
    case ("own", let seconds?, _): self = .ownInterval(seconds)
    case ("per-day", _, let count?): self = .articlesPerDay(count)
    case ("score", let number?, _): self = .score(number)
    case ("failed", let count?, _): self = .failed(count)
    case ("back-off", let seconds?, _): self = .backoff(seconds)
    case ("skip-hours", _, _): self = .skippedHours
    case ("skip-days", _, _): self = .skippedDays
    case ("hourly", _, _): self = .hourly
    case ("stopped", _, _): self = .stoppedByUser
    default: return nil
    }
  }

  /// As it is stored; nil if there is no reason.
  public static func text(_ reasons: [CheckReason]) -> String? {
    reasons.isEmpty
      ? nil
      : reasons.map { reason in
        let (name, value) = reason.code
        guard let value else { return name }
        return Int(exactly: value).map { "\(name):\($0)" } ?? "\(name):\(value)"
      }.joined(separator: ";")
  }

  /// What is stored; codes that this version does not know are left out.
  public static func reasons(_ text: String?) -> [CheckReason] {
    (text ?? "").split(separator: ";").compactMap { CheckReason($0) }
  }
}
