import Foundation

#if canImport(Glibc)
  public import Glibc
#else
  public import Darwin
#endif

/// A program on a pseudo-terminal, with the bytes that it writes.
public final class PseudoTerminal {
  /// The program's process id.
  public let process: pid_t
  private var master: Int32
  /// The time at which the program was started.
  public let startedAt: ContinuousClock.Instant
  /// Everything that the program wrote so far.
  public private(set) var output: [UInt8] = []
  private var usage: ResourceUsage?

  /// A failed system call.
  public struct Failure: Error {
    /// The function's name.
    public let call: String
    /// `errno`.
    public let code: Int32
    /// - Parameter code: `errno`.
    public init(call: String, code: Int32) {
      self.call = call
      self.code = code
    }
  }

  /// Starts `arguments[0]` with a terminal of the given size as its controlling terminal.
  /// - Parameter cell: The pixels of a cell, or `nil` if the terminal does not report them.
  public init(
    _ arguments: [String], columns: Int = 80, rows: Int = 24,
    cell: (width: Int, height: Int)? = nil, environment: [String: String]
  ) throws {
    let (master, slave) = try Self.open()
    Self.resize(master, columns, rows, cell: cell)
    self.master = master
    startedAt = .now
    do {
      process = try Spawn.start(arguments, environment: environment, terminal: slave, output: nil)
    } catch {
      close(master)
      throw error
    }
  }

  /// Opens a new terminal: returns its master side, and the path of the side for the program.
  private static func open() throws -> (master: Int32, slave: String) {
    #if canImport(Glibc)
      // Swift's Glibc module hides posix_openpt; these two requests are what it and unlockpt make.
      let unlockRequest: UInt = 0x4004_5431
      let numberRequest: UInt = 0x8004_5430
      let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var unlocked: Int32 = 0
      var number: UInt32 = 0
      guard master >= 0, ioctl(master, unlockRequest, &unlocked) == 0,
        ioctl(master, numberRequest, &number) == 0
      else { throw Failure(call: "open /dev/ptmx", code: errno) }
      return (master, "/dev/pts/\(number)")
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master)
      else { throw Failure(call: "posix_openpt", code: errno) }
      return (master, String(cString: name))
    #endif
  }

  deinit {
    if usage == nil {
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    if master >= 0 { close(master) }
  }

  /// True if lines are edited and echoed and Ctrl-C is a signal, as for a shell.
  public var isCooked: Bool {
    var modes = termios()
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return tcgetattr(master, &modes) == 0 && modes.c_lflag & wanted == wanted
  }

  /// Takes the terminal away from the program.
  public func vanish() {
    close(master)
    master = -1
  }

  /// Resizes the terminal.
  public func resize(columns: Int, rows: Int) { Self.resize(master, columns, rows) }

  private static func resize(
    _ master: Int32, _ columns: Int, _ rows: Int, cell: (width: Int, height: Int)? = nil
  ) {
    var size = winsize()
    if let cell {
      size.ws_xpixel = UInt16(columns * cell.width)
      size.ws_ypixel = UInt16(rows * cell.height)
    }
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Types text, and then reads until there is no output for `quiet` seconds if they are given.
  public func send(_ text: String, quiet: Double? = nil) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    if let quiet { waitUntilIdle(quiet: quiet) }
  }

  /// Reads output for up to `wait` seconds; false if there is none or the program has ended.
  @discardableResult public func read(wait: Double) -> Bool {
    var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, Int32(max(0, wait) * 1000)) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = buffer.withUnsafeMutableBytes {
      #if canImport(Glibc)
        Glibc.read(master, $0.baseAddress, $0.count)
      #else
        Darwin.read(master, $0.baseAddress, $0.count)
      #endif
    }
    guard count > 0 else { return false }
    output.append(contentsOf: buffer[..<count])
    return true
  }

  /// Returns true if the output since `from` contains `text`.
  public func contains(_ text: String, from: Int) -> Bool {
    let wanted = Array(text.utf8)
    return output.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let first = wanted.first else { return false }
      var place = from
      while place + wanted.count <= bytes.count {
        let left = bytes.count - wanted.count + 1 - place
        guard let found = memchr(start + place, Int32(first), left) else { return false }
        if memcmp(found, wanted, wanted.count) == 0 { return true }
        place = UnsafeRawPointer(found) - start + 1
      }
      return false
    }
  }

  /// Reads until the output since `from` contains `text`. Returns the seconds since the start, or
  /// `nil` at the deadline. Then reads until there is no output for `quiet` seconds.
  public func wait(
    for text: String, from: Int = 0, deadline: Double = Patience.seconds, quiet: Double = 0
  ) -> Double? {
    defer { if quiet > 0 { waitUntilIdle(quiet: quiet) } }
    let wanted = Array(text.utf8)
    let end = ContinuousClock.now + .seconds(deadline)
    while true {
      if output.count > from, output[from...].contains(wanted) {
        return (ContinuousClock.now - startedAt).seconds
      }
      let left = (end - ContinuousClock.now).seconds
      if left <= 0 { return nil }
      if !read(wait: left), hasEnded { return nil }
    }
  }

  /// Reads until there is no output for `quiet` seconds.
  public func waitUntilIdle(quiet: Double = 0.3) {
    while read(wait: quiet) {}
  }

  private var hasEnded: Bool {
    var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 0) > 0 && Int32(poller.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Presses the reader's key for quitting and waits for its end.
  public func quit(_ key: String = "Q", deadline: Double = Patience.seconds) -> ResourceUsage? {
    send(key)
    return waitForExit(deadline: deadline)
  }

  /// Waits for the program's end and reads all of its output.
  public func waitForExit(deadline: Double = Patience.seconds) -> ResourceUsage? {
    let end = ContinuousClock.now + .seconds(deadline)
    while usage == nil, ContinuousClock.now < end {
      read(wait: 0.02)
      usage = Spawn.poll(process)
    }
    // The last output may have come after the last read.
    while read(wait: 0) {}
    return usage
  }
}

