import Foundation

// Maps a server's errors to states of rows in the outbox.

extension AccountError {
  /// True if the server itself failed: a status from 500 on, or an unusable answer.
  var isServerError: Bool {
    switch self {
    case .refused(let status, _): status >= 500
    case .unusable: true
    default: false
    }
  }

  /// The text for an outbox row: a message, a status, an origin, or the raw value of an
  /// `AccountFailure.Kind` or a `RefreshFailure.Kind`.
  var words: String {
    switch self {
    case .refused(let status, let detail):
      return detail.isEmpty ? "\(status)" : "\(status): \(detail)"
    default:
      let failure = AccountFailure(self, at: .distantPast)
      return failure.detail ?? failure.status.map { "\($0)" } ?? failure.kind.rawValue
    }
  }

}
