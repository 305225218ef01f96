/// Filters text before it reaches a terminal, a pipe or the log.
package enum SafeText {
  /// Returns a single line: removes controls and characters that move or hide text, and replaces
  /// line ends by spaces. Idempotent.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isBlank($0) || isForbidden($0) }) else {
      return text
    }
    let safe = text.unicodeScalars.compactMap { isBlank($0) ? " " : isForbidden($0) ? nil : $0 }
    return String(String.UnicodeScalarView(safe))
  }

  /// Returns several lines: filters like `line`, but keeps line feeds and tabs.
  package static func lines(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || !isForbidden($0) })
  }

  /// Returns a JSON document with forbidden characters escaped; they occur in strings only.
  package static func json(_ document: String) -> String {
    guard holdsForbidden(document) else { return document }
    var out = ""
    out.reserveCapacity(document.utf8.count)
    for scalar in document.unicodeScalars {
      guard scalar != "\n", isForbidden(scalar) else {
        out.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return out
  }

  /// Returns true if a character other than a line feed is forbidden. Scans bytes, for speed.
  private static func holdsForbidden(_ document: String) -> Bool {
    var document = document
    return document.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        let lead = bytes[index]
        guard lead >= 0x80 else {
          if lead < 0x20 && lead != 0x0A || lead == 0x7F { return true }
          index += 1
          continue
        }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = UInt32(lead & (0x7F >> UInt8(length)))
        for byte in bytes[(index + 1)..<(index + length)] {
          value = value << 6 | UInt32(byte & 0x3F)
        }
        if Unicode.Scalar(value).map(isForbidden) == true { return true }
        index += length
      }
      return false
    }
  }

  /// Replaces forbidden characters of an XML document by references (XML 1.0, 4.1) or nothing.
  package static func xml(_ document: String) -> String {
    guard document.unicodeScalars.contains(where: { $0 != "\n" && $0 != "\t" && isForbidden($0) })
    else { return document }
    var out = String.UnicodeScalarView()
    for scalar in document.unicodeScalars {
      if scalar == "\n" || scalar == "\t" || !isForbidden(scalar) {
        out.append(scalar)
      } else if scalar.value >= 0x7F, scalar.value != 0xFFFE, scalar.value != 0xFFFF {
        out.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      }
    }
    return String(out)
  }

  package static func withoutSecrets(_ text: String) -> String { HiddenSecrets.inText(text) }

  package static func withoutLongWords(_ text: String) -> String {
    guard text.utf8.count > longestWord else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.count > longestWord ? $0.prefix(longestWord) + "…" : $0 }
      .joined(separator: " ")
  }

  private static let longestWord = 400

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Returns true for controls of terminals (C0, DEL, C1) and of text direction, tags, and
  /// characters of no or unknown width, except ZWNJ and ZWJ, which scripts and emoji need.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    // The last two characters of every plane are noncharacters.
    if scalar.value & 0xFFFE == 0xFFFE { return true }
    return switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFFA0: true
    case 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xFDD0...0xFDEF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
    // The placeholder of kitty's graphics protocol.
    case 0x10EEEE: true
    default: false
    }
  }
}

extension String {
  package func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
