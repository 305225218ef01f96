import Foundation

/// The few socket calls that an origin needs, the same on Linux and macOS.
enum Sockets {
  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let sendFlags: Int32 = 0
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  struct Failure: Error, CustomStringConvertible {
    var call: String
    var code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  private static func check(_ result: Int32, _ call: String) throws -> Int32 {
    guard result >= 0 else { throw Failure(call: call, code: errno) }
    return result
  }

  /// Opens a socket that listens on a port of the system's choice.
  static func listen(on address: String) throws -> (descriptor: Int32, port: Int) {
    let isV6 = address.contains(":")
    let descriptor = try check(socket(isV6 ? AF_INET6 : AF_INET, stream, 0), "socket")
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    do {
      if isV6 {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, address, &name.sin6_addr)
        try bindAndListen(descriptor, &name)
        return (descriptor, Int(UInt16(bigEndian: try localName(descriptor, name).sin6_port)))
      }
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      inet_pton(AF_INET, address, &name.sin_addr)
      try bindAndListen(descriptor, &name)
      return (descriptor, Int(UInt16(bigEndian: try localName(descriptor, name).sin_port)))
    } catch {
      close(descriptor)
      throw error
    }
  }

  static func connect(to address: String, port: Int) throws -> Int32 {
    let descriptor = try check(socket(AF_INET, stream, 0), "socket")
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, address, &name.sin_addr)
    let connected = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(descriptor)
      throw Failure(call: "connect", code: errno)
    }
    return descriptor
  }

  private static func bindAndListen<Name>(_ descriptor: Int32, _ name: inout Name) throws {
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    _ = try check(bound, "bind")
    _ = try check(Foundation.listen(descriptor, 1_024), "listen")
  }

  private static func localName<Name>(_ descriptor: Int32, _ blank: Name) throws -> Name {
    var name = blank
    var length = socklen_t(MemoryLayout<Name>.size)
    let result = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    _ = try check(result, "getsockname")
    return name
  }

  /// Returns true if the connection came to a loopback address, because an origin that listens on
  /// every address answers only such connections.
  static func isLoopback(_ descriptor: Int32) -> Bool {
    guard let name = try? localName(descriptor, sockaddr_in6()) else { return false }
    if Int32(name.sin6_family) == AF_INET6 { return true }
    guard let v4 = try? localName(descriptor, sockaddr_in()) else { return false }
    return UInt32(bigEndian: v4.sin_addr.s_addr) >> 24 == 127
  }

  static func prepare(_ descriptor: Int32) {
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
    #endif
  }

  /// Writes bytes, and returns false if the peer has closed.
  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, sendFlags) }
      if sent < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Reads bytes, and returns none if the peer has closed.
  static func read(_ descriptor: Int32) -> [UInt8] {
    let size = 16_384
    while true {
      var failed = false
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let got = recv(descriptor, buffer.baseAddress, size, 0)
        failed = got < 0
        count = max(0, got)
      }
      if failed, errno == EINTR { continue }
      return bytes
    }
  }

  /// Waits until the peer has closed or `seconds` have passed; returns true if the peer has closed.
  static func waitForClose(_ descriptor: Int32, seconds: Double) -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      let left = deadline.timeIntervalSinceNow
      if left <= 0 { return false }
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let milliseconds = Int32(min(60_000, max(1, (left * 1_000).rounded())))
      guard poll(&poller, 1, milliseconds) > 0 else { continue }
      var byte: UInt8 = 0
      if recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0 { return true }
      // Input that nobody reads yet (a pipelined request): nothing to wait for but time.
      usleep(1_000)
    }
  }

  /// Ends the connection with RST rather than FIN.
  static func reset(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}
