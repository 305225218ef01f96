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

  /// Requests a document of a kind and follows redirects. Validators are sent only to their
  /// address. The feed's options override the configuration's. Pictures are requested without
  /// cookies.
  func fetch(
    _ url: String, _ kind: DocumentRequest.Kind = .feed, from source: AddressSource = .user,
    validators: (Validators, from: String?)? = nil, options: FeedOptions = FeedOptions(),
    into sink: (any BodySink)? = nil, resuming: (start: Int64, validator: String)? = nil
  ) async throws(FetchFailure) -> DocumentResponse {
    var identity = try await identities.identity(for: url, from: source, options, at: date())
    if kind == .picture { identity.cookies = [] }
    let request = DocumentRequest(
      HTTPRequest(
        url: url, limits: limits, sink: sink, privateAccess: source.access, identity: identity),
      kind: kind, validators: validators?.0 ?? Validators(), validatorsURL: validators?.from,
      resumption: resuming)
    do throws(TransportError) {
      return try await NetworkClient(transport: rateLimited)
        .perform(request, date: date, observe: observe)
    } catch {
      throw .transport(error)
    }
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

  /// Interprets an unusable answer to a request of `url` and records a back-off.
  func refusal(_ answer: DocumentResponse, of url: String) -> RefreshFailure {
    let (now, host) = (date(), WebAddress(answer.finalURL).hostKey ?? "")
    let wait = hosts.refused(
      url, by: host, status: answer.status, contentType: answer.contentType,
      retryAfter: answer.hints.retryAfter, at: now)
    return RefreshFailure(
      kind: wait?.kind ?? .init(status: answer.status), status: answer.status, since: now)
  }

  var rateLimited: any HTTPTransport { RateLimitedTransport(fetcher: self) }

  /// Returns the document of a file or a program of the user.
  func read(
    _ source: LocalSource, _ options: FeedOptions = FeedOptions()
  ) async throws(FetchFailure) -> [UInt8] {
    switch source {
    case .file(let path): return try await local.file(path)
    case .program(let words): return try await local.program(words)
    case .filter(let words, let url):
      let answer = try await fetch(url, options: options)
      guard answer.status == 200 else {
        throw .own(.httpStatus, .said(String(answer.status)))
      }
      return try await local.program(words, input: answer.body)
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
