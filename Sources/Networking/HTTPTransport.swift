// Networking holds HTTP with the etiquette of feed readers, one fact a file: exchanges, redirects,
// validators, dates, addresses. What knows the contents of a feed, the cache or the schedule stays
// outside; libcurl stays inside its folder.
//
// This file: one HTTP exchange, and the protocol of what carries it out.

/// One request to one address. Redirects are not followed here: see `RedirectPolicy`.
public struct HTTPRequest: Sendable {
  /// The raw value is sent.
  public enum Method: String, Sendable { case get = "GET", post = "POST", head = "HEAD" }
  /// A redirect may change it to GET (RFC 9110, §15.4.2 to §15.4.4).
  public var method: Method
  /// Absolute; http or https. `user:password@` is sent as Basic or Digest authorization.
  public var url: String
  /// In order; names as written.
  public var headers: [(name: String, value: String)]
  /// Sent with POST only; nil: an empty one.
  public var body: [UInt8]?
  /// Of this exchange alone, not of a chain of redirects.
  public var limits: TransferLimits
  /// Takes the body of a good answer (2xx); nil: it is kept in memory.
  public var sink: (any BodySink)?
  /// Checked on the connected IP. A redirect from a public address leads to no private one.
  public var privateAccess: PrivateAccess
  /// Pauses the body and resumes it; nil: it is never paused.
  public var pauseToken: PauseToken?
  /// Ends an answer that comes too slowly while the network is fine; nil: `limits` alone hold.
  public var minimumRate: MinimumRate?
  /// Who the request comes from and which way it goes.
  public var identity: RequestIdentity
  /// A redirect by 301 within one origin is followed with the same method and body, as one by 308
  /// is.
  public var keepsMethod: Bool

  /// A GET with default limits that may reach private addresses, unless something else is given.
  public init(
    method: Method = .get, url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil, limits: TransferLimits = TransferLimits(),
    sink: (any BodySink)? = nil, privateAccess: PrivateAccess = .allowed,
    identity: RequestIdentity = RequestIdentity(), pauseToken: PauseToken? = nil,
    minimumRate: MinimumRate? = nil, keepsMethod: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
    self.sink = sink
    self.privateAccess = privateAccess
    self.pauseToken = pauseToken
    self.identity = identity
    self.minimumRate = minimumRate
    self.keepsMethod = keepsMethod
  }
}

/// Takes a body as it comes, in place of memory.
public protocol BodySink: Sendable {
  /// A good answer has come: its status, and its headers with names in lower case. Called before
  /// `begins`, as that.
  func answered(status: Int, headers: [(name: String, value: String)])
  /// A good answer has begun. Called on the transport's own thread, as `write`; must return at
  /// once.
  /// - Parameter length: bytes, where the server says it of the body as it is written here.
  func begins(length: Int64?)
  /// False refuses the rest; the exchange then throws `.notStored`.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension BodySink {
  /// Does nothing.
  public func answered(status: Int, headers: [(name: String, value: String)]) {}
}

/// What ends a transfer that goes wrong.
public struct TransferLimits: Sendable, Equatable {
  /// Seconds until a connection must be open (TCP and TLS).
  public var connect: Double
  /// Seconds with fewer than 100 bytes a second, the wait for the first byte included.
  public var silence: Double
  /// Seconds for the whole exchange, and more for what has come by then: see `TimeBudget`.
  public var total: Double
  /// Bytes of the body after decompression.
  public var decodedBody: Int
  /// Bytes of all header lines, those of interim answers and trailers included.
  public var headers: Int
  /// Bytes that the socket may hold unread; nil: what the system thinks best. Small, a transfer
  /// that is paused stops its sender soon.
  public var receiveBuffer: Int?

  /// The defaults suit a feed or a web page: 15 MiB and ten minutes at most.
  public init(
    connect: Double = 10, silence: Double = 20, total: Double = 600,
    decodedBody: Int = 15 << 20, headers: Int = 64 << 10, receiveBuffer: Int? = nil
  ) {
    self.connect = connect
    self.silence = silence
    self.total = total
    self.decodedBody = decodedBody
    self.headers = headers
    self.receiveBuffer = receiveBuffer
  }
}

/// One answer, whatever its status.
public struct HTTPResponse: Sendable {
  /// The status code (RFC 9110, §15); interim answers (1xx) are skipped.
  public var status: Int
  /// In order; names in lower case, values trimmed.
  public var headers: [(name: String, value: String)]
  /// After decompression.
  public var body: [UInt8]
  /// False if nothing but the end of the connection says where the body ends: it may have
  /// stopped short.
  public var isFramed: Bool
  /// Of this exchange; in a `FollowedResponse` those of all hops together.
  public var metrics: TransferMetrics

  /// The first value of a header; `name` in lower case.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  public init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    isFramed: Bool = true, metrics: TransferMetrics = TransferMetrics()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isFramed = isFramed
    self.metrics = metrics
  }
}

