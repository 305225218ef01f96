extension WebAddress {
  /// Returns true if the address is `other` or below its path, has the same origin, and has the
  /// query of `other` if there is one. Paths with `.` or `..` segments are excluded: servers
  /// resolve them.
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

  /// True if the host is a name of letters and digits of any script, or an IPv6 literal, and the
  /// port is valid.
  public var hasPlausibleHost: Bool {
    guard let host, port != nil else { return false }
    if host.hasPrefix("[") { return Self.isIPv6Literal(host) }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    // A name may end with a dot.
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

  /// Accepts "[::1]", "[fe80::1%25eth0]": hexadecimal digits, at least two colons, an optional
  /// zone.
  private static func isIPv6Literal(_ host: String) -> Bool {
    guard host.hasSuffix("]") else { return false }
    let address = host.dropFirst().dropLast().prefix { $0 != "%" }
    return address.count(where: { $0 == ":" }) >= 2
      && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
  }
}
