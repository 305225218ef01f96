import FeedModel
import Foundation
import Networking
import Synchronization

/// Fetches documents the way every operation must: hosts asked to be left alone are, each host has its
/// cap whichever hop leads to it, and what goes over the line is observed.
struct Fetcher: Sendable {
  let transport: any HTTPTransport
  let hosts: HostBook
  let gate: HostGate
  let limits: TransferLimits
  let date: @Sendable () -> Date
  var observe: (@Sendable (TransferEvent) -> Void)?
  /// Who is told where each exchange stands.
  var exchanges: ExchangeBook.Page?
  /// Pauses what is on its way.
  var valve: TransferValve?

  /// One conditional GET, its redirects followed. Validators are sent only to the address that gave
  /// them.
  func fetch(_ url: String, validators: (Validators, from: String?)? = nil)
    async throws(TransportError) -> FeedResponse
  {
    let request = FeedRequest(
      url: url, validators: validators?.0 ?? Validators(), validatorsURL: validators?.from,
      limits: limits, now: date)
    return try await NetworkClient(transport: PoliteTransport(fetcher: self))
      .perform(request, observe: observe)
  }
}

/// What is known of every host that was asked since the start.
final class HostBook: Sendable {
  private let states = Mutex<[String: HostState]>([:])

  func pause(of host: String, at now: Date) -> (until: Date, status: Int)? {
    states.withLock { states in
      guard let state = states[host], let until = state.pause(at: now) else { return nil }
      return (until, state.status ?? 429)
    }
  }

  /// The hosts that asked for peace, and until when.
  func pauses(at now: Date) -> [String: Date] {
    states.withLock { states in states.compactMapValues { $0.pause(at: now) } }
  }

  func update<T: Sendable>(_ host: String, _ change: (inout HostState) -> T) -> T {
    states.withLock { change(&$0[host, default: HostState()]) }
  }
}

/// A transport that asks the gate before each exchange.
private struct PoliteTransport: HTTPTransport {
  let fetcher: Fetcher

  func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    let host = WebAddress(request.url).host ?? ""
    fetcher.exchanges?.asks(host)
    var request = request
    request.valve = fetcher.valve
    let exchange = request
    let answer = await fetcher.gate.withPermit(host) {
      () -> Result<HTTPResponse, TransportError> in
      fetcher.exchanges?.begins()
      fetcher.hosts.update(host) { $0.asked(at: fetcher.date()) }
      do throws(TransportError) {
        return .success(try await fetcher.transport.send(exchange, observe: observe))
      } catch {
        return .failure(error)
      }
    }
    guard let answer else { throw TransportError(.cancelled) }
    let response = try answer.get()
    fetcher.exchanges?.answered(host, status: response.status, at: fetcher.date())
    if response.metrics.httpVersion == "2" { fetcher.gate.setMultiplexing(host: host) }
    return response
  }
}
