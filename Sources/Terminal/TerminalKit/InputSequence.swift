/// Rewrites sequences that terminfo lacks (xterm, kitty) into sequences that ncurses reads.
package enum InputSequence {
  /// Returns a mouse report in SGR form with plain numbers, from SGR or xterm's older form (`ESC [
  /// M`). `nil` for other sequences; empty for an invalid cell or button.
  package static func mouseReport(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 3, bytes.starts(with: [0x1B, UInt8(ascii: "[")]) else { return nil }
    if bytes[2] == UInt8(ascii: "M"), bytes.count == 6 {
      let report = bytes[3...].map { Int($0) - 32 }
      // A release does not name its button.
      let isRelease = report[0] & 0x43 == 3
      return mouseReport(
        [isRelease ? 0 : report[0], report[1], report[2]], final: isRelease ? "m" : "M")
    }
    guard bytes[2] == UInt8(ascii: "<"), let final = bytes.last,
      final == UInt8(ascii: "M") || final == UInt8(ascii: "m")
    else { return nil }
    let isNumbers = bytes[3..<bytes.count - 1].allSatisfy {
      $0 == 0x3B || (0x30...0x39).contains($0)
    }
    guard isNumbers else { return [] }
    return mouseReport(
      parameters(bytes[3..<bytes.count - 1]), final: Character(Unicode.Scalar(final)))
  }

  private static func mouseReport(_ numbers: [Int], final: Character) -> [UInt8] {
    guard numbers.count == 3, (0..<256).contains(numbers[0]),
      numbers.dropFirst().allSatisfy((1...65_535).contains)
    else { return [] }
    return Array("\u{1B}[<\(numbers[0]);\(numbers[1]);\(numbers[2])\(final)".utf8)
  }

  /// Returns the key without modifiers (Shift-Up becomes Up), and characters with modifiers in the
  /// ordinary form (xterm's modifyOtherKeys, kitty's `CSI u`). `nil` if there is no other form.
  package static func withoutModifiers(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 3, bytes.starts(with: [0x1B, UInt8(ascii: "[")]), let final = bytes.last,
      bytes[2] >= UInt8(ascii: "0"), bytes[2] <= UInt8(ascii: "9")
    else { return nil }
    let numbers = parameters(bytes[2..<bytes.count - 1])
    switch final {
    case UInt8(ascii: "A")...UInt8(ascii: "D"), UInt8(ascii: "F"), UInt8(ascii: "H"),
      UInt8(ascii: "P")...UInt8(ascii: "S"), UInt8(ascii: "Z"):
      return [0x1B, UInt8(ascii: "["), final]
    case UInt8(ascii: "u") where numbers.count <= 3:
      return character(numbers[0], modifiers: numbers.count > 1 ? numbers[1] : 1)
    case UInt8(ascii: "~") where numbers.count == 3 && numbers[0] == 27:
      return character(numbers[2], modifiers: numbers[1])
    case UInt8(ascii: "~") where numbers.count > 1:
      return Array("\u{1B}[\(numbers[0])~".utf8)
    default: return nil
    }
  }

  /// Returns a character by number and modifiers (1 + shift 1, alt 2, control 4).
  private static func character(_ code: Int, modifiers: Int) -> [UInt8]? {
    let bits = max(0, modifiers - 1)
    switch code {
    case 9: return bits & 1 != 0 ? [0x1B, UInt8(ascii: "["), UInt8(ascii: "Z")] : [9]
    case 13, 27: return [UInt8(code)]
    case 127: return bits & 2 != 0 ? [0x1B, 127] : [127]
    // Keys without a character are in the private use area (kitty).
    case 0xE000...0xF8FF: return nil
    default: break
    }
    guard code >= 0x20, code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)),
      CellText.admissible(Character(scalar)) != nil
    else { return nil }
    let text = Array(String(Character(scalar)).utf8)
    if bits & 4 == 0 { return bits & 2 != 0 ? [0x1B] + text : text }
    guard let ascii = Character(Character(scalar).lowercased()).asciiValue else { return nil }
    if ascii == 0x20 { return [0] }
    return Key.control(ascii & 0x1F, named: ascii) == nil ? nil : [ascii & 0x1F]
  }

  /// Parses decimal numbers separated by semicolons; of sub-parameters (`5:2`), the first.
  private static func parameters(_ bytes: ArraySlice<UInt8>) -> [Int] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
      var number = 0
      for byte in field {
        guard byte >= 0x30, byte <= 0x39 else { break }
        number = min(number * 10 + Int(byte - 0x30), 1 << 30)
      }
      return number
    }
  }
}
