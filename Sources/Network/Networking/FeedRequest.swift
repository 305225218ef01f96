public import Foundation

/// A conditional GET of a feed.
public struct FeedRequest: NetworkRequest {
  public var url: String
  /// The validators, sent to `validatorsURL` only; if empty, the request is unconditional.
  public var validators: Validators
  /// The address that gave the validators, with `user@` if a user had signed in. No other host or
  /// user gets them.
  public var validatorsURL: String
  public var terms: RequestTerms

  /// - Parameter validatorsURL: `nil` for `url`.
  public init(
    url: String, validators: Validators = Validators(), validatorsURL: String? = nil,
    terms: RequestTerms = RequestTerms(privateAccess: .allowed)
  ) {
    self.url = url
    self.validators = validators
    self.validatorsURL =
      validatorsURL ?? DocumentAddress.of(url, user: terms.get(url, headers: []).user)
    self.terms = terms
  }

  /// The `Accept` header: feeds first, and anything else, as a page may announce a feed. The text
  /// is short, because a thousand conditional requests fill a slow uplink.
  public static let accept =
    "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.8"

  /// The request without validators, which `headers(for:user:)` adds.
  public var httpRequest: HTTPRequest {
    terms.get(url, headers: [("Accept", Self.accept)])
  }

  /// Returns the validators if `url` gave them, otherwise nothing.
  public func headers(for url: String, user: String?) -> [(name: String, value: String)] {
    let isTheirs = DocumentAddress.of(url, user: user) == DocumentAddress.of(validatorsURL)
    return isTheirs ? validators.headers : []
  }

  /// Never throws. A 304 to a request without validators becomes `.refused`.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> FeedResponse {
    let response = answer.response
    let type = response.header("content-type")
    var result = FeedResponse(
      outcome: .notModified, finalURL: answer.finalURL,
      documentURL: DocumentAddress.of(answer.finalURL, user: answer.user),
      permanentURL: answer.permanentURL, isDetour: answer.isDetour,
      hints: CacheHints(of: response, now: terms.now()), isFramed: response.isFramed,
      metrics: response.metrics)
    switch response.status {
    case 304:
      // A 304 to an unconditional request is not usable.
      guard !headers(for: answer.finalURL, user: answer.user).isEmpty else {
        result.outcome = .refused(status: 304, body: [], contentType: type)
        return result
      }
      result.validators = validators.refreshed(by: response)
    case 200:
      result.outcome = .document(body: response.body, contentType: type)
      if !response.body.isEmpty { result.validators = Validators(of: response) }
    default:
      result.outcome = .refused(status: response.status, body: response.body, contentType: type)
    }
    return result
  }
}

/// The scheduling hints of an answer's headers, in seconds.
public struct CacheHints: Sendable, Equatable, Codable {
  /// `max-age` minus `Age`, or `Expires` minus `Date`; 0 for `no-cache`; `nil` if unspecified.
  public var freshFor: Double?
  /// `Retry-After` in either form; not clamped.
  public var retryAfter: Double?
}

extension CacheHints {
  /// - Parameter now: the time for dates if the answer has no `Date`.
  public init(of response: HTTPResponse, now: Date) {
    // A date counts relative to the answer's own date, whatever the local clock says.
    let sent = response.header("date").flatMap { HTTPDate.parse($0, now: now) } ?? now
    self.init(
      freshFor: CacheControl.freshFor(response, now: now),
      retryAfter: response.header("retry-after").flatMap { RetryAfter.seconds($0, now: sent) })
  }
}

/// The outcome of a conditional GET of a feed, after redirects.
public struct FeedResponse: Sendable {
  /// The meaning of the status.
  public enum Outcome: Sendable {
    /// The cached document is current (304).
    case notModified
    /// 200 with a body, which may be empty or no feed; the parser decides.
    case document(body: [UInt8], contentType: String?)
    case refused(status: Int, body: [UInt8], contentType: String?)
  }
  public var outcome: Outcome
  /// The address that answered in the end, without `user:password@`; the base of relative addresses
  /// in the document.
  public var finalURL: String
  /// The key of the validators: `finalURL`, with `user@` if a user had signed in.
  public var documentURL: String
  /// The new address, if every redirect was permanent (301, 308).
  public var permanentURL: String?
  /// True if some redirect was temporary; the result then says nothing about the requested address.
  public var isDetour = false
  /// The validators of the document or of a 304; `nil` if nothing may be stored.
  public var validators: Validators?
  /// The hints of the last answer.
  public var hints = CacheHints()
  public var isFramed = true
  public var metrics = TransferMetrics()
}

extension FeedResponse {
  /// Creates the document of a local file or program, which has no address.
  public init(local body: [UInt8]) {
    self.init(outcome: .document(body: body, contentType: nil), finalURL: "", documentURL: "")
  }
}
