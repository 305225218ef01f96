/// `&amp;`, `&#8217;` and their like → scalars (WHATWG HTML §13.2.5.72 to 13.2.5.80).
enum CharacterReferences {
  struct Match {
    /// One scalar, or two for the few names that stand for a sequence.
    var first: UInt32
    var second: UInt32?
    /// Bytes of the reference, the ampersand included.
    var length: Int
  }

  /// The reference at an ampersand; nil where the ampersand is only a character.
  static func match(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int, inAttribute: Bool)
    -> Match?
  {
    let index = start + 1
    guard index < end else { return nil }
    if bytes[index] == UInt8(ascii: "#") { return numeric(bytes, at: start, end: end) }
    guard ASCII.isLetter(bytes[index]) else { return nil }
    return named(bytes, at: start, end: end, inAttribute: inAttribute)
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
        guard let hex = ASCII.hexValue(bytes[index]) else { break }
        digit = hex
      } else {
        guard ASCII.isDigit(bytes[index]) else { break }
        digit = UInt32(bytes[index] - 0x30)
      }
      // Large numbers stay out of range instead of wrapping round.
      value = min(value, 0x0200_0000) * (isHex ? 16 : 10) + digit
      digits += 1
      index += 1
    }
    guard digits > 0 else { return nil }
    if index < end, bytes[index] == UInt8(ascii: ";") { index += 1 }
    return Match(first: corrected(value), second: nil, length: index - start)
  }

  private static func corrected(_ value: UInt32) -> UInt32 {
    if value >= 0x80, value <= 0x9F { return windows1252[Int(value - 0x80)] }
    if value == 0 || value > 0x10_FFFF || (0xD800...0xDFFF).contains(value) { return 0xFFFD }
    return value
  }

  /// The scalar of a byte of windows-1252.
  static func windows1252(_ byte: UInt8) -> UInt32 { corrected(max(UInt32(byte), 1)) }

  /// What the numbers 0x80 to 0x9F mean in practice; the five unassigned ones stay controls.
  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static let longestName = 31
  private static let longestBareName = 6

  private static func named(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int, inAttribute: Bool
  ) -> Match? {
    let nameStart = start + 1
    let limit = min(end, nameStart + longestName + 1)
    var index = nameStart
    while index < limit, ASCII.isLetter(bytes[index]) || ASCII.isDigit(bytes[index]) { index += 1 }
    if index < end, bytes[index] == UInt8(ascii: ";") {
      if let entry = entry(bytes, nameStart..<index) {
        return Match(first: entry.first, second: entry.second, length: index + 1 - start)
      }
    }
    // "&copy2024": the longest name that counts without a semicolon.
    var length = min(index - nameStart, longestBareName)
    while length >= 2 {
      let nameEnd = nameStart + length
      if let entry = entry(bytes, nameStart..<nameEnd), entry.isBare {
        if inAttribute, nameEnd < end,
          bytes[nameEnd] == UInt8(ascii: "=") || ASCII.isLetter(bytes[nameEnd])
            || ASCII.isDigit(bytes[nameEnd])
        {
          return nil
        }
        return Match(first: entry.first, second: nil, length: nameEnd - start)
      }
      length -= 1
    }
    return nil
  }

  /// The character of a name as it stands before a semicolon; nil for what is no name, and for names of
  /// two characters.
  static func character(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> Unicode.Scalar?
  {
    guard name.count >= 2, name.count <= longestName, let entry = entry(bytes, name),
      entry.second == nil
    else { return nil }
    return Unicode.Scalar(entry.first)
  }

  private struct Entry: Sendable {
    var first: UInt32
    var second: UInt32? = nil
    var isBare: Bool
  }

  private static func entry(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> Entry? {
    // Most of what feeds write, without hashing.
    switch name.count {
    case 2 where bytes[name.lowerBound + 1] == UInt8(ascii: "t"):
      if bytes[name.lowerBound] == UInt8(ascii: "l") { return Entry(first: 0x3C, isBare: true) }
      if bytes[name.lowerBound] == UInt8(ascii: "g") { return Entry(first: 0x3E, isBare: true) }
    case 3 where bytes[name.lowerBound] == UInt8(ascii: "a"):
      if bytes[name.lowerBound + 1] == UInt8(ascii: "m"),
        bytes[name.lowerBound + 2] == UInt8(ascii: "p")
      {
        return Entry(first: 0x26, isBare: true)
      }
    default: break
    }
    return table[Self.key(bytes, name)]
  }

  /// Names of references differ in case, so they have a key of their own.
  private static func key(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in name { hash = (hash ^ UInt64(bytes[index])) &* 0x0100_0000_01b3 }
    return hash
  }

  /// Keys are hashes: a test holds that no two names of the list share one.
  private static let table: [UInt64: Entry] = {
    var table: [UInt64: Entry] = [:]
    table.reserveCapacity(2200)
    for line in NamedReferences.source.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
      var item = Array(line)
      let isBare = item.first == UInt8(ascii: "*")
      if isBare { item.removeFirst() }
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let scalars = item[(equals + 1)...].split(separator: UInt8(ascii: "+"))
        .map { $0.reduce(UInt32(0)) { $0 * 16 + (ASCII.hexValue($1) ?? 0) } }
      guard let first = scalars.first else { continue }
      let second = scalars.count > 1 ? scalars[1] : nil
      item.withUnsafeBufferPointer {
        table[key($0, 0..<equals)] = Entry(first: first, second: second, isBare: isBare)
      }
    }
    return table
  }()

  /// For the test of the table.
  static var count: Int { table.count }
}
