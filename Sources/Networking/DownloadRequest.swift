import FeedModel

/// One GET of a file of any size, written to a sink.
public struct DownloadRequest: NetworkRequest {
  public var url: String
  public var sink: any BodySink
  /// The byte position and the validator to resume with; `nil` starts at the beginning.
  public var resumption: (start: Int64, validator: String)?
  /// The longest body and time are always `maximumFile` and a day.
  public var terms: RequestTerms

  /// Bytes: an endless file must not fill the disk.
  public static let maximumFile = 4 << 30
  /// Seconds: a large file on a slow network takes a day, and silence ends it earlier.
  private static let patience = Double.days(1)

  /// - Parameter terms: the longest body and time are replaced.
  public init(
    url: String, into sink: any BodySink, resumption: (start: Int64, validator: String)? = nil,
    terms: RequestTerms
  ) {
    self.url = url
    self.sink = sink
    self.resumption = resumption
    self.terms = terms
    self.terms.limits.decodedBody = Self.maximumFile
    self.terms.limits.total = Self.patience
  }

  /// A changed file is sent as a whole (RFC 9110, §13.1.5).
  public var httpRequest: HTTPRequest {
    var headers = [(name: "Accept", value: "*/*"), ("Accept-Encoding", "identity")]
    if let resumption {
      headers += [
        ("Range", "bytes=\(resumption.start)-"), ("If-Range", resumption.validator),
      ]
    }
    return terms.get(url, headers: headers, sink: sink)
  }

  /// The body of a good answer has gone to the sink.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PageResponse {
    PageResponse(answer, now: terms.now())
  }
}
