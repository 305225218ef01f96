// Who a request comes from and which way it goes, where it differs from the transport's own.

import FeedModel

/// A name and a password for one origin.
public struct Credentials: Sendable, Equatable {
  /// Basic authorization allows no colon in it (RFC 7617, §2).
  public var user: String
  /// Sent as Basic or Digest authorization; may be empty.
  public var password: String
  /// - Parameter password: may be empty.
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

  /// - Parameters:
  ///   - text: empty: none; else an address, see `FeedOptions.isProxy`.
  ///   - hasExceptions: whether `no_proxy` counts.
  public init(_ text: String, hasExceptions: Bool) {
    self = text.isEmpty ? .none : .server(text, hasExceptions: hasExceptions)
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
  /// "Name: value", one a line: for the origin of the request's first address, and for no other.
  public var headers: String?
  /// Those that are meant for the host of the request's first address, and for the addresses on the
  /// way that they are meant for.
  public var cookies: [Cookie]

  /// Nothing is set, unless it is given.
  public init(
    userAgent: String? = nil, proxy: ProxyChoice = .environment, credentials: Credentials? = nil,
    headers: String? = nil, cookies: [Cookie] = []
  ) {
    self.userAgent = userAgent
    self.proxy = proxy
    self.credentials = credentials
    self.headers = headers
    self.cookies = cookies
  }
}
