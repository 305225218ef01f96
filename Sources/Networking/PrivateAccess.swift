import Foundation

/// An IP address and a port.
public struct ServerAddress: Sendable, Equatable {
  /// IPv4 or IPv6, without brackets and zone, as `inet_ntop` writes it.
  public var address: String
  /// The port, from 1 to 65,535.
  public var port: Int

  /// `nil` if `address` is no IP address.
  public init?(address: String, port: Int) {
    guard let canonical = AddressScope.canonical(address) else { return nil }
    self.address = canonical
    self.port = port
  }

  /// Reads "192.168.1.2 8080", the form of `text`.
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
  /// No private server, as a document named the address.
  case denied
  /// Only this server, whatever DNS answers.
  case only(ServerAddress)
  /// All private servers, as the user gave the address.
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
