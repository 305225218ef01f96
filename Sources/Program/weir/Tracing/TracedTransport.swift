import Networking

struct TracedTransport: HTTPTransport {
  let transport: any HTTPTransport
  let write: @Sendable (String) -> Void

  func send(
    _ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?
  ) async throws(TransportError) -> HTTPResponse {
    let start = ContinuousClock.now
    func note(_ result: String) {
      let time = Trace.milliseconds(ContinuousClock.now - start)
      write("\(result)  \(time)  \(request.method.rawValue) \(request.url)")
    }
    do throws(TransportError) {
      let response = try await transport.send(request, observe: observe)
      let metrics = response.metrics
      note(
        "\(response.status)  HTTP/\(metrics.httpVersion ?? "?")  \(metrics.bytesReceived) bytes"
          + (metrics.connect == nil ? "  reused" : ""))
      return response
    } catch {
      note("\(error.kind)")
      throw error
    }
  }

  func reaches(_ url: String, through proxy: ProxyChoice, within patience: Double) async -> Bool {
    let isThere = await transport.reaches(url, through: proxy, within: patience)
    write("\(isThere ? "reachable" : "unreachable")  \(url)")
    return isThere
  }
}
