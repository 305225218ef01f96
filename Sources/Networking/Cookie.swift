import FeedModel
public import Foundation

/// A cookie of a file of the user, never changed by servers.
public struct Cookie: Sendable, Equatable {
  /// Printable ASCII without "="; not empty.
  public var name: String
  /// Printable ASCII as it is sent; may be empty.
  public var value: String
  /// The domain in lower case, without a leading dot.
  public var domain: String
  /// Whether subdomains get the cookie.
  public var coversHostsBelow: Bool
  /// The path with its descendants (RFC 6265, §5.1.4); begins with a slash.
  public var path: String
  public var isSecure: Bool

  /// The cookies of a file in Netscape's form: seven fields per line, separated by tabs. Expired
  /// cookies and invalid lines are omitted.
  public static func file(_ bytes: [UInt8], at now: Date) -> [Cookie] {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
      var text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("#HttpOnly_") {
        text.removeFirst("#HttpOnly_".count)
      } else if text.hasPrefix("#") {
        return nil
      }
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 6, let expiry = Double(fields[4]) else { return nil }
      guard expiry == 0 || expiry > now.timeIntervalSince1970 else { return nil }
      let (name, value) = (fields[5], fields.count > 6 ? fields[6] : "")
      let domain = fields[0].lowercased()
      let host = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
      guard !host.isEmpty, !name.isEmpty, isSendable(name), isSendable(value), !name.contains("=")
      else { return nil }
      return Cookie(
        name: name, value: value, domain: host, coversHostsBelow: fields[1].uppercased() == "TRUE",
        path: fields[2].hasPrefix("/") ? fields[2] : "/", isSecure: fields[3].uppercased() == "TRUE"
      )
    }
  }

  /// Printable ASCII without a semicolon: nothing that ends the header or the cookie.
  private static func isSendable(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: ";") }
  }

  /// The header for an address; `nil` without cookies. Longer paths go first (RFC 6265, §5.4).
  public static func header(_ cookies: [Cookie], for url: String) -> String? {
    let matching = cookies.filter { $0.isMeant(for: WebAddress(url)) }
    guard !matching.isEmpty else { return nil }
    let sorted = matching.enumerated().sorted {
      ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
    }
    return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }

  /// Whether the cookie is for an address's host, on any path (RFC 6265, §5.1.3).
  func covers(_ address: WebAddress) -> Bool {
    guard let host = address.host?.lowercased() else { return false }
    return host == domain || (coversHostsBelow && host.hasSuffix(".\(domain)"))
  }

  /// RFC 6265, §5.1.3 and §5.1.4.
  private func isMeant(for address: WebAddress) -> Bool {
    guard address.isHTTP, covers(address) else { return false }
    guard !isSecure || address.scheme == "https" else { return false }
    let path = address.path.isEmpty ? "/" : address.path
    return path == self.path
      || path.hasPrefix(self.path.hasSuffix("/") ? self.path : self.path + "/")
  }
}
