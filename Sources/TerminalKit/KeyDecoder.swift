/// Bytes from a terminal → keys. Pure: no clock, no timer, no descriptor.
///
/// It decodes what the terminal's own description says of its keys, and beyond it what terminals
/// have in common (ECMA-48, xterm's control sequences): modified keys, SGR mouse reports, bracketed
/// paste, focus. A sequence that it does not know is swallowed whole, so that no part of it is taken
/// for a command.
public struct KeyDecoder: Sendable {
  /// What must happen before the bytes at hand mean something.
  public enum Wait: Sendable, Hashable {
    /// A lone Esc: a key, or the beginning of a sequence whose rest comes within milliseconds.
    case escape
    /// A sequence or a character of several bytes that is not complete.
    case sequence
    /// A paste whose end has not come.
    case paste
  }

  private enum Overlong { case controlSequence, string }

  /// Of a longer paste the rest is dropped.
  public static let pasteLimit = 1 << 20
  /// Two presses of one cell within this many seconds are a double click.
  public static let doubleClickInterval = 0.4

  private let terminfoKeys: [[UInt8]: Key]
  private let longestTerminfoKey: Int
  private var pending: [UInt8] = []
  private var paste: [UInt8]?
  /// What is swallowed as it comes, being longer than any key or answer.
  private var overlong: Overlong?
  private var lastPress: (x: Int, y: Int, time: Double)?

  /// - Parameter terminfoKeys: what the terminal's description says that keys send. Only sequences
  ///   that begin with Esc are looked at.
  public init(terminfoKeys: [[UInt8]: Key] = [:]) {
    self.terminfoKeys = terminfoKeys.filter { $0.key.first == 0x1B && $0.key.count > 1 }
    longestTerminfoKey = self.terminfoKeys.keys.map(\.count).max() ?? 0
  }

  /// What it waits for; nil when nothing is left over.
  public var wait: Wait? {
    if paste != nil { return .paste }
    if overlong != nil { return .sequence }
    if pending.isEmpty { return nil }
    return pending == [0x1B] ? .escape : .sequence
  }

