/// Decides which redirects of a request are followed (RFC 9110, §15.4). A pure state machine.
/// Allows at most five, http and https only, and none from https to http with credentials, from the
/// public Internet into a private network, or to an address already visited, unless a cookie has
/// been set for the first time since. Secrets stay with their origin.
struct RedirectPolicy: Sendable {
  /// The limit, beyond which redirects throw `.tooManyRedirects`.
  private static let maximumHops = 5

  var request: HTTPRequest
  private(set) var hops = 0
  private var visited: Set<String>
  private var hasCookie = false
  private var isPermanent = true

  /// The target, if there were redirects and all were permanent. `user:password@` is kept within
  /// one origin.
  var permanentURL: String? { hops > 0 && isPermanent ? request.url : nil }
  var isDetour: Bool { !isPermanent }

  init(_ request: HTTPRequest) {
    self.request = request
    visited = [Self.key(WebAddress(request.url))]
  }

  /// Returns true if another request must be sent.
  /// - Parameter isCookieSet: true if the answer set a cookie.
  mutating func advance(
    _ response: HTTPResponse, isCookieSet: Bool = false
  ) throws(TransportError) -> Bool {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.header("location"), !location.isEmpty
    else { return false }
    let from = WebAddress(request.url)
    guard var to = from.resolve(WebAddress(location)) else {
      throw TransportError(
        .forbiddenRedirect, detail: "to more than \(WebAddress.maximumLength) bytes")
    }
    to.fragment = nil
    guard to.isHTTP else {
      throw TransportError(.forbiddenRedirect, detail: "to \(to.scheme ?? "nowhere"):")
    }
    hops += 1
    guard hops <= Self.maximumHops else {
      throw TransportError(.tooManyRedirects, detail: "more than \(Self.maximumHops)")
    }
    let isSameOrigin = !to.isOtherOrigin(than: from)
    if from.scheme == "https", to.scheme == "http", carriesSecrets(from) {
      throw TransportError(.forbiddenRedirect, detail: "credentials would leave TLS")
    }
    if request.body != nil, !isSameOrigin, response.status >= 307 {
      throw TransportError(.forbiddenRedirect, detail: "a sent body would go elsewhere")
    }

    // Credentials come from the user's configuration, never from a Location.
    to = to.withoutUserInfo
    if isSameOrigin, let userInfo = from.userInfo, let authority = to.authority {
      to.authority = "\(userInfo)@\(authority)"
    }
    if isCookieSet, !hasCookie { (hasCookie, visited) = (true, []) }
    guard visited.insert(Self.key(to)).inserted else {
      throw TransportError(.tooManyRedirects, detail: "a loop")
    }
    if !isSameOrigin {
      request.identity.credentials = nil
      request.headers.removeAll { !Self.harmless.contains($0.name.lowercased()) }
    }
    let keepsMethod = request.keepsMethod && isSameOrigin && response.status == 301
    if response.status <= 303, request.method == .post, !keepsMethod {
      request.method = .get
      request.body = nil
      request.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    // An unknown address (a proxy answered) counts as public, the stricter case.
    if response.metrics.remoteAddress.flatMap(AddressScope.isPublic) ?? true {
      request.privateAccess = .denied
    }
    isPermanent = isPermanent && (response.status == 301 || response.status == 308)
    request.url = to.text
    return true
  }

  private func carriesSecrets(_ address: WebAddress) -> Bool {
    address.userInfo != nil || request.identity.credentials != nil
      || request.headers.contains { !Self.harmless.contains($0.name.lowercased()) }
  }

  private static func key(_ address: WebAddress) -> String {
    var plain = address.withoutUserInfo
    plain.fragment = nil
    return plain.text
  }

  /// The headers that another origin may get; all others may be secret.
  private static let harmless: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "if-range", "range",
    "user-agent",
  ]
}
