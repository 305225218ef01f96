public import Networking
import Synchronization

/// A scripted transport for tests without a socket.
public final class FixtureTransport: HTTPTransport {
  /// The reply to one request.
  public enum Reply: Sendable {
    case response(HTTPResponse)
    case failure(TransportError)
    /// Never answers; cancelling the task ends it.
    case hang

    /// An answer with a text body.
    public static func text(
      _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> Reply {
      .response(HTTPResponse(status: status, headers: headers, body: Array(text.utf8)))
    }

    /// An answer without a body.
    public static func status(
      _ status: Int, headers: [(name: String, value: String)] = []
    ) -> Reply {
      .response(HTTPResponse(status: status, headers: headers))
    }
  }

  /// Replies to each request that has no script, on the caller's task.
  public typealias Handler = @Sendable (HTTPRequest) async -> Reply

  private struct State {
    var scripts: [String: [Reply]] = [:]
    var handler: Handler?
    var requests: [HTTPRequest] = []
    var underWay = 0
  }

  private let state = Mutex(State())

  /// Creates a transport that finds no address without a script or handler.
  public init() {}

  /// Answers `url` with these replies in turn, then repeats the last.
  public func script(_ url: String, _ replies: Reply...) {
    state.withLock { $0.scripts[url] = replies }
  }

  /// Answers every address without a script, which is otherwise not found.
  public func handle(_ handler: @escaping Handler) { state.withLock { $0.handler = handler } }

  public var requests: [HTTPRequest] { state.withLock(\.requests) }
  public var inFlight: Int { state.withLock(\.underWay) }

  /// Throws `.tooLarge` for a body beyond `TransferLimits.decodedBody`, like a real transport.
  public func send(_ request: HTTPRequest, observe: (@Sendable (TransferEvent) -> Void)?)
    async throws(TransportError) -> HTTPResponse
  {
    let (scripted, handler) = state.withLock { state -> (Reply?, Handler?) in
      state.requests.append(request)
      state.underWay += 1
      guard let replies = state.scripts[request.url], let next = replies.first else {
        return (nil, state.handler)
      }
      if replies.count > 1 { state.scripts[request.url]?.removeFirst() }
      return (next, nil)
    }
    defer { state.withLock { $0.underWay -= 1 } }
    let reply = if let scripted { scripted } else { await handler?(request) }
    if Task.isCancelled { throw TransportError(.cancelled) }
    switch reply {
    case .response(let response):
      observe?(.firstByte(response.metrics.firstByte))
      let bytes = response.metrics.bytesReceived
      observe?(.received(bytes > 0 ? Int(bytes) : response.body.count))
      guard response.body.count <= request.limits.decodedBody else {
        throw TransportError(.tooLarge)
      }
      guard let sink = request.sink, (200..<300).contains(response.status) else { return response }
      sink.begins(length: Int64(response.body.count))
      guard response.body.withUnsafeBytes(sink.write) else { throw TransportError(.notStored) }
      var headers = response
      headers.body = []
      return headers
    case .failure(let error): throw error
    case .hang:
      await Self.untilCancelled()
      throw TransportError(.cancelled)
    case nil: throw TransportError(.hostNotFound, detail: "no script for \(request.url)")
    }
  }

  private static func untilCancelled() async {
    let (stream, end) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      end.finish()
    }
  }
}
