import Foundation
import Synchronization

/// An HTTP/1.1 server on loopback that sends exactly the bytes that a test specifies, and records
/// its requests. It uses bare sockets because a library would not let it misbehave.
public final class Origin: Sendable {
  /// A request as it was received.
  public struct Request: Sendable {
    /// The method as written, such as "GET".
    public var method: String
    /// Path and query, as written.
    public var target: String
    /// The headers in order, with names as written.
    public var headers: [(name: String, value: String)]
    /// The body, which is empty if there is none.
    public var body: [UInt8]
    /// The number of the connection, from 1 in the order of acceptance.
    public var connection: Int
    /// The number of the request on that connection, from 1.
    public var ordinal: Int
    /// Seconds since the origin started.
    public var time: Double
    /// Requests under way when this one arrived, itself included.
    public var concurrent: Int

    /// `target` without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// Returns the first value of a header, whatever the case of its name.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The names of the headers, as sent.
    public var headerNames: [String] { headers.map(\.name) }
  }

  /// Called for each request, on any thread.
  public typealias Handler = @Sendable (Request) -> Reply

  private struct State {
    var routes: [(prefix: String, handler: Handler)] = []
    var log: [Request] = []
    var connections: Set<Int32> = []
    var accepted = 0
    var underWay = 0
    var peak = 0
    var underWayPerHost: [String: Int] = [:]
    var peakPerHost = 0
    var isStopped = false
  }

  /// Connections hold the state and not the origin, which stops when its test ends.
  private final class Shared: Sendable { let state = Mutex(State()) }

  private let shared = Shared()
  private let listener: Int32
  private let started = Date()
  private let answersOnlyLoopback: Bool
  /// The address given to `init`.
  public let address: String
  /// A free port that the system chose.
  public let port: Int

