import FeedModel
public import Networking

/// A `GET` that finds out whether a server redirects to the same host with encryption, before any
/// password is sent in the clear.
public struct EncryptionRequest: NetworkRequest {
  private let url: String

  /// - Parameter url: an http address.
  public init(url: String) { self.url = url }

  /// A GET without credentials.
  public var httpRequest: HTTPRequest {
    HTTPRequest(url: url)
  }

  /// The same path at the encrypted origin; `nil` if not redirected there.
  public func map(_ answer: FollowedResponse) -> String? {
    let end = WebAddress(answer.finalURL)
    var address = WebAddress(url)
    guard end.scheme == "https", end.host == address.host else { return nil }
    address.scheme = end.scheme
    address.authority = end.authority
    return address.text
  }
}
