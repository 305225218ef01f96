// Code that several commands share: arguments, output, reports, paths, the log.

import Foundation
import ProgramSettings
import Synchronization
import TerminalKit

/// The output of commands. Text is filtered by `SafeText`; a closed pipe (`weir articles | head`)
/// ends the program without an error.
enum Console {
  /// True for a terminal whose user allows colours (no-color.org).
  static let isStyled =
    isatty(STDOUT_FILENO) == 1 && Environment.value("NO_COLOR") == nil
    && Environment.value("TERM") != "dumb"
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static let errorsAreTerminal = isatty(STDERR_FILENO) == 1

  /// Returns the columns of a terminal; `nil` for a pipe or file.
  static func columns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  static func print(_ text: String) throws {
    try write(Array((SafeText.line(text) + "\n").utf8))
  }

  static func printEmphasised(_ text: String) throws {
    let safe = SafeText.line(text)
    try write(Array((isStyled ? "\u{1B}[1m\(safe)\u{1B}[0m\n" : safe + "\n").utf8))
  }

  /// Prints a line with bold hits, cut to the width of the terminal.
  static func print(_ pieces: [MarkedText.Piece]) throws {
    var left = columns() ?? .max
    var line = ""
    for piece in pieces where left > 0 {
      let safe = SafeText.line(String(piece.text))
      let cut = GraphemeWidth.width(of: safe) <= left ? safe : safe.fitted(to: left)
      left -= GraphemeWidth.width(of: cut)
      line += piece.isHit && isStyled ? "\u{1B}[1m\(cut)\u{1B}[0m" : cut
    }
    try write(Array((line + "\n").utf8))
  }

  static func printLines(_ text: String) throws {
    let safe = SafeText.lines(text)
    try write(Array((safe.hasSuffix("\n") ? safe : safe + "\n").utf8))
  }

  /// Prints progress, warnings and advice to standard error.
  static func note(_ text: String) {
    let safe = SafeText.withoutLongWords(SafeText.line(SafeText.withoutSecrets(text)))
    _ = FileOutput.write(STDERR_FILENO, Array((safe + "\n").utf8))
  }

  static func noteLines(_ text: String) {
    let safe = SafeText.lines(text)
    _ = FileOutput.write(STDERR_FILENO, Array((safe.hasSuffix("\n") ? safe : safe + "\n").utf8))
  }

  static func noteNoFeeds() {
    note(
      "There are no feeds yet. Add one with weir add URL, or import a list with weir import FILE.")
  }

  static func noteNoAccounts() {
    note("There are no accounts yet. Add one with weir account add greader URL --user NAME.")
  }

  static func complain(_ sentence: String) { note("weir: " + sentence) }

  /// Overwrites the line on standard error; an empty text removes the line.
  /// - Parameter lines: the lines above the cursor that are removed too.
  static func showProgress(_ text: String, over lines: Int = 0) {
    let safe = SafeText.line(text)
    let up = lines > 0 ? "\u{1B}[\(lines)A" : ""
    _ = FileOutput.write(STDERR_FILENO, Array((up + "\r\u{1B}[J" + safe).utf8))
  }

  /// Writes bytes unchanged: OPML and JSON made by Weir, but never a feed's text.
  static func write(_ bytes: [UInt8]) throws {
    guard let code = FileOutput.write(STDOUT_FILENO, bytes) else { return }
    // The reader of the pipe has ended.
    if code == EPIPE { exit(0) }
    throw CommandFailure("The output could not be written: \(SystemError.words(code)).")
  }
}
