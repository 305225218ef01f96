public import FeedModel
public import Foundation

/// What an origin gave to recognise an unchanged document: opaque, stored byte for byte, tied to the
/// address that gave it, echoed exactly (RFC 9110, §8.8 and §13.1).
public struct Validators: Sendable, Equatable, Codable {
  /// `ETag`, quotes and `W/` included.
  public var etag: String?
  /// `Last-Modified`, as written.
  public var lastModified: String?
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
  public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// What the headers of an answer ask of the schedule. All in seconds.
public struct CacheHints: Sendable, Equatable, Codable {
  /// `max-age` less `Age`, or `Expires` less `Date`.
  public var freshFor: Double?
  /// `Retry-After`, in whichever form it came.
  public var retryAfter: Double?
  public init(freshFor: Double? = nil, retryAfter: Double? = nil) {
    self.freshFor = freshFor
    self.retryAfter = retryAfter
  }
}

/// The outcome of one conditional GET of a feed, its redirects followed.
public struct FeedResponse: Sendable {
  public enum Outcome: Sendable {
    /// 304: what is cached is current.
    case notModified
    /// 200 with a body.
    case document(body: [UInt8], contentType: String?)
    /// Any other status.
    case refused(status: Int, body: [UInt8], contentType: String?)
  }
  public var outcome: Outcome
  /// The address that answered in the end: the base of relative addresses in the document.
  public var finalURL: String
  /// Where *every* hop was permanent (301, 308): the address to keep.
  public var permanentURL: String?
  /// New validators of the document or the refreshed ones of a 304. Nil where nothing may be stored.
  public var validators: Validators?
  public var hints: CacheHints
  /// Of all hops together.
  public var metrics: TransferMetrics

  public init(
    outcome: Outcome, finalURL: String, permanentURL: String? = nil, validators: Validators? = nil,
    hints: CacheHints = CacheHints(), metrics: TransferMetrics = TransferMetrics()
  ) {
    self.outcome = outcome
    self.finalURL = finalURL
    self.permanentURL = permanentURL
    self.validators = validators
    self.hints = hints
    self.metrics = metrics
  }
}
