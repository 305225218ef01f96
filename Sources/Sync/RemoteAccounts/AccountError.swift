/// The failure of a request to an account's server.
public enum AccountError: Error, Sendable, Equatable {
  /// The server rejects this user with this secret.
  case wrongCredentials
  /// The password is unavailable; no request was sent.
  case noSecret(detail: String?)
  /// The address has no API of this protocol, or the API is switched off.
  case noSuchAPI(status: Int)
  /// The server redirects this address to another origin.
  case moved(to: String)
  /// A 429 or 503, with the seconds to wait if given.
  case busy(status: Int, retryAfter: Double?)
  /// Another unsuccessful status, with the first words of the answer as plain text.
  case refused(status: Int, detail: String)
  /// The answer cannot be interpreted.
  case unusable(detail: String)
  /// The protocol has no such call.
  case unsupported
  /// The server's lists are empty, although the last pull found articles or feeds.
  case emptyLists
  /// No answer arrived.
  case transport(TransportError)

  /// True if the request itself is wrong, so that repeating it cannot help.
  public var isRefusal: Bool {
    if case .refused(let status, _) = self {
      (400..<500).contains(status) && status != 408
    } else {
      false
    }
  }
}
