/// A conditional GET of a picture.
public struct PictureRequest: NetworkRequest {
  public var url: String
  /// The validators; if empty, the request is unconditional.
  public var validators: Validators
  /// The address that gave the validators; no other address gets them.
  public var validatorsURL: String
  /// The terms; the body limit is always `PictureLimits.bytes`.
  public var terms: RequestTerms

  /// An `Accept` header of the decoded formats, from which an origin may choose.
  public static let accept = "image/webp, image/jpeg, image/png, image/gif;q=0.9, image/*;q=0.2"

  /// - Parameter validatorsURL: `nil` for `url`.
  public init(
    url: String, validators: Validators = Validators(), validatorsURL: String? = nil,
    terms: RequestTerms
  ) {
    self.url = url
    self.validators = validators
    self.validatorsURL = validatorsURL ?? DocumentAddress.of(url)
    self.terms = terms
    self.terms.limits.decodedBody = PictureLimits.bytes
  }

  /// The request without validators, which `headers(for:user:)` adds.
  public var httpRequest: HTTPRequest {
    terms.get(url, headers: [("Accept", Self.accept)])
  }

  /// Returns the validators if `url` gave them, otherwise nothing.
  public func headers(for url: String, user: String?) -> [(name: String, value: String)] {
    DocumentAddress.of(url) == DocumentAddress.of(validatorsURL) ? validators.headers : []
  }

  /// Never throws: every status is an answer.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PictureResponse {
    let response = answer.response
    let isConditional = !headers(for: answer.finalURL, user: nil).isEmpty
    return PictureResponse(
      page: PageResponse(answer, now: terms.now()),
      isCurrent: response.status == 304 && isConditional,
      validators: response.status == 200 ? Validators(of: response) : Validators(),
      validatorsURL: DocumentAddress.of(answer.finalURL),
      bytesReceived: response.metrics.bytesReceived)
  }
}

/// The answer to a request for a picture, after redirects.
public struct PictureResponse: Sendable {
  public var page: PageResponse
  /// True if the stored picture is current (304).
  public var isCurrent: Bool
  /// The new validators of a 200, otherwise empty.
  public var validators: Validators
  /// The address that gave the validators, after redirects.
  public var validatorsURL: String
  /// Bytes received over all hops, including headers.
  public var bytesReceived: Int64
}
