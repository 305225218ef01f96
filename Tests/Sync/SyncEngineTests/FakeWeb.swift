import Networking

@testable import SyncEngine

/// A fake web: answers by address, holds answers on request, and records requests.
final class FakeWeb: HTTPTransport {
  enum Answer: Sendable {
    case reply(Int, [(String, String)], String)
    case bytes(Int, [(String, String)], [UInt8])
    case failure(TransportError.Kind)
    /// Loses the connection after a part of the body.
    case cut(Int, [(String, String)], String)
    /// Never answers; ends when it is cancelled.
    case hang

    static func picture(_ bytes: [UInt8], _ headers: [(String, String)] = []) -> Answer {
      .bytes(200, [("Content-Type", "image/png")] + headers, bytes)
    }
    static func feed(_ text: String, _ headers: [(String, String)] = []) -> Answer {
      .reply(200, [("Content-Type", "application/rss+xml")] + headers, text)
    }
    static func page(_ html: String, status: Int = 200) -> Answer {
      .reply(status, [("Content-Type", "text/html")], html)
    }
    static func status(_ status: Int, _ headers: [(String, String)] = []) -> Answer {
      .reply(status, headers, "")
    }
  }

  typealias Handler = @Sendable (HTTPRequest) -> Answer

  private struct State {
    var handlers: [String: Handler] = [:]
    var fallback: Handler = { _ in .status(404) }
    var addresses: [String: String] = [:]
    var log: [HTTPRequest] = []
    var inFlight: [String: Int] = [:]
    var peaks: [String: Int] = [:]
    var isPaused = false
    var held: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var passes = 0
    var gone: Set<Int> = []
    var nextID = 0
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  func on(_ url: String, _ handler: @escaping Handler) {
    state.withLock { $0.handlers[url] = handler }
  }
  func on(_ url: String, _ answer: Answer) { on(url) { _ in answer } }
  func onAnythingElse(_ handler: @escaping Handler) { state.withLock { $0.fallback = handler } }

  /// Sets the IP address of this host's answers; those of other hosts have none.
  func resolve(_ host: String, to address: String) {
    state.withLock { $0.addresses[host] = address }
  }

  var log: [HTTPRequest] { state.withLock(\.log) }
  var urls: [String] { log.map(\.url) }
  func requests(to url: String) -> [HTTPRequest] { log.filter { $0.url == url } }
  func forget() { state.withLock { $0.log = [] } }
  /// The most simultaneous exchanges with one host.
  var peak: Int { state.withLock { $0.peaks.values.max() ?? 0 } }
  var inFlight: Int { state.withLock { $0.inFlight.values.reduce(0, +) } }

  /// Holds every answer until `release`.
  func pause() { state.withLock { $0.isPaused = true } }
  func release() {
    let held = state.withLock { state in
      state.isPaused = false
      defer { state.held = [] }
      return state.held
    }
    for one in held { one.continuation.resume() }
  }

  /// Releases the oldest held answer.
  func releaseOne() {
    let one = state.withLock {
      state -> (id: Int, continuation: CheckedContinuation<Void, Never>)? in
      if !state.held.isEmpty { return state.held.removeFirst() }
      // A request that is not held yet will pass.
      state.passes += 1
      return nil
    }
    one?.continuation.resume()
  }

