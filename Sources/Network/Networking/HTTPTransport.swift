@_exported public import FeedModel

// HTTP for feed readers: exchanges, redirects, validators, dates and addresses, independent of
// feeds, cache and schedule. Only the folder Curl uses libcurl.
//
// This file: one HTTP exchange, and the protocol of transports.

/// A request to an address, without redirects (see `RedirectPolicy`).
public struct HTTPRequest: Sendable {
  /// The method; its raw value is sent.
  public enum Method: String, Sendable { case get = "GET", post = "POST", head = "HEAD" }
  /// The method, which a redirect may change to GET (RFC 9110, §15.4.2 to §15.4.4).
  public var method: Method
  /// The absolute http or https URL. `user:password@` is sent as Basic or Digest authorization.
  public var url: String
  /// The header lines in order, with names as written.
  public var headers: [(name: String, value: String)]
  /// The body, sent with POST only; `nil` for an empty one.
  public var body: [UInt8]?
  /// The limits of this exchange, not of a chain of redirects.
  public var limits: TransferLimits
  /// Receives the body of a 2xx answer; `nil` keeps it in memory.
  public var sink: (any BodySink)?
  /// Access to private servers, checked on the connected IP and denied after a public redirect.
  public var privateAccess: PrivateAccess
  public var pauseToken: PauseToken?
  /// The minimum rate of answers while the network is fine; `nil` for `limits` only.
  public var minimumRate: MinimumRate?
  public var identity: RequestIdentity
  /// True if a 301 within one origin keeps method and body, as a 308 does.
  public var keepsMethod: Bool
  /// False to ask for a body without coding (RFC 9110, §8.4), and to take it as it comes.
  var decodesBody = true

  /// Creates a request, by default a GET that may reach private addresses.
  public init(
    method: Method = .get, url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil, limits: TransferLimits = TransferLimits(),
    sink: (any BodySink)? = nil, privateAccess: PrivateAccess = .allowed,
    identity: RequestIdentity = RequestIdentity(), pauseToken: PauseToken? = nil,
    minimumRate: MinimumRate? = nil, keepsMethod: Bool = false
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    (self.limits, self.sink, self.privateAccess) = (limits, sink, privateAccess)
    (self.pauseToken, self.identity, self.minimumRate) = (pauseToken, identity, minimumRate)
    self.keepsMethod = keepsMethod
  }
}

/// Receives a body instead of keeping it in memory.
public protocol BodySink: Sendable {
  /// Called with the status and the lower-case headers of a 2xx answer, on the transport's thread
  /// before `begins`.
  func answered(status: Int, headers: [(name: String, value: String)])
  /// Called at the start of a 2xx body on the transport's thread; must return at once.
  /// - Parameter length: bytes of the body as written; `nil` if unknown.
  func begins(length: Int64?)
  /// Writes bytes of the body. Returns false to end the exchange, which then throws `.notStored`.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension BodySink {
  public func answered(status: Int, headers: [(name: String, value: String)]) {}
}

/// The limits of a transfer.
public struct TransferLimits: Sendable, Equatable {
  /// Seconds until a connection must be open (TCP and TLS).
  public var connect: Double
  /// Seconds below 100 B/s, including the wait for the first byte.
  public var silence: Double
  /// Seconds for the whole exchange; received bytes extend it (see `TimeBudget`).
  public var total: Double
  /// Bytes of the body after decompression.
  public var decodedBody: Int
  /// Bytes of all header lines, including interim answers and trailers.
  public var headers: Int
  /// The socket's receive buffer in bytes; `nil` for the system's default. A small buffer soon
  /// stops the sender of a paused transfer.
  public var receiveBuffer: Int?

  /// Creates limits, by default for a feed or web page: 15 MiB and ten minutes.
  public init(
    connect: Double = 10, silence: Double = 20, total: Double = 600,
    decodedBody: Int = 15 << 20, headers: Int = 64 << 10, receiveBuffer: Int? = nil
  ) {
    (self.connect, self.silence, self.total) = (connect, silence, total)
    (self.decodedBody, self.headers, self.receiveBuffer) = (decodedBody, headers, receiveBuffer)
  }
}

/// An answer with any status.
public struct HTTPResponse: Sendable {
  /// The status code (RFC 9110, §15); interim answers (1xx) are skipped.
  public var status: Int
  /// The headers in order, names in lower case, values trimmed.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// False if only the end of the connection ends the body, which may then be truncated.
  public var isFramed: Bool
  /// The metrics of this exchange, or of all hops in a `FollowedResponse`.
  public var metrics: TransferMetrics

  /// Returns true for a status that asks the client to wait (RFC 6585, §4; RFC 9110, §15.6.4).
  public static func asksToWait(_ status: Int) -> Bool { status == 429 || status == 503 }

