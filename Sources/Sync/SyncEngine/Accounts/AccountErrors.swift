// Maps a server's errors to states of rows in the outbox.

extension AccountError {
  /// True if the server itself failed: a status from 500 on, or an unusable answer.
  package var isServerError: Bool {
    switch self {
    case .refused(let status, _): status >= 500
    case .unusable: true
    default: false
    }
  }

  /// The text for an outbox row: a message, a status, an origin, or the raw value of an
  /// `AccountFailure.Kind` or a `RefreshFailure.Kind`.
  package var words: String {
    switch self {
    case .wrongCredentials: AccountFailure.Kind.wrongCredentials.rawValue
    case .noSecret(let detail): detail ?? AccountFailure.Kind.noSecret.rawValue
    case .noSuchAPI(let status), .busy(let status, _): String(status)
    case .moved(let origin): origin
    case .refused(let status, let detail):
      detail.isEmpty ? String(status) : "\(status): \(detail)"
    case .unusable(let detail): detail
    case .unsupported: AccountFailure.Kind.unsupported.rawValue
    case .emptyLists: AccountFailure.Kind.emptyLists.rawValue
    case .rebuilt: AccountFailure.Kind.rebuilt.rawValue
    case .setBack: AccountFailure.Kind.setBack.rawValue
    case .transport(let error): RefreshFailure.Kind(error).rawValue
    }
  }

  /// True if the server answered or the request cannot have arrived; if false, the server may have
  /// carried out the request.
  package var isAnswered: Bool {
    switch self {
    case .transport(let error):
      switch error.kind {
      case .hostNotFound, .connectionRefused, .connectTimedOut, .proxy, .offline, .tls,
        .forbiddenAddress, .unsupportedScheme, .badURL:
        true
      default: false
      }
    // The answer may be incomplete, or replaced by a page of another network.
    case .unusable, .noSuchAPI(200..<300): false
    default: true
    }
  }
}
