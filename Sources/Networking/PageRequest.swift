import FeedModel
public import Foundation

/// One GET of an article's web page.
public struct PageRequest: NetworkRequest {
  public var url: String
  public var identity: RequestIdentity
  /// The longest body is at most `maximumPage`.
  public var limits: TransferLimits
  public var privateAccess: PrivateAccess

  /// The current time, for dates in headers.
  public var now: @Sendable () -> Date

  /// The most decompressed bytes of a page.
  public static let maximumPage = 5 << 20

  /// - Parameter limits: its `decodedBody` is lowered to `maximumPage`.
  public init(
    url: String, identity: RequestIdentity = RequestIdentity(),
    limits: TransferLimits = TransferLimits(), privateAccess: PrivateAccess = .denied,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.url = url
    self.identity = identity
    self.limits = limits
    self.limits.decodedBody = min(limits.decodedBody, Self.maximumPage)
    self.privateAccess = privateAccess
    self.now = now
  }

  public var httpRequest: HTTPRequest {
    let accept = "text/html, application/xhtml+xml, text/plain;q=0.8, */*;q=0.1"
    return HTTPRequest(
      url: url, headers: [("Accept", accept)], limits: limits,
      privateAccess: privateAccess, identity: identity)
  }

  /// Never throws: every status is an answer.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PageResponse {
    PageResponse(answer, now: now())
  }
}

/// The answer to a request for a page or file, after redirects.
public struct PageResponse: Sendable {
  public var status: Int
  /// The decompressed body; may be empty.
  public var body: [UInt8]
  /// The header `Content-Type` as written, if any.
  public var contentType: String?
  /// The address that answered in the end: the base of relative addresses in the page.
  public var finalURL: String
  /// `Retry-After` in seconds, in whichever form it came; not clamped.
  public var retryAfter: Double?

  init(_ answer: FollowedResponse, now: Date) {
    status = answer.response.status
    body = answer.response.body
    contentType = answer.response.header("content-type")
    finalURL = answer.finalURL
    retryAfter = CacheHints(of: answer.response, now: now).retryAfter
  }
}
