import NcursesTerminal
import ProgramSettings

extension CommandFailure {
  init(_ error: TerminalError) {
    let commands = "weir help lists the commands that need no terminal"
    let sentence =
      switch error {
      case .notATerminal:
        "The reader needs a terminal, and standard input or output isn\u{2019}t one; \(commands)."
      case .noType:
        "TERM is not set, so Weir does not know your terminal. Try: TERM=xterm-256color weir"
      case .unknownType(let type):
        "The terminal type \u{201C}\(type)\u{201D} is not known on this machine. Install its "
          + "description (ncurses-term), or try: TERM=xterm-256color weir"
      case .noCursorAddressing(let type):
        "A terminal of type \u{201C}\(type)\u{201D} cannot move its cursor, which the reader needs; "
          + "\(commands)."
      case .cannotOpen:
        "The terminal cannot be opened: too little memory, or too many open files. Close some programs "
          + "and try again."
      }
    self.init(sentence, code: .cannotStart)
  }
}