  /// Returns the first value of a header; `name` in lower case.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  public init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    isFramed: Bool = true, metrics: TransferMetrics = TransferMetrics()
  ) {
    (self.status, self.headers, self.body, self.isFramed) = (status, headers, body, isFramed)
    self.metrics = metrics
  }
}

/// The measurements of a transfer. Times are seconds from its start unless stated otherwise.
public struct TransferMetrics: Sendable, Equatable {
  /// The end of the name lookup.
  public var nameLookup = 0.0
  /// The time from SYN to SYN-ACK, without the name lookup; `nil` on a reused connection.
  public var connect: Double?
  /// The duration of the TLS handshake; `nil` on a reused connection or without TLS.
  public var tls: Double?
  /// The arrival of the first byte.
  public var firstByte = 0.0
  public var total = 0.0
  /// Received bytes, including headers, before decompression.
  public var bytesReceived: Int64 = 0
  /// Bytes of headers and body, without TLS.
  public var bytesSent: Int64 = 0
  /// The server's IP address; `nil` if unknown or behind a proxy.
  public var remoteAddress: String?
  public var remotePort: Int?
  /// The version, such as "1.1" or "2".
  public var httpVersion: String?

  public init() {}
}

extension TransferMetrics {
  /// The server that answered, if it is in a private network; otherwise `nil`.
  public var privateServer: ServerAddress? {
    guard let remoteAddress, AddressScope.isPublic(remoteAddress) == false else { return nil }
    return remotePort.flatMap { ServerAddress(address: remoteAddress, port: $0) }
  }
}

/// The reason why there is no usable answer.
public struct TransportError: Error, Sendable, Equatable {
  /// The kind of error, which is not stored; feeds show a `RefreshFailure.Kind`.
  public enum Kind: String, Sendable {
    /// The name has no address; nothing answered in time; the connection broke or fell silent.
    case hostNotFound, connectionRefused, connectTimedOut, connectionLost, stalled
    /// The proxy is not found, refuses, or does not let the request through.
    case proxy
    /// The machine has no network: no route, or no interface.
    case offline
    /// The answer is unusable, or the address is not allowed.
    case tls, tooLarge, truncated, badEncoding, forbiddenAddress, unsupportedScheme, badURL
    /// An answer that is not HTTP: no status line, or a NUL byte in a header (RFC 9112, §2.2).
    case notHTTP
    /// Too many header lines, including interim answers and trailers; see `TransferLimits.headers`.
    case headersTooLarge
    /// Far more bytes of chunked framing (RFC 9112, §7.1) than of content.
    case tooMuchFraming
    /// A body below the minimum rate while the network had capacity to spare; see `MinimumRate`.
    case tooSlow
    case tooManyRedirects, forbiddenRedirect
    case notStored
    case cancelled
    case other
  }
  public var kind: Kind
  /// The library's message without control characters.
  public var detail: String
  /// True if an answer without content coding may be usable.
  var mayBeCoding: Bool
  public init(_ kind: Kind, detail: String = "", mayBeCoding: Bool = false) {
    (self.kind, self.detail, self.mayBeCoding) = (kind, detail, mayBeCoding)
  }
}

/// An event of a transfer, for the limiter and the console.
public enum TransferEvent: Sendable {
  /// A new connection is open, before TLS; seconds from SYN to SYN-ACK.
  case connected(Double)
  /// The connection is ready, and the request is being sent.
  case requesting
  /// The kernel's round-trip time of a reused connection and its minimum, in seconds.
  case roundTrip(Double, least: Double)
  /// The response's first byte arrived; seconds since the request was sent.
  case firstByte(Double)
  /// Bytes received since the last event: headers, body, TLS handshake.
  case received(Int)
}

/// Sends requests. Thread-safe. Cancelling the task cancels the transfer, which then throws
/// `.cancelled`.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns its answer.
  /// - Parameter observe: called on the transport's own thread; must return at once.
  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse

  /// Returns true if a server accepts a connection through the chosen proxy. Sends an HTTP request
  /// only if the transport cannot connect without one.
  /// - Parameter timeout: seconds.
  func reaches(_ url: String, through proxy: ProxyChoice, within timeout: Double) async -> Bool
}

extension HTTPTransport {
  /// Requests the headers, for transports that cannot connect without a request.
  public func reaches(
    _ url: String, through proxy: ProxyChoice, within timeout: Double
  ) async -> Bool {
    let limits = TransferLimits(connect: timeout, silence: timeout, total: timeout)
    let identity = RequestIdentity(proxy: proxy)
    let request = HTTPRequest(method: .head, url: url, limits: limits, identity: identity)
    return (try? await send(request)) != nil
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await send(request, observe: nil)
  }
}

extension RefreshFailureKind {
  package init(_ error: TransportError) {
    self =
      switch error.kind {
      case .cancelled, .other: .connectionLost
      case .badURL: .unsupportedScheme
      case .notStored: .storage
      // All other kinds have the same names.
      default: Self(rawValue: error.kind.rawValue) ?? .connectionLost
      }
  }
}
