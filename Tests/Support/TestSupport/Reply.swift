/// An origin's answer to one request: steps on the bare connection, good or bad.
public struct Reply: Sendable {
  /// A step on the connection.
  public enum Step: Sendable {
    /// The status line and the headers, with their empty line. A HEAD request gets no more.
    case head([UInt8])
    case bytes([UInt8])
    /// Seconds of silence.
    case wait(Double)
    /// Single bytes, each followed by this many seconds.
    case drip([UInt8], every: Double)
    /// The same bytes until the peer goes away.
    case endless([UInt8])
    /// Silence until the peer goes away or the origin is stopped.
    case hang
    case reset
  }

  /// The steps in order.
  public var steps: [Step]
  /// True if the connection is closed afterwards.
  public var closes: Bool

  /// - Parameter closes: True if the connection is closed afterwards.
  public init(steps: [Step], closes: Bool = false) {
    self.steps = steps
    self.closes = closes
  }

  /// Names and values as written, in order.
  public typealias Headers = [(String, String)]

  /// Returns the status line and the headers, without a length.
  public static func head(_ status: Int, _ headers: Headers) -> Step {
    var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return .head(Array((text + "\r\n").utf8))
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 301: "Moved Permanently"
    case 304: "Not Modified"
    case 404: "Not Found"
    default: "Status"
    }
  }

  // MARK: Good answers

  /// Returns a whole answer with its `Content-Length`.
  public static func answer(
    _ body: [UInt8], status: Int = 200, type: String? = "application/rss+xml", headers: Headers = []
  ) -> Reply {
    var all: Headers = type.map { [("Content-Type", $0)] } ?? []
    all += headers
    all.append(("Content-Length", String(body.count)))
    return Reply(steps: [head(status, all), .bytes(body)])
  }

  /// Returns a whole answer in UTF-8 with its `Content-Length`.
  public static func answer(
    _ text: String, status: Int = 200, type: String? = "application/rss+xml",
    headers: Headers = []
  ) -> Reply {
    answer(Array(text.utf8), status: status, type: type, headers: headers)
  }

  /// Returns a body as `Content-Encoding: gzip`.
  public static func gzipped(
    _ body: [UInt8], type: String = "application/rss+xml", headers: Headers = []
  ) -> Reply {
    answer(Gzip.compress(body), type: type, headers: [("Content-Encoding", "gzip")] + headers)
  }

  /// Returns an answer that has only a status.
  public static func status(_ status: Int, headers: Headers = []) -> Reply {
    if status == 304 || status == 204 { return Reply(steps: [head(status, headers)]) }
    return answer([], status: status, type: nil, headers: headers)
  }

  /// - Parameter location: The text of the header.
  public static func redirect(_ status: Int = 302, to location: String) -> Reply {
    answer("moved", status: status, type: "text/plain", headers: [("Location", location)])
  }

  /// Returns a body in chunks of the given sizes, the last of which repeats.
  public static func chunked(
    _ body: [UInt8], sizes: [Int] = [1_000], headers: Headers = [], isComplete: Bool = true
  ) -> Reply {
    var framed: [UInt8] = []
    var rest = body[...]
    var index = 0
    while !rest.isEmpty {
      let size = min(rest.count, max(1, sizes[min(index, sizes.count - 1)]))
      framed += Array("\(String(size, radix: 16))\r\n".utf8) + rest.prefix(size) + [13, 10]
      rest = rest.dropFirst(size)
      index += 1
    }
    if isComplete { framed += Array("0\r\n\r\n".utf8) }
    let all: Headers = [("Content-Type", "application/rss+xml"), ("Transfer-Encoding", "chunked")]
    return Reply(steps: [head(200, all + headers), .bytes(framed)], closes: !isComplete)
  }

  /// Returns a document with validators, or 304 if the request has them.
  public static func document(
    _ body: [UInt8], etag: String?, lastModified: String? = nil, isGzipped: Bool = false,
    type: String = "application/rss+xml", headers: Headers = [], to request: Origin.Request
  ) -> Reply {
    var all = headers
    if let etag { all.append(("ETag", etag)) }
    if let lastModified { all.append(("Last-Modified", lastModified)) }
    let match = request.header("If-None-Match")
    let since = request.header("If-Modified-Since")
    // RFC 9110, §13.2.2: If-None-Match, where given, decides alone.
    let isKnown = match != nil ? match == etag : since != nil && since == lastModified
    if isKnown { return status(304, headers: all) }
    return isGzipped
      ? gzipped(body, type: type, headers: all) : answer(body, type: type, headers: all)
  }

  /// Returns 401 until the request has exactly this `Authorization: Basic`.
  public static func basic(
    _ credentials: String, realm: String = "feeds", to request: Origin.Request, _ inside: Reply
  ) -> Reply {
    if request.header("Authorization") == "Basic \(credentials)" { return inside }
    return status(401, headers: [("WWW-Authenticate", "Basic realm=\"\(realm)\"")])
  }

  // MARK: Bad ones

  /// Returns the same reply after `seconds`.
  public func after(_ seconds: Double) -> Reply {
    Reply(steps: [.wait(seconds)] + steps, closes: closes)
  }

  /// Silence instead of an answer.
  public static let hang = Reply(steps: [.hang])
  /// RST instead of an answer.
  public static let reset = Reply(steps: [.reset], closes: true)
  /// The end of the connection instead of an answer.
  public static let close = Reply(steps: [], closes: true)

  /// Returns headers that promise `promised` bytes, then `body`, then `end`.
  public static func partial(
    _ body: [UInt8], promised: Int, headers: Headers = [], then end: Step? = nil
  ) -> Reply {
    let start = head(200, headers + [("Content-Length", String(promised))])
    return Reply(steps: [start, .bytes(body)] + (end.map { [$0] } ?? []), closes: true)
  }

  /// Returns a body that ends with the connection, as in HTTP/1.0.
  public static func untilClose(_ body: [UInt8], headers: Headers = []) -> Reply {
    Reply(steps: [head(200, headers + [("Connection", "close")]), .bytes(body)], closes: true)
  }

  /// Returns a body that drips, a byte every this many seconds.
  public static func drip(_ body: [UInt8], every seconds: Double) -> Reply {
    Reply(steps: [head(200, [("Content-Length", String(body.count))]), .drip(body, every: seconds)])
  }

  /// Returns a body that never ends.
  public static func endless(_ bytes: [UInt8], headers: Headers = []) -> Reply {
    Reply(steps: [head(200, headers), .endless(bytes)], closes: true)
  }

  /// A header section that never ends.
  public static let endlessHeaders = Reply(
    steps: [
      .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)),
      .endless(Array("X-Filler: \(String(repeating: "x", count: 200))\r\n".utf8)),
    ], closes: true)

  /// Returns interim answers (RFC 9110, §15.2) without end and without a final one.
  public static func endlessInterim(_ status: Int) -> Reply {
    let head = "HTTP/1.1 \(status) Wait\r\nLink: </style.css>; rel=preload\r\n\r\n"
    return Reply(steps: [.endless(Array(head.utf8))], closes: true)
  }

  /// Returns headers of a good answer that repeat one line without end.
  public static func endlessHeaders(_ line: String) -> Reply {
    Reply(
      steps: [.bytes(Array("HTTP/1.1 200 OK\r\n".utf8)), .endless(Array("\(line)\r\n".utf8))],
      closes: true)
  }

  /// A single header line without end.
  public static let endlessHeaderLine = Reply(
    steps: [
      .bytes(Array("HTTP/1.1 200 OK\r\nX-Filler: ".utf8)),
      .endless([UInt8](repeating: 0x78, count: 4_000)),
    ], closes: true)

  /// Returns `Transfer-Encoding: chunked`, then these bytes of framing and content, the last of
  /// them without end.
  public static func rawChunks(_ start: String, endless: String) -> Reply {
    let type = ("Content-Type", "application/rss+xml")
    return Reply(
      steps: [
        head(200, [type, ("Transfer-Encoding", "chunked")]), .bytes(Array(start.utf8)),
        .endless(Array(String(repeating: endless, count: max(1, 4_000 / endless.utf8.count)).utf8)),
      ], closes: true)
  }
}
