/// Why there is no terminal to draw on. Nothing was written to it.
public enum TerminalError: Error, Sendable, Hashable {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// `TERM` is not set, or empty.
  case noType
  /// terminfo does not know the value of `TERM`.
  case unknownType(String)
  /// The terminal cannot move its cursor (`TERM=dumb`, a printer).
  case noCursorAddressing(String)
  /// The terminal, or its signals, cannot be opened: out of memory or descriptors.
  case cannotOpen
}

/// Why the reader must end although the user did not quit.
public enum HangUp: Sendable, Hashable {
  /// The terminal was closed, or its line broke (SIGHUP, end of file, EIO).
  case terminalGone
  /// SIGTERM or SIGINT from outside; the terminal is still there.
  case terminated
}
