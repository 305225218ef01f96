/// A feed in the folder: the hash of its address when a device first exported it. Never changes,
/// even if the feed moves.
package struct FeedKey: HexadecimalID {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
  package init(address: String) {
    rawValue = XXH64.hash(FeedAddress.normalized(address), seed: 0)
  }
}

/// An article of a feed: the hash of its ID, and the hash of its link, which identifies the article
/// if the publisher changes the ID.
package struct ArticleIdentity: Hashable, Sendable {
  package var item: UInt64
  /// `nil` if the link does not identify an article.
  package var link: UInt64?

  package init(item: UInt64, link: UInt64?) { (self.item, self.link) = (item, link) }

  /// Characters of an article in a list.
  private static let length = 22
  /// Stands for no link. It is not the text of a number.
  private static let noLink = "-----------"

  /// Returns item and link of each article in base64url, without separators.
  static func text(_ articles: [ArticleIdentity]) -> String {
    articles.map { Base64URL.text($0.item) + ($0.link.map(Base64URL.text) ?? noLink) }.joined()
  }

  /// Returns `nil` unless the text is what `text(_:)` returns.
  static func list(_ text: String) -> [ArticleIdentity]? {
    let bytes = Array(text.utf8)
    guard bytes.count % length == 0 else { return nil }
    var articles: [ArticleIdentity] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
      let middle = start + length / 2
      let link = String(decoding: bytes[middle..<(start + length)], as: UTF8.self)
      let linkHash = Base64URL.value(link)
      guard let item = Base64URL.value(String(decoding: bytes[start..<middle], as: UTF8.self)),
        linkHash != nil || link == noLink
      else { return nil }
      articles.append(ArticleIdentity(item: item, link: linkHash))
    }
    return articles
  }
}

/// The random ID of an object that a user made, such as a search or a rule.
package struct ObjectID: HexadecimalID {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The ID of the order of a folder's feeds, which is the same on all devices.
  package init(orderOf folder: [String]) {
    rawValue = XXH64.hash(JSONValue.array(folder.map { .string($0) }).bytes)
  }
}

/// Addresses of feeds as devices share them.
package enum FeedAddress {
  /// Returns the form that feed keys hash: without scheme, user, default port, fragment and final
  /// slash. Keeps the place of headlines, which distinguishes feeds of one page, and local sources
  /// as they are.
  package static func normalized(_ text: String) -> String {
    let address = WebAddress(text)
    guard address.isHTTP, let host = address.hostKey else { return address.text }
    let isDefaultPort = address.port == 80 || address.port == 443
    var out = host + (isDefaultPort ? "" : ":\(address.port ?? 0)") + address.path
    while address.query == nil, out.utf8.last == UInt8(ascii: "/") { out.removeLast() }
    if let query = address.query { out += "?" + query }
    if let headlines = HeadlinesAddress(text) { out += "#" + headlines.selector }
    return out
  }

  /// Removes a password from an address. Returns `nil` if the address is not of a feed.
  package static func withoutPassword(_ text: String) -> (address: String, hadPassword: Bool)? {
    let isLocal = LocalSource(text) != nil
    guard text.utf8.count <= Limits.address, isPlain(text), isLocal || WebAddress(text).isHTTP
    else {
      return nil
    }
    let address = isLocal ? HiddenSecrets.inText(text) : WebAddress.withoutUserInfo(text)
    return (address, address != text)
  }

  /// Returns true if the text has no control characters.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
  }
}

extension XXH64 {
  static func hash(_ bytes: some Collection<UInt8>, seed: UInt64 = 0) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0), seed: seed) }
      ?? Array(bytes).withUnsafeBytes { hash($0, seed: seed) }
  }
}

/// 64-bit numbers in 11 characters (RFC 4648, §5, without padding), the high byte first.
enum Base64URL {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values = Dictionary(
    uniqueKeysWithValues: digits.enumerated().map { ($1, UInt64($0)) })

  static func text(_ value: UInt64) -> String {
    let shifts = stride(from: UInt64(58), through: 4, by: -6)
    // The last character holds 4 bits.
    return String(
      decoding: shifts.map { digits[Int(value >> $0 & 63)] } + [digits[Int(value << 2 & 63)]],
      as: UTF8.self)
  }

  /// Decodes a number; `nil` unless `text(_:)` returns this text for it.
  static func value(_ text: String) -> UInt64? {
    guard text.utf8.count == 11 else { return nil }
    var (value, last): (UInt64, UInt64) = (0, 0)
    for byte in text.utf8 {
      guard let digit = values[byte] else { return nil }
      (value, last) = (value << 6 | last, digit)
    }
    return last & 3 == 0 ? value << 4 | last >> 2 : nil
  }

  /// Returns the number in as few characters as it needs, the low bits first.
  static func shortText(_ value: UInt64) -> String {
    var (rest, bytes) = (value, [UInt8]())
    repeat {
      bytes.append(digits[Int(rest & 63)])
      rest >>= 6
    } while rest > 0
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `nil` unless the text is what `shortText(_:)` returns for a number.
  static func shortValue(_ text: some StringProtocol) -> UInt64? {
    var value: UInt64 = 0
    for byte in text.utf8.reversed() {
      guard let digit = values[byte], value >> 58 == 0 else { return nil }
      value = value << 6 | digit
    }
    return shortText(value) == text ? value : nil
  }
}
