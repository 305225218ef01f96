/// A GET of a file of any size, whose body goes to a sink.
public struct DownloadRequest: NetworkRequest {
  public var url: String
  public var sink: any BodySink
  /// The byte position and the validator to resume with; `nil` for a start at the beginning.
  public var resumption: (start: Int64, validator: String)?
  /// The terms; the body limit is always `maximumFile`, and the time limit a day.
  public var terms: RequestTerms

  /// The limit in bytes, so that an endless file does not fill the disk.
  public static let maximumFile = 4 << 30
  /// The time limit in seconds, for large files on slow networks; silence ends it earlier.
  private static let timeout = Double.days(1)

  /// - Parameter terms: their limits of body and time are replaced.
  public init(
    url: String, into sink: any BodySink, resumption: (start: Int64, validator: String)? = nil,
    terms: RequestTerms
  ) {
    self.url = url
    self.sink = sink
    self.resumption = resumption
    self.terms = terms
    self.terms.limits.decodedBody = Self.maximumFile
    self.terms.limits.total = Self.timeout
  }

  /// The request, for which a server sends a changed file as a whole (RFC 9110, §13.1.5).
  public var httpRequest: HTTPRequest {
    var headers = [(name: "Accept", value: "*/*"), ("Accept-Encoding", "identity")]
    if let resumption {
      headers += [
        ("Range", "bytes=\(resumption.start)-"), ("If-Range", resumption.validator),
      ]
    }
    return terms.get(url, headers: headers, sink: sink)
  }

  /// Returns the answer; the body of a 2xx answer has gone to the sink.
  public func map(_ answer: FollowedResponse) throws(TransportError) -> PageResponse {
    PageResponse(answer, now: terms.now())
  }
}
