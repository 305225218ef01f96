/// The characters that are removed from the text of feeds: from HTML, plain text, labels and
/// addresses.
package enum ForbiddenCharacters {
  package enum Verdict {
    case keep
    case drop
    case space
    case newline
    case replace(by: UInt32)
  }

  /// The rule for markup and multi-line text: white space and line breaks are kept.
  package static func verdict(_ scalar: UInt32) -> Verdict {
    switch scalar {
    case 0x09, 0x0A: return .keep
    case 0x0B, 0x0C: return .space
    case 0x0D: return .newline
    case 0..<0x20, 0x7F: return .drop
    case 0x20..<0x7F: return .keep
    case 0x80..<0xA0:
      // These are Windows-1252 characters declared as Latin-1.
      let meant = Windows1252.scalar(UInt8(scalar))
      return meant == scalar ? .drop : .replace(by: meant)
    // Drops Bidi_Control (UAX #9), as a feed must not reorder the rest of a line.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return .drop
    // Drops deprecated format characters, interlinear annotation, byte order marks.
    case 0x206A...0x206F, 0xFFF9...0xFFFB, 0xFEFF: return .drop
    case 0x2028, 0x2029: return .newline
    // Drops tags, which can hide text in an emoji.
    case 0xE0000...0xE007F: return .drop
    // Drops a picture placeholder of kitty's graphics protocol.
    case 0x10EEEE: return .drop
    default:
      // Drops noncharacters and invalid scalars.
      if scalar & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar) || scalar > 0x10_FFFF
        || (0xD800...0xDFFF).contains(scalar)
      {
        return .drop
      }
      return .keep
    }
  }

  /// The rule for a single line of plain text: line ends, tabs and no-break spaces become spaces,
  /// and other spaces are kept. Of the invisible characters, only joiners and variation selectors
  /// are kept, which emoji and some scripts need.
  package static func lineVerdict(_ scalar: UInt32) -> Verdict {
    switch scalar {
    case 0x09, 0x0A, 0x20, 0xA0: return .space
    // Drops soft hyphen, zero-width space, word joiner, invisible operators, vowel separator.
    case 0xAD, 0x200B, 0x2060...0x2064, 0x180E: return .drop
    // Drops Hangul fillers, which look blank but are not spaces.
    case 0x115F, 0x1160, 0x3164, 0xFFA0: return .drop
    default:
      let verdict = verdict(scalar)
      if case .newline = verdict { return .space }
      return verdict
    }
  }

  /// True for spaces that are kept inside a line, but not at its ends.
  static func isWideSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  /// True if a character is allowed in an address or identity.
  package static func mayStandInAddress(_ scalar: Unicode.Scalar) -> Bool {
    guard case .keep = verdict(scalar.value) else { return false }
    return scalar.value >= 0x20
  }

  /// True for bytes that can begin a character that is dropped or escaped; other bytes are copied.
  package static let needsCheck: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in 0..<0x20 where byte != 0x09 && byte != 0x0A { table[byte] = true }
    for byte in [0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4] { table[byte] = true }
    for byte in "&<>\"".utf8 { table[Int(byte)] = true }
    return table
  }()
}

extension ForbiddenCharacters {
  /// Returns the first of sixteen bytes that `needsCheck`, if any.
  @inline(__always)
  static func firstNeedingCheck(in block: SIMD16<UInt8>) -> Int? {
    typealias Block = SIMD16<UInt8>
    func marks(_ mask: SIMDMask<SIMD16<Int8>>) -> Block { unsafeBitCast(mask, to: Block.self) }
    func equal(_ block: Block, _ byte: UInt8) -> Block { marks(block .== Block(repeating: byte)) }
    func atLeast(_ byte: UInt8) -> Block { marks(block .>= Block(repeating: byte)) }
    // The ampersand and the quotation mark differ in one bit, and so do the brackets.
    let written =
      equal(block | Block(repeating: 4), 0x26) | equal(block | Block(repeating: 2), 0x3E)
    let controls = ~(atLeast(0x20) | equal(block, 0x09) | equal(block, 0x0A)) | equal(block, 0x7F)
    let leads = equal(block, 0xC2) | equal(block, 0xD8) | equal(block, 0xE2) | atLeast(0xEF)
    let words = unsafeBitCast(written | controls | leads, to: SIMD2<UInt64>.self)
    let (low, high) = (UInt64(littleEndian: words.x), UInt64(littleEndian: words.y))
    if low != 0 { return low.trailingZeroBitCount / 8 }
    return high == 0 ? nil : 8 + high.trailingZeroBitCount / 8
  }
}

enum UTF8Scalar {
  /// Returns the scalar at `index` of well-formed UTF-8 and its length; U+FFFD for a wrong byte.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, end: Int)
    -> (value: UInt32, length: Int)
  {
    let lead = bytes[index]
    if lead < 0x80 { return (UInt32(lead), 1) }
    func tail(_ offset: Int) -> UInt32? {
      guard index + offset < end, bytes[index + offset] & 0xC0 == 0x80 else { return nil }
      return UInt32(bytes[index + offset] & 0x3F)
    }
    switch lead {
    case 0xC2...0xDF:
      if let a = tail(1) { return (UInt32(lead & 0x1F) << 6 | a, 2) }
    case 0xE0...0xEF:
      if let a = tail(1), let b = tail(2) { return (UInt32(lead & 0x0F) << 12 | a << 6 | b, 3) }
    case 0xF0...0xF4:
      if let a = tail(1), let b = tail(2), let c = tail(3) {
        return (UInt32(lead & 0x07) << 18 | a << 12 | b << 6 | c, 4)
      }
    default: break
    }
    return (0xFFFD, 1)
  }

  static func append(_ scalar: UInt32, to out: inout [UInt8]) {
    switch scalar {
    case 0..<0x80: out.append(UInt8(scalar))
    case 0x80..<0x800:
      out.append(UInt8(0xC0 | scalar >> 6))
      out.append(UInt8(0x80 | scalar & 0x3F))
    case 0x800..<0x1_0000:
      out.append(UInt8(0xE0 | scalar >> 12))
      out.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      out.append(UInt8(0x80 | scalar & 0x3F))
    default:
      out.append(UInt8(0xF0 | scalar >> 18 & 0x07))
      out.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      out.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      out.append(UInt8(0x80 | scalar & 0x3F))
    }
  }
}
