import Foundation

/// The meaning of one character for search.
struct CharacterFold {
  enum Kind: UInt8 {
    case separator
    /// Joins its neighbours: combining marks that are often left out, joiners, soft hyphens.
    case ignored
    case word
    /// A script without spaces between words.
    case unspaced
    case symbol
  }
  var kind: Kind
  /// The character without case and diacritics.
  var scalar: UInt32

  /// Folded ASCII letters and digits by byte; 0 for other bytes.
  static let ascii: [UInt8] = (0..<256).map { code in
    switch UInt8(code) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(code)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(code) + 0x20
    default: 0
    }
  }

  /// Basic plane, created for the first text that is not ASCII. The upper byte is the kind.
  static let plane: [UInt32] = (0..<0x1_0000).map { code in
    let fold = Unicode.Scalar(UInt32(code)).map(make) ?? CharacterFold(kind: .separator, scalar: 0)
    return UInt32(fold.kind.rawValue) << 24 | fold.scalar
  }

  static func of(_ scalar: UInt32) -> CharacterFold { of(scalar, in: plane) }

  /// - Parameter plane: `Self.plane`, read once for many characters.
  static func of(_ scalar: UInt32, in plane: [UInt32]) -> CharacterFold {
    guard scalar < 0x1_0000 else {
      return Unicode.Scalar(scalar).map(make) ?? CharacterFold(kind: .separator, scalar: 0)
    }
    let value = plane[Int(scalar)]
    return CharacterFold(
      kind: Kind(rawValue: UInt8(value >> 24)) ?? .separator, scalar: value & 0xFFFFFF)
  }

  private static func make(_ scalar: Unicode.Scalar) -> CharacterFold {
    if isIgnored(scalar.value) { return CharacterFold(kind: .ignored, scalar: 0) }
    // Full-width Latin is Latin (NFKC).
    if (0xFF01...0xFF5E).contains(scalar.value), let narrow = Unicode.Scalar(scalar.value - 0xFEE0)
    {
      let byte = ascii[Int(narrow.value)]
      return CharacterFold(kind: byte == 0 ? .separator : .word, scalar: UInt32(byte))
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .letterNumber, .otherNumber, .privateUse:
      if isUnspaced(scalar.value) { return CharacterFold(kind: .unspaced, scalar: scalar.value) }
      return CharacterFold(kind: .word, scalar: base(scalar))
    case .decimalNumber:
      let digit = scalar.properties.numericValue.map { UInt32($0) + 0x30 } ?? scalar.value
      return CharacterFold(kind: .word, scalar: digit)
    case .otherSymbol: return CharacterFold(kind: .symbol, scalar: scalar.value)
    default: return CharacterFold(kind: .separator, scalar: 0)
    }
  }

  private static func base(_ scalar: Unicode.Scalar) -> UInt32 {
    let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    if small.value == 0x03C2 { return 0x03C3 }
    switch small.value {
    case 0xC0...0x52F, 0x620...0x6FF, 0x1E00...0x1FFF:
      let parts = String(Character(small)).decomposedStringWithCanonicalMapping.unicodeScalars
      guard let first = parts.first, parts.dropFirst().allSatisfy({ isIgnored($0.value) }) else {
        return small.value
      }
      return first.value
    default: return small.value
    }
  }

  private static func isIgnored(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x0300...0x036F, 0x0591...0x05C7, 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670,
      0x06D6...0x06ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x2060...0x2064,
      0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF, 0x1F3FB...0x1F3FF,
      0xE0000...0xE0FFF:
      // Hebrew punctuation is in the range of Hebrew points.
      ![0x05BE, 0x05C0, 0x05C3, 0x05C6, 0x06DD, 0x06DE, 0x06E9].contains(scalar)
    default: false
    }
  }

  /// Thai, Lao, Myanmar, Khmer, Han, kana, Hangul.
  private static func isUnspaced(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF,
      0x3005...0x3007, 0x3040...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
