extension WebAddress {
  /// True for an absolute address that needs no change (the common case); does not parse it.
  package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count > 8, bytes.count <= maximumLength, bytes.starts(with: "http".utf8) else {
      return false
    }
    var index = bytes[4] == UInt8(ascii: "s") ? 5 : 4
    guard bytes[index...].starts(with: "://".utf8) else { return false }
    index += 3
    guard index < bytes.count, !"/?#:".utf8.contains(bytes[index]) else { return false }
    var previous: UInt8 = 0
    for byte in bytes[index...] {
      // "http://user@/" has no host, so the full parser handles addresses with an "@".
      if byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "\\")
        || byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/")
      {
        return false
      }
      previous = byte
    }
    return true
  }

  /// Returns an address with a scheme if it begins with a host such as `www.example.org`.
  public static func completed(_ address: String) -> String {
    guard address.prefix(4).lowercased() == "www." else { return address }
    let host = address.utf8.prefix { !"/?#:\\".utf8.contains($0) }
    return host.split(separator: UInt8(ascii: ".")).count > 2 ? "http://" + address : address
  }

  /// The host without `www.`.
  package var site: String? { host.map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 } }

  /// The address for other programs: the host in ASCII, the rest percent-encoded (RFC 3986, §2.1).
  public var encoded: String { encoded { Array($0.utf8) }.text }

  /// - Parameter bytes: returns the bytes of a part.
  package func encoded(_ bytes: (String) -> [UInt8]) -> WebAddress {
    let illegal = Set("\"<>\\^`{|}".utf8)
    func part(_ text: String) -> String {
      Self.percentEncoded(bytes(text)) { $0 <= 0x20 || $0 >= 0x7F || illegal.contains($0) }
    }
    var address = self
    if let host, let ascii = Punycode.host(host) {
      let port = hostParts.port.map { ":\(Substring($0))" } ?? ""
      address.authority = (userInfo.map { $0 + "@" } ?? "") + ascii + port
    }
    address.path = part(path)
    address.query = query.map(part)
    address.fragment = fragment.map(part)
    return address
  }

  package static func percentEncoded(
    _ bytes: some Sequence<UInt8>, where isEncoded: (UInt8) -> Bool
  ) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in bytes {
      out +=
        isEncoded(byte)
        ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
    }
    return String(decoding: out, as: UTF8.self)
  }
}
