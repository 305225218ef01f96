import Foundation
import Synchronization

/// A window of a private tmux server that runs one program. The robot types, reads the screen, and
/// waits for text to appear; each wait polls up to a deadline.
public final class TmuxRobot {
  /// A condition that was not met in time, with the screen.
  public struct Failure: Error, CustomStringConvertible {
    /// A sentence, followed by the screen.
    public let description: String
  }

  /// The columns given to `init`.
  public let columns: Int
  /// The rows given to `init`.
  public let rows: Int
  private let directory: URL
  private static let count = Mutex(0)

  /// True if tmux is installed; tests that need it are skipped otherwise.
  public static let isAvailable = (try? run(["-V"])) != nil

  /// - Parameter columns: The columns of the window, with its `rows`.
  public init(columns: Int = 80, rows: Int = 24) throws {
    self.columns = columns
    self.rows = rows
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    let name = "weir-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
    directory = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    _ = try? vanish()
    try? FileManager.default.removeItem(at: directory)
  }

  // MARK: What the robot does

  /// Starts a program in the window. A nil in the environment unsets the variable; `TERM` is what
  /// the program sees.
  @discardableResult
  public func start(_ arguments: [String], environment: [String: String?] = [:]) throws -> Self {
    var words = ["exec", "env"]
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) where value == nil {
      words += ["-u", name]
    }
    for case (let name, let value?) in environment.sorted(by: { $0.key < $1.key }) {
      words.append(Self.quoted("\(name)=\(value)"))
    }
    words += arguments.map(Self.quoted)
    // A shell outlives the program, so that the last output stays on the screen: tmux drops unread
    // output when a window's program ends, and sometimes the status too.
    let program = Self.quoted(
      "echo $$ > \(Self.quoted(file("pid"))); " + words.joined(separator: " "))
    let exit = Self.quoted(file("exit"))
    let script = "sh -c \(program); echo $? > \(exit); exec sleep 600"
    try tmux(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sleep 600", ";",
      "set-option", "-g", "status", "off", ";",
      "set-option", "-g", "default-terminal", "tmux-256color", ";",
      "set-option", "-g", "window-size", "manual", ";",
      "resize-window", "-x", "\(columns)", "-y", "\(rows)", ";",
      "respawn-pane", "-k", "exec sh -c \(Self.quoted(script))")
    return self
  }

  /// Presses keys by tmux's names: `j`, `Enter`, `C-d`, `PPage`, `Escape`.
  @discardableResult public func keys(_ names: String...) throws -> Self {
    try tmux(["send-keys", "--"] + names)
    return self
  }

  /// Types text as it is.
  @discardableResult public func type(_ text: String) throws -> Self {
    try tmux("send-keys", "-l", "--", text)
    return self
  }

  /// Sends bytes, as a terminal would: mouse reports, pastes.
  @discardableResult public func bytes(_ text: String) throws -> Self {
    try tmux(["send-keys", "-H"] + text.utf8.map { String($0, radix: 16) })
    return self
  }

  /// Pastes through tmux, in brackets if the program requested them.
  @discardableResult public func paste(_ text: String) throws -> Self {
    let file = directory.appending(path: "paste")
    try Data(text.utf8).write(to: file)
    try tmux("load-buffer", file.path, ";", "paste-buffer", "-p", "-r")
    return self
  }

  /// Resizes the window.
  @discardableResult public func resize(columns: Int, rows: Int) throws -> Self {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    return self
  }

  /// Closes the terminal under the program, as a window that is closed.
  public func vanish() throws { try tmux("kill-server") }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) throws {
    kill(try process(), number)
  }

  // MARK: What the robot sees

  /// The program's process id.
  public func process() throws -> Int32 {
    guard let process = number(in: "pid") else { throw Failure(description: "nothing was started") }
    return process
  }

  /// Returns the rows of the screen, without blanks at their ends.
  public func screen() throws -> [String] {
    let text = try tmux("capture-pane", "-p")
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Returns the screen with its colours and attributes as escape sequences, and with blanks at the
  /// ends of rows, which have a background.
  public func colours() throws -> String { try tmux("capture-pane", "-e", "-p", "-N") }

  /// Returns for each row the column after its last character, as tmux counts cells: the place of
  /// the right border, whatever the text before it is.
  public func rowEnds() throws -> [Int] {
    let height = Int(try ask("#{pane_height}")) ?? 0
    var commands = ["copy-mode", ";", "send-keys", "-X", "top-line"]
    for _ in 0..<height {
      commands += [
        ";", "send-keys", "-X", "end-of-line", ";", "display-message", "-p", "#{copy_cursor_x}",
        ";",
        "send-keys", "-X", "cursor-down", ";", "send-keys", "-X", "start-of-line",
      ]
    }
    let ends = try tmux(commands + [";", "send-keys", "-X", "cancel"])
    return ends.split(separator: "\n").compactMap { Int($0) }
  }

  /// Returns the value of a tmux format: `#{cursor_x}`, `#{pane_title}`, `#{alternate_on}`.
  public func ask(_ format: String) throws -> String {
    try tmux("display-message", "-p", format).trimmingCharacters(in: .newlines)
  }

  /// Waits until the screen holds the text.
  @discardableResult
  public func waitFor(_ text: String, within seconds: Double = Patience.seconds) throws -> Self {
    try waitUntil("the screen holds “\(text)”", within: seconds) {
      try screen().contains { $0.contains(text) }
    }
  }

  /// Waits until the text is nowhere on the screen.
  @discardableResult
  public func waitForAbsence(of text: String, within seconds: Double = Patience.seconds) throws
    -> Self
  {
    try waitUntil("“\(text)” has gone", within: seconds) {
      try !screen().contains { $0.contains(text) }
    }
  }

  /// Waits until the program has ended, and returns its exit code.
  public func waitForExit(within seconds: Double = Patience.seconds) throws -> Int32 {
    var code: Int32?
    try waitUntil("the program has ended", within: seconds) {
      code = number(in: "exit")
      return code != nil
    }
    return code ?? -1
  }

  /// Polls a condition up to a deadline; the failure shows the screen.
  @discardableResult public func waitUntil(
    _ what: String, within seconds: Double = Patience.seconds, _ condition: () throws -> Bool
  ) throws -> Self {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      if try condition() { return self }
      if ContinuousClock.now > deadline { break }
      usleep(20_000)
    }
    let shown = ((try? screen()) ?? []).joined(separator: "\n")
    throw Failure(description: "after \(seconds) s not yet: \(what). The screen:\n\(shown)")
  }

  private func file(_ name: String) -> String { directory.appending(path: name).path }

  /// Returns the number that the window's shell wrote, once the line is complete.
  private func number(in name: String) -> Int32? {
    guard let text = try? String(contentsOfFile: file(name), encoding: .utf8), text.hasSuffix("\n")
    else { return nil }
    return Int32(text.dropLast())
  }

  // MARK: tmux

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  @discardableResult private func tmux(_ arguments: [String]) throws -> String {
    try Self.run(["-S", file("server"), "-u", "-f", "/dev/null"] + arguments)
  }

  /// Runs tmux without Foundation's Process and pipes, because the server that the first command
  /// starts inherits descriptors that they would wait for.
  private static func run(_ arguments: [String]) throws -> String {
    var environment = ProcessInfo.processInfo.environment
    environment["TMUX"] = nil
    environment["LC_ALL"] = "C.UTF-8"
    let output = FileManager.default.temporaryDirectory.appending(path: "tmux-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = try withNoSignalBlocked {
      try Spawn.start(
        ["/usr/bin/env", "tmux"] + arguments, environment: environment, terminal: nil,
        output: output.path)
    }
    let status = Spawn.wait(for: process)?.exitCode ?? -1
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    guard status == 0 else {
      throw Failure(description: "tmux \(arguments.joined(separator: " ")): \(status) \(text)")
    }
    return text
  }

  /// Runs `body` with no signal blocked. Threads of tests block most signals, and a server that
  /// inherits that does not notice the end of its programs.
  private static func withNoSignalBlocked<T>(_ body: () throws -> T) rethrows -> T {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
