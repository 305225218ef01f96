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
