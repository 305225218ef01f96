// What may enter this folder: what several commands share: arguments, output, reports, paths, the
// log.

import FeedStore
import Foundation
import Synchronization
import TerminalKit

/// Where commands print. Everything passes `SafeText`, is written whole, and a reader that went
/// away (`weir articles | head`) ends the program quietly.
enum Console {
  /// Weir's own escape sequences are for terminals whose user allows colours (no-color.org).
  static let isStyled =
    isatty(STDOUT_FILENO) == 1 && Environment.value("NO_COLOR") == nil
    && Environment.value("TERM") != "dumb"
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static let errorsAreTerminal = isatty(STDERR_FILENO) == 1

  /// Columns of the terminal that `descriptor` is; nil if it is not one.
  static func columns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Prints one line; control characters in the text are replaced.
  static func print(_ text: String) throws {
    try write(Array((SafeText.line(text) + "\n").utf8))
  }

  /// Prints a line that is bold on a terminal.
  static func printEmphasised(_ text: String) throws {
    let safe = SafeText.line(text)
    try write(Array((isStyled ? "\u{1B}[1m\(safe)\u{1B}[0m\n" : safe + "\n").utf8))
  }

  /// Prints a line whose hits are bold on a terminal, cut to its width.
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

  /// Prints text of several lines.
  static func printLines(_ text: String) throws {
    let safe = SafeText.lines(text)
    try write(Array((safe.hasSuffix("\n") ? safe : safe + "\n").utf8))
  }

  /// Prints to standard error: progress where there is no terminal, warnings, advice.
  static func note(_ text: String) {
    let safe = SafeText.withoutLongWords(SafeText.line(SafeText.withoutSecrets(text)))
    _ = rawWrite(STDERR_FILENO, Array((safe + "\n").utf8))
  }

  /// Prints several lines to standard error: how a command is used.
  static func noteLines(_ text: String) {
    let safe = SafeText.lines(text)
    _ = rawWrite(STDERR_FILENO, Array((safe.hasSuffix("\n") ? safe : safe + "\n").utf8))
  }

  /// Prints to standard error what went wrong, with the program's name as every command does.
  static func complain(_ sentence: String) { note("weir: " + sentence) }

  /// Overwrites the line on the terminal that standard error is; an empty text removes it.
  /// - Parameter lines: how many lines above the cursor belong to what stood there.
  static func showProgress(_ text: String, over lines: Int = 0) {
    let safe = SafeText.line(text)
    let up = lines > 0 ? "\u{1B}[\(lines)A" : ""
    _ = rawWrite(STDERR_FILENO, Array((up + "\r\u{1B}[J" + safe).utf8))
  }

  /// Writes bytes as they are: documents that are made here (OPML, JSON), never what a feed said.
  static func write(_ bytes: [UInt8]) throws {
    guard let code = rawWrite(STDOUT_FILENO, bytes) else { return }
    // The program that reads the pipe has what it wanted.
    if code == EPIPE { exit(0) }
    throw CommandFailure("The output could not be written: \(SystemError.words(code)).")
  }

  /// The error number, nil if everything was written.
  private static func rawWrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}

/// The environment, where an empty variable is like a missing one.
enum Environment {
  static func value(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }

  /// The user's home. A relative one would be another in each directory: it is ignored.
  static var home: String? { value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }
}

/// The system's error numbers in words.
enum SystemError {
  static func words(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case ENOTDIR: "part of the path isn\u{2019}t a directory"
    case EROFS: "the file system is read-only"
    case ENOSPC: "the disk is full"
    case EFBIG: "the file would become too large"
    default: String(cString: strerror(code))
    }
  }
}
