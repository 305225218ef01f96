import Foundation
import ProgramSettings

/// The terminal without line editing, echo and keys that send signals, until `restore`.
struct RawTerminal {
  private let before: termios

  init() throws(CommandFailure) {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
      throw CommandFailure("The terminal\u{2019}s modes cannot be read.", code: .cannotStart)
    }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  func restore() {
    var settings = before
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  /// Returns the bytes that have arrived; `nil` at the end of the input.
  /// - Parameter wait: the longest wait for the first byte, in milliseconds; -1 for no limit.
  func read(wait: Int32) -> [UInt8]? {
    var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard Foundation.poll(&poll, 1, wait) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// The longest wait for an answer of the terminal, in seconds.
  private static let patience = 1.0

  /// Sends a query, and reads until the answer is complete or the time is over.
  func answer(to query: [UInt8], isComplete: ([UInt8]) -> Bool) throws -> [UInt8] {
    try Console.write(query)
    var bytes: [UInt8] = []
    let end = Date() + Self.patience
    while !isComplete(bytes), Date() < end {
      guard let new = read(wait: 50) else { break }
      bytes += new
    }
    return bytes
  }
}
