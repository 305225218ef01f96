import Foundation

/// A GET of an article's web page.
public struct PageRequest: NetworkRequest {
  public var url: String
  /// The terms; the body limit is at most `maximumPage`.
  public var terms: RequestTerms

  /// The limit of a page in decompressed bytes.
  public static let maximumPage = 5 << 20

  /// - Parameter terms: their body limit is lowered to `maximumPage`.
  public init(url: String, terms: RequestTerms) {
    self.url = url
    self.terms = terms
    self.terms.limits.decodedBody = min(terms.limits.decodedBody, Self.maximumPage)
  }

  public var httpRequest: HTTPRequest {
    let accept = "text/html, application/xhtml+xml, text/plain;q=0.8, */*;q=0.1"
    return terms.get(url, headers: [("Accept", accept)])
  }

  /// Never throws: every status is an answer.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PageResponse {
    PageResponse(answer, now: terms.now())
  }
}

/// The answer to a request for a page or file, after redirects.
public struct PageResponse: Sendable {
  public var status: Int
  /// The decompressed body; may be empty.
  public var body: [UInt8]
  /// The header `Content-Type` as written; `nil` if missing.
  public var contentType: String?
  /// The address that answered in the end; the base of relative addresses in the page.
  public var finalURL: String
  /// `Retry-After` in seconds, from either form; not clamped.
  public var retryAfter: Double?

  init(_ answer: FollowedResponse, now: Date) {
    status = answer.response.status
    body = answer.response.body
    contentType = answer.response.header("content-type")
    finalURL = answer.finalURL
    retryAfter = CacheHints(of: answer.response, now: now).retryAfter
  }
}
