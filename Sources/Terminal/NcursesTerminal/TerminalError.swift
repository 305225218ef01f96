/// The reason that no terminal can be used. Nothing was written to it.
public enum TerminalError: Error, Sendable, Hashable {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// `TERM` is not set, or empty.
  case noType
  /// terminfo does not know the value of `TERM`.
  case unknownType(String)
  /// The terminal cannot move its cursor (`TERM=dumb`, a printer).
  case noCursorAddressing(String)
  /// Not enough memory or descriptors for the terminal or its signals.
  case cannotOpen
}

/// The reason that the reader must end without a command to quit.
public enum HangUp: Sendable, Hashable {
  /// The terminal was closed or disconnected (SIGHUP, end of file, EIO).
  case terminalGone
  /// SIGTERM or SIGINT from outside; the terminal still exists.
  case terminated
}
