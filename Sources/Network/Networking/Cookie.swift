public import Foundation

/// A cookie from the user's file, which servers never change, or of one chain of redirects.
public struct Cookie: Sendable, Equatable {
  /// Printable ASCII without "="; not empty.
  public var name: String
  /// Printable ASCII as sent; may be empty.
  public var value: String
  /// The domain in lower case, without a leading dot.
  public var domain: String
  /// True if subdomains get the cookie.
  public var coversHostsBelow: Bool
  /// The path with its descendants (RFC 6265, §5.1.4); begins with a slash.
  public var path: String
  public var isSecure: Bool

  /// Parses a file in the Netscape format: seven fields per line, separated by tabs. Omits expired
  /// cookies and invalid lines.
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

  /// Adds the cookies that an answer sets for its host or a domain above (RFC 6265, §5.2). Returns
  /// true if there are any.
  static func add(_ response: HTTPResponse, of url: String, to cookies: inout [Cookie]) -> Bool {
    var isSet = false
    for (name, line) in response.headers where name == "set-cookie" {
      let parts = line.split(separator: ";").map { part in
        part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      func option(_ name: String) -> String? {
        parts.dropFirst().last { $0.first?.lowercased() == name }?.last
      }
      guard let pair = parts.first, pair.count == 2, pair.allSatisfy(isSendable),
        let host = WebAddress(url).host?.lowercased()
      else { continue }
      let domain = option("domain").map { String($0.lowercased().drop { $0 == "." }) } ?? host
      let cookie = Cookie(
        name: pair[0], value: pair[1], domain: domain,
        coversHostsBelow: option("domain") != nil && domain.contains("."),
        path: option("path").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/",
        isSecure: option("secure") != nil)
      guard cookie.covers(WebAddress(url)) else { continue }
      cookies.removeAll {
        $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
      }
      cookies.append(cookie)
      isSet = true
    }
    return isSet
  }

  /// Returns true for printable ASCII without a semicolon, which would end the cookie.
  private static func isSendable(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: ";") }
  }

  /// Returns an address's header; `nil` without cookies. Longer paths go first (RFC 6265, §5.4).
  public static func header(_ cookies: [Cookie], for url: String) -> String? {
    let matching = cookies.filter { $0.isMeant(for: WebAddress(url)) }
    guard !matching.isEmpty else { return nil }
    let sorted = matching.enumerated().sorted {
      ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
    }
    return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }

  /// Returns true if the cookie is for the address's host, on any path (RFC 6265, §5.1.3).
  func covers(_ address: WebAddress) -> Bool {
    guard let host = address.host?.lowercased() else { return false }
    return host == domain || (coversHostsBelow && host.hasSuffix(".\(domain)"))
  }

  /// Returns true if domain and path match (RFC 6265, §5.1.3 and §5.1.4).
  private func isMeant(for address: WebAddress) -> Bool {
    guard address.isHTTP, covers(address) else { return false }
    guard !isSecure || address.scheme == "https" else { return false }
    let path = address.path.isEmpty ? "/" : address.path
    return path == self.path
      || path.hasPrefix(self.path.hasSuffix("/") ? self.path : self.path + "/")
  }
}
