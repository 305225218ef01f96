// Identities of requests that differ from the transport's.

/// A name and a password for one origin.
public struct Credentials: Sendable, Equatable {
  /// The name, in which Basic authorization allows no colon (RFC 7617, §2).
  public var user: String
  /// The password, sent with Basic or Digest authorization; may be empty.
  public var password: String
  public init(user: String, password: String) { (self.user, self.password) = (user, password) }
}

/// The path to a server.
public enum ProxyChoice: Sendable, Equatable {
  /// The proxy of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
  case environment
  /// No proxy, whatever the environment says.
  case none
  /// A proxy: `http`, `https`, `socks4`, `socks4a`, `socks5`, or `socks5h`, which resolves names
  /// itself. With exceptions, requests to hosts in `no_proxy` are direct.
  case server(String, hasExceptions: Bool)

  /// - Parameters:
  ///   - text: an address (see `FeedOptions.isProxy`), or empty for no proxy.
  ///   - hasExceptions: true if `no_proxy` applies.
  public init(_ text: String, hasExceptions: Bool) {
    self = text.isEmpty ? .none : .server(text, hasExceptions: hasExceptions)
  }
}

/// The user's settings for one feed's requests.
public struct RequestIdentity: Sendable, Equatable {
  /// The user agent; `nil` for the transport's.
  public var userAgent: String?
  public var proxy: ProxyChoice
  /// Credentials for the origin of the first address only, unless that address contains some.
  public var credentials: Credentials?
  /// Lines of "Name: value", sent to the origin of the first address only.
  public var headers: String?
  /// Cookies for the host of the first address, sent with each hop that they match.
  public var cookies: [Cookie]

  public init(
    userAgent: String? = nil, proxy: ProxyChoice = .environment, credentials: Credentials? = nil,
    headers: String? = nil, cookies: [Cookie] = []
  ) {
    (self.userAgent, self.proxy, self.credentials) = (userAgent, proxy, credentials)
    (self.headers, self.cookies) = (headers, cookies)
  }
}
