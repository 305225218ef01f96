import FeedModel

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
  /// `nil` if the link does not identify a story.
  package var link: UInt64?

  package init(item: UInt64, link: UInt64?) { (self.item, self.link) = (item, link) }

  /// `[item, link]` in base64url, with "-" for no link.
  var value: JSONValue {
    .array([.string(Base64URL.text(item)), .string(link.map(Base64URL.text) ?? "-")])
  }

  init?(_ value: JSONValue) {
    guard let pair = value.elements, pair.count == 2, let item = pair[0].text,
      let link = pair[1].text, let itemHash = Base64URL.value(item)
    else { return nil }
    self.init(item: itemHash, link: Base64URL.value(link))
    if self.link == nil, link != "-" { return nil }
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
    if let headlines = HeadlinesAddress(text) { out += "#" + headlines.place }
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
}
