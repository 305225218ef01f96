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

/// The terminal's answer about the size of its cells in pixels (xterm's window operation 16). The
/// device attributes are requested after it, as for `BackgroundAnswer`.
package enum CellSizeAnswer {
  package static let question = Array("\u{1B}[16t".utf8)
  /// Plausible lengths of a side in pixels.
  private static let believable = 2...500

  /// Parses `CSI 6 ; height ; width t`; `nil` for another sequence.
  package static func size(_ sequence: [UInt8]) -> Size? {
    guard sequence.starts(with: Array("\u{1B}[6;".utf8)), sequence.last == UInt8(ascii: "t") else {
      return nil
    }
    let text = String(decoding: sequence.dropFirst(4).dropLast(), as: UTF8.self)
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let height = numbers[0], let width = numbers[1],
      believable.contains(height), believable.contains(width)
    else { return nil }
    return Size(width: width, height: height)
  }
}

/// The terminal's report that its colour scheme has changed between dark and light (mode 2031,
/// specified by Contour; also of kitty, Ghostty, foot, VTE and tmux). Other terminals ignore the
/// mode, as every unknown private mode.
package enum SchemeReport {
  package static let modeOn = Array("\u{1B}[?2031h".utf8)
  package static let modeOff = Array("\u{1B}[?2031l".utf8)

  /// Returns true for `CSI ? 997 ; 1 n` (dark) and `CSI ? 997 ; 2 n` (light). The colours may
  /// differ from the scheme, so that the background is requested again (`BackgroundAnswer`).
  package static func isReport(_ sequence: [UInt8]) -> Bool {
    [1, 2].contains { sequence.elementsEqual("\u{1B}[?997;\($0)n".utf8) }
  }
}
