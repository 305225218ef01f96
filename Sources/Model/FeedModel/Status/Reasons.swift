// Reasons are codes, stored as text; Wording makes the text for users.

/// The reason for the network's concurrency limit.
public enum LimitReason: String, Sendable, Codable, CaseIterable {
  /// No measurement exists yet.
  case starting
  /// Fewer operations run than the limit allows.
  case fewOperations = "few-operations"
  case queueing
  /// More operations raise the throughput.
  case goodputGrowing = "goodput-growing"
  case atCeiling = "at-ceiling"
  case steady
  case silence
  case offline
  case recovered
  /// The network suddenly became much slower.
  case collapsed
}

/// The reason for a host's concurrency limit.
public enum HostLimitReason: String, Sendable, Codable, CaseIterable {
  /// No measurement exists yet.
  case usual
  /// More concurrent requests did not slow the answers.
  case fast
  case slower
  case refused
  /// A connection carries several requests (HTTP/2).
  case multiplexing
  case configured
}

/// The reason for the time of a feed's next check. Stored as text such as "max-age:3600", joined by
/// semicolons.
public enum CheckReason: Sendable, Hashable {
  /// Seconds that the server asked to wait.
  case retryAfter(Int)
  /// Seconds for which the headers declare the answer fresh.
  case freshFor(Int)
  /// Seconds between checks that the document asks for.
  case interval(Int)
  /// Seconds that the user set for the feed.
  case ownInterval(Int)
  case articlesPerDay(Double)
  /// Number of consecutive failures.
  case failed(Int)
  /// Seconds of the host's back-off.
  case backoff(Int)
  /// Hours or days that the publisher excludes.
  case skippedHours
  case skippedDays
  case hourly
  /// The user stopped the refresh; it does not resume at once.
  case stoppedByUser

  private var code: (name: String, value: Double?) {
    switch self {
    case .retryAfter(let seconds): ("retry-after", Double(seconds))
    case .freshFor(let seconds): ("max-age", Double(seconds))
    case .interval(let seconds): ("interval", Double(seconds))
    case .ownInterval(let seconds): ("own", Double(seconds))
    case .articlesPerDay(let count): ("per-day", (count * 1_000).rounded() / 1_000)
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
    case ("failed", let count?, _): self = .failed(count)
    case ("back-off", let seconds?, _): self = .backoff(seconds)
    case ("skip-hours", _, _): self = .skippedHours
    case ("skip-days", _, _): self = .skippedDays
    case ("hourly", _, _): self = .hourly
    case ("stopped", _, _): self = .stoppedByUser
    default: return nil
    }
  }

  /// Returns the stored form; `nil` if there are no reasons.
  public static func text(_ reasons: [CheckReason]) -> String? {
    reasons.isEmpty
      ? nil
      : reasons.map { reason in
        let (name, value) = reason.code
        guard let value else { return name }
        return Int(exactly: value).map { "\(name):\($0)" } ?? "\(name):\(value)"
      }.joined(separator: ";")
  }

  /// Decodes the stored form, ignoring unknown codes.
  public static func reasons(_ text: String?) -> [CheckReason] {
    (text ?? "").split(separator: ";").compactMap { CheckReason($0) }
  }
}
