extension WebAddress {
  /// Whether the address is `other` or lies below its path, at the same origin. A query of `other`
  /// must be the same. A path with the segments `.` or `..` lies below none: servers resolve it.
  public func isBelow(_ other: WebAddress) -> Bool {
    guard isHTTP, origin == other.origin else { return false }
    if let query = other.query, query != self.query { return false }
    let start = other.path.isEmpty ? "/" : other.path
    let path = self.path.isEmpty ? "/" : self.path
    guard path == start || path.hasPrefix(start.hasSuffix("/") ? start : start + "/") else {
      return false
    }
    return !path.split(separator: "/").contains { segment in
      let plain = segment.lowercased().replacing("%2e", with: ".")
      return plain == "." || plain == ".."
    }
  }

  /// Whether a server could be at this address as far as its text tells: the host is a name of
  /// letters and digits of any script, or an IPv6 literal, and what is written as a port is one.
  public var hasPlausibleHost: Bool {
    guard let host, port != nil else { return false }
    if host.hasPrefix("[") { return Self.isIPv6Literal(host) }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    // A dot may end the name.
    let named = labels.count > 1 && labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
    return named.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(Self.isOfName) }
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_~".unicodeScalars.contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: return true
    default: return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }

  /// "[::1]", "[fe80::1%25eth0]": hexadecimal digits, at least two colons, perhaps a zone.
  private static func isIPv6Literal(_ host: String) -> Bool {
    guard host.hasSuffix("]") else { return false }
    let address = host.dropFirst().dropLast().prefix { $0 != "%" }
    return address.count(where: { $0 == ":" }) >= 2
      && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
  }
}
