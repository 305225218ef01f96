// Starts programs of the user on threads that wait for them.

import Foundation
import Synchronization

/// Runs programs for their output: in a process group that ends as a whole, with inherited pipes
/// only, and with limited time and output.
public struct ProgramRunner: Sendable {
  /// The reason why there is no usable output.
  public enum Failure: Error, Equatable {
    case cannotStart(reason: ProgramStart.Failure)
    /// An exit code other than 0.
    case exited(code: Int32)
    case ended(signal: Int32)
    case tookTooLong(limit: Duration)
    case tooMuch(bytes: Int)
    case cancelled
  }

  var timeout: Duration
  var outputLimit: Int
  var niceness: Int32

  /// - Parameters:
  ///   - outputLimit: the limit in bytes.
  ///   - niceness: from 0 to 19 (setpriority(2)).
  public init(
    timeout: Duration = .seconds(60), outputLimit: Int = 15 << 20, niceness: Int32 = 0
  ) {
    (self.timeout, self.outputLimit, self.niceness) = (timeout, outputLimit, niceness)
  }

  /// Milliseconds between checks of the clock and of cancellation.
  private static let glance: Int32 = 50

  /// Runs a program on a separate thread and returns its output. Cancelling the task ends the
  /// program.
  /// - Parameters:
  ///   - words: the program, searched in PATH, and its arguments; a leading `~/` is replaced by the
  ///     home directory.
  ///   - environment: `NAME=value`; `nil` for Weir's.
  ///   - errors: the target of standard error; `nil` discards it.
  public func output(
    of words: [String], input: [UInt8] = [], environment: [String]? = nil, errors: Int32? = nil
  ) async throws(Failure) -> [UInt8] {
    let result = await OwnThread.run { isCancelled in
      Result { () throws(Failure) in
        try run(
          words, input: input, environment: environment, errors: errors, isCancelled: isCancelled)
      }
    }
    return try result.get()
  }

  /// Blocks a dedicated thread, which ignores SIGPIPE from then on, until the program ends.
  func run(
    _ words: [String], input: [UInt8] = [], environment: [String]? = nil, errors: Int32? = nil,
    isCancelled: () -> Bool
  ) throws(Failure) -> [UInt8] {
    // Writing to a program that closed its input then fails instead of raising a signal.
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)

    let output = try Pipe()
    let feeding = input.isEmpty ? nil : try Pipe()
    let start = ProgramStart(
      company: .ownGroup, input: feeding.map { .descriptor($0.reader) } ?? .nothing,
      output: .descriptor(output.writer), errors: errors.map { .descriptor($0) } ?? .nothing,
      environment: environment)
    let process: pid_t
    do throws(ProgramStart.Failure) {
      process = try start(words.map(Self.inHome))
    } catch {
      throw .cannotStart(reason: error)
    }
    Self.running.withLock { _ = $0.insert(process) }
    if niceness > 0 { _ = setpriority(Self.whichProcess, id_t(process), niceness) }
    _ = Self.endsWithUs
    output.closeWriter()
    feeding?.closeReader()
    defer { Self.end(process) }

    var written = 0
    var body: [UInt8] = []
    let deadline = ContinuousClock.now + timeout
    while true {
      let hasEnded = Self.hasEnded(process)
      if let feeding, !feeding.send(input, from: &written) { feeding.closeWriter() }
      let isOver = output.receive(into: &body)
      guard body.count <= outputLimit else { throw .tooMuch(bytes: outputLimit) }
      if isCancelled() { throw .cancelled }
      // A remaining process may still hold the output; its end is not awaited.
      if hasEnded { break }
      if ContinuousClock.now > deadline { throw .tookTooLong(limit: timeout) }
      output.wait(orWritable: feeding, milliseconds: Self.glance, isOver: isOver)
    }
    let status = Self.end(process)
    if status & 0x7F != 0 { throw .ended(signal: status & 0x7F) }
    let code = status >> 8 & 0xFF
    guard code == 0 else { throw .exited(code: code) }
    return body
  }

  // MARK: Processes

  /// The selector of one process (setpriority(2)).
  private static var whichProcess: Int32 {
    #if canImport(Glibc)
      Int32(PRIO_PROCESS.rawValue)
    #else
      PRIO_PROCESS
    #endif
  }

  private static let running = Mutex<Set<pid_t>>([])
  private static let endsWithUs: Int32 = atexit {
    // Does not wait for the lock, whose holder may already be gone.
    _ = ProgramRunner.running.withLockIfAvailable { for process in $0 { kill(-process, SIGKILL) } }
  }

  /// Returns true if the program has ended. Does not reap the process, so that its group's number
  /// is not reused.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    guard waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else {
      return errno != EINTR
    }
    return info.si_signo != 0
  }

  /// Kills the rest of the group and reaps the process. Repeated calls do nothing.
  @discardableResult
  private static func end(_ process: pid_t) -> Int32 {
    var info = siginfo_t()
    guard waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return 0 }
    kill(-process, SIGKILL)
    // The system may now give the group's number to another process.
    running.withLock { _ = $0.remove(process) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Returns a program's name without its path.
  /// - Parameter words: the program and its arguments.
  public static func name(_ words: [String]) -> String {
    words.first.map { ($0 as NSString).lastPathComponent } ?? ""
  }

  /// Replaces `~/` at a word's start by the home directory, as a shell does.
  public static func inHome(_ word: String) -> String {
    guard word.hasPrefix("~/"), let home = getenv("HOME").map({ String(cString: $0) }) else {
      return word
    }
    return home + word.dropFirst()
  }
}

/// A pipe that no other program inherits and whose end in Weir never blocks.
private final class Pipe {
  private(set) var reader: Int32 = -1
  private(set) var writer: Int32 = -1

  init() throws(ProgramRunner.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .cannotStart(reason: .error(String(cString: strerror(errno))))
    }
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func closeReader() {
    if reader >= 0 { close(reader) }
    reader = -1
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// Reads the available bytes. Returns true at the end of the output.
  func receive(into body: inout [UInt8]) -> Bool {
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    var chunk = [UInt8](repeating: 0, count: 65_536)
    // Limits the reads, so that a flood of output does not delay the check of the clock.
    for _ in 0..<16 {
      var count = read(reader, &chunk, chunk.count)
      while count < 0, errno == EINTR { count = read(reader, &chunk, chunk.count) }
      if count == 0 { return true }
      if count < 0 { return false }
      body += chunk[..<count]
    }
    return false
  }

  /// Writes as much as possible. Returns false if all is written or the other end has closed.
  func send(_ bytes: [UInt8], from start: inout Int) -> Bool {
    guard writer >= 0 else { return false }
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      start += count
    }
    return false
  }

  /// Waits for bytes to read or room to write.
  func wait(orWritable other: Pipe?, milliseconds: Int32, isOver: Bool) {
    var pollers = [
      pollfd(fd: isOver ? -1 : reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other?.writer ?? -1, events: Int16(POLLOUT), revents: 0),
    ]
    // A program may run on for a moment after it closes its output.
    poll(&pollers, 2, isOver ? 5 : milliseconds)
  }
}

/// A program of the user, with its input and arguments.
public struct ProgramCall: Sendable, Equatable {
  public var words: [String]
  /// Variables added to Weir's environment.
  public var environment: [String: String]
  public var input: [UInt8]
  /// The name of the article's note that receives the output; `nil` discards the output.
  public var note: String?

  public init(
    words: [String], environment: [String: String], input: [UInt8], note: String? = nil
  ) {
    (self.words, self.environment, self.input, self.note) = (words, environment, input, note)
  }
}
