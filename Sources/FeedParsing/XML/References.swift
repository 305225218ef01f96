internal import HTMLContent

/// `&amp;`, `&#8212;`, `&eacute;` → their characters (XML 1.0, §4.1; the names are HTML's, as feeds use
/// them without declaring them). An ampersand that begins no reference is an ampersand.
enum References {
  /// Decodes what stands in `text` from `start` on, in place: no reference is shorter than its character.
  static func decode(_ text: inout [UInt8], from start: Int) {
    let end = text.withUnsafeMutableBufferPointer { decode($0, from: start) }
    text.removeLast(text.count - end)
  }

  /// - Returns: where the decoded text ends.
  private static func decode(_ bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int) -> Int {
    let source = UnsafeBufferPointer(bytes)
    guard let base = bytes.baseAddress,
      var read = source.index(of: UInt8(ascii: "&"), from: start)
    else { return bytes.count }
    var write = read
    while true {
      let reference = reference(source, at: read)
      if let scalar = reference.scalar {
        write += put(scalar, base + write)
      }
      read += reference.length
      let next = source.index(of: UInt8(ascii: "&"), from: read) ?? bytes.count
      (base + write).update(from: base + read, count: next - read)
      write += next - read
      read = next
      guard read < bytes.count else { return write }
    }
  }

  /// The text of an attribute: white space in it is spaces (XML 1.0, §3.3.3).
  static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "&") }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    var text = bytes.map { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    decode(&text, from: 0)
    return text.string
  }

  private struct Reference {
    /// nil where XML has no such character (XML 1.0, §2.2).
    var scalar: Unicode.Scalar?
    var length: Int
    static let ampersand = Reference(scalar: "&", length: 1)
  }

  private static func reference(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Reference {
    if let common = common(bytes, at: start) { return common }
    let limit = min(bytes.count, start + 34)
    var end = start + 1
    guard end < limit else { return .ampersand }
    if bytes[end] == UInt8(ascii: "#") { end += 1 }
    while end < limit, bytes[end].isLetter || bytes[end].isDigit { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";") else { return .ampersand }
    let length = end + 1 - start
    if bytes[start + 1] == UInt8(ascii: "#") {
      let digits = UnsafeBufferPointer(rebasing: bytes[(start + 2)..<end])
      guard let scalar = number(digits) else { return .ampersand }
      return Reference(scalar: isAllowed(scalar) ? scalar : nil, length: length)
    }
    guard let value = HTMLContent.namedCharacter(bytes, (start + 1)..<end) else {
      return .ampersand
    }
    // `lang` and `rang` mean other characters in XHTML 1.0, whose names XML may know.
    switch value {
    case "\u{27E8}": return Reference(scalar: "\u{2329}", length: length)
    case "\u{27E9}": return Reference(scalar: "\u{232A}", length: length)
    default: return Reference(scalar: value, length: length)
    }
  }

  /// What nearly all references are: `&lt;`, `&gt;` and `&amp;`.
  private static func common(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Reference? {
    guard start + 5 <= bytes.count else { return nil }
    let (a, b, c) = (bytes[start + 1], bytes[start + 2], bytes[start + 3])
    if b == UInt8(ascii: "t"), c == UInt8(ascii: ";") {
      if a == UInt8(ascii: "l") { return Reference(scalar: "<", length: 4) }
      if a == UInt8(ascii: "g") { return Reference(scalar: ">", length: 4) }
    }
    if a == UInt8(ascii: "a"), b == UInt8(ascii: "m"), c == UInt8(ascii: "p"),
      bytes[start + 4] == UInt8(ascii: ";")
    {
      return Reference(scalar: "&", length: 5)
    }
    return nil
  }

  /// The character of `8212` or `x2014`; windows-1252 for the C1 controls.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    let isHex = text.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let digits = text.dropFirst(isHex ? 1 : 0)
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    var value: UInt32 = 0
    for byte in digits {
      guard let digit = byte.hexValue, isHex || digit < 10 else { return nil }
      value = value &* (isHex ? 16 : 10) &+ digit
    }
    if value >= 0x80, value <= 0x9F { return PlainText.windows1252[Int(value) - 0x80] }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// Writes UTF-8; returns how many bytes.
  private static func put(_ scalar: Unicode.Scalar, _ target: UnsafeMutablePointer<UInt8>) -> Int {
    if scalar.isASCII {
      target.pointee = UInt8(truncatingIfNeeded: scalar.value)
      return 1
    }
    var count = 0
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      target[count] = unit
      count += 1
    }
    return count
  }
}
