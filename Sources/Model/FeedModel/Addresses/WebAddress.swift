/// A parsed URI reference and its resolution against a base (RFC 3986, §3 and §5). Lenient: keeps
/// spaces and non-ASCII, removes surrounding white space, line ends and tabs.
///
/// Never decodes. Before query and fragment, a backslash is a slash as in browsers (WHATWG URL,
/// §4.4), so that the address checked here is the address opened there.
public struct WebAddress: Sendable, Hashable {
  /// The scheme in lower case, without the colon; `nil` in a relative reference.
  public var scheme: String?
  /// The part `user:password@host:port`; `nil` if there is no `//`.
  public var authority: String?
  /// The unchanged text, with its first slash; may be empty.
  public var path: String
  /// The query without `?`.
  public var query: String?
  /// The fragment without `#`.
  public var fragment: String?

  /// Parses any text; text that is not an address becomes a path.
  public init(_ text: some StringProtocol) {
    var text = String(text)
    self = text.withUTF8 { bytes in
      guard bytes.contains(where: Self.isDropped) else { return WebAddress(bytes: bytes) }
      let kept = bytes.filter { !Self.isDropped($0) }
      return kept.withUnsafeBufferPointer { WebAddress(bytes: $0) }
    }
  }

  private static func isDropped(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Finds the parts without copying the whole text: feeds contain many addresses.
  private init(bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while start < end, bytes[end - 1] <= 0x20 { end -= 1 }

    func string(_ range: Range<Int>) -> String {
      String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
    func first(_ character: Unicode.Scalar) -> Int? {
      bytes[start..<end].firstIndex(of: UInt8(ascii: character))
    }
    if let hash = first("#") {
      fragment = string((hash + 1)..<end)
      end = hash
    }
    if let mark = first("?") {
      query = string((mark + 1)..<end)
      end = mark
    }
    if let colon = first(":"), Self.isScheme(bytes[start..<colon]) {
      scheme = string(start..<colon).lowercased()
      start = colon + 1
    }
    if scheme == nil || scheme == "http" || scheme == "https", first("\\") != nil {
      let slashed = bytes[start..<end].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      (authority, path) = slashed.withUnsafeBufferPointer(Self.hierarchy)
    } else {
      (authority, path) = Self.hierarchy(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
  }

  /// Splits the rest after the scheme into `//authority` and path.
  private static func hierarchy(_ bytes: UnsafeBufferPointer<UInt8>) -> (String?, String) {
    let slash = UInt8(ascii: "/")
    guard bytes.count >= 2, bytes[0] == slash, bytes[1] == slash else {
      return (nil, String(decoding: bytes, as: UTF8.self))
    }
    let end = bytes[2...].firstIndex(of: slash) ?? bytes.count
    return (
      String(decoding: UnsafeBufferPointer(rebasing: bytes[2..<end]), as: UTF8.self),
      String(decoding: UnsafeBufferPointer(rebasing: bytes[end...]), as: UTF8.self)
    )
  }

  private static func isScheme(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
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

  // Searches bytes: "@" with a combining mark is another Character, and a host that only this
  // parser sees would be a security hole.

  public var userInfo: String? {
    guard let authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      return nil
    }
    return String(authority.utf8[..<at])
  }

  private var hostAndPort: Substring.UTF8View {
    guard let authority else { return Substring().utf8 }
    guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      return authority[...].utf8
    }
    return authority.utf8[authority.utf8.index(after: at)...]
  }

  var hostParts: (host: Substring.UTF8View, port: Substring.UTF8View?) {
    let text = hostAndPort
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")),
      !text[colon...].contains(UInt8(ascii: "]"))
    else { return (text, nil) }
    return (text[..<colon], text[text.index(after: colon)...])
  }

  /// The host in lower case, with the brackets of IPv6 literals and not in Punycode.
  public var host: String? {
    let host = hostParts.host
    return host.isEmpty ? nil : String(Substring(host)).lowercased()
  }

  /// The host's canonical name: in ASCII (`xn--…`), without a final dot. The key for everything
  /// stored by host.
  public var hostKey: String? {
    guard let host else { return nil }
    let ascii = Punycode.host(host) ?? host
    guard ascii.utf8.last == UInt8(ascii: ".") else { return ascii }
    return String(Substring(ascii.utf8.dropLast()))
  }

  /// The port in the address, else the default of the scheme (80, 443); `nil` if there is neither,
  /// or if the port is not valid.
  public var port: Int? {
    if let written = hostParts.port, !written.isEmpty {
      guard written.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(Substring(written)), number <= 65535
      else { return nil }
      return number
    }
    switch scheme {
    case "http": return 80
    case "https": return 443
    default: return nil
    }
  }

  /// Scheme, host and port (RFC 6454). Secrets are never sent to another origin.
  public var origin: String? {
    guard let scheme, let host else { return nil }
    return "\(scheme)://\(host):\(port ?? 0)"
  }

  /// Returns true if requests to this address must not carry what the user entrusted to the server
  /// of `other`: headers, cookies, credentials, a proxy, and the permission for private networks.
  /// TLS in place of plain HTTP at the same host is no other origin.
  public func isOtherOrigin(than other: WebAddress) -> Bool {
    if origin == other.origin { return false }
    guard other.scheme == "http", scheme == "https", hostKey == other.hostKey else { return true }
    return port != other.port && (port != 443 || other.port != 80)
  }

  public var isHTTP: Bool { (scheme == "http" || scheme == "https") && host != nil }

  public var withoutUserInfo: WebAddress {
    var copy = self
    if authority != nil { copy.authority = String(Substring(hostAndPort)) }
    return copy
  }

  public static func withoutUserInfo(_ text: String) -> String {
    let address = WebAddress(text)
    return address.userInfo == nil ? text : address.withoutUserInfo.text
  }

  // MARK: Putting together

  /// The reference as text (RFC 3986, §5.3).
  public var text: String {
    var out = ""
    if let scheme { out += scheme + ":" }
    if let authority {
      out += "//" + authority
    } else if path.utf8.starts(with: "//".utf8) {
      out += "/."  // A path that begins with // would be read as a host.
    }
    out += path
    if let query { out += "?" + query }
    if let fragment { out += "#" + fragment }
    return out
  }

  /// Longest address in bytes that documents and answers may give. Without it, a page repeats a
  /// long base for each of its links.
  public static let maximumLength = 4_096

  /// The address; `nil` if it is longer than `maximumLength`.
  package var limited: WebAddress? {
    let parts = [scheme, authority, path, query, fragment]
    return parts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } <= Self.maximumLength ? self : nil
  }

  /// Resolves `reference` against this address (RFC 3986, §5.2.2).
  /// - Returns: `nil` for a result of more than `maximumLength` bytes.
  public func resolve(_ reference: WebAddress) -> WebAddress? { target(of: reference).limited }

  private func target(of reference: WebAddress) -> WebAddress {
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
    } else if reference.path.utf8.first == UInt8(ascii: "/") {
      target.path = Self.removingDotSegments(reference.path)
    } else {
      target.path = Self.removingDotSegments(merging(reference.path))
    }
    return target
  }

  private func merging(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
    return (String(path.utf8[...slash]) ?? "") + relative
  }

  /// Removes `.` and `..` segments (RFC 3986, §5.2.4).
  static func removingDotSegments(_ path: String) -> String {
    let dot = UInt8(ascii: ".")
    let slash = UInt8(ascii: "/")
    guard hasDotSegment(path) else { return path }
    var out: [Substring.UTF8View] = []
    let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual([dot]) {
        if isLast { out.append(Substring().utf8) }
      } else if segment.elementsEqual([dot, dot]) {
        if out.count > 1 || (out.count == 1 && !out[0].isEmpty) { out.removeLast() }
        if isLast { out.append(Substring().utf8) }
      } else {
        out.append(segment)
      }
    }
    let joined = String(decoding: Array(out.joined(separator: [slash])), as: UTF8.self)
    return path.utf8.first == slash && joined.utf8.first != slash ? "/" + joined : joined
  }

  private static func hasDotSegment(_ path: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path.utf8 {
      if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return true }
      previous = byte
    }
    return false
  }
}

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
