/// The transport of an account's backend. The backend and its session outlive single operations;
/// each request belongs to the operation in whose task it is sent.
struct AccountTransport: HTTPTransport {
  /// The settings for the account's address, without the user and password for feeds.
  let settings: FeedSettings
  /// The origin of the account's address; no other origin gets the user's headers.
  var origin: String?
  /// The transport for requests without an operation, before the account exists.
  var direct: (any HTTPTransport)?

  /// The fetcher of the current task's operation.
  @TaskLocal private static var fetcher: Fetcher?

  /// Runs an account's operation with the limits of this fetcher.
  static func with<Value: Sendable>(
    _ fetcher: Fetcher, _ operation: () async throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await $fetcher.withValue(fetcher, operation: operation)
    } catch {
      throw StoreError(error)
    }
  }

  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    var request = request
    request.identity.userAgent = settings.userAgent
    request.identity.proxy = settings.proxy
    if let origin, WebAddress(request.url).origin == origin {
      for lines in [settings.accountHeaders, settings.options.headers] {
        request.headers += lines.flatMap(FeedOptions.headerLines) ?? []
      }
    }
    if let direct { return try await direct.send(request, observe: observe) }
    guard let fetcher = Self.fetcher else { throw TransportError(.cancelled) }
    // A poor network gets more time.
    request.limits.silence = max(request.limits.silence, fetcher.limits.silence)
    request.limits.connect = max(request.limits.connect, fetcher.limits.connect)
    request.limits.receiveBuffer = fetcher.limits.receiveBuffer
    return try await fetcher.rateLimited.send(request, observe: fetcher.observe)
  }
}
