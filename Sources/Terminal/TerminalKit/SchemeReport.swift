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
