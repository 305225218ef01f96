import FeedModel
import Foundation
import Networking

/// Fetches documents the way every operation must: hosts asked to be left alone are, each host has its
/// cap whichever hop leads to it, and what goes over the line is observed.
struct Fetcher: Sendable {
  let transport: any HTTPTransport
  let hosts: HostBook
  let gate: HostGate
  let identities: Identities
  let own: OwnSourceReader
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
    async throws(FetchFailure) -> FeedResponse
  {
    let identity = try await identities.identity(for: url)
    let request = FeedRequest(
      url: url, validators: validators?.0 ?? Validators(), validatorsURL: validators?.from,
      identity: identity, limits: limits, now: date)
    return try await perform(request)
  }

  /// One GET of a web page, its redirects followed.
  func page(_ url: String, allowsPrivateAddress: Bool) async throws(FetchFailure) -> PageResponse {
    let identity = try await identities.identity(for: url)
    return try await perform(
      PageRequest(
        url: url, identity: identity, limits: limits, allowsPrivateAddress: allowsPrivateAddress,
        now: date))
  }

  /// One GET of a file, its redirects followed; it goes to the sink as it comes.
  func file(
    _ url: String, into sink: any BodySink, allowsPrivateAddress: Bool
  ) async throws(FetchFailure) -> PageResponse {
    let identity = try await identities.identity(for: url)
    return try await perform(
      DownloadRequest(
        url: url, into: sink, identity: identity, limits: limits,
        allowsPrivateAddress: allowsPrivateAddress, now: date))
  }

  /// What an answer that is none means, and its host is remembered where it wants to be left alone.
  func refusal(_ page: PageResponse, of url: String) -> RefreshFailure {
    let (now, host) = (date(), WebAddress(page.finalURL).host ?? "")
    var kind = RefreshFailure.Kind(status: page.status)
    let isSoft = hosts.isSoftRefusal(
      host, status: page.status, contentType: page.contentType, at: now)
    if page.status == 429 || page.status == 503 || isSoft {
      _ = hosts.refused(
        url, by: host, status: page.status, retryAfter: page.retryAfter, earlier: 0, at: now)
      kind = page.status == 503 ? .httpStatus : .rateLimited
    }
    return RefreshFailure(kind: kind, status: page.status, since: now)
  }

  /// The transport with these manners, for exchanges of another kind.
  var polite: any HTTPTransport { PoliteTransport(fetcher: self) }

  private func perform<Request: NetworkRequest>(_ request: Request)
    async throws(FetchFailure) -> Request.Response
  {
    do throws(TransportError) {
      return try await NetworkClient(transport: polite)
        .perform(request, observe: observe)
    } catch {
      throw .transport(error)
    }
  }

  /// The document of a file or a program of the user's own.
  func read(_ source: OwnSource) async throws(FetchFailure) -> [UInt8] {
    switch source {
    case .file(let path): try await own.file(path)
    case .program(let words): try await own.program(words)
    case .filter(let words, let url):
      switch try await fetch(url).outcome {
      case .document(let body, _): try await own.program(words, input: body)
      case .notModified: throw .own(.httpStatus, detail: "304")
      case .refused(let status, _, _): throw .own(.httpStatus, detail: String(status))
      }
    }
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
      fetcher.hosts.asked(host, at: fetcher.date())
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
