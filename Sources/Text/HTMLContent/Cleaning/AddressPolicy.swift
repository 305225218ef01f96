import FeedModel
internal import TextRules

/// Decides which addresses clean HTML may contain, and their form.
struct AddressPolicy {
  private let base: WebAddress?

  init(base: WebAddress?) {
    self.base = base?.scheme == nil ? nil : base
  }

  /// Allowed schemes of links. All except http and https require confirmation. Excludes
  /// `javascript:`, `data:` and `file:`, among others.
  private static let linkSchemes: Set<String> = [
    "http", "https", "mailto", "ftp", "gemini", "gopher", "tel", "magnet", "xmpp", "irc", "ircs",
  ]

  /// Returns the absolute address of a link; `nil` if its scheme is not allowed. An address within
  /// the page, such as `#part`, is returned unchanged.
  /// - Parameter value: the attribute, with decoded references and without control characters.
  func link(_ value: [UInt8]) -> [UInt8]? {
    if Self.isPlainHTTP(value) { return value }
    let address = Self.squeezed(value)
    guard let first = address.first else { return nil }
    if first == UInt8(ascii: "#") { return address }
    return resolved(address) { scheme in Self.linkSchemes.contains(scheme) }
  }

  /// Returns the absolute address of a picture, audio or video; `nil` for schemes
  /// other than http and https.
  func media(_ value: [UInt8]) -> [UInt8]? {
    if Self.isPlainHTTP(value) { return value }
    let address = Self.squeezed(value)
    guard let first = address.first, first != UInt8(ascii: "#") else { return nil }
    return resolved(address) { scheme in scheme == "http" || scheme == "https" }
  }

  private func resolved(_ value: [UInt8], allows: (String) -> Bool) -> [UInt8]? {
    let reference = WebAddress(WebAddress.completed(value.string))
    if reference.scheme == nil, Self.resemblesScheme(value) { return nil }
    let target = base?.resolve(reference) ?? reference
    if let scheme = target.scheme {
      guard allows(scheme) else { return nil }
      if scheme == "http" || scheme == "https", target.host == nil { return nil }
    }
    let text = target.text
    // Removing dot segments can move a colon to the front of a relative path: "./javascript:x".
    if target.scheme == nil, Self.resemblesScheme(Array(text.utf8)) { return nil }
    return Array(text.utf8)
  }

  /// True for the common case: absolute, plain ASCII, nothing to resolve.
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
    // "http://user@/" has no host, so the full parser handles addresses with an "@".
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

  /// Removes surrounding white space, and all tabs and newlines (WHATWG URL §4.4), so that
  /// "javascript:" is recognised as browsers do.
  private static func squeezed(_ value: [UInt8]) -> [UInt8] {
    var out = value.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    while let last = out.last, last <= 0x20 { out.removeLast() }
    let leading = out.prefix { $0 <= 0x20 }.count
    if leading > 0 { out.removeFirst(leading) }
    return out
  }

  /// True if a colon precedes the first slash, question mark or hash, as in "java script:";
  /// relative references must not contain one there (RFC 3986, §4.2).
  private static func resemblesScheme(_ value: [UInt8]) -> Bool {
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
