import Networking

/// A transport to an aggregator that fails at random.
final class FaultyNetwork: HTTPTransport {
  enum Fault: CaseIterable {
    case before, after, unauthorized, busy, broken, truncated, killedBefore, killedAfter
  }

  private struct State {
    var random: SeededRandom
    /// Failing exchanges in a hundred.
    var rate = 0
    var isDead = false
    var whileAway: (@Sendable () async -> Void)?
  }

  let server: FakeAggregator
  private let state: Mutex<State>

  init(_ server: FakeAggregator, seed: UInt64) {
    self.server = server
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  func fail(_ rate: Int) {
    state.withLock {
      $0.rate = rate
      $0.isDead = false
    }
  }

  /// Runs `body` while the next change is being sent.
  func whileAway(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.whileAway = body }
  }

  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    let fault = state.withLock { state -> Fault? in
      guard !state.isDead else { return .killedBefore }
      guard Int.random(in: 0..<100, using: &state.random) < state.rate else { return nil }
      let fault = Fault.allCases.randomElement(using: &state.random)
      // A killed process sends nothing more.
      if fault == .killedBefore || fault == .killedAfter { state.isDead = true }
      return fault
    }
    switch fault {
    case .before: throw TransportError(.stalled)
    case .killedBefore: throw TransportError(.cancelled)
    case .unauthorized: server.endSessions()
    case .busy: return HTTPResponse(status: 429, headers: [("retry-after", "30")], body: [])
    case .broken: return HTTPResponse(status: 500, headers: [], body: Array("oops".utf8))
    default: break
    }
    if request.url.contains("edit-tag"),
      let body = state.withLock({ state in
        defer { state.whileAway = nil }
        return state.whileAway
      })
    {
      await body()
    }
    let answer = server.answer(for: request)
    switch fault {
    case .after: throw TransportError(.stalled)
    case .killedAfter: throw TransportError(.cancelled)
    default: break
    }
    var bytes = Array(answer.body.utf8)
    if fault == .truncated { bytes.removeLast(bytes.count - bytes.count / 2) }
    return HTTPResponse(
      status: answer.status, headers: [("content-type", answer.type)], body: bytes)
  }
}