  /// - Parameter time: seconds on any steady clock, for double clicks.
  public mutating func decode(_ bytes: some Sequence<UInt8>, at time: Double) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    var position = 0
    while position < pending.count {
      if paste != nil {
        guard continuePaste(&position, &keys) else { break }
        continue
      }
      if overlong != nil {
        guard continueOverlong(&position) else { break }
        continue
      }
      guard let step = step(pending[position...], time, &keys) else { break }
      position += step
    }
    pending.removeFirst(position)
    return keys
  }

  /// What is left over has waited long enough: it is what it looks like, or nothing.
  public mutating func timeOut() -> [Key] {
    defer { pending = [] }
    overlong = nil
    if let paste {
      self.paste = nil
      return [.paste(Self.text(ofPaste: paste + pending))]
    }
    guard pending.first == 0x1B else { return [] }
    if pending.count == 1 { return [.escape] }
    // Alt with a character that also begins sequences: [ ] O P X ^ _
    if pending.count == 2, pending[1] > 0x20, pending[1] < 0x7F {
      return [.alt(Character(Unicode.Scalar(pending[1])))]
    }
    return []
  }

  // MARK: One step

  /// Decodes what stands first; gives its length, or nil where more bytes are needed.
  private mutating func step(
    _ bytes: ArraySlice<UInt8>, _ time: Double, _ keys: inout [Key]
  ) -> Int? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return escape(bytes, time, &keys) }
    if first < 0x20 || first == 0x7F {
      keys.append(Self.controlKey(first))
      return 1
    }
    return Self.text(bytes, &keys)
  }

  /// What a control byte is called.
  static func controlKey(_ byte: UInt8) -> Key {
    switch byte {
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x1B: .escape
    case 0x1C...0x1F, 0x00: .control(Character(Unicode.Scalar(byte | 0x40)))
    default: .control(Character(Unicode.Scalar(byte | 0x60)))
    }
  }

  /// Ctrl with a character that has a control byte.
  static func controlKey(_ byte: UInt8, named character: UInt8) -> Key? {
    switch character {
    case 0x61...0x7A, 0x40, 0x5B...0x5F: controlKey(byte)
    default: nil
    }
  }

  private mutating func escape(
    _ bytes: ArraySlice<UInt8>, _ time: Double, _ keys: inout [Key]
  ) -> Int? {
    let start = bytes.startIndex
    guard bytes.count > 1 else { return nil }
    if let known = terminfoKey(bytes) {
      keys.append(known.key)
      return known.length
    }
    switch bytes[start + 1] {
    case 0x1B:
      keys.append(.escape)
      return 1
    case UInt8(ascii: "["): return controlSequence(bytes, time, &keys)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      if let key = Self.keypad(bytes[start + 2]) { keys.append(key) }
      return 3
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      return stringSequence(bytes)
    case 0x7F:
      keys.append(.alt("\u{7F}"))
      return 2
    case 0..<0x20:
      // Esc and then another key, faster than the wait.
      keys.append(.escape)
      return 1
    default:
      var characters: [Key] = []
      guard let length = Self.text(bytes[(start + 1)...], &characters, limit: 1) else { return nil }
      if case .character(let character)? = characters.first, !CellText.joinsTheLast(character) {
        keys.append(.alt(character))
      }
      return 1 + length
    }
  }

  /// The longest of the terminal's own keys that stands first.
  private func terminfoKey(_ bytes: ArraySlice<UInt8>) -> (key: Key, length: Int)? {
    var length = min(longestTerminfoKey, bytes.count)
    while length > 1 {
      if let key = terminfoKeys[Array(bytes.prefix(length))] { return (key, length) }
      length -= 1
    }
    return nil
  }

  /// CSI parameters intermediates final.
  private mutating func controlSequence(
    _ bytes: ArraySlice<UInt8>, _ time: Double, _ keys: inout [Key]
  ) -> Int? {
    let start = bytes.startIndex + 2
    guard start < bytes.endIndex else { return nil }
    // The Linux console's F1…F5, and mouse reports of before SGR: both break the grammar.
    if bytes[start] == UInt8(ascii: "[") { return bytes.count < 4 ? nil : 4 }
    if bytes[start] == UInt8(ascii: "M") {
      guard bytes.count >= 6 else { return nil }
      let report = bytes[(start + 1)...].prefix(3).map { Int($0) - 32 }
      // A release does not say of which button.
      let released = report[0] & 0x43 == 3
      mouse(released ? 0 : report[0], report[1], report[2], pressed: !released, time, &keys)
      return 6
    }
    var end = start
    while end < bytes.endIndex, bytes[end] >= 0x20, bytes[end] < 0x40 { end += 1 }
    if end == bytes.endIndex {
      guard bytes.count > Self.longestControlSequence else { return nil }
      overlong = .controlSequence
      return bytes.count
    }
    guard bytes[end] >= 0x40, bytes[end] < 0x7F else { return end - bytes.startIndex }
    let length = end + 1 - bytes.startIndex
    let isPrivate = bytes[start] >= 0x3C && bytes[start] <= 0x3F
    let parameters = Self.parameters(bytes[(isPrivate ? start + 1 : start)..<end])
    if isPrivate {
      if bytes[start] == UInt8(ascii: "<"), parameters.count == 3,
        bytes[end] == UInt8(ascii: "M") || bytes[end] == UInt8(ascii: "m")
      {
        mouse(
          parameters[0], parameters[1], parameters[2], pressed: bytes[end] == UInt8(ascii: "M"),
          time, &keys)
      }
    } else if bytes[end] == UInt8(ascii: "~"), parameters.first == 200 {
      paste = []
    } else if let key = ControlSequenceKeys.key(parameters, final: bytes[end]) {
      keys.append(key)
    }
    return length
  }

  /// Decimal numbers parted by semicolons; of `5:2` (a sub-parameter) the first.
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

  /// OSC, DCS and their like: an answer that nobody asked for.
  private mutating func stringSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex + 2
    while index < bytes.endIndex {
      if bytes[index] == 0x07 { return index + 1 - bytes.startIndex }
      if bytes[index] == 0x1B {
        guard index + 1 < bytes.endIndex else { return nil }
        return index - bytes.startIndex + (bytes[index + 1] == UInt8(ascii: "\\") ? 2 : 0)
      }
      index += 1
    }
    guard bytes.count > Self.longestString else { return nil }
    overlong = .string
    return bytes.count
  }

  // Bytes that a sequence may have before its end comes; the rest of a longer one is not kept.
  private static let longestControlSequence = 64
  private static let longestString = 4096

  /// Goes to the end of what is too long, so that no part of it is taken for keys. False where the end
  /// has not come.
  private mutating func continueOverlong(_ position: inout Int) -> Bool {
    while position < pending.count {
      let byte = pending[position]
      if overlong == .controlSequence {
        if byte < 0x20 || byte >= 0x40 {
          overlong = nil
          if byte >= 0x40, byte < 0x7F { position += 1 }
          return true
        }
      } else if byte == 0x07 {
        overlong = nil
        position += 1
        return true
      } else if byte == 0x1B {
        guard position + 1 < pending.count else { return false }
        overlong = nil
        if pending[position + 1] == UInt8(ascii: "\\") { position += 2 }
        return true
      }
      position += 1
    }
    return false
  }

  /// SS3: cursor and function keys, and the keypad in application mode.
  private static func keypad(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "X"): .character("=")
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      .character(Character(Unicode.Scalar(final - 0x40)))
    default: ControlSequenceKeys.key([], final: final)
    }
  }

  // MARK: Mouse

  private mutating func mouse(
    _ code: Int, _ column: Int, _ row: Int, pressed: Bool, _ time: Double, _ keys: inout [Key]
  ) {
    let (x, y) = (column - 1, row - 1)
    guard x >= 0, y >= 0, code < 256, code & 0x20 == 0 else { return }
    if code & 0x40 != 0 {
      // Wheels that tilt send 66 and 67.
      guard pressed, code & 3 < 2 else { return }
      keys.append(.mouse(MouseEvent(code & 3 == 0 ? .wheelUp : .wheelDown, x: x, y: y)))
      return
    }
    // The other buttons belong to the terminal: paste, its menu.
    guard code & 0x83 == 0 else { return }
    guard pressed else {
      keys.append(.mouse(MouseEvent(.release, x: x, y: y)))
      return
    }
    if let last = lastPress, last.x == x, last.y == y,
      time - last.time <= Self.doubleClickInterval
    {
      lastPress = nil
      keys.append(.mouse(MouseEvent(.doubleClick, x: x, y: y)))
    } else {
      lastPress = (x, y, time)
      keys.append(.mouse(MouseEvent(.press, x: x, y: y)))
    }
  }

  // MARK: Text

  /// A run of UTF-8, joined into grapheme clusters; bytes that are none are dropped. Nil where the
  /// run is the beginning of one character.
  private static func text(
    _ bytes: ArraySlice<UInt8>, _ keys: inout [Key], limit: Int = .max
  ) -> Int? {
    var end = bytes.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.endIndex
    if end == bytes.endIndex {
      end -= incompleteTail(bytes)
      if end == bytes.startIndex { return nil }
    }
    let run = bytes[bytes.startIndex..<end]
    var used = 0
    for character in String(decoding: run, as: UTF8.self).prefix(limit) {
      used += character.utf8.count
      guard character != "\u{FFFD}" else { continue }
      if CellText.admissible(character) != nil || CellText.joinsTheLast(character) {
        keys.append(.character(character))
      }
    }
    // Repaired text has other lengths than its bytes; it is then taken as a whole.
    return limit == .max || used > run.count ? run.count : used
  }

  /// How many bytes at the end are the beginning of a character that is longer.
  private static func incompleteTail(_ bytes: ArraySlice<UInt8>) -> Int {
    for (offset, byte) in bytes.suffix(3).reversed().enumerated() {
      if byte < 0x80 { return 0 }
      if byte < 0xC0 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      return offset + 1 < length && byte < 0xF8 ? offset + 1 : 0
    }
    return 0
  }

  // MARK: Paste

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// False where the end has not come.
  private mutating func continuePaste(_ position: inout Int, _ keys: inout [Key]) -> Bool {
    var collected = paste ?? []
    // Held once: it is appended to in place.
    paste = []
    let bytes = pending[position...]
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let rest = bytes[index...].prefix(Self.pasteEnd.count)
      if bytes[index] == 0x1B, Self.pasteEnd.starts(with: rest) {
        // The end, or what may become it.
        guard rest.count == Self.pasteEnd.count else { break }
        position = index + rest.count
        paste = nil
        keys.append(.paste(Self.text(ofPaste: collected)))
        return true
      }
      if collected.count < Self.pasteLimit { collected.append(bytes[index]) }
      index += 1
    }
    paste = collected
    position = index
    return false
  }

  /// Lines end with a line feed; no other control character is left.
  private static func text(ofPaste bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x0A: if !afterReturn { scalars.append("\n") }
      case 0x0D: scalars.append("\n")
      case 0..<0x09, 0x0B..<0x20, 0x7F..<0xA0: break
      default: scalars.append(scalar)
      }
      afterReturn = scalar.value == 0x0D
    }
    return String(scalars)
  }
}
