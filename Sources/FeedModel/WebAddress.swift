/// A parsed URI reference and its resolution against a base (RFC 3986, §3 and §5), lenient about
/// what feeds write: spaces and non-ASCII stay as they are in the text, white space around is dropped.
///
/// It never decodes: what comes in one component stays byte for byte in it.
public struct WebAddress: Sendable, Hashable {
  /// Lower case, without the colon; nil in a relative reference.
  public var scheme: String?
  /// `user:password@host:port`; nil where there is no `//`.
  public var authority: String?
  public var path: String
  /// Without `?`.
  public var query: String?
  /// Without `#`.
  public var fragment: String?

  public init(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)
    bytes.removeAll { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    let isSpace = { (b: UInt8) in b <= 0x20 }
    var rest = bytes[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }

    func string(_ slice: ArraySlice<UInt8>) -> String { String(decoding: slice, as: UTF8.self) }
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = string(rest[(hash + 1)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = string(rest[(mark + 1)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = string(rest[..<colon]).lowercased()
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
      let after = rest.dropFirst(2)
      let end = after.firstIndex(of: UInt8(ascii: "/")) ?? after.endIndex
      authority = string(after[..<end])
      rest = after[end...]
    }
    path = string(rest)
  }

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "+")
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  // MARK: Parts

  /// `user:password`, as written.
  public var userInfo: String? {
    guard let authority, let at = authority.lastIndex(of: "@") else { return nil }
    return String(authority[..<at])
  }

  private var hostAndPort: Substring {
    guard let authority else { return "" }
    guard let at = authority.lastIndex(of: "@") else { return authority[...] }
    return authority[authority.index(after: at)...]
  }

  /// Lower case; IPv6 literals keep their brackets; nil where there is none.
  public var host: String? {
    var text = hostAndPort
    if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") { text = text[..<colon] }
    return text.isEmpty ? nil : text.lowercased()
  }

  /// The port written, else the scheme's own (80, 443).
  public var port: Int? {
    let text = hostAndPort
    if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]"),
      let number = Int(text[text.index(after: colon)...])
    {
      return number
    }
    switch scheme {
    case "http": return 80
    case "https": return 443
    default: return nil
    }
  }

  /// Scheme, host and port (RFC 6454): secrets never cross from one to another.
  public var origin: String? {
    guard let scheme, let host else { return nil }
    return "\(scheme)://\(host):\(port ?? 0)"
  }

  public var isHTTP: Bool { (scheme == "http" || scheme == "https") && host != nil }

  /// The same address without `user:password@`.
  public var withoutUserInfo: WebAddress {
    var copy = self
    if authority != nil { copy.authority = String(hostAndPort) }
    return copy
  }

  // MARK: Putting together

  /// The reference as text (RFC 3986, §5.3).
  public var text: String {
    var out = ""
    if let scheme { out += scheme + ":" }
    if let authority { out += "//" + authority }
    out += path
    if let query { out += "?" + query }
    if let fragment { out += "#" + fragment }
    return out
  }

  /// The target of `reference` seen from this address (RFC 3986, §5.2.2).
  public func resolve(_ reference: WebAddress) -> WebAddress {
    var target = reference
    if reference.scheme != nil {
      if reference.authority != nil { target.path = Self.removingDotSegments(reference.path) }
      return target
    }
    target.scheme = scheme
    if reference.authority != nil {
      target.path = Self.removingDotSegments(reference.path)
      return target
    }
    target.authority = authority
    if reference.path.isEmpty {
      target.path = path
      if reference.query == nil { target.query = query }
    } else if reference.path.hasPrefix("/") {
      target.path = Self.removingDotSegments(reference.path)
    } else {
      target.path = Self.removingDotSegments(merging(reference.path))
    }
    return target
  }

  /// `reference` made absolute against `base`; as it is where there is no usable base.
  public static func resolve(_ reference: String, against base: String?) -> String {
    guard let base else { return WebAddress(reference).text }
    let address = WebAddress(base)
    guard address.scheme != nil else { return WebAddress(reference).text }
    return address.resolve(WebAddress(reference)).text
  }

  private func merging(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return String(path[...slash]) + relative
  }

  /// RFC 3986, §5.2.4.
  static func removingDotSegments(_ path: String) -> String {
    guard path.contains(".") else { return path }
    var out: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { out.append("") }
      case "..":
        if out.count > 1 || (out.count == 1 && out[0] != "") { out.removeLast() }
        if isLast { out.append("") }
      default: out.append(segment)
      }
    }
    let joined = out.joined(separator: "/")
    return path.hasPrefix("/") && !joined.hasPrefix("/") ? "/" + joined : joined
  }
}
