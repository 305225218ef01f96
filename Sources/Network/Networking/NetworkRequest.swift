internal import CZlib
public import Foundation

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

/// Sends requests over a transport, and follows redirects by `RedirectPolicy`.
public struct NetworkClient: Sendable {
  public var transport: any HTTPTransport

  public init(transport: any HTTPTransport) { self.transport = transport }

  /// - Parameters:
  ///   - date: returns the current time, for dates in headers.
  ///   - observe: receives the events of every hop; see `HTTPTransport.send`.
  public func perform(
    _ request: DocumentRequest, date: () -> Date = { Date() },
    observe: (@Sendable (TransferEvent) -> Void)? = nil
  ) async throws(TransportError) -> DocumentResponse {
    let answer = try await follow(
      request.httpRequest, headers: request.headers(for:user:), observe: observe)
    return request.map(answer, now: date())
  }

  /// - Parameters:
  ///   - headers: returns additional headers for an address and user, such as their validators.
  ///   - observe: receives the events of every hop; see `HTTPTransport.send`.
  public func follow(
    _ request: HTTPRequest,
    headers: (_ url: String, _ user: String?) -> [(name: String, value: String)] = { _, _ in [] },
    observe: (@Sendable (TransferEvent) -> Void)? = nil
  ) async throws(TransportError) -> FollowedResponse {
    let base = request.withOwnHeaders
    guard WebAddress(base.url).isHTTP else {
      throw TransportError(.unsupportedScheme, detail: WebAddress(base.url).scheme ?? "")
    }
    // A redirect must not choose which of the user's cookies are sent. Those that servers set last
    // until the end of the chain.
    var cookies = base.identity.cookies.filter { $0.covers(WebAddress(base.url)) }
    var route = RedirectPolicy(base)
    var metrics: TransferMetrics?
    var undecoded: TransportError?
    while true {
      var hop = route.request
      hop.headers += headers(hop.url, hop.user)
      if let header = Cookie.header(cookies, for: hop.url) {
        hop.headers.append(("Cookie", header))
      }
      var response: HTTPResponse
      do throws(TransportError) {
        response = try await transport.send(hop, observe: observe)
      } catch {
        guard undecoded == nil, error.kind == .badEncoding || error.mayBeCoding, hop.method == .get,
          hop.sink == nil
        else { throw error }
        undecoded = error
        route.request.decodesBody = false
        continue
      }
      let sum = metrics?.followed(by: response.metrics) ?? response.metrics
      metrics = sum
      let isCookieSet = Cookie.add(response, of: hop.url, to: &cookies)
      if try route.advance(response, isCookieSet: isCookieSet) { continue }
      response.metrics = sum
      if response.body.starts(with: [0x1F, 0x8B]) {
        if let body = Self.gunzip(response.body, limit: hop.limits.decodedBody) {
          response.body = body
        } else if let undecoded {
          throw undecoded
        }
      }
      return FollowedResponse(
        response: response, finalURL: WebAddress(hop.url).withoutUserInfo.text, user: hop.user,
        permanentURL: route.permanentURL, isDetour: route.isDetour)
    }
  }

  /// Decodes gzip that no header names, or of which libcurl decodes one member only; ignores what
  /// follows the last member.
  private static func gunzip(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var length = 0
    guard let data = weir_gunzip(bytes, bytes.count, limit, &length) else { return nil }
    defer { free(data) }
    return Array(UnsafeBufferPointer(start: data, count: length))
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
