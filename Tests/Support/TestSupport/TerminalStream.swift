/// A strict reader of a program's terminal output: every sequence must be one that Weir's screens
/// send to an xterm, in exactly that form, and every character must be allowed in a cell. Anything
/// else is a fault. The reader tracks the modes.
public struct TerminalStream {
  /// The faults, with their positions.
  public private(set) var faults: [String] = []
  /// DEC's private modes that are set (`CSI ? n h`).
  public private(set) var modes: Set<Int> = []
  /// Application keypad (`ESC =`).
  public private(set) var hasApplicationKeypad = false
  /// Links (OSC 8) that are open.
  public private(set) var hasOpenLink = false
  /// The number of titles pushed on the terminal's stack and not popped.
  public private(set) var savedTitles = 0
  /// Texts that were copied (OSC 52), in base64.
  public private(set) var copied: [String] = []
  /// The number of characters sent to the screen.
  public private(set) var characters = 0
  /// The number of CAN characters, with which the crash handler's sequences begin.
  public private(set) var cancellations = 0

  private let bytes: [UInt8]
  private var index = 0

  /// True if the modes are as before the program: only wrapping and the cursor are set.
  public var isAtRest: Bool {
    modes == [7, 25] && !hasApplicationKeypad && !hasOpenLink && savedTitles == 0
  }

  /// Reads all bytes; ends early after 20 faults.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    modes = [7, 25]
    while index < bytes.count, faults.count < 20 { step() }
  }

  /// Wrapping, cursor, cursor keys, alternate screen, mouse, focus, pastes, synchronised frames,
  /// reports of colour schemes; 12 is the blinking of the cursor, which terminfo's `cnorm` ends.
  private static let privateModes: Set<Int> = [
    1, 7, 12, 25, 1000, 1004, 1006, 1049, 2004, 2026, 2031,
  ]

  private mutating func step() {
    let start = index
    let byte = bytes[index]
    switch byte {
    case 0x20..<0x7F:
      characters += 1
      index += 1
    case 0x1B:
      index += 1
      if !escape() { fault(at: start) }
    case 0x80...: if !character() { fault(at: start) }
    case 0x18:
      cancellations += 1
      index += 1
    // Short moves of the cursor, and the shell's lines.
    case 0x08, 0x0A, 0x0D: index += 1
    default:
      index += 1
      fault(at: start)
    }
  }

  private mutating func fault(at start: Int) {
    let part = bytes[max(0, start - 16)..<min(bytes.count, max(index, start + 1) + 16)]
    let before = min(16, start)
    faults.append(
      "at \(start): \(String(decoding: part, as: UTF8.self).debugDescription), \(before) bytes in")
  }

  /// Reads a UTF-8 character beyond ASCII.
  private mutating func character() -> Bool {
    var iterator = bytes[index..<min(index + 4, bytes.count)].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      index += 1
      return false
    }
    index += UTF8.width(scalar)
    characters += 1
    switch scalar.value {
    // C1, invisible characters, line and paragraph separators, direction controls, annotations, the
    // byte order mark and tags.
    case 0x80..<0xA0, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E: return false
    case 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF: return false
    case 0xFFA0, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF, 0xE0000...0xE0FFF: return false
    default: return scalar.value & 0xFFFE != 0xFFFE
    }
  }

  /// Reads the sequence after ESC.
  private mutating func escape() -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "["): return control()
    case UInt8(ascii: "]"): return command()
    case UInt8(ascii: "P"): return sixels()
    case UInt8(ascii: "="): hasApplicationKeypad = true
    case UInt8(ascii: ">"): hasApplicationKeypad = false
    case UInt8(ascii: "("):
      // ASCII, and no other character set.
      guard index < bytes.count, bytes[index] == UInt8(ascii: "B") else { return false }
      index += 1
    default: return false
    }
    return true
  }

  /// Reads DCS, which may only be a picture as sixels.
  private mutating func sixels() -> Bool {
    let start = index
    while index < bytes.count, (0x20..<0x7F).contains(bytes[index]) { index += 1 }
    let isSixels = bytes[start..<index].starts(with: "0;1;0q\"1;1;".utf8)
    guard index + 1 < bytes.count, bytes[index] == 0x1B, bytes[index + 1] == UInt8(ascii: "\\")
    else { return false }
    index += 2
    return isSixels
  }

  /// Reads CSI.
  private mutating func control() -> Bool {
    let start = index
    while index < bytes.count, (0x30..<0x40).contains(bytes[index]), index - start < 40 {
      index += 1
    }
    guard index < bytes.count else { return false }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    let final = Character(Unicode.Scalar(bytes[index]))
    index += 1
    if text.hasPrefix("?") { return setModes(text.dropFirst(), final) }
    let numbers = Self.numbers(text[...])
    switch final {
    case "m": return numbers?.allSatisfy { $0 <= 255 } ?? false
    case "H", "r": return numbers?.count == 2 || text.isEmpty
    case "K": return text.isEmpty || text == "1"
    case "J": return text.isEmpty || text == "2"
    // Moves of the cursor, and blanks in place of cells.
    case "A", "B", "C", "D", "G", "d", "X": return (numbers?.count ?? 2) <= 1
    // Insert mode off, which terminfo sends at the beginning.
    case "l": return text == "4"
    // The query for the terminal's kind, after the one for its background colour.
    case "c": return text.isEmpty
    case "t":
      switch text {
      case "22;2": savedTitles += 1
      case "23;2": savedTitles -= 1
      // Sequences that terminfo sends with the alternate screen.
      case "22;0;0", "23;0;0": break
      // The query for the size of a cell.
      case "16": break
      default: return false
      }
      return true
    default: return false
    }
  }

  private mutating func setModes(_ text: Substring, _ final: Character) -> Bool {
    guard final == "h" || final == "l", let numbers = Self.numbers(text), !numbers.isEmpty,
      numbers.allSatisfy(Self.privateModes.contains)
    else { return false }
    for number in numbers {
      if final == "h" { modes.insert(number) } else { modes.remove(number) }
    }
    return true
  }

  /// Reads decimal numbers separated by semicolons; an empty text has none.
  private static func numbers(_ text: Substring) -> [Int]? {
    if text.isEmpty { return [] }
    var numbers: [Int] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard part.allSatisfy(\.isNumber), part.count < 6, let number = Int(part) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// Reads OSC: a link, a title or the clipboard, ended by ST, with visible characters only.
  private mutating func command() -> Bool {
    let start = index
    while index < bytes.count, bytes[index] != 0x1B {
      if bytes[index] < 0x20 || bytes[index] == 0x7F { return false }
      if bytes[index] < 0x80 {
        index += 1
      } else if !character() {
        return false
      }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\") else { return false }
    index += 2
    if text == "8;;" {
      hasOpenLink = false
    } else if text.wholeMatch(of: /8;id=[0-9a-z]+;[!-~]+/) != nil {
      hasOpenLink = true
    } else if let copy = text.wholeMatch(of: /52;c;([A-Za-z0-9+\/]*=*)/) {
      copied.append(String(copy.1))
    } else if !text.hasPrefix("2;"), text != "11;?" {
      return false
    }
    return true
  }
}
