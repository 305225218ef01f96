// Who a request comes from and which way it goes, where it differs from the transport's own.

import FeedModel

/// A name and a password for one origin.
public struct Credentials: Sendable, Equatable {
  public var user: String
  public var password: String
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// The way to a server.
public enum ProxyChoice: Sendable, Equatable {
  /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
  case environment
  /// No proxy, whatever the environment says.
  case none
  /// This one: `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h` (the last lets the proxy
  /// look names up). With exceptions the hosts in `no_proxy` are asked directly.
  case server(String, hasExceptions: Bool)

  /// The schemes that a proxy's address may have.
  public static let schemes: Set<String> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Whether a text can be a proxy's address.
  public static func isServer(_ text: String) -> Bool {
    let address = WebAddress(text)
    return address.scheme.map(schemes.contains) == true && address.host != nil
      && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}

/// What a user set for the requests of one feed.
public struct RequestIdentity: Sendable, Equatable {
  /// Nil: the transport's own.
  public var userAgent: String?
  public var proxy: ProxyChoice
  /// For the origin of the request's first address, and for no other. Ignored where the address has
  /// a name and a password itself.
  public var credentials: Credentials?

  public init(
    userAgent: String? = nil, proxy: ProxyChoice = .environment, credentials: Credentials? = nil
  ) {
    self.userAgent = userAgent
    self.proxy = proxy
    self.credentials = credentials
  }
}
