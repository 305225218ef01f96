import Foundation
import ProgramSettings
import Programs

/// Starts the user's programs: a browser, a player, a program for an article.
enum ProgramLauncher {
  enum RunMode {
    /// A separate session without the terminal; the reader does not wait for the program.
    case background
    case terminal
  }

  struct Given: Sendable {
    /// Variables that are added to Weir's environment.
    var environment: [String: String] = [:]
    /// Standard input, passed as a file, so that a program that does not read it delays nothing.
    var input: String?
  }

  enum End: Sendable, Equatable {
    /// - Parameter complaint: the first line of standard error.
    case exited(Int32, complaint: String)
    case killed(Int32)

    func failure(of program: String) -> CommandFailure? {
      switch self {
      case .exited(0, _): nil
      case .exited(let code, let complaint):
        CommandFailure(
          "\(program) ended with \(code)" + (complaint.isEmpty ? "." : ": \(complaint)"))
      case .killed(let signal): CommandFailure("\(program) was stopped by signal \(signal).")
      }
    }
  }

  /// The most bytes of one variable; Linux allows 128 KiB (execve(2)).
  private static let longestValue = 32 << 10

  /// - Parameters:
  ///   - arguments: the program, searched in PATH, and its arguments.
  ///   - ended: called on any thread; for a program in the terminal, before this function returns.
  static func run(
    _ arguments: [String], in mode: RunMode, given: Given = Given(),
    ended: @escaping @Sendable (End) -> Void = { _ in }
  ) throws(CommandFailure) {
    let input = try given.input.map { text throws(CommandFailure) in
      try ScratchFile(SafeText.lines(text))
    }
    let errors = mode == .background ? try ScratchFile("") : nil
    defer { input?.close() }
    switch mode {
    case .terminal:
      let status = try deafToKeys { () throws(CommandFailure) in
        attend(try spawn(arguments, mode, given.environment, input, errors))
      }
      ended(end(status, nil))
    case .background:
      let process = try spawn(arguments, mode, given.environment, input, errors)
      // A separate thread reaps the process.
      let waiting = Thread {
        ended(end(wait(for: process), errors))
        errors?.close()
      }
      waiting.stackSize = 128 << 10
      waiting.start()
    }
  }

  /// Time limit, long enough for a language model on this machine.
  private static let timeout = Duration.seconds(600)

  /// Returns the output of a program as text. The program runs in a separate process group without
  /// the terminal, and ends with the task.
  /// - Parameter limit: the most bytes of output.
  static func output(
    of arguments: [String], given: Given, limit: Int
  ) async throws(CommandFailure) -> String {
    let errors = try ScratchFile("")
    defer { errors.close() }
    let name = ProgramRunner.name(arguments)
    let runner = ProgramRunner(timeout: timeout, outputLimit: limit)
    do throws(ProgramRunner.Failure) {
      let bytes = try await runner.output(
        of: arguments, input: Array(SafeText.lines(given.input ?? "").utf8),
        environment: variables(given.environment), errors: errors.descriptor)
      return SafeText.lines(String(decoding: bytes, as: UTF8.self))
    } catch {
      let complaint = errors.firstLine()
      throw CommandFailure(
        "\(name.isEmpty ? "The program" : name): \(DetailWording.words(error.detail))"
          + (complaint.isEmpty ? "." : ": \(complaint)."))
    }
  }

  private static func spawn(
    _ arguments: [String], _ mode: RunMode, _ environment: [String: String], _ input: ScratchFile?,
    _ errors: ScratchFile?
  ) throws(CommandFailure) -> pid_t {
    let start = ProgramStart(
      company: mode == .background ? .ownSession : .ours,
      input: input.map { .descriptor($0.descriptor) } ?? (mode == .background ? .nothing : .ours),
      output: mode == .background ? .nothing : .ours,
      errors: errors.map { .descriptor($0.descriptor) } ?? .ours,
      environment: variables(environment))
    do throws(ProgramStart.Failure) {
      return try start(arguments)
    } catch {
      let name = ProgramRunner.name(arguments)
      throw CommandFailure(
        "\(name.isEmpty ? "The program" : name) can\u{2019}t be started: \(DetailWording.words(error.detail))."
      )
    }
  }

  /// Returns the environment with additions, as `NAME=value`.
  private static func variables(_ added: [String: String]) -> [String] {
    let added = added.mapValues { value in
      var value = SafeText.lines(value)
      while value.utf8.count > longestValue { value.removeLast(max(1, value.count / 8)) }
      return value
    }
    let all = ProcessInfo.processInfo.environment.merging(added) { $1 }
    return all.map { "\($0.key)=\($0.value)" }
  }

  private static func end(_ status: Int32, _ errors: ScratchFile?) -> End {
    // Swift cannot import the macros WIFEXITED, WEXITSTATUS and WTERMSIG.
    guard status & 0x7F == 0 else { return .killed(status & 0x7F) }
    return .exited((status >> 8) & 0xFF, complaint: errors?.firstLine() ?? "")
  }

  /// Ignores Ctrl-C while a program uses the terminal (POSIX, system(3)).
  private static func deafToKeys<T>(
    _ body: () throws(CommandFailure) -> T
  ) throws(CommandFailure) -> T {
    var ignore = sigaction()
    #if canImport(Glibc)
      ignore.__sigaction_handler.sa_handler = SIG_IGN
    #else
      ignore.__sigaction_u.__sa_handler = SIG_IGN
    #endif
    var interrupt = sigaction()
    var quit = sigaction()
    sigaction(SIGINT, &ignore, &interrupt)
    sigaction(SIGQUIT, &ignore, &quit)
    defer {
      sigaction(SIGINT, &interrupt, nil)
      sigaction(SIGQUIT, &quit, nil)
    }
    return try body()
  }

  /// Waits for a program in the terminal. If the program is stopped, Weir stops too, until the
  /// shell continues both.
  private static func attend(_ process: pid_t) -> Int32 {
    while true {
      let status = wait(for: process, options: WUNTRACED)
      let isStopped = status & 0xFF == 0x7F
      guard isStopped else { return status }
      raise(SIGSTOP)
    }
  }

  private static func wait(for process: pid_t, options: Int32 = 0) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, options) < 0, errno == EINTR {}
    return status
  }
}

private struct ScratchFile: Sendable {
  let descriptor: Int32

  init(_ text: String) throws(CommandFailure) {
    var path = Array("\(NSTemporaryDirectory())/weir-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    // A process started at the same time must not inherit the descriptor.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure("No temporary file can be made: \(SystemError.words(errno)).")
    }
    unlink(path)
    if let code = FileOutput.write(descriptor, Array(text.utf8)) {
      close()
      throw CommandFailure("The temporary file cannot be written: \(SystemError.words(code)).")
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  func close() { _ = Foundation.close(descriptor) }

  func firstLine() -> String {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return "" }
    let line = buffer[..<count].drop { $0 == 0x0A || $0 == 0x20 }.prefix { $0 != 0x0A }
    return SafeText.line(String(decoding: line, as: UTF8.self)).trimmingSuffix(".")
  }
}

extension OtherPrograms {
  /// Returns arguments with a file or an address; the address must be http or https.
  static func arguments(
    _ program: Program, address: String?, file: String? = nil
  ) throws(CommandFailure) -> [String] {
    if let file { return WebBrowser.arguments(program.arguments, file) }
    guard let address else { return program.arguments }
    let url = WebAddress(address)
    guard url.isHTTP else {
      throw CommandFailure("Only http and https addresses are opened; this is \(address).")
    }
    return WebBrowser.arguments(program.arguments, url.text)
  }
}
