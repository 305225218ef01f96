/// Short limits, so that transfers that are slow on purpose end soon.
let quickLimits = TransferLimits(connect: 5, silence: 0.4, total: 20)

/// The transport of all tests; the program has a single one too.
let sharedTransport = CurlTransport(userAgent: "Weir/0 (+https://weir.example/)")

/// Returns the error of a send that must fail.
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

/// Returns the error of a request that must fail.
func failure(
  performing request: HTTPRequest, over transport: any HTTPTransport = sharedTransport,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
  do {
    _ = try await NetworkClient(transport: transport).follow(request)
    Issue.record("succeeded", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// A suite whose tests have an origin.
class OriginSuite {
  let origin: Origin
  init() throws { origin = try Origin() }
}
