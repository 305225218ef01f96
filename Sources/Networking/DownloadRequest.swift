import FeedModel
public import Foundation

/// One GET of a file of any size, which goes to a sink as it comes.
public struct DownloadRequest: NetworkRequest {
  /// The file's address; http or https.
  public var url: String
  public var sink: any BodySink
  /// Where it is to go on, in bytes, and the validator of what is there; nil: from its beginning.
  public var resumption: (start: Int64, validator: String)?
  /// Who the request comes from and which way it goes.
  public var identity: RequestIdentity
  /// The longest body and time are always `maximumFile` and a day.
  public var limits: TransferLimits
  public var privateAccess: PrivateAccess
  /// Now, for dates in headers; injected so that tests need no real time.
  public var now: @Sendable () -> Date

  /// Bytes: an endless file must not fill the disk.
  public static let maximumFile = 4 << 30
  /// Seconds: a large file on a slow network takes a day, and silence ends it earlier.
  private static let patience = Double.days(1)

  /// - Parameter limits: its `decodedBody` and `total` are replaced.
  public init(
    url: String, into sink: any BodySink, resumption: (start: Int64, validator: String)? = nil,
    identity: RequestIdentity = RequestIdentity(),
    limits: TransferLimits = TransferLimits(), privateAccess: PrivateAccess = .denied,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.url = url
    self.sink = sink
    self.resumption = resumption
    self.identity = identity
    self.limits = limits
    self.limits.decodedBody = Self.maximumFile
    self.limits.total = Self.patience
    self.privateAccess = privateAccess
    self.now = now
  }

  /// The whole file is sent where it is another one by now (RFC 9110, §13.1.5).
  public var httpRequest: HTTPRequest {
    var headers = [(name: "Accept", value: "*/*"), ("Accept-Encoding", "identity")]
    if let resumption {
      headers += [
        ("Range", "bytes=\(resumption.start)-"), ("If-Range", resumption.validator),
      ]
    }
    return HTTPRequest(
      url: url, headers: headers, limits: limits, sink: sink,
      privateAccess: privateAccess, identity: identity)
  }

  /// The body of a good answer has gone to the sink.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PageResponse {
    PageResponse(answer, now: now())
  }
}
