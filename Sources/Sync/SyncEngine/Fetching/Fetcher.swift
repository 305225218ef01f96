import Foundation

/// Fetches documents for all operations. Sends no request to a host in back-off, applies the
/// connection limit of each host to redirects too, and reports every transfer to the monitor.
struct Fetcher: Sendable {
  let transport: any HTTPTransport
  let hosts: HostRegistry
  let gate: HostGate
  let identities: Identities
  let local: LocalSourceReader
  let limits: TransferLimits
  let date: @Sendable () -> Date
  var observe: (@Sendable (TransferEvent) -> Void)?
  var transfer: TransferMonitor.Entry?
  var token: PauseToken?
  /// Cancels answers that are too slow although the network is fast enough.
  var minimumRate: MinimumRate?

  /// Sends a conditional GET and follows redirects. Validators are sent only to their address. The
  /// feed's options override the configuration's.
  func fetch(
    _ url: String, validators: (Validators, from: String?)? = nil,
    from source: AddressSource = .user, options: FeedOptions = FeedOptions()
  ) async throws(FetchFailure) -> FeedResponse {
    try await perform(
      FeedRequest(
        url: url, validators: validators?.0 ?? Validators(), validatorsURL: validators?.from,
        terms: try await terms(for: url, from: source, options)))
  }

  /// Fetches a web page and follows redirects.
  func page(
    _ url: String, from source: AddressSource
  ) async throws(FetchFailure) -> PageResponse {
    try await perform(PageRequest(url: url, terms: try await terms(for: url, from: source)))
  }

  /// Fetches a picture conditionally, without cookies, and follows redirects.
  func picture(
    _ url: String, validators: (Validators, from: String?), from source: AddressSource
  ) async throws(FetchFailure) -> PictureResponse {
    var terms = try await terms(for: url, from: source)
    terms.identity.cookies = []
    return try await perform(
      PictureRequest(
        url: url, validators: validators.0, validatorsURL: validators.from, terms: terms))
  }

  /// Fetches a file, or the rest of it, into the sink and follows redirects.
  func file(
    _ url: String, into sink: any BodySink, resuming: (start: Int64, validator: String)? = nil,
    from source: AddressSource
  ) async throws(FetchFailure) -> PageResponse {
    try await perform(
      DownloadRequest(
        url: url, into: sink, resumption: resuming,
        terms: try await terms(for: url, from: source)))
  }

  private func terms(
    for url: String, from source: AddressSource, _ options: FeedOptions = FeedOptions()
  ) async throws(FetchFailure) -> RequestTerms {
    RequestTerms(
      privateAccess: source.access,
      identity: try await identities.identity(for: url, from: source, options, at: date()),
      limits: limits, now: date)
  }

  /// Creates a failure with the current time.
  func failure(
    _ kind: RefreshFailure.Kind, status: Int? = nil, detail: FailureDetail? = nil
  ) -> RefreshFailure {
    let fact = detail.flatMap { $0.code.isEmpty ? nil : $0.code }
    return RefreshFailure(kind: kind, status: status, detail: fact, since: date())
  }

  func failure(_ error: FetchFailure) -> RefreshFailure {
    failure(error.kind, detail: error.detail)
  }

  /// Returns the status of the back-off of an address without a row, or of its host, if any.
  func pauseStatus(of url: String) -> Int? { hosts.pause(ofAddress: url, at: date())?.status }

  /// Interprets an unusable answer and records a back-off.
  func refusal(_ page: PageResponse, of url: String) -> RefreshFailure {
    refusal(
      page.status, page.contentType, by: page.finalURL, retryAfter: page.retryAfter, of: url)
  }

  /// Interprets an unusable answer and records a back-off.
  /// - Parameters:
  ///   - answerer: the address that answered in the end.
  ///   - retryAfter: seconds, as in the header.
  func refusal(
    _ status: Int, _ contentType: String?, by answerer: String, retryAfter: Double?, of url: String
  ) -> RefreshFailure {
    let (now, host) = (date(), WebAddress(answerer).hostKey ?? "")
    let wait = hosts.refused(
      url, by: host, status: status, contentType: contentType, retryAfter: retryAfter, at: now)
    return RefreshFailure(kind: wait?.kind ?? .init(status: status), status: status, since: now)
  }

  var rateLimited: any HTTPTransport { RateLimitedTransport(fetcher: self) }

  private func perform<Request: NetworkRequest>(_ request: Request)
    async throws(FetchFailure) -> Request.Response
  {
    do throws(TransportError) {
      return try await NetworkClient(transport: rateLimited)
        .perform(request, observe: observe)
    } catch {
      throw .transport(error)
    }
  }

  /// Returns the document of a file or a program of the user.
  func read(
    _ source: LocalSource, _ options: FeedOptions = FeedOptions()
  ) async throws(FetchFailure) -> [UInt8] {
    switch source {
    case .file(let path): try await local.file(path)
    case .program(let words): try await local.program(words)
    case .filter(let words, let url):
      switch try await fetch(url, options: options).outcome {
      case .document(let body, _): try await local.program(words, input: body)
      case .notModified: throw .own(.httpStatus, .said("304"))
      case .refused(let status, _, _): throw .own(.httpStatus, .said(String(status)))
      }
    }
  }
}

/// A transport that passes the gate before each exchange.
private struct RateLimitedTransport: HTTPTransport {
  let fetcher: Fetcher

  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    let address = WebAddress(request.url)
    let (host, origin) = (address.hostKey ?? "", address.origin)
    fetcher.transfer?.asks(host)
    var request = request
    request.pauseToken = fetcher.token
    // A file may be slow, because nothing waits for it.
    if request.sink == nil { request.minimumRate = fetcher.minimumRate }
    let exchange = request
    let answer = await fetcher.gate.withPermit(host, origin: origin) {
      () -> Result<HTTPResponse, TransportError> in
      fetcher.transfer?.reaches(.connecting)
      fetcher.hosts.asked(host, at: fetcher.date())
      let result = await Result { () async throws(TransportError) in
        try await fetcher.transport.send(exchange, observe: observe)
      }
      let now = fetcher.date()
      var latency: HostLatency?
      if case .success(let response) = result {
        latency = fetcher.transfer?.answered(host, status: response.status, at: now)
      }
      fetcher.gate.measured(host, result, latency: latency, at: now)
      return result
    }
    guard let answer else { throw TransportError(.cancelled) }
    let response = try answer.get()
    if let origin, let version = response.metrics.httpVersion {
      fetcher.gate.setMultiplexing(origin, of: host, version == "2")
    }
    return response
  }
}
