/// The validators of a document: opaque, stored byte for byte, tied to their address, and echoed
/// exactly (RFC 9110, §8.8 and §13.1).
public struct Validators: Sendable, Equatable, Codable {
  /// The `ETag`, including quotes and `W/`.
  public var etag: String?
  public var lastModified: String?
  public init(etag: String? = nil, lastModified: String? = nil) {
    (self.etag, self.lastModified) = (etag, lastModified)
  }
  /// True if a request with these validators is unconditional.
  public var isEmpty: Bool { etag == nil && lastModified == nil }

  /// Reads the validators of an answer, except unsafe ones. A `Last-Modified` later than `Date` is
  /// invalid (RFC 9110, §8.8.2.1), and a server would answer 304 until then.
  public init(of response: HTTPResponse) {
    var modified = response.header("last-modified").flatMap(Self.usable)
    if let date = modified.flatMap({ HTTPDate.parse($0) }),
      let sent = response.header("date").flatMap({ HTTPDate.parse($0) }), date > sent
    {
      modified = nil
    }
    self.init(etag: response.header("etag").flatMap(Self.usable), lastModified: modified)
  }

  /// Returns these validators updated by a 304 (RFC 9111, §4.3.4).
  public func refreshed(by response: HTTPResponse) -> Validators {
    let newer = Validators(of: response)
    return Validators(
      etag: newer.etag ?? etag, lastModified: newer.lastModified ?? lastModified)
  }

  /// The request headers that echo the validators.
  public var headers: [(name: String, value: String)] {
    var out: [(name: String, value: String)] = []
    if let etag = etag.flatMap(Self.usable) { out.append(("If-None-Match", etag)) }
    if let date = lastModified.flatMap(Self.usable) { out.append(("If-Modified-Since", date)) }
    return out
  }

  /// The maximum length in bytes; longer validators would burden every request.
  private static let longest = 4_096

  /// Returns `nil` if the text is empty, too long, or could end a header line.
  private static func usable(_ text: String) -> String? {
    let bytes = text.utf8
    guard (1...longest).contains(bytes.count),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }
}

/// Builds the key of validators: an address and its user without the password, because each user
/// may get another document.
enum DocumentAddress {
  /// - Parameter user: percent-encoded, as in an address; `nil` for the user of `url`.
  static func of(_ url: String, user: String? = nil) -> String {
    var address = WebAddress(url)
    let user = user ?? address.userInfo.map { String($0.prefix { $0 != ":" }) }
    address = address.withoutUserInfo
    address.fragment = nil
    if let user, !user.isEmpty, let authority = address.authority {
      address.authority = "\(user)@\(authority)"
    }
    return address.text
  }
}
