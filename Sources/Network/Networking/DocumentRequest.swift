public import Foundation

/// A GET of a document, conditional if there are validators.
public struct DocumentRequest: Sendable {
  /// The kind of document, which decides `Accept` and the limits.
  public enum Kind: Sendable {
    case feed, page, picture, chapters
    /// A file of any size, whose body goes to a sink.
    case file
  }
  public var kind: Kind
  /// The request without validators, which `headers(for:user:)` adds.
  public var httpRequest: HTTPRequest
  /// The validators; if empty, the request is unconditional.
  public var validators: Validators
  /// The address that gave the validators, with `user@` if a user had signed in. No other host or
  /// user gets them.
  public var validatorsURL: String

  /// The limit of a page in decompressed bytes.
  public static let maximumPage = 5 << 20
  public static let maximumChapters = 256 << 10
  /// The limit of a file in bytes, so that an endless file does not fill the disk.
  public static let maximumFile = 4 << 30

  /// - Parameters:
  ///   - request: its body limit, and for a file its time limit, become those of the kind.
  ///   - validatorsURL: `nil` for the address of the request.
  ///   - resumption: the byte position and the validator to resume with. A server sends a changed
  ///     file as a whole (RFC 9110, §13.1.5).
  public init(
    _ request: HTTPRequest, kind: Kind = .feed, validators: Validators = Validators(),
    validatorsURL: String? = nil, resumption: (start: Int64, validator: String)? = nil
  ) {
    self.kind = kind
    httpRequest = request
    self.validators = validators
    self.validatorsURL =
      validatorsURL
      ?? DocumentAddress.of(request.url, user: kind == .picture ? nil : request.user)
    httpRequest.headers = [("Accept", kind.accept)]
    switch kind {
    case .feed: break
    case .page:
      httpRequest.limits.decodedBody = min(request.limits.decodedBody, Self.maximumPage)
    case .picture: httpRequest.limits.decodedBody = PictureLimits.bytes
    case .chapters: httpRequest.limits.decodedBody = Self.maximumChapters
    case .file:
      httpRequest.limits.decodedBody = Self.maximumFile
      // For large files on slow networks; silence ends them earlier.
      httpRequest.limits.total = .days(1)
      httpRequest.headers.append(("Accept-Encoding", "identity"))
    }
    if let resumption {
      httpRequest.headers += [
        ("Range", "bytes=\(resumption.start)-"), ("If-Range", resumption.validator),
      ]
    }
  }

  /// Returns the validators if `url` gave them, otherwise nothing.
  func headers(for url: String, user: String?) -> [(name: String, value: String)] {
    let address = DocumentAddress.of(url, user: kind == .picture ? nil : user)
    return address == DocumentAddress.of(validatorsURL) ? validators.headers : []
  }

  func map(_ answer: FollowedResponse, now: Date) -> DocumentResponse {
    let response = answer.response
    // A 304 to an unconditional request is not usable.
    let isCurrent =
      response.status == 304 && !headers(for: answer.finalURL, user: answer.user).isEmpty
    var result = DocumentResponse(
      status: response.status, body: response.body,
      contentType: response.header("content-type"), isCurrent: isCurrent,
      finalURL: answer.finalURL,
      documentURL: DocumentAddress.of(
        answer.finalURL, user: kind == .picture ? nil : answer.user),
      permanentURL: answer.permanentURL, isDetour: answer.isDetour,
      hints: CacheHints(of: response, now: now), isFramed: response.isFramed,
      metrics: response.metrics)
    if isCurrent {
      result.validators = validators.refreshed(by: response)
    } else if response.status == 200, !response.body.isEmpty {
      result.validators = Validators(of: response)
    }
    return result
  }
}

extension DocumentRequest.Kind {
  fileprivate var accept: String {
    switch self {
    // Feeds first, and anything else, as a page may announce a feed. The text is short, because a
    // thousand conditional requests fill a slow uplink.
    case .feed:
      "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,"
        + "*/*;q=0.8"
    case .page: "text/html, application/xhtml+xml, text/plain;q=0.8, */*;q=0.1"
    // The decoded formats, from which an origin may choose.
    case .picture: "image/webp, image/jpeg, image/png, image/gif;q=0.9, image/*;q=0.2"
    case .chapters: "application/json+chapters, application/json;q=0.9, */*;q=0.1"
    case .file: "*/*"
    }
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

/// The answer to a request for a document, after redirects.
public struct DocumentResponse: Sendable {
  public var status = 200
  /// The decompressed body; empty if it went to a sink.
  public var body: [UInt8]
  /// The header `Content-Type` as written; `nil` if missing.
  public var contentType: String?
  /// True if the cached document is current (304).
  public var isCurrent = false
  /// The address that answered in the end, without `user:password@`; the base of relative addresses
  /// in the document.
  public var finalURL = ""
  /// The key of the validators: `finalURL`, with `user@` if a user had signed in.
  public var documentURL = ""
  /// The new address, if every redirect was permanent (301, 308).
  public var permanentURL: String?
  /// True if some redirect was temporary; the result then says nothing about the requested address.
  public var isDetour = false
  /// The validators of the document or of a 304; `nil` if nothing may be stored.
  public var validators: Validators?
  public var hints = CacheHints()
  public var isFramed = true
  /// The metrics of all hops.
  public var metrics = TransferMetrics()
}

extension DocumentResponse {
  /// Creates the document of a local file or program, which has no address.
  public init(local body: [UInt8]) { self.init(status: 200, body: body) }
}