  /// Returns when that many requests have arrived in total.
  func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.log.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    let host = WebAddress(request.url).hostKey ?? ""
    let (handler, waiters) = state.withLock { state in
      state.log.append(request)
      state.inFlight[host, default: 0] += 1
      state.peaks[host] = max(state.peaks[host] ?? 0, state.inFlight[host] ?? 0)
      let ready = state.waiters.filter { $0.count <= state.log.count }
      state.waiters.removeAll { $0.count <= state.log.count }
      return (state.handlers[request.url] ?? state.fallback, ready)
    }
    for waiter in waiters { waiter.continuation.resume() }
    defer { state.withLock { $0.inFlight[host, default: 1] -= 1 } }
    let answer = handler(request)
    let hangs = if case .hang = answer { true } else { false }
    // Lets other requests arrive meanwhile.
    for _ in 0..<5 { await Task.yield() }
    if hangs || state.withLock(\.isPaused) { await rest() }
    if Task.isCancelled { throw TransportError(.cancelled) }
    switch answer {
    case .hang: throw TransportError(.stalled)
    case .failure(let kind): throw TransportError(kind)
    case .cut(let status, let headers, let body):
      request.sink?.answered(
        status: status, headers: headers.map { (name: $0.0.lowercased(), value: $0.1) })
      request.sink?.begins(length: nil)
      if let sink = request.sink, !Array(body.utf8).withUnsafeBytes(sink.write) {
        throw TransportError(.notStored)
      }
      throw TransportError(.connectionLost)
    case .reply(let status, let headers, let body):
      return try reply(status, headers, Array(body.utf8), to: request, observe)
    case .bytes(let status, let headers, let body):
      return try reply(status, headers, body, to: request, observe)
    }
  }

  private func reply(
    _ status: Int, _ headers: [(String, String)], _ bytes: [UInt8], to request: HTTPRequest,
    _ observe: (@Sendable (TransferEvent) -> Void)?
  ) throws(TransportError) -> HTTPResponse {
    observe?(.connected(0.01))
    observe?(.firstByte(0.02))
    observe?(.received(bytes.count + 100))
    if Task.isCancelled { throw TransportError(.cancelled) }
    let sink = (200..<300).contains(status) ? request.sink : nil
    sink?.answered(status: status, headers: headers.map { (name: $0.0.lowercased(), value: $0.1) })
    sink?.begins(length: Int64(bytes.count))
    if let sink, !bytes.withUnsafeBytes(sink.write) { throw TransportError(.notStored) }
    let host = WebAddress(request.url).hostKey ?? ""
    var metrics = TransferMetrics()
    metrics.total = 0.03
    metrics.bytesReceived = Int64(bytes.count + 100)
    metrics.remoteAddress = state.withLock { $0.addresses[host] }
    metrics.remotePort = WebAddress(request.url).port
    return HTTPResponse(
      status: status, headers: headers.map { (name: $0.0.lowercased(), value: $0.1) },
      body: sink == nil ? bytes : [], metrics: metrics)
  }

  private func rest() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isGone = state.withLock { state in
          if state.gone.contains(id) { return true }
          if state.passes > 0 {
            state.passes -= 1
            return true
          }
          state.held.append((id, continuation))
          return false
        }
        if isGone { continuation.resume() }
      }
    } onCancel: {
      let one = state.withLock { state in
        state.gone.insert(id)
        let index = state.held.firstIndex { $0.id == id }
        return index.map { state.held.remove(at: $0) }
      }
      one?.continuation.resume()
    }
  }
}

extension Discovery.State {
  var found: [FeedCandidate]? { if case .found(let feeds) = self { feeds } else { nil } }
  var failure: RefreshFailure? { if case .failed(let failure) = self { failure } else { nil } }
}

extension FakeWeb {
  /// Returns the feeds to which typed text leads on this web.
  func found(_ typed: String) async throws -> [FeedCandidate] {
    let state = try await FeedDiscoverer(transport: self).discover(typed)
    return try #require(state.found, "\(state)")
  }

  /// Returns the reason why typed text leads to no feed on this web.
  func failure(_ typed: String) async throws -> RefreshFailure {
    let state = try await FeedDiscoverer(transport: self).discover(typed)
    return try #require(state.failure, "\(state)")
  }
}

/// Returns an RSS document with `items` items.
func rss(_ title: String, items: Int = 3, from first: Int = 1, extra: String = "") -> String {
  let list = (first..<(first + items)).map {
    "<item><guid>\(title)-\($0)</guid><title>\(title) \($0)</title>"
      + "<description>Text of \($0)</description></item>"
  }
  return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(title)</title>\(extra)"
    + list.joined() + "</channel></rss>"
}

/// Returns an RSS document whose only item, "One", has these elements.
func rss(item elements: String) -> String {
  "<rss version=\"2.0\"><channel><title>A</title><item><guid>1</guid><title>One</title>"
    + elements + "</item></channel></rss>"
}

extension HTTPRequest {
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
