import FeedModel
import Foundation

/// One kind of interaction with a server: the request, and how its answer becomes a value.
public protocol NetworkRequest: Sendable {
  /// What the answer becomes.
  associatedtype Response: Sendable
  /// The request as it is sent.
  var httpRequest: HTTPRequest { get }
  /// Further headers for one address on the way: validators are for the address that gave them, and
  /// for the user that it gave them to.
  func headers(for url: String, user: String?) -> [(name: String, value: String)]
  /// The response mapper: what the answer means. Throws for an answer that cannot be used.
  func map(_ answer: FollowedResponse) throws(TransportError) -> Response
}

extension NetworkRequest {
  /// No further headers.
  public func headers(for url: String, user: String?) -> [(name: String, value: String)] { [] }
}

/// The last answer of a chain of redirects, and the way to it.
public struct FollowedResponse: Sendable {
  public var response: HTTPResponse
  /// The address that answered in the end, without `user:password@`.
  public var finalURL: String
  /// The user that the last request was made for; nil: without a user.
  public var user: String?
  /// Where there were redirects and every one was permanent (301, 308): their target.
  public var permanentURL: String?
  /// Where some redirect was for the moment only (302, 303, 307).
  public var isDetour: Bool

  /// What is not given is nil or false: an answer without redirects.
  public init(
    response: HTTPResponse, finalURL: String, user: String? = nil, permanentURL: String? = nil,
    isDetour: Bool = false
  ) {
    self.response = response
    self.finalURL = finalURL
    self.user = user
    self.permanentURL = permanentURL
    self.isDetour = isDetour
  }
}

/// Performs network requests over a transport, following redirects by the rules of
/// `RedirectPolicy`.
public struct NetworkClient: Sendable {
  public var transport: any HTTPTransport
  public var redirects: RedirectPolicy

  /// - Parameter redirects: five at most, unless something else is given.
  public init(transport: any HTTPTransport, redirects: RedirectPolicy = RedirectPolicy()) {
    self.transport = transport
    self.redirects = redirects
  }

  /// - Parameter observe: sees the events of every hop; see `HTTPTransport.send`.
  public func perform<Request: NetworkRequest>(
    _ request: Request, observe: (@Sendable (TransferEvent) -> Void)? = nil
  ) async throws(TransportError) -> Request.Response {
    let base = request.httpRequest.withOwnHeaders
    guard WebAddress(base.url).isHTTP else {
      throw TransportError(.unsupportedScheme, detail: WebAddress(base.url).scheme ?? "")
    }
    // A redirect must not choose which of the user's cookies are sent.
    let cookies = base.identity.cookies.filter { $0.covers(WebAddress(base.url)) }
    var route = RedirectPolicy.Route(base, maximumHops: redirects.maximumHops)
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
  /// With the headers of its identity, in place of others of their names.
  fileprivate var withOwnHeaders: HTTPRequest {
    guard let own = identity.headers.flatMap(FeedOptions.headerLines) else { return self }
    var request = self
    let names = Set(own.map { $0.name.lowercased() })
    request.headers.removeAll { names.contains($0.name.lowercased()) }
    request.headers += own
    return request
  }

  /// Whom the request is made for, as written in the address or set beside it.
  var user: String? {
    guard let userInfo = WebAddress(url).userInfo else {
      return identity.credentials?.user.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    }
    return String(userInfo.prefix { $0 != ":" })
  }
}

extension TransferMetrics {
  /// Both transfers as one: the second began when the first had ended.
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
