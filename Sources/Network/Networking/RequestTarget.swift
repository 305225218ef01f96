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
    self.host =
      Punycode.host(host) ?? (host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    if let userInfo = address.userInfo {
      let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = Credentials(
        user: try Self.decode(parts[0]),
        password: parts.count > 1 ? try Self.decode(parts[1]) : "")
    }
    address = address.withoutUserInfo.encoded(HeaderText.encode)
    address.fragment = nil
    if address.path.isEmpty { address.path = "/" }
    url = address.text
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
