import Foundation

/// Distinguishes addresses of the public Internet from private ones (special-purpose registries of
/// RFC 6890).
public enum AddressScope {
  /// Returns true for a public address, false for a private one, `nil` for anything else.
  /// - Parameter text: an IPv4 or IPv6 address; brackets and a zone (`%eth0`) are ignored.
  public static func isPublic(_ text: String) -> Bool? {
    bytes(of: text).map { $0.count == 4 ? isPublic(v4: $0) : isPublic(v6: $0) }
  }

  /// Returns the 4 or 16 bytes of an address in network order; `nil` if `text` is none.
  static func bytes(of text: String) -> [UInt8]? {
    let address = bare(text)
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, address, &v4) == 1 { return withUnsafeBytes(of: v4, Array.init) }
    return inet_pton(AF_INET6, address, &v6) == 1 ? withUnsafeBytes(of: v6, Array.init) : nil
  }

  private static func bare(_ text: String) -> String {
    String(text.drop { $0 == "[" }.prefix { $0 != "%" && $0 != "]" })
  }

  /// Returns the address as `inet_ntop` writes it; `nil` if `text` is no IP address.
  static func canonical(_ text: String) -> String? {
    let address = bare(text)
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, address, &v4) == 1 { return written(AF_INET, &v4) }
    return inet_pton(AF_INET6, address, &v6) == 1 ? written(AF_INET6, &v6) : nil
  }

  private static func written(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      inet_ntop(family, address, text.baseAddress, socklen_t(text.count)).map {
        String(cString: $0)
      }
    }
  }

  /// - Parameter bytes: four, in network order.
  static func isPublic(v4 bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _): false
    case (100, 64...127, _): false
    case (169, 254, _): false
    case (172, 16...31, _): false
    case (192, 0, 0), (192, 0, 2), (192, 168, _): false
    case (198, 18...19, _), (198, 51, 100), (203, 0, 113): false
    case (224..., _, _): false
    default: true
    }
  }

  /// - Parameter bytes: sixteen, in network order.
  static func isPublic(v6 bytes: [UInt8]) -> Bool {
    // IPv4 in IPv6 (mapped, compatible, NAT64, 6to4) counts as the IPv4 address that it leads to.
    if bytes[..<10].allSatisfy({ $0 == 0 }),
      (bytes[10], bytes[11]) == (0xFF, 0xFF) || (bytes[10], bytes[11]) == (0, 0)
    {
      return isPublic(v4: Array(bytes[12...]))
    }
    // 64:ff9b:1::/48 is for translation within a network (RFC 8215).
    if bytes[..<6] == [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01] { return false }
    if bytes[..<4] == [0x00, 0x64, 0xFF, 0x9B] { return isPublic(v4: Array(bytes[12...])) }
    if bytes[..<2] == [0x20, 0x02] { return isPublic(v4: Array(bytes[2..<6])) }
    // Global unicast is 2000::/3; documentation, Teredo and benchmarking are in 2001::/23 and
    // 2001:db8::/32.
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    if bytes[..<3] == [0x20, 0x01, 0x00] || bytes[..<3] == [0x20, 0x01, 0x01] { return false }
    return bytes[..<4] != [0x20, 0x01, 0x0D, 0xB8]
  }

  /// Returns the server of a socket address; `nil` for families other than IP.
  static func server(_ address: UnsafePointer<sockaddr>) -> ServerAddress? {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        var ip = $0.pointee.sin_addr
        return written(AF_INET, &ip).flatMap { [port = $0.pointee.sin_port] in
          ServerAddress(address: $0, port: Int(UInt16(bigEndian: port)))
        }
      }
    case AF_INET6:
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        var ip = $0.pointee.sin6_addr
        return written(AF_INET6, &ip).flatMap { [port = $0.pointee.sin6_port] in
          ServerAddress(address: $0, port: Int(UInt16(bigEndian: port)))
        }
      }
    default: return nil
    }
  }
}

/// An IP address and a port.
public struct ServerAddress: Sendable, Equatable {
  /// The IPv4 or IPv6 address without brackets and zone, as `inet_ntop` writes it.
  public var address: String
  /// The port, from 1 to 65,535.
  public var port: Int

  /// Returns `nil` if `address` is not an IP address.
  public init?(address: String, port: Int) {
    guard let canonical = AddressScope.canonical(address) else { return nil }
    self.address = canonical
    self.port = port
  }

  /// Parses the form of `text`, "192.168.1.2 8080".
  public init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let port = Int(parts[1]) else { return nil }
    self.init(address: String(parts[0]), port: port)
  }

  public var text: String { "\(address) \(port)" }
}

/// The private servers that a request may reach (see `AddressScope`). Public servers are always
/// allowed.
public enum PrivateAccess: Sendable, Equatable {
  /// No private server, because the address is from a document.
  case denied
  /// Only this server, whatever DNS answers.
  case only(ServerAddress)
  /// All private servers, because the user gave the address.
  case allowed

  func admits(_ server: ServerAddress?) -> Bool {
    switch self {
    case .allowed: return true
    case .denied, .only:
      guard let server else { return false }
      return AddressScope.isPublic(server.address) == true || self == .only(server)
    }
  }
}
