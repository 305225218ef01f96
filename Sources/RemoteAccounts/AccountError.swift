public import Foundation
public import Networking

/// The failure of a request to an account's server.
public enum AccountError: Error, Sendable, Equatable {
  /// The server knows no such user with this secret.
  case wrongCredentials
  /// The password is unavailable; no request was sent.
  case noSecret(detail: String?)
  /// Nothing that speaks this protocol answers at this address, or its API is switched off.
  case noSuchAPI(status: Int)
  /// The server redirects this address to another origin.
  case moved(to: String)
  /// 429 or 503, with the seconds to wait if given.
  case busy(status: Int, retryAfter: Double?)
  /// Any other status that is no success, with the first words of the answer as plain text.
  case refused(status: Int, detail: String)
  /// An answer that cannot be understood.
  case unusable(detail: String)
  /// The protocol has no such call.
  case unsupported
  /// The server's lists are empty although articles or feeds were there at the last pull.
  case emptyLists
  /// The server has none of the articles that it had at the last pull, and others.
  case rebuilt
  /// The server has lost marks that it had taken.
  case setBack(marks: Int, since: Date)
  /// No answer came.
  case transport(TransportError)

  /// Whether the request itself is wrong, so that sending it again cannot help.
  public var isRefusal: Bool {
    if case .refused(let status, _) = self {
      (400..<500).contains(status) && status != 408
    } else {
      false
    }
  }
}
