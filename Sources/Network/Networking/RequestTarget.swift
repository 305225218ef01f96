/// An address encoded for a request, without credentials.
struct RequestTarget {
  var scheme: String
  /// The scheme, host and port, to which secrets belong.
  var origin: String
  /// The host in lower case, without brackets.
  var host: String
  var port: Int
  /// The percent-encoded address without credentials and fragment.
  var url: String
  var credentials: Credentials?

  init(_ text: String) throws(TransportError) {
    var address = WebAddress(text)
    guard let scheme = address.scheme, scheme == "http" || scheme == "https" else {
      throw TransportError(.unsupportedScheme, detail: address.scheme ?? "no scheme")
    }
    guard let host = address.host else { throw TransportError(.badURL, detail: "no host") }
    self.scheme = scheme
    origin = address.origin ?? ""
    port = address.port ?? 0
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    if let userInfo = address.userInfo {
      let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = Credentials(
        user: try Self.decode(parts[0]),
        password: parts.count > 1 ? try Self.decode(parts[1]) : "")
    }
    address = address.withoutUserInfo
    if let ascii = Punycode.host(host), let name = address.authority {
      // Only the port, if any, follows the last colon.
      let port = name.lastIndex(of: ":").map { String(name[$0...]) } ?? ""
      address.authority = ascii + port
      self.host = ascii
    }
    address.fragment = nil
    address.path = Self.encode(address.path)
    if address.path.isEmpty { address.path = "/" }
    address.query = address.query.map(Self.encode)
    url = address.text
  }

  /// Encodes the bytes that an address may not contain (RFC 3986, §2.1); keeps `%` as written.
  private static func encode(_ text: String) -> String {
    let illegal = Set("\"<>\\^`{|}".utf8)
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || illegal.contains($0) }) else {
      return text
    }
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in HeaderText.encode(text) {
      if byte <= 0x20 || byte >= 0x7F || illegal.contains(byte) {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func decode(_ text: Substring) throws(TransportError) -> String {
    var out: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        out.append(value)
        rest = rest.dropFirst(2)
      } else {
        out.append(byte)
      }
    }
    guard out.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw TransportError(.badURL, detail: "control characters in the credentials")
    }
    return String(decoding: out, as: UTF8.self)
  }
}
