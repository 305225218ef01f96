import Foundation

/// The one place that starts other programs: by an argument vector, never by a shell, so that nothing
/// that a feed says is ever read as a command.
enum ProgramLauncher {
  enum Place {
    /// In a session of its own, without our terminal; not waited for.
    case background
    /// With our terminal; returns when it has ended.
    case terminal
  }

  /// `POSIX_SPAWN_SETSID`, which Swift's Glibc module hides.
  #if canImport(Glibc)
    private static let newSession: Int16 = 0x80
  #else
    private static let newSession: Int16 = 0x400
  #endif

  /// - Parameter arguments: the program, searched in PATH, and what it gets.
  static func run(_ arguments: [String], in place: Place) throws(CommandFailure) {
    guard let program = arguments.first, !arguments.contains(where: { $0.contains("\0") }) else {
      throw CommandFailure("The program to start is empty or damaged.")
    }
    let process = try spawn(program, arguments, place)
    switch place {
    case .terminal: attend(process)
    case .background:
      // Somebody has to take note of its end, or a dead process stays in the table.
      DispatchQueue.global(qos: .utility).async { _ = wait(for: process) }
    }
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ place: Place
  ) throws(CommandFailure) -> pid_t {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    if case .background = place {
      flags |= newSession
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    posix_spawnattr_setflags(&attributes, flags)
    // What we ignore and block for ourselves would be inherited.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGWINCH] {
      sigaddset(&defaults, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    argv.append(nil)
    defer { for pointer in argv { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, argv, environ)
    guard code == 0 else {
      throw CommandFailure("\(program) cannot be started: \(SystemError.words(code)).")
    }
    return process
  }

  /// Waits for a program that has the terminal. Ctrl-C is for it, not for us (POSIX, system(3)); where
  /// it is stopped we stop with it, and the shell continues both.
  private static func attend(_ process: pid_t) {
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
    while true {
      let status = wait(for: process, options: WUNTRACED)
      let isStopped = status & 0xFF == 0x7F
      guard isStopped else { break }
      raise(SIGSTOP)
    }
    sigaction(SIGINT, &interrupt, nil)
    sigaction(SIGQUIT, &quit, nil)
  }

  private static func wait(for process: pid_t, options: Int32 = 0) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, options) < 0, errno == EINTR {}
    return status
  }
}