  /// Listens on a free port of `address` until `stop` or deallocation. `0.0.0.0` means every
  /// address of the loopback network, and no other.
  /// - Parameter answersOnlyLoopback: False for a network without other hosts.
  public init(address: String = "127.0.0.1", answersOnlyLoopback: Bool = true) throws {
    self.address = address
    self.answersOnlyLoopback = answersOnlyLoopback
    (listener, port) = try Sockets.listen(on: address)
    let (listener, number) = (listener, port)
    Self.thread("origin \(number)") { [weak self] in
      // The listener is closed only here, because its number may then be given to another listener.
      defer { close(listener) }
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 {
          if errno == EINTR || errno == ECONNABORTED || errno == EMFILE { continue }
          return
        }
        guard let self else {
          close(descriptor)
          return
        }
        self.welcome(descriptor)
      }
    }
  }

  deinit { stop() }

  /// Closes the port and every connection, hanging ones included.
  public func stop() {
    shared.state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for descriptor in state.connections { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Answers paths that begin with `prefix`; the longest prefix wins, a later one over an equal.
  public func on(_ prefix: String, _ handler: @escaping Handler) {
    shared.state.withLock { $0.routes.append((prefix, handler)) }
  }

  /// Answers paths that begin with `prefix` with the same reply each time.
  public func on(_ prefix: String, _ reply: Reply) { on(prefix) { _ in reply } }

  /// Seconds since the origin started, as in its log.
  public var age: Double { Date().timeIntervalSince(started) }
  /// Every request so far, in order of arrival.
  public var log: [Request] { shared.state.withLock(\.log) }
  /// Connections accepted so far.
  public var connectionCount: Int { shared.state.withLock(\.accepted) }
  /// The most requests that were ever in progress at once.
  public var peakConcurrency: Int { shared.state.withLock(\.peak) }
  /// The most that were ever in progress at once with one name or address of a host.
  public var peakConcurrencyPerHost: Int { shared.state.withLock(\.peakPerHost) }
  /// Discards the log and restarts the counts of concurrent requests.
  public func forget() {
    shared.state.withLock { state in
      state.log = []
      state.peak = state.underWay
      state.peakPerHost = 0
    }
  }

  /// Returns an address at this origin. `host` may be any name of this machine's loopback.
  public func url(_ path: String, host: String? = nil, userInfo: String? = nil) -> String {
    let name = host ?? (address == "0.0.0.0" ? "127.0.0.1" : address)
    let literal = name.contains(":") ? "[\(name)]" : name
    return "http://\(userInfo.map { $0 + "@" } ?? "")\(literal):\(port)\(path)"
  }

  // MARK: A connection

  private static func thread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.name = name
    thread.stackSize = 256 << 10
    thread.start()
  }

  private func welcome(_ descriptor: Int32) {
    let number = shared.state.withLock { state -> Int? in
      guard !state.isStopped, !answersOnlyLoopback || Sockets.isLoopback(descriptor) else {
        return nil
      }
      state.accepted += 1
      state.connections.insert(descriptor)
      return state.accepted
    }
    guard let number else {
      close(descriptor)
      return
    }
    Sockets.prepare(descriptor)
    Self.thread("origin connection \(number)") { [weak self, shared] in
      var input: [UInt8] = []
      var ordinal = 0
      while var request = Self.readRequest(descriptor, &input) {
        ordinal += 1
        request.connection = number
        request.ordinal = ordinal
        guard let self, self.serve(request, descriptor) else { break }
      }
      // The lock is held so that `stop` cannot shut down a descriptor that was given to another.
      shared.state.withLock {
        $0.connections.remove(descriptor)
        close(descriptor)
      }
    }
  }

  /// Answers a request, and returns false if the connection has ended.
  private func serve(_ received: Request, _ descriptor: Int32) -> Bool {
    var request = received
    request.time = Date().timeIntervalSince(started)
    let host = request.header("Host") ?? ""
    let handler = shared.state.withLock { state -> Handler? in
      state.underWay += 1
      state.peak = max(state.peak, state.underWay)
      request.concurrent = state.underWay
      state.underWayPerHost[host, default: 0] += 1
      state.peakPerHost = max(state.peakPerHost, state.underWayPerHost[host] ?? 0)
      state.log.append(request)
      let path = request.target
      return state.routes.enumerated().filter { path.hasPrefix($0.element.prefix) }
        .max { ($0.element.prefix.count, $0.offset) < ($1.element.prefix.count, $1.offset) }?
        .element.handler
    }
    let reply = handler?(request) ?? .status(404)
    let goesOn = perform(reply, request, descriptor)
    shared.state.withLock { state in
      state.underWay -= 1
      let left = (state.underWayPerHost[host] ?? 1) - 1
      state.underWayPerHost[host] = left > 0 ? left : nil
    }
    return goesOn && request.header("connection")?.lowercased() != "close"
  }

  /// Performs a reply, and returns false if the connection has ended.
  private func perform(_ reply: Reply, _ request: Request, _ descriptor: Int32) -> Bool {
    for step in reply.steps {
      switch step {
      case .head(let bytes):
        guard Sockets.write(descriptor, bytes[...]) else { return false }
        if request.method == "HEAD" { return !reply.closes }
      case .bytes(let bytes):
        guard Sockets.write(descriptor, bytes[...]) else { return false }
      case .wait(let seconds):
        if Sockets.waitForClose(descriptor, seconds: seconds) { return false }
      case .drip(let bytes, let every):
        for byte in bytes {
          guard Sockets.write(descriptor, [byte]) else { return false }
          if Sockets.waitForClose(descriptor, seconds: every) { return false }
        }
      case .endless(let bytes):
        while Sockets.write(descriptor, bytes[...]) {}
        return false
      case .hang:
        while !Sockets.waitForClose(descriptor, seconds: 60) {}
        return false
      case .reset:
        Sockets.reset(descriptor)
        return false
      }
    }
    return !reply.closes
  }

  private static func readRequest(_ descriptor: Int32, _ input: inout [UInt8]) -> Request? {
    var scanned = 0
    while true {
      if let end = headEnd(in: input, from: max(0, scanned - 3)) {
        guard var request = parseHead(input[..<end]) else { return nil }
        input.removeFirst(end + 4)
        let length = request.header("content-length").flatMap { Int($0) } ?? 0
        while input.count < length {
          let more = Sockets.read(descriptor)
          if more.isEmpty { return nil }
          input += more
        }
        request.body = Array(input.prefix(length))
        input.removeFirst(length)
        return request
      }
      scanned = input.count
      let more = Sockets.read(descriptor)
      // A TLS handshake record begins with 22: this origin speaks only clear text.
      if more.isEmpty || input.isEmpty && more.first == 22 { return nil }
      input += more
    }
  }

  private static func headEnd(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4, start <= bytes.count - 4 else { return nil }
    return (start...(bytes.count - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }

  private static func parseHead(_ bytes: ArraySlice<UInt8>) -> Request? {
    // Latin-1, so that every byte survives as one scalar and can be asserted on.
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let first = lines.first?.split(separator: " ") ?? []
    guard first.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...]
      return (String(line[..<colon]), String(value.drop { $0 == " " }))
    }
    return Request(
      method: String(first[0]), target: String(first[1]), headers: headers, body: [],
      connection: 0, ordinal: 0, time: 0, concurrent: 0)
  }
}
