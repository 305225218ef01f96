import FeedModel
import FeedStore
import Foundation
import Networking
import RemoteAccounts

// What a server's refusals mean: for the account's row, for the line, and for the next try.

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
    case .transport(let error):
      self.init(
        kind: .unreachable, detail: RefreshFailure.Kind(error).rawValue, since: now)
    }
  }
}

extension AccountError {
  /// As an outbox row remembers it: the words of a server or program, else the raw value of an
  /// `AccountFailure.Kind` or a `RefreshFailure.Kind`.
  var words: String {
    switch self {
    case .wrongCredentials: AccountFailure.Kind.wrongCredentials.rawValue
    case .noSecret(let detail): detail ?? AccountFailure.Kind.noSecret.rawValue
    case .noSuchAPI(let status), .busy(let status, _): String(status)
    case .moved(let origin): origin
    case .refused(let status, let detail):
      detail.isEmpty ? String(status) : "\(status): \(detail)"
    case .unusable(let detail): detail
    case .unsupported: AccountFailure.Kind.unsupported.rawValue
    case .transport(let error): RefreshFailure.Kind(error).rawValue
    }
  }

  /// What it says about the line.
  func end(host: String) -> OperationEnd {
    switch self {
    case .transport(let error):
      OperationEnd(Result<Void, FetchFailure>.failure(.transport(error)), host: host)
    // Nothing was sent.
    case .noSecret: .cancelled
    default: .answered
    }
  }

  /// Seconds until the next try, after so many in a row that failed. Guessing at a password is what a
  /// server locks an account for.
  func wait(failures: Int) -> Double {
    let doubled = Double(1 << min(max(0, failures), 10))
    switch self {
    case .wrongCredentials, .noSecret, .noSuchAPI, .moved: return 3_600
    case .busy(_, let retryAfter):
      let told = max(HostState.shortestPause, retryAfter ?? min(60 * doubled, 3_600))
      return min(told, HostState.longestPause)
    case .refused, .unusable, .unsupported, .transport: return min(5 * doubled, 3_600)
    }
  }
}
