public import Foundation

/// A request to a server, and the mapping of its answer to a value.
public protocol NetworkRequest: Sendable {
  /// The value of an answer.
  associatedtype Response: Sendable
  /// The request as it is sent.
  var httpRequest: HTTPRequest { get }
  /// Returns additional headers for an address and user, such as their validators.
  func headers(for url: String, user: String?) -> [(name: String, value: String)]
  /// Maps the answer to a value. Throws for an unusable answer.
  func map(_ answer: FollowedResponse) throws(TransportError) -> Response
}

extension NetworkRequest {
  /// Returns no additional headers.
  public func headers(for url: String, user: String?) -> [(name: String, value: String)] { [] }
}

/// The parts of a request that do not depend on the kind of document.
public struct RequestTerms: Sendable {
  public var privateAccess: PrivateAccess
  public var identity: RequestIdentity
  public var limits: TransferLimits
  /// The current time, for dates in headers.
  public var now: @Sendable () -> Date

  public init(
    privateAccess: PrivateAccess, identity: RequestIdentity = RequestIdentity(),
    limits: TransferLimits = TransferLimits(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.privateAccess = privateAccess
    self.identity = identity
    self.limits = limits
    self.now = now
  }

  func get(
    _ url: String, headers: [(name: String, value: String)], sink: (any BodySink)? = nil
  ) -> HTTPRequest {
    HTTPRequest(
      url: url, headers: headers, limits: limits, sink: sink, privateAccess: privateAccess,
      identity: identity)
  }
}

/// The last answer of a chain of redirects, and its path.
public struct FollowedResponse: Sendable {
  public var response: HTTPResponse
  /// The address that answered in the end, without `user:password@`.
  public var finalURL: String
  /// The user of the last request; `nil` if there is none.
  public var user: String?
  /// The target of the redirects, if all were permanent (301, 308).
  public var permanentURL: String?
  /// True if some redirect was temporary (302, 303, 307).
  public var isDetour = false
}

/// Performs network requests over a transport, and follows redirects by `RedirectPolicy`.
public struct NetworkClient: Sendable {
  public var transport: any HTTPTransport

  public init(transport: any HTTPTransport) { self.transport = transport }

  /// - Parameter observe: receives the events of every hop; see `HTTPTransport.send`.
  public func perform<Request: NetworkRequest>(
    _ request: Request, observe: (@Sendable (TransferEvent) -> Void)? = nil
  ) async throws(TransportError) -> Request.Response {
    let base = request.httpRequest.withOwnHeaders
    guard WebAddress(base.url).isHTTP else {
      throw TransportError(.unsupportedScheme, detail: WebAddress(base.url).scheme ?? "")
    }
    // A redirect must not choose which of the user's cookies are sent.
    let cookies = base.identity.cookies.filter { $0.covers(WebAddress(base.url)) }
    var route = RedirectPolicy(base)
    var metrics: TransferMetrics?
    while true {
      var hop = route.request
      hop.headers += request.headers(for: hop.url, user: hop.user)
      if let header = Cookie.header(cookies, for: hop.url) {
        hop.headers.append(("Cookie", header))
      }
      var response = try await transport.send(hop, observe: observe)
      let sum = metrics?.followed(by: response.metrics) ?? response.metrics
      metrics = sum
      if try route.advance(response) { continue }
      response.metrics = sum
      return try request.map(
        FollowedResponse(
          response: response, finalURL: WebAddress(hop.url).withoutUserInfo.text, user: hop.user,
          permanentURL: route.permanentURL, isDetour: route.isDetour))
    }
  }
}

extension HTTPRequest {
  /// The request with its identity's headers, which replace others of the same names.
  fileprivate var withOwnHeaders: HTTPRequest {
    guard let own = identity.headers.flatMap(FeedOptions.headerLines) else { return self }
    var request = self
    let names = Set(own.map { $0.name.lowercased() })
    request.headers.removeAll { names.contains($0.name.lowercased()) }
    request.headers += own
    return request
  }

  /// The user in the address or the credentials.
  var user: String? {
    guard let userInfo = WebAddress(url).userInfo else {
      return identity.credentials?.user.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    }
    return String(userInfo.prefix { $0 != ":" })
  }
}

extension TransferMetrics {
  /// Combines two consecutive transfers.
  func followed(by next: TransferMetrics) -> TransferMetrics {
    var sum = next
    sum.nameLookup += nameLookup
    sum.connect = next.connect ?? connect
    sum.tls = next.tls ?? tls
    sum.firstByte += total
    sum.total += total
    sum.bytesReceived += bytesReceived
    sum.bytesSent += bytesSent
    return sum
  }
}
