/// Decodes `&amp;`, `&#8217;` and other references (WHATWG HTML §13.2.5.72 to 13.2.5.80).
package enum CharacterReferences {
  package struct Match {
    /// The scalar. A few names stand for two scalars, of which this is the first.
    package var first: UInt32
    package var second: UInt32? = nil
    /// Length of the reference in bytes, including the ampersand.
    package var length: Int
  }

  /// Returns the reference at an ampersand, if there is one.
  package static func match(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int, inAttribute: Bool
  )
    -> Match?
  {
    let index = start + 1
    guard index < end else { return nil }
    if bytes[index] == UInt8(ascii: "#") {
      guard var match = numeric(bytes, at: start, end: end) else { return nil }
      match.first = corrected(match.first)
      return match
    }
    guard bytes[index].isLetter else { return nil }
    if let (character, length) = predefined(bytes, at: start, end: end) {
      return Match(first: UInt32(character), length: length)
    }
    return named(bytes, at: start, end: end, inAttribute: inAttribute)
  }

  /// Returns the reference at an ampersand in XML (XML 1.0, §4.1): one character, with a final
  /// semicolon. Accepts the names of HTML, which feeds use without declaring them.
  package static func xmlMatch(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Match? {
    let end = min(bytes.count, start + 40)
    guard start + 1 < end else { return nil }
    let isNumber = bytes[start + 1] == UInt8(ascii: "#")
    guard
      var match = isNumber
        ? numeric(bytes, at: start, end: end)
        : match(bytes, at: start, end: end, inAttribute: false),
      match.second == nil, bytes[start + match.length - 1] == UInt8(ascii: ";")
    else { return nil }
    if isNumber {
      // NUL is dropped, like other controls.
      if match.first > 0 { match.first = corrected(match.first) }
    } else if match.first == 0x27E8 || match.first == 0x27E9 {
      // XHTML 1.0 has other characters for `lang` and `rang`.
      match.first = match.first - 0x27E8 + 0x2329
    }
    return match
  }

  /// Decodes the references that XML defines (XML 1.0, §4.6), as a fast path.
  @inlinable @inline(__always)
  package static func predefined(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
  ) -> (character: UInt8, length: Int)? {
    guard start + 4 <= end else { return nil }
    let (a, b, c) = (bytes[start + 1], bytes[start + 2], bytes[start + 3])
    if b == UInt8(ascii: "t"), c == UInt8(ascii: ";") {
      if a == UInt8(ascii: "l") { return (UInt8(ascii: "<"), 4) }
      if a == UInt8(ascii: "g") { return (UInt8(ascii: ">"), 4) }
    }
    guard start + 5 <= end else { return nil }
    let d = bytes[start + 4]
    if a == UInt8(ascii: "a"), b == UInt8(ascii: "m"), c == UInt8(ascii: "p"),
      d == UInt8(ascii: ";")
    {
      return (UInt8(ascii: "&"), 5)
    }
    guard start + 6 <= end, bytes[start + 5] == UInt8(ascii: ";") else { return nil }
    if a == UInt8(ascii: "q"), b == UInt8(ascii: "u"), c == UInt8(ascii: "o"),
      d == UInt8(ascii: "t")
    {
      return (UInt8(ascii: "\""), 6)
    }
    if a == UInt8(ascii: "a"), b == UInt8(ascii: "p"), c == UInt8(ascii: "o"),
      d == UInt8(ascii: "s")
    {
      return (UInt8(ascii: "'"), 6)
    }
    return nil
  }

  private static func numeric(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int)
    -> Match?
  {
    var index = start + 2
    var value: UInt32 = 0
    var digits = 0
    let isHex = index < end && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    while index < end {
      let digit: UInt32
      if isHex {
        guard let hex = bytes[index].hexValue else { break }
        digit = hex
      } else {
        guard bytes[index].isDigit else { break }
        digit = UInt32(bytes[index] - 0x30)
      }
      // Bounds the value, so that large numbers stay out of range without overflow.
      value = min(value, 0x0200_0000) * (isHex ? 16 : 10) + digit
      digits += 1
      index += 1
    }
    guard digits > 0 else { return nil }
    if index < end, bytes[index] == UInt8(ascii: ";") { index += 1 }
    return Match(first: value, length: index - start)
  }

  private static func corrected(_ value: UInt32) -> UInt32 {
    if value >= 0x80, value <= 0x9F { return Windows1252.scalar(UInt8(value)) }
    if value == 0 || value > 0x10_FFFF || (0xD800...0xDFFF).contains(value) { return 0xFFFD }
    return value
  }

  private static let longestName = 31
  private static let longestBareName = 6

  private static func named(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int, inAttribute: Bool
  ) -> Match? {
    let nameStart = start + 1
    let limit = min(end, nameStart + longestName + 1)
    var index = nameStart
    while index < limit, bytes[index].isLetter || bytes[index].isDigit { index += 1 }
    if index < end, bytes[index] == UInt8(ascii: ";") {
      if let entry = entry(bytes, nameStart..<index) {
        return Match(first: entry.first, second: entry.second, length: index + 1 - start)
      }
    }
    // Finds the longest name that is valid without a semicolon, as in "&copy2024".
    var length = min(index - nameStart, longestBareName)
    while length >= 2 {
      let nameEnd = nameStart + length
      if let entry = entry(bytes, nameStart..<nameEnd), entry.isBare {
        if inAttribute, nameEnd < end,
          bytes[nameEnd] == UInt8(ascii: "=") || bytes[nameEnd].isLetter
            || bytes[nameEnd].isDigit
        {
          return nil
        }
        return Match(first: entry.first, length: nameEnd - start)
      }
      length -= 1
    }
    return nil
  }

  private struct Entry: Sendable {
    var first: UInt32
    var second: UInt32? = nil
    var isBare: Bool
  }

  private static func entry(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> Entry? {
    table[Self.key(bytes, name)]
  }

  /// Returns a case-sensitive key, as names differ in case.
  private static func key(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in name { hash = (hash ^ UInt64(bytes[index])) &* 0x0100_0000_01b3 }
    return hash
  }

  /// A hash table with open addressing by keys, which are hashes without collisions (tested).
  /// Faster than a dictionary, which would hash again.
  private struct Table: Sendable {
    private var keys: [UInt64]
    private var entries: [Entry?]
    private(set) var count = 0

    /// - Parameter capacity: a power of two, more than twice the number of entries.
    init(capacity: Int) {
      keys = Array(repeating: 0, count: capacity)
      entries = Array(repeating: nil, count: capacity)
    }

    subscript(key: UInt64) -> Entry? { entries[slot(of: key)] }

    mutating func insert(_ entry: Entry, for key: UInt64) {
      let slot = slot(of: key)
      if entries[slot] == nil { count += 1 }
      (keys[slot], entries[slot]) = (key, entry)
    }

    /// Returns the slot of the key, or a free one.
    private func slot(of key: UInt64) -> Int {
      let mask = keys.count - 1
      var slot = Int(truncatingIfNeeded: key ^ key >> 32) & mask
      while keys[slot] != key, entries[slot] != nil { slot = (slot + 1) & mask }
      return slot
    }
  }

  /// The names of WHATWG HTML §13.5: `name=scalars in hexadecimal`, after a star if the name is
  /// valid without a semicolon.
  private static let table: Table = {
    var table = Table(capacity: 1 << 13)
    let names = PackageResources.named_references_txt
    for line in names.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
      var item = Array(line)
      let isBare = item.first == UInt8(ascii: "*")
      if isBare { item.removeFirst() }
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let scalars = item[(equals + 1)...].split(separator: UInt8(ascii: "+"))
        .map { $0.reduce(UInt32(0)) { $0 * 16 + ($1.hexValue ?? 0) } }
      guard let first = scalars.first else { continue }
      let second = scalars.count > 1 ? scalars[1] : nil
      item.withUnsafeBufferPointer {
        table.insert(
          Entry(first: first, second: second, isBare: isBare), for: key($0, 0..<equals))
      }
    }
    return table
  }()

  package static var count: Int { table.count }
}
