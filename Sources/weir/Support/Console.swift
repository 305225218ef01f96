// Shared by several commands: arguments, output, reports, paths, the log.

import FeedStore
import Foundation
import Synchronization
import TerminalKit

/// The output of commands. Text passes `SafeText`; a closed pipe (`weir articles | head`) ends the
/// program quietly.
enum Console {
  /// Escape sequences need a terminal whose user allows colours (no-color.org).
  static let isStyled =
    isatty(STDOUT_FILENO) == 1 && Environment.value("NO_COLOR") == nil
    && Environment.value("TERM") != "dumb"
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static let errorsAreTerminal = isatty(STDERR_FILENO) == 1

  /// Columns of a terminal; `nil` for a pipe or file.
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
    _ = SystemError.write(STDERR_FILENO, Array((safe + "\n").utf8))
  }

  static func noteLines(_ text: String) {
    let safe = SafeText.lines(text)
    _ = SystemError.write(STDERR_FILENO, Array((safe.hasSuffix("\n") ? safe : safe + "\n").utf8))
  }

  /// Prints an error with the program's name.
  static func complain(_ sentence: String) { note("weir: " + sentence) }

  /// Overwrites the line on standard error; an empty text removes it.
  /// - Parameter lines: lines above the cursor to remove too.
  static func showProgress(_ text: String, over lines: Int = 0) {
    let safe = SafeText.line(text)
    let up = lines > 0 ? "\u{1B}[\(lines)A" : ""
    _ = SystemError.write(STDERR_FILENO, Array((up + "\r\u{1B}[J" + safe).utf8))
  }

  /// Writes bytes unchanged: documents made here (OPML, JSON), never a feed's text.
  static func write(_ bytes: [UInt8]) throws {
    guard let code = SystemError.write(STDOUT_FILENO, bytes) else { return }
    // The reader of the pipe has ended.
    if code == EPIPE { exit(0) }
    throw CommandFailure("The output could not be written: \(SystemError.words(code)).")
  }
}

/// The environment; an empty variable counts as missing.
enum Environment {
  static func value(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    return text
  }

  /// A relative home is ignored.
  static var home: String? { value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }
}

/// Error numbers in words.
enum SystemError {
  /// Writes all bytes.
  /// - Returns: the error number; `nil` on success.
  static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR, errno != EAGAIN { return errno }
      rest = rest.dropFirst(max(0, count))
    }
    return nil
  }

  /// - Parameter path: of the file, to name a folder that does not exist.
  static func words(_ code: Int32, at path: String = "") -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return switch code {
    case ENOENT where !folder.isEmpty && access(folder, F_OK) != 0: "there is no folder \(folder)"
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
