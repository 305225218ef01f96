import FeedModel

/// Which addresses clean HTML may hold, and in what form.
struct AddressPolicy {
  private let base: WebAddress?

  init(base: WebAddress?) {
    self.base = base?.scheme == nil ? nil : base
  }

  /// Schemes that a link may have. What opens them asks first unless it is http or https.
  /// Everything else goes, `javascript:`, `data:` and `file:` with it.
  private static let linkSchemes: Set<String> = [
    "http", "https", "mailto", "ftp", "gemini", "gopher", "tel", "magnet", "xmpp", "irc", "ircs",
  ]

  /// The address of a link, made absolute; nil if it is not allowed. `#part` stays as it is, so
  /// that footnotes find their text. `value`: references decoded, control characters removed.
  func link(_ value: [UInt8]) -> [UInt8]? {
    if Self.isPlainHTTP(value) { return value }
    let address = Self.squeezed(value)
    guard let first = address.first else { return nil }
    if first == UInt8(ascii: "#") { return address }
    return resolved(address) { scheme in Self.linkSchemes.contains(scheme) }
  }

  /// The address of a picture, sound or film, made absolute; nil unless http or https.
  func media(_ value: [UInt8]) -> [UInt8]? {
    if Self.isPlainHTTP(value) { return value }
    let address = Self.squeezed(value)
    guard let first = address.first, first != UInt8(ascii: "#") else { return nil }
    return resolved(address) { scheme in scheme == "http" || scheme == "https" }
  }

  private func resolved(_ value: [UInt8], allows: (String) -> Bool) -> [UInt8]? {
    let reference = WebAddress(String(decoding: value, as: UTF8.self))
    if reference.scheme == nil, Self.looksLikeScheme(value) { return nil }
    let target = base?.resolve(reference) ?? reference
    if let scheme = target.scheme {
      guard allows(scheme) else { return nil }
      if scheme == "http" || scheme == "https", target.host == nil { return nil }
    }
    let text = target.text
    // Removing dot segments can bring a colon to the front of a relative path: "./javascript:x".
    if target.scheme == nil, Self.looksLikeScheme(Array(text.utf8)) { return nil }
    return Array(text.utf8)
  }

  /// Most addresses: absolute, in plain ASCII, with nothing to resolve.
  private static func isPlainHTTP(_ value: [UInt8]) -> Bool {
    var index = 4
    guard value.count > 8, value[0] == UInt8(ascii: "h"), value[1] == UInt8(ascii: "t"),
      value[2] == UInt8(ascii: "t"), value[3] == UInt8(ascii: "p")
    else { return false }
    if value[index] == UInt8(ascii: "s") { index += 1 }
    guard value[index] == UInt8(ascii: ":"), value[index + 1] == UInt8(ascii: "/"),
      value[index + 2] == UInt8(ascii: "/")
    else { return false }
    index += 3
    guard index < value.count, value[index] != UInt8(ascii: "/"), value[index] != UInt8(ascii: "?"),
      value[index] != UInt8(ascii: "#"), value[index] != UInt8(ascii: ":")
    else { return false }
    // An "@" may be followed by an empty host; the slow way looks closely.
    var previous: UInt8 = 0
    while index < value.count {
      let byte = value[index]
      if byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "\\") {
        return false
      }
      if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return false }
      previous = byte
      index += 1
    }
    return true
  }

  /// Without white space at the ends, and without tabs and newlines anywhere (WHATWG URL §4.4):
  /// what a browser reads as "javascript:" is judged as "javascript:".
  private static func squeezed(_ value: [UInt8]) -> [UInt8] {
    var out = value.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    while let last = out.last, last <= 0x20 { out.removeLast() }
    let leading = out.prefix { $0 <= 0x20 }.count
    if leading > 0 { out.removeFirst(leading) }
    return out
  }

  /// A colon before the first slash, question mark or hash: no relative reference may look so
  /// (RFC 3986, §4.2), and "java script:" must not pass for one.
  private static func looksLikeScheme(_ value: [UInt8]) -> Bool {
    for byte in value {
      switch byte {
      case UInt8(ascii: ":"): return true
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return false
      default: continue
      }
    }
    return false
  }
}
