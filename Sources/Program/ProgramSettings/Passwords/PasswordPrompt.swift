import Dispatch
import Foundation

/// Asks for a password on the terminal without showing it, or reads the first line of other input.
package enum PasswordPrompt {
  /// - Parameter question: a text without a colon, like "Password of me at rss.example.org".
  package static func ask(_ question: String) throws(CommandFailure) -> Password {
    let isTerminal = isatty(STDIN_FILENO) == 1
    let line =
      isTerminal
      ? try SilentTerminal.readLine(asking: SafeText.line(question) + ": ") : Swift.readLine()
    guard let line, !line.isEmpty else {
      let remedy =
        isTerminal
        ? ""
        : " Without a terminal it is read from the input, or from a program, with "
          + "--password-command."
      throw CommandFailure("No password was given." + remedy)
    }
    return Password(line)
  }
}

/// The controlling terminal with its echo off. A signal that ends or stops the program restores the
/// terminal; a continued program asks again.
private final class SilentTerminal: Sendable {
  private static let fatal = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private let descriptor: Int32
  private let question: String
  private let before: termios
  private let queue = DispatchQueue(label: "password prompt")

  private init?(_ question: String) {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    var before = termios()
    guard descriptor >= 0, tcgetattr(descriptor, &before) == 0 else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    (self.descriptor, self.question, self.before) = (descriptor, question, before)
  }

  deinit { close(descriptor) }

  static func readLine(asking question: String) throws(CommandFailure) -> String? {
    guard let terminal = SilentTerminal(question) else {
      throw CommandFailure(
        "The terminal cannot be asked for a password. Give it on standard input, or name a program that "
          + "knows it with --password-command.")
    }
    let sources = terminal.watchSignals()
    terminal.ask()
    let line = terminal.readLine()
    for source in sources { source.cancel() }
    // Signal handlers end before the terminal is restored.
    terminal.queue.sync { terminal.restore() }
    for number in fatal + [SIGTSTP] { signal(number, SIG_DFL) }
    return line
  }

  private func ask() {
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(descriptor, TCSAFLUSH, &silent)
    write(question)
  }

  private func restore() {
    var settings = before
    tcsetattr(descriptor, TCSAFLUSH, &settings)
    write("\n")
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }

  private func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  private func watchSignals() -> [any DispatchSourceSignal] {
    var sources = (Self.fatal + [SIGTSTP]).map { number in
      signal(number, SIG_IGN)
      return source(number) { terminal in
        terminal.restore()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    sources.append(
      source(SIGCONT) { terminal in
        signal(SIGTSTP, SIG_IGN)
        terminal.ask()
      })
    return sources
  }

  private func source(
    _ number: Int32, _ handler: @escaping @Sendable (SilentTerminal) -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { handler(self) }
    source.resume()
    return source
  }
}
