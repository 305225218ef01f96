/// Widths of characters in columns, without a terminal.
public enum TextMeasure {
  /// Returns the columns of a character by the main rules of UAX #11: 0 for combining marks, 2 for
  /// East Asian wide characters and emoji, else 1. Screens use a finer measure.
  public static func approximateWidth(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.value {
    case 0..<0x20, 0x7F..<0xA0: return 0
    case 0x20..<0x300: return 1
    case 0x300...0x36F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF:
      return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
      return first.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
