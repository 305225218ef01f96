import FeedModel
import FeedStore
import Foundation
import NetworkMeasurement
import Networking
import RemoteAccounts

// What a failure of an account's server means for the account's row, for the network measurement and
// for the next attempt.

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
  /// The server answered, and could not do what it was asked.
  var isServerError: Bool {
    switch self {
    case .refused(let status, _): status >= 500
    case .unusable: true
    default: false
    }
  }

  /// The text that an outbox row stores: the words of a server or program, else the raw value of an
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

  /// False if the server may have done what it was asked for without answering; true if it answered,
  /// or if the request cannot have arrived.
  var isAnswered: Bool {
    switch self {
    case .transport(let error):
      switch error.kind {
      case .hostNotFound, .connectionRefused, .connectTimedOut, .proxy, .offline, .tls,
        .forbiddenAddress, .unsupportedScheme, .badURL:
        true
      default: false
      }
    // The answer may have been cut off.
    case .unusable: false
    default: true
    }
  }

  /// What it says about the network.
  func end(host: String) -> OperationEnd {
    switch self {
    case .transport(let error):
      OperationEnd(Result<Void, FetchFailure>.failure(.transport(error)), host: host)
    // Nothing was sent.
    case .noSecret: .cancelled
    default: .answered
    }
  }

  /// What the end of an account's operation says about the network; nil if nothing was sent.
  static func networkEnd(_ failure: AccountError?, _ account: Account) -> OperationEnd? {
    if case .noSecret = failure { return nil }
    return failure?.end(host: WebAddress(account.url).hostKey ?? "") ?? .answered
  }

  /// The longest wait between two attempts when the server names no time.
  private static let longestBackoff = Duration.seconds(900)

  /// The time until the next attempt: what the server said, else seconds that double with each
  /// failure. A wrong password is tried again after an hour: servers lock accounts after several
  /// attempts.
  /// - Parameter failures: in a row, this one not counted.
  func wait(failures: Int) -> Duration {
    let doubled = 1 << min(max(0, failures), 10)
    switch self {
    // A page or a redirect in the place of an answer may be a network that asks for a sign-in.
    case .noSuchAPI(200..<300), .moved: return min(.seconds(5 * doubled), Self.longestBackoff)
    case .wrongCredentials, .noSecret, .noSuchAPI: return .seconds(3_600)
    case .busy(_, let retryAfter):
      let told = retryAfter.flatMap { $0.isFinite ? min(max(1, $0), HostState.longestPause) : nil }
      return told.map { .seconds($0) } ?? min(.seconds(10 * doubled), Self.longestBackoff)
    case .refused, .unusable, .unsupported, .transport:
      return min(.seconds(5 * doubled), Self.longestBackoff)
    }
  }
}
