/// The terminal's answer about its background colour (OSC 11). The device attributes (DA1) are
/// requested after it: terminals answer in order, so a DA1 answer alone means that OSC 11 is not
/// supported.
package enum BackgroundAnswer {
  package static let question = Array("\u{1B}]11;?\u{1B}\\".utf8)
  package static let fence = Array("\u{1B}[c".utf8)
  static let prefix = Array("\u{1B}]11;".utf8)

  /// Returns true for a dark colour; `nil` if the answer names none.
  package static func isDark(_ answer: [UInt8]) -> Bool? {
    guard answer.starts(with: prefix) else { return nil }
    let text = String(decoding: answer.dropFirst(prefix.count).prefix { $0 > 0x1B }, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"), text[..<colon].hasPrefix("rgb") else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").prefix(3)
    let values = parts.compactMap { part -> Double? in
      guard (1...4).contains(part.count), let value = Int(part, radix: 16) else { return nil }
      return Double(value) / Double((1 << (4 * part.count)) - 1)
    }
    guard values.count == 3 else { return nil }
    // Luma by Rec. 709.
    return 0.2126 * values[0] + 0.7152 * values[1] + 0.0722 * values[2] < 0.5
  }

  /// Returns true for an answer to DA1: `CSI ? … c`.
  package static func isEnd(_ sequence: [UInt8]) -> Bool {
    sequence.starts(with: Array("\u{1B}[?".utf8)) && sequence.last == UInt8(ascii: "c")
  }

  /// Returns true if an answer to DA1 has attribute 4, sixels.
  package static func hasSixels(_ answer: [UInt8]) -> Bool {
    guard isEnd(answer) else { return false }
    return answer.dropFirst(3).dropLast().split(separator: UInt8(ascii: ";")).dropFirst()
      .contains { $0.elementsEqual([UInt8(ascii: "4")]) }
  }
}
