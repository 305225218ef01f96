import CNamespaces
import Foundation

/// Two private network namespaces with only a tunnel device and loopback in each: no packet can
/// leave the machine. The hosts' addresses are those reserved for benchmarks (RFC 2544).
final class Namespaces {
  struct Failure: Error { var message: String }

  static let network = "198.18"
  let origin: String
  let reader: String

  init() throws(Failure) {
    (origin, reader) = ("weirlab-o\(getpid())", "weirlab-r\(getpid())")
    guard geteuid() == 0 else { throw Failure(message: "network namespaces need root") }
    guard Self.ip != nil else {
      throw Failure(message: "there is no ip command (Debian: iproute2)")
    }
    guard access("/dev/net/tun", R_OK | W_OK) == 0 else {
      throw Failure(message: "there is no /dev/net/tun")
    }
    for name in [origin, reader] {
      try run("netns", "add", name)
      try run("-n", name, "link", "set", "lo", "up")
    }
    // Every address of the network belongs to the origin.
    try run("-n", origin, "route", "add", "local", "\(Self.network).0.0/16", "dev", "lo")
  }

  deinit {
    for name in [origin, reader] { try? run("netns", "del", name) }
  }

  static let ip = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Creates the tunnel devices of the reader and the origin.
  func tunnels() throws(Failure) -> (near: Int32, far: Int32) {
    let far = try within(origin, tunnel)
    try run("-n", origin, "addr", "add", "198.19.0.1/30", "dev", "w0")
    try run("-n", origin, "link", "set", "w0", "mtu", "1500", "txqueuelen", "5000", "up")
    let near = try within(reader, tunnel)
    try run("-n", reader, "addr", "add", "198.19.0.2/30", "dev", "w0")
    try run("-n", reader, "link", "set", "w0", "mtu", "1500", "txqueuelen", "5000", "up")
    try run("-n", reader, "route", "add", "\(Self.network).0.0/16", "dev", "w0")
    return (near, far)
  }

  private func tunnel() throws(Failure) -> Int32 {
    let descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    // struct ifreq: a name of 16 bytes, then flags: IFF_TUN | IFF_NO_PI.
    var request = [UInt8](repeating: 0, count: 40)
    request.replaceSubrange(0..<2, with: Array("w0".utf8))
    request.replaceSubrange(16..<18, with: [0x01, 0x10])
    let setInterface: UInt = 0x4004_54CA
    let isSet = request.withUnsafeMutableBytes {
      $0.baseAddress.map { ioctl(descriptor, setInterface, $0) } == 0
    }
    guard descriptor >= 0, isSet else {
      throw Failure(message: "no tunnel device: \(String(cString: strerror(errno)))")
    }
    return descriptor
  }

  /// Runs `body` with this thread in the namespace; sockets that it creates stay there.
  func within<T>(_ name: String, _ body: () throws -> T) throws(Failure) -> T {
    let home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    let there = open("/run/netns/\(name)", O_RDONLY | O_CLOEXEC)
    defer {
      close(home)
      close(there)
    }
    guard home >= 0, there >= 0, weir_enter_network(there) == 0 else {
      throw Failure(message: "cannot enter the namespace \(name)")
    }
    defer { weir_enter_network(home) }
    do {
      return try body()
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  private func run(_ arguments: String...) throws(Failure) {
    guard let ip = Self.ip else { return }
    let process = Process()
    process.executableURL = URL(filePath: ip)
    process.arguments = arguments
    do { try process.run() } catch { throw Failure(message: "\(error)") }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(message: "ip \(arguments.joined(separator: " ")) failed")
    }
  }
}
