extension WebAddress {
  /// Returns an address with a scheme if it begins with a host such as `www.example.org`.
  public static func completed(_ address: String) -> String {
    guard
      address.utf8.prefix(4).elementsEqual("www.".utf8)
        || address.prefix(4).lowercased() == "www."
    else { return address }
    let host = address.utf8.prefix { !"/?#:\\".utf8.contains($0) }
    return host.split(separator: UInt8(ascii: ".")).count > 2 ? "http://" + address : address
  }

  /// The host without `www.`.
  package var site: String? { host.map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 } }

  /// The address for other programs: the host in ASCII, the rest percent-encoded (RFC 3986, §2.1).
  public var encoded: String {
    var address = self
    if let host, let ascii = Punycode.host(host), let authority {
      let port = authority.utf8.lastIndex(of: UInt8(ascii: ":")).map { authority[$0...] } ?? ""
      address.authority = (userInfo.map { $0 + "@" } ?? "") + ascii + port
    }
    address.path = Self.percentEncoded(path.utf8)
    address.query = query.map { Self.percentEncoded($0.utf8) }
    address.fragment = fragment.map { Self.percentEncoded($0.utf8) }
    return address.text
  }

  /// Encodes the bytes that an address may not contain; keeps `%` as written.
  package static func percentEncoded(_ bytes: some Collection<UInt8>) -> String {
    let illegal = Set("\"<>\\^`{|}".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in bytes {
      if byte <= 0x20 || byte >= 0x7F || illegal.contains(byte) {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