/// The resources that a process used, from `wait4`.
public struct ResourceUsage: Sendable {
  /// The exit code, or 128 + the signal that ended it.
  public var exitCode: Int32
  /// Seconds of user and system time.
  public var cpu: Double
  /// Largest resident size in bytes.
  public var peakMemory: Int
}

/// Starting and awaiting processes.
public enum Spawn {
  /// `POSIX_SPAWN_SETSID`, which Swift's Glibc module hides: a session leader that opens a terminal
  /// gets it as its controlling one.
  #if canImport(Glibc)
    private static let newSession: Int16 = 0x80
  #else
    private static let newSession: Int16 = 0x400
  #endif

  /// Starts a program. With `terminal`, it runs in a new session with that terminal. Otherwise its
  /// standard streams are files (paths): `input` or nothing, `output`, and `errors` or the same as
  /// `output`.
  public static func start(
    _ arguments: [String], environment: [String: String], terminal: String?, output: String?,
    input: String? = nil, errors: String? = nil
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A program begins with the mask of its starter, where threads of a pool block most signals,
    // and with the signals that it ignores: those of tests below `nohup` would never end.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let signals = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, terminal == nil ? signals : signals | newSession)
    if let terminal {
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(
        &actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    if terminal != nil { posix_spawn_file_actions_adddup2(&actions, 0, 1) }
    if let errors {
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    argv.append(nil)
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
    envp.append(nil)
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, argv, envp)
    guard code == 0 else { throw PseudoTerminal.Failure(call: "posix_spawn", code: code) }
    return process
  }

  /// Waits for the end of a process and measures its memory. Returns `nil` if it has not ended
  /// within this many seconds, or is not a child of this process.
  public static func wait(for process: pid_t, within seconds: Double = 3_600) -> ResourceUsage? {
    var peak = 0
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      peak = max(peak, peakMemory(of: process))
      if var usage = poll(process) {
        if peak > 0 { usage.peakMemory = peak }
        return usage
      }
      if kill(process, 0) != 0 || ContinuousClock.now > deadline { return nil }
      var pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)
      nanosleep(&pause, nil)
    }
  }

  /// Returns the process's own peak memory in bytes (Linux), or 0 if it cannot be read. The value
  /// of `wait4` begins with the size of the process that started it.
  public static func peakMemory(of process: pid_t) -> Int {
    guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      guard text.starts(with: Array("VmHWM:".utf8)) else { continue }
      let digits = text.filter { (0x30...0x39).contains($0) }
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } << 10
    }
    return 0
  }

  /// Returns the running child processes of a process (Linux), or none if they cannot be seen.
  public static func children(of process: pid_t) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { pid_t($0) }.filter { state(of: $0)?.parent == process }
  }

  /// Returns true if a process runs. A zombie does not count, because in a container the first
  /// process may take long to wait for it.
  public static func isRunning(_ process: pid_t) -> Bool {
    state(of: process).map { $0.letter != "Z" } ?? false
  }

  /// Returns the state and parent of a process from proc(5), or `nil` if there is none.
  private static func state(of process: pid_t) -> (letter: Substring, parent: pid_t?)? {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return nil }
    // After the program's name, which may hold anything.
    let words = stat[stat.index(after: end)...].split(separator: " ")
    return words.count > 1 ? (words[0], pid_t(words[1])) : nil
  }

  /// Returns the process's usage once it has ended, or `nil` while it runs.
  public static func poll(_ process: pid_t) -> ResourceUsage? {
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, WNOHANG, &usage) == process else { return nil }
    let signal = status & 0x7F
    let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    #if canImport(Glibc)
      let unit = 1024
    #else
      let unit = 1
    #endif
    return ResourceUsage(
      exitCode: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakMemory: usage.ru_maxrss * unit)
  }
}

extension Duration {
  /// The duration as a number, for arithmetic and printing.
  public var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
