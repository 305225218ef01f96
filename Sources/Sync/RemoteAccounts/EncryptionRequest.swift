/// A GET that detects whether a server redirects to https on the same host, before a password is
/// sent unencrypted.
public struct EncryptionRequest: NetworkRequest {
  private let url: String

  /// - Parameter url: an http address.
  public init(url: String) { self.url = url }

  /// A GET without credentials.
  public var httpRequest: HTTPRequest {
    HTTPRequest(url: url)
  }

  /// Returns the same path at the https origin; `nil` if the server does not redirect there.
  public func map(_ answer: FollowedResponse) -> String? {
    let end = WebAddress(answer.finalURL)
    var address = WebAddress(url)
    guard end.scheme == "https", end.host == address.host else { return nil }
    address.scheme = end.scheme
    address.authority = end.authority
    return address.text
  }
}
