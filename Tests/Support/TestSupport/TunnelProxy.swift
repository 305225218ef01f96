import Foundation
import Synchronization

/// A tunnelling proxy on loopback: SOCKS 5 (RFC 1928, with names resolved by it and RFC 1929's
/// password) and HTTP `CONNECT` on one port. Every tunnel leads to one port of this machine.
public final class TunnelProxy: Sendable {
  private struct State {
    var asked: [String] = []
    var descriptors: Set<Int32> = []
  }

  /// A free port that the system chose.
  public let port: Int
  private let listener: Int32
  private let target: Int
  /// `user:password`, or `nil` if none is required.
  private let credentials: String?
  private let state = Mutex(State())

  /// - Parameter target: The port of this machine to which every tunnel leads.
  public init(to target: Int, credentials: String? = nil) throws {
    (self.target, self.credentials) = (target, credentials)
    (listener, port) = try Sockets.listen(on: "127.0.0.1")
    Thread.detachNewThread { [weak self, listener] in
      // The listener is closed only here, because its number may then be given to another listener.
      defer { close(listener) }
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0, let self else { return }
        self.state.withLock { _ = $0.descriptors.insert(descriptor) }
        Thread.detachNewThread { self.serve(descriptor) }
      }
    }
  }

  /// The requested `host:port` of each tunnel so far.
  public var asked: [String] { state.withLock(\.asked) }

  /// Closes the listener and every tunnel.
  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    for descriptor in state.withLock(\.descriptors) { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private func serve(_ client: Int32) {
    var input = Sockets.read(client)
    let isOpen = input.first == 5 ? greetSOCKS(client, &input) : greetHTTP(client, &input)
    if isOpen, let server = try? Sockets.connect(to: "127.0.0.1", port: target) {
      state.withLock { _ = $0.descriptors.insert(server) }
      Thread.detachNewThread { Self.pump(server, client) }
      Self.pump(client, server)
    }
    shutdown(client, Int32(SHUT_RDWR))
  }

  private static func pump(_ from: Int32, _ to: Int32) {
    while true {
      let bytes = Sockets.read(from)
      guard !bytes.isEmpty, Sockets.write(to, bytes[...]) else { break }
    }
    shutdown(to, Int32(SHUT_WR))
  }

  // MARK: The greetings

  private func greetSOCKS(_ client: Int32, _ input: inout [UInt8]) -> Bool {
    func read(_ count: Int) -> [UInt8]? {
      while input.count < count {
        let more = Sockets.read(client)
        guard !more.isEmpty else { return nil }
        input += more
      }
      defer { input.removeFirst(count) }
      return Array(input.prefix(count))
    }
    guard let head = read(2), let methods = read(Int(head[1])) else { return false }
    let wanted: UInt8 = credentials == nil ? 0 : 2
    guard methods.contains(wanted), Sockets.write(client, [5, wanted]) else {
      _ = Sockets.write(client, [5, 0xFF])
      return false
    }
    if let credentials {
      guard let nameLength = read(2)?.last, let name = read(Int(nameLength)),
        let length = read(1)?.first, let password = read(Int(length))
      else { return false }
      let given = String(decoding: name + [UInt8(ascii: ":")] + password, as: UTF8.self)
      guard Sockets.write(client, [1, given == credentials ? 0 : 1]), given == credentials else {
        return false
      }
    }
    guard let request = read(4), request[1] == 1 else { return false }
    let host: String
    switch request[3] {
    case 1:
      guard let address = read(4) else { return false }
      host = address.map(String.init).joined(separator: ".")
    case 3:
      guard let length = read(1)?.first, let name = read(Int(length)) else { return false }
      host = String(decoding: name, as: UTF8.self)
    default: return false
    }
    guard let port = read(2) else { return false }
    state.withLock { $0.asked.append("\(host):\(Int(port[0]) << 8 | Int(port[1]))") }
    return Sockets.write(client, [5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
  }

  private func greetHTTP(_ client: Int32, _ input: inout [UInt8]) -> Bool {
    while !String(decoding: input, as: UTF8.self).contains("\r\n\r\n") {
      let more = Sockets.read(client)
      guard !more.isEmpty else { return false }
      input += more
    }
    let lines = String(decoding: input, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3, words[0] == "CONNECT" else { return false }
    let token = credentials.map { Data($0.utf8).base64EncodedString() }
    guard token == nil || lines.contains("Proxy-Authorization: Basic \(token ?? "")") else {
      let refusal =
        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
      _ = Sockets.write(client, Array(refusal.utf8)[...])
      return false
    }
    state.withLock { $0.asked.append(String(words[1])) }
    return Sockets.write(client, Array("HTTP/1.1 200 Go on\r\n\r\n".utf8)[...])
  }
}
