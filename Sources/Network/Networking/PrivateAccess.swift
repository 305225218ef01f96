import Foundation

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
  /// No private server, because a document named the address.
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
