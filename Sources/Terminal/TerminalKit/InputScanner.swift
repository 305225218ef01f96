/// Splits terminal input into units, without a clock, timer or descriptor.
///
/// The scanner knows the ends of sequences (ECMA-48 and common extensions), not their meaning.
/// Unknown sequences and unexpected answers are dropped whole, so that no part is read as a key.
package struct InputScanner: Sendable {
  /// The smallest unit that can be interpreted.
  package enum Unit: Sendable, Hashable {
    /// A control character, or a sequence that begins with Esc.
    case sequence([UInt8])
    case text(String)
    case paste(String)
    /// The answer to a query, such as for the background or graphics.
    case answer([UInt8])
  }

  /// The reason that pending bytes are incomplete.
  package enum Wait: Sendable, Hashable {
    /// A lone Esc, which is a key or the start of a sequence that follows within milliseconds.
    case escape
    /// An incomplete sequence or character.
    case sequence
    case paste
  }

  private enum Overlong { case controlSequence, string }

  /// The most bytes of a paste; the rest is dropped.
  package static let pasteLimit = 1 << 20

  private let terminfoKeys: Set<[UInt8]>
  private let longestTerminfoKey: Int
  private var pending: [UInt8] = []
  private var paste: [UInt8]?
  /// The kind of input that is being dropped because it is longer than any key or answer.
  private var overlong: Overlong?

  /// - Parameter terminfoKeys: key sequences; only those that begin with Esc are used.
  package init(terminfoKeys: some Sequence<[UInt8]> = []) {
    self.terminfoKeys = Set(terminfoKeys.filter { $0.first == 0x1B && $0.count > 1 })
    longestTerminfoKey = self.terminfoKeys.map(\.count).max() ?? 0
  }

  /// The reason to wait; `nil` if no bytes are pending.
  package var wait: Wait? {
    if paste != nil { return .paste }
    if overlong != nil { return .sequence }
    if pending.isEmpty { return nil }
    return pending == [0x1B] ? .escape : .sequence
  }

  /// Reads bytes. Incomplete input is kept for the next call; see `wait`.
  package mutating func scan(_ bytes: some Sequence<UInt8>) -> [Unit] {
    pending += bytes
    var units: [Unit] = []
    var position = 0
    while position < pending.count {
      if paste != nil {
        guard continuePaste(&position, &units) else { break }
        continue
      }
      if overlong != nil {
        guard continueOverlong(&position) else { break }
        continue
      }
      guard let step = step(pending[position...], &units) else { break }
      position += step
    }
    pending.removeFirst(position)
    return units
  }

  /// Interprets or drops the pending bytes, since no more have arrived.
  package mutating func timeOut() -> [Unit] {
    defer { pending = [] }
    overlong = nil
    if let paste {
      self.paste = nil
      return [.paste(Self.text(ofPaste: paste + pending))]
    }
    guard pending.first == 0x1B else { return [] }
    // Alt with a character that also begins sequences: [ ] O P X ^ _
    let isAlt = pending.count == 2 && pending[1] > 0x20 && pending[1] < 0x7F
    return pending.count == 1 || isAlt ? [.sequence(pending)] : []
  }

  // MARK: One step

  /// Reads the first unit and returns its length; `nil` if more bytes are needed.
  private mutating func step(_ bytes: ArraySlice<UInt8>, _ units: inout [Unit]) -> Int? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return escape(bytes, &units) }
    if first < 0x20 || first == 0x7F { return appendSequence(1, of: bytes, &units) }
    guard let (text, length) = Self.text(bytes) else { return nil }
    if !text.isEmpty { units.append(.text(text)) }
    return length
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>, _ units: inout [Unit]) -> Int? {
    let start = bytes.startIndex
    guard bytes.count > 1 else { return nil }
    if let length = terminfoKey(bytes) { return appendSequence(length, of: bytes, &units) }
    switch bytes[start + 1] {
    case UInt8(ascii: "["): return controlSequence(bytes, &units)
    case UInt8(ascii: "O"): return bytes.count > 2 ? appendSequence(3, of: bytes, &units) : nil
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      let length = stringSequence(bytes)
      if let length, length <= Self.longestControlSequence, overlong == nil,
        bytes.starts(with: BackgroundAnswer.prefix) || bytes.starts(with: GraphicsSequence.prefix)
      {
        units.append(.answer(Array(bytes.prefix(length))))
      }
      return length
    case 0x7F: return appendSequence(2, of: bytes, &units)
    // Esc and another key that arrived faster than the wait.
    case 0..<0x20: return appendSequence(1, of: bytes, &units)
    default:
      guard let (text, length) = Self.text(bytes[(start + 1)...], limit: 1) else { return nil }
      if !text.isEmpty { units.append(.sequence([0x1B] + text.utf8)) }
      return 1 + length
    }
  }

  private func appendSequence(_ length: Int, of bytes: ArraySlice<UInt8>, _ units: inout [Unit])
    -> Int
  {
    units.append(.sequence(Array(bytes.prefix(length))))
    return length
  }

  /// Returns the length of the longest terminfo key at the start.
  private func terminfoKey(_ bytes: ArraySlice<UInt8>) -> Int? {
    var length = min(longestTerminfoKey, bytes.count)
    while length > 1 {
      if terminfoKeys.contains(Array(bytes.prefix(length))) { return length }
      length -= 1
    }
    return nil
  }

  /// Reads a control sequence: CSI, parameters, intermediates, final.
  private mutating func controlSequence(_ bytes: ArraySlice<UInt8>, _ units: inout [Unit]) -> Int? {
    let start = bytes.startIndex + 2
    guard start < bytes.endIndex else { return nil }
    // F1…F5 of the Linux console, and mouse reports before SGR, break the grammar.
    if bytes[start] == UInt8(ascii: "[") {
      return bytes.count < 4 ? nil : appendSequence(4, of: bytes, &units)
    }
    if bytes[start] == UInt8(ascii: "M") {
      return bytes.count < 6 ? nil : appendSequence(6, of: bytes, &units)
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
    if length > Self.longestControlSequence { return length }
    if bytes.prefix(length).elementsEqual(Self.pasteStart) {
      paste = []
      return length
    }
    return appendSequence(length, of: bytes, &units)
  }

  /// Reads OSC, DCS and similar strings, which are unexpected answers.
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

  // The most bytes before the end of a sequence; longer ones are not kept.
  private static let longestControlSequence = 64
  private static let longestString = 4096

  /// Skips to the end of overlong input. Returns false if the end has not arrived.
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

  // MARK: Text

  /// Returns whole characters of UTF-8 and their number of bytes, without invalid ones; `nil` for
  /// an incomplete first character.
  private static func text(
    _ bytes: ArraySlice<UInt8>, limit: Int = .max
  ) -> (text: String, length: Int)? {
    var end = bytes.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.endIndex
    if end == bytes.endIndex {
      end -= incompleteTail(bytes)
      if end == bytes.startIndex { return nil }
    }
    let run = bytes[bytes.startIndex..<end]
    if run.allSatisfy({ $0 < 0x80 }) {
      let text = run.prefix(limit)
      return (String(decoding: text, as: UTF8.self), text.count)
    }
    let text = String(decoding: run, as: UTF8.self).prefix(limit)
    let used = text.utf8.count
    // Repaired text can be longer than the input. Its length then says nothing about the input, so
    // the whole run counts as read.
    let length = limit == .max || used > run.count ? run.count : used
    return (text.filter { $0 != "\u{FFFD}" }, length)
  }

  /// Returns the number of final bytes that begin an incomplete character.
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

  private static let pasteStart = Array("\u{1B}[200~".utf8)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Reads a paste up to its end. Returns false if the end has not arrived.
  private mutating func continuePaste(_ position: inout Int, _ units: inout [Unit]) -> Bool {
    var collected = paste ?? []
    // The property must hold no second reference, so that appending does not copy.
    paste = []
    let bytes = pending[position...]
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let rest = bytes[index...].prefix(Self.pasteEnd.count)
      if bytes[index] == 0x1B, Self.pasteEnd.starts(with: rest) {
        // The end of the paste, or the first bytes of its end.
        guard rest.count == Self.pasteEnd.count else { break }
        position = index + rest.count
        paste = nil
        units.append(.paste(Self.text(ofPaste: collected)))
        return true
      }
      if collected.count < Self.pasteLimit { collected.append(bytes[index]) }
      index += 1
    }
    paste = collected
    position = index
    return false
  }

  /// Converts line ends to line feeds and removes other control characters.
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
