/// What the final byte and the parameters of a control sequence (CSI) say about a key, as xterm and
/// most others send them. Modifiers of keys that are no characters are ignored: Shift-Up is Up.
enum ControlSequenceKeys {
  static func key(_ parameters: [Int], final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
    case UInt8(ascii: "I") where parameters.count <= 1: .focusIn
    case UInt8(ascii: "O") where parameters.count <= 1: .focusOut
    case UInt8(ascii: "u") where parameters.count <= 3:
      parameters.first.flatMap { modified($0, by: parameters.dropFirst().first ?? 1) }
    case UInt8(ascii: "~"):
      if parameters.count == 3, parameters[0] == 27 {
        modified(parameters[2], by: parameters[1])
      } else {
        parameters.first.flatMap(numbered)
      }
    default: nil
    }
  }

  private static func numbered(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28...29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// A character's number with modifiers (1 + shift 1, alt 2, control 4): what terminals send that
  /// were told to, by another program, to tell all keys apart.
  private static func modified(_ code: Int, by modifiers: Int) -> Key? {
    let bits = max(0, modifiers - 1)
    switch code {
    case 9: return bits & 1 != 0 ? .backTab : .tab
    case 13: return .enter
    case 27: return .escape
    case 127: return bits & 2 != 0 ? .alt("\u{7F}") : .backspace
    // Keys without a character, numbered in the private use area by kitty's protocol.
    case 0xE000...0xF8FF: return nil
    default: break
    }
    guard code >= 0x20, code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)),
      CellText.admissible(Character(scalar)) != nil
    else { return nil }
    if bits & 4 != 0 {
      guard let ascii = Character(Character(scalar).lowercased()).asciiValue else { return nil }
      return ascii == 0x20 ? .control("@") : KeyDecoder.controlKey(ascii & 0x1F, named: ascii)
    }
    return bits & 2 != 0 ? .alt(Character(scalar)) : .character(Character(scalar))
  }
}