/// What a transfer measured. Times are in seconds: from the start of the transfer, where nothing
/// else is said.
public struct TransferMetrics: Sendable, Equatable {
  /// When the address of the host was known.
  public var nameLookup: Double
  /// SYN to SYN-ACK, without the name lookup; nil on a reused connection.
  public var connect: Double?
  /// Duration of the TLS handshake; nil on a reused connection or without TLS.
  public var tls: Double?
  /// When the answer's first byte came.
  public var firstByte: Double
  public var total: Double
  /// Bytes off the socket, headers included, before decompression.
  public var bytesReceived: Int64
  /// Headers and body; TLS is not counted.
  public var bytesSent: Int64
  /// The server's IP address; nil: unknown, or a proxy is between.
  public var remoteAddress: String?
  public var remotePort: Int?
  /// "1.1", "2".
  public var httpVersion: String?

  public init(
    nameLookup: Double = 0, connect: Double? = nil, tls: Double? = nil, firstByte: Double = 0,
    total: Double = 0, bytesReceived: Int64 = 0, bytesSent: Int64 = 0,
    remoteAddress: String? = nil, remotePort: Int? = nil, httpVersion: String? = nil
  ) {
    self.nameLookup = nameLookup
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
    self.bytesReceived = bytesReceived
    self.bytesSent = bytesSent
    self.remoteAddress = remoteAddress
    self.remotePort = remotePort
    self.httpVersion = httpVersion
  }
}

extension TransferMetrics {
  /// The server that answered, if it is in a private network.
  public var privateServer: ServerAddress? {
    guard let remoteAddress, AddressScope.isPublic(remoteAddress) == false else { return nil }
    return remotePort.flatMap { ServerAddress(address: remoteAddress, port: $0) }
  }
}

/// Why no answer came, or none that can be used.
public struct TransportError: Error, Sendable, Equatable {
  /// Not stored; `RefreshFailure.Kind` has a case for each that a feed can show.
  public enum Kind: Sendable, Equatable {
    /// The name has no address; nothing answered in time; the connection broke or fell silent.
    case hostNotFound, connectionRefused, connectTimedOut, connectionLost, stalled
    /// The proxy is not found, refuses, or does not let the request through.
    case proxy
    /// No route, no interface: the machine has no network.
    case offline
    /// What came cannot be used, or the address may not be asked.
    case tls, tooLarge, truncated, badEncoding, forbiddenAddress, unsupportedScheme, badURL
    /// An answer that is not HTTP: no status line, or a NUL byte in a header (RFC 9112, §2.2).
    case notHTTP
    /// Header lines, of interim answers and trailers too, beyond `TransferLimits.headers`.
    case headersTooLarge
    /// Far more bytes of chunked framing (RFC 9112, §7.1) than of content.
    case tooMuchFraming
    /// A body below the minimum rate while the network had capacity to spare; see `MinimumRate`.
    case tooSlow
    case tooManyRedirects, forbiddenRedirect
    case notStored
    case cancelled
    /// Another failure of the transport; see `detail`.
    case other
  }
  /// Decides whether and when the request is repeated.
  public var kind: Kind
  /// The library's words, without control characters, for the log and the details screen.
  public var detail: String
  /// - Parameter detail: without control characters.
  public init(_ kind: Kind, detail: String = "") {
    self.kind = kind
    self.detail = detail
  }
}

/// Something of a transfer as it happens, for the limiter and the console.
public enum TransferEvent: Sendable {
  /// A new connection is open, before TLS; seconds from SYN to SYN-ACK.
  case connected(Double)
  /// The connection is ready and the request goes out.
  case requesting
  /// What the kernel knows of a reused connection: seconds of round trip, and the least it ever
  /// was.
  case roundTrip(Double, least: Double)
  /// The response's first byte came; seconds since the request went out.
  case firstByte(Double)
  /// Bytes off the socket since the last event: headers, body, TLS handshake.
  case received(Int)
}

/// Carries out requests. Thread-safe. Cancelling the task cancels the transfer, which then throws
/// `.cancelled`.
public protocol HTTPTransport: Sendable {
  /// - Parameter observe: called on the transport's own thread; must return at once.
  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse

  /// Whether a server takes a connection, on the way that this choice of a proxy means. Nothing is
  /// sent over it by a transport that can merely connect.
  /// - Parameter patience: seconds.
  func reaches(_ url: String, through proxy: ProxyChoice, within patience: Double) async -> Bool
}

extension HTTPTransport {
  /// Whoever cannot merely connect asks for the headers.
  public func reaches(
    _ url: String, through proxy: ProxyChoice, within patience: Double
  ) async -> Bool {
    let limits = TransferLimits(connect: patience, silence: patience, total: patience)
    let identity = RequestIdentity(proxy: proxy)
    let request = HTTPRequest(method: .head, url: url, limits: limits, identity: identity)
    return (try? await send(request)) != nil
  }

  /// Without watching the transfer; see `send(_:observe:)`.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await send(request, observe: nil)
  }
}
