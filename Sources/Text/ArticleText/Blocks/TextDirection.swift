import HTMLContent

package enum TextDirection: Sendable {
  case leftToRight
  case rightToLeft

  /// Number of bytes of a text that are examined.
  static let sample = 2_048

  /// Returns the direction of a text by its letters. Two right-to-left letters in five suffice for
  /// right to left, as many texts begin with a name in another script. Returns `nil` if there are
  /// no letters.
  package static func of(_ text: some StringProtocol) -> TextDirection? {
    of(Array(text.utf8.prefix(sample))[...])
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> TextDirection? {
    // Tests for first bytes of right-to-left characters in UTF-8.
    let mayTurn = bytes.contains { (0xD6...0xE0).contains($0) || $0 == 0xEF || $0 == 0xF0 }
    if !mayTurn, bytes.contains(where: isLetter) { return .leftToRight }
    var (left, right) = (0, 0)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if runsRightToLeft(scalar) {
        right += 1
      } else if scalar.value < 0x80
        ? isLetter(UInt8(scalar.value)) : scalar.properties.isAlphabetic
      {
        left += 1
      }
    }
    guard left + right > 0 else { return nil }
    return right * 5 >= (left + right) * 2 ? .rightToLeft : .leftToRight
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// True for blocks of Bidi_Class R and AL (UAX #9), without their marks and digits.
  private static func runsRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      scalar.properties.isAlphabetic
    default: false
    }
  }
}
