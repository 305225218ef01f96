import Networking
import Testing

/// Short limits: what is slow on purpose must end soon.
let quickLimits = TransferLimits(connect: 5, silence: 0.4, total: 20)

/// One transport for the whole suite, as the program has one.
let sharedTransport = CurlTransport(userAgent: "Weir/0 (+https://weir.example/)")

/// The error of a send that must fail.
func failure(
  _ request: HTTPRequest, over transport: any HTTPTransport = sharedTransport,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
  do {
    let response = try await transport.send(request)
    Issue.record("answered \(response.status)", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// The error of a request that must fail.
func failure<Request: NetworkRequest>(
  performing request: Request, over transport: any HTTPTransport = sharedTransport,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
  do {
    _ = try await NetworkClient(transport: transport).perform(request)
    Issue.record("succeeded", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}
