import Foundation

// Interprets server refusals for account rows, the network's state and retries.

extension AccountFailure {
  init(_ error: AccountError, at now: Date) {
    switch error {
    case .wrongCredentials: self.init(kind: .wrongCredentials, since: now)
    case .noSecret(let detail): self.init(kind: .noSecret, detail: detail, since: now)
    case .noSuchAPI(let status): self.init(kind: .noSuchAPI, status: status, since: now)
    case .moved(let origin): self.init(kind: .moved, detail: origin, since: now)
    case .busy(let status, _): self.init(kind: .busy, status: status, since: now)
    case .refused(let status, let detail):
      self.init(kind: .refused, status: status, detail: detail, since: now)
    case .unusable(let detail): self.init(kind: .unusable, detail: detail, since: now)
    case .unsupported: self.init(kind: .unsupported, since: now)
    case .emptyLists: self.init(kind: .emptyLists, since: now)
    case .transport(let error):
      // The text of the TLS library tells what is wrong with a certificate.
      let text = error.kind == .tls ? ":\(error.detail)" : ""
      self.init(
        kind: .unreachable, detail: RefreshFailure.Kind(error).rawValue + text, since: now)
    }
  }
}

extension AccountError {
  /// Returns the effect on the network's state; `nil` if nothing was sent.
  func end(host: String) -> OperationEnd? {
    switch self {
    case .noSecret: nil
    case .transport(let error):
      OperationEnd(Result<Void, FetchFailure>.failure(.transport(error)), host: host)
    default: .answered
    }
  }

  /// True if the server itself failed: a status from 500 on, or an unusable answer.
  var isServerError: Bool {
    switch self {
    case .refused(let status, _): status >= 500
    case .unusable: true
    default: false
    }
  }

  /// True if the server answered, but not with what was requested.
  var isAnswer: Bool {
    if case .noSuchAPI = self { true } else { isServerError || isRefusal }
  }

  /// The text for an outbox row: a message, a status, an origin, or the raw value of an
  /// `AccountFailure.Kind` or a `RefreshFailure.Kind`.
  var words: String {
    if case .refused(let status, let detail) = self {
      return detail.isEmpty ? "\(status)" : "\(status): \(detail)"
    }
    let failure = AccountFailure(self, at: .distantPast)
    return failure.detail ?? failure.status.map { "\($0)" } ?? failure.kind.rawValue
  }

  /// The longest wait between two attempts if the server names no time.
  private static let longestBackoff = Duration.seconds(900)

  /// Returns the time until the next attempt: the server's, otherwise seconds that double with each
  /// failure. Problems that need the user wait an hour, as servers lock accounts after several
  /// wrong passwords.
  /// - Parameter failures: consecutive failures before this one.
  func wait(failures: Int) -> Duration {
    let doubled = 1 << min(max(0, failures), 10)
    switch self {
    // A page or a redirect instead of an answer may come from a network that requires a sign-in.
    case .noSuchAPI(200..<300), .moved: return min(.seconds(5 * doubled), Self.longestBackoff)
    case .wrongCredentials, .noSecret, .noSuchAPI: return .hours(1)
    case .busy(_, let retryAfter):
      let told = retryAfter.flatMap { $0.isFinite ? Duration.seconds(min(max(1, $0), 1e9)) : nil }
      return told.map { min($0, HostState.longestPause) }
        ?? min(.seconds(10 * doubled), Self.longestBackoff)
    case .refused, .unusable, .unsupported, .emptyLists, .transport:
      return min(.seconds(5 * doubled), Self.longestBackoff)
    }
  }
}
