import FeedModel
public import Foundation

/// One conditional GET of a picture.
public struct PictureRequest: NetworkRequest {
  /// The picture's address; http or https.
  public var url: String
  /// Empty: the request is not conditional.
  public var validators: Validators
  /// The address that gave the validators: they are sent to no other.
  public var validatorsURL: String
  /// Who the request comes from and which way it goes.
  public var identity: RequestIdentity
  /// The longest body is `PictureLimits.bytes`.
  public var limits: TransferLimits
  public var privateAccess: PrivateAccess
  /// Now, for dates in headers; injected so that tests need no real time.
  public var now: @Sendable () -> Date

  /// The kinds that are decoded: an origin that has others to offer sends one of these.
  public static let accept = "image/webp, image/jpeg, image/png, image/gif;q=0.9, image/*;q=0.2"

  /// - Parameter validatorsURL: nil if it is `url` itself.
  public init(
    url: String, validators: Validators = Validators(), validatorsURL: String? = nil,
    identity: RequestIdentity = RequestIdentity(), limits: TransferLimits = TransferLimits(),
    privateAccess: PrivateAccess = .denied, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.url = url
    self.validators = validators
    self.validatorsURL = validatorsURL ?? DocumentAddress.of(url)
    self.identity = identity
    self.limits = limits
    self.limits.decodedBody = PictureLimits.bytes
    self.privateAccess = privateAccess
    self.now = now
  }

  /// Without validators: `headers(for:user:)` adds them.
  public var httpRequest: HTTPRequest {
    HTTPRequest(
      url: url, headers: [("Accept", Self.accept)], limits: limits,
      privateAccess: privateAccess, identity: identity)
  }

  /// The validators where `url` is the address that gave them; else nothing.
  public func headers(for url: String, user: String?) -> [(name: String, value: String)] {
    DocumentAddress.of(url) == DocumentAddress.of(validatorsURL) ? validators.headers : []
  }

  /// Never throws: every status is an answer.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PictureResponse {
    let response = answer.response
    let isConditional = !headers(for: answer.finalURL, user: nil).isEmpty
    return PictureResponse(
      page: PageResponse(answer, now: now()),
      isCurrent: response.status == 304 && isConditional,
      validators: response.status == 200 ? Validators(of: response) : Validators(),
      validatorsURL: DocumentAddress.of(answer.finalURL),
      bytesReceived: response.metrics.bytesReceived)
  }
}

/// What came of asking for a picture, its redirects followed.
public struct PictureResponse: Sendable {
  public var page: PageResponse
  /// 304: what is stored is current.
  public var isCurrent: Bool
  /// New ones of a 200.
  public var validators: Validators
  /// The address that gave them, after redirects.
  public var validatorsURL: String
  /// Bytes off the socket, headers included, of all hops.
  public var bytesReceived: Int64
}
