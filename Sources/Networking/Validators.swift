/// What an origin gave to recognise an unchanged document: opaque, stored byte for byte, tied to
/// the address that gave it, echoed exactly (RFC 9110, §8.8 and §13.1).
public struct Validators: Sendable, Equatable, Codable {
  /// `ETag`, quotes and `W/` included.
  public var etag: String?
  public var lastModified: String?
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
  /// There is nothing to send: a request with these is not conditional.
  public var isEmpty: Bool { etag == nil && lastModified == nil }

  /// Those that an answer gives; what cannot be echoed safely counts as not given.
  public init(of response: HTTPResponse) {
    self.init(
      etag: response.header("etag").flatMap(Self.usable),
      lastModified: response.header("last-modified").flatMap(Self.usable))
  }

  /// These, with what a 304 gives anew in their place (RFC 9111, §4.3.4).
  public func refreshed(by response: HTTPResponse) -> Validators {
    let newer = Validators(of: response)
    return Validators(
      etag: newer.etag ?? etag, lastModified: newer.lastModified ?? lastModified)
  }

  /// The request headers that echo them, both where there are both.
  public var headers: [(name: String, value: String)] {
    var out: [(name: String, value: String)] = []
    if let etag = etag.flatMap(Self.usable) { out.append(("If-None-Match", etag)) }
    if let date = lastModified.flatMap(Self.usable) { out.append(("If-Modified-Since", date)) }
    return out
  }

  /// Longer ones are no validators but an attempt to make every request heavy.
  private static let longest = 4_096

  /// Nil for what could break out of a header line, or is empty.
  private static func usable(_ text: String) -> String? {
    let bytes = text.utf8
    guard (1...longest).contains(bytes.count),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }
}
