import FeedModel
public import Foundation

/// One GET of a file of any size, written to a sink.
public struct DownloadRequest: NetworkRequest {
  public var url: String
  public var sink: any BodySink
  /// The byte position and the validator to resume with; `nil` starts at the beginning.
  public var resumption: (start: Int64, validator: String)?
  public var identity: RequestIdentity
  /// The longest body and time are always `maximumFile` and a day.
  public var limits: TransferLimits
  public var privateAccess: PrivateAccess
  /// The current time, for dates in headers.
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

  /// A changed file is sent as a whole (RFC 9110, §13.1.5).
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
