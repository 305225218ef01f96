/// Converts header values, which are mostly ASCII, sometimes UTF-8, Latin-1 or neither (RFC 9110,
/// §5.5), to text and back. Validators must be echoed byte for byte, so in a value that is not
/// UTF-8, each byte from 0x80 becomes one scalar of a private-use block.
enum HeaderText {
  /// U+F700 + byte: U+F780 to U+F7FF.
  private static let base: UInt32 = 0xF700

  static func decode(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: isEscape)
    {
      return text
    }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append(
        byte < 0x80
          ? Unicode.Scalar(byte) : Unicode.Scalar(base + UInt32(byte)) ?? Unicode.Scalar(byte))
    }
    return String(text)
  }

  static func encode(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if isEscape(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value - base))
      } else {
        bytes.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.EncodedScalar())
      }
    }
    return bytes
  }

  private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
    (base + 0x80...base + 0xFF).contains(scalar.value)
  }
}
