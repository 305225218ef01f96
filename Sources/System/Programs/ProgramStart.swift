import Foundation

/// Starts programs with an argument vector and never through a shell, so that no feed's text
/// becomes a command. Programs do not inherit ignored or blocked signals.
public struct ProgramStart: Sendable {
  /// The process group or session of a program.
  public enum Company: Sendable {
    /// Weir's group, with its terminal.
    case ours
    /// A separate process group in the root directory, with no inherited files.
    case ownGroup
    /// A session without Weir's terminal.
    case ownSession
  }

  /// The target of a standard stream.
  public enum Stream: Sendable {
    case ours
    case nothing
    case descriptor(Int32)
  }

  /// The reason why nothing was started.
  public enum Failure: Error, Equatable {
    case noProgram
    /// The system cannot start a program in another directory.
    case noStartDirectory
    /// The system's text for its error.
    case error(String)
  }

  var company: Company
  var input: Stream
  var output: Stream
  var errors: Stream
  /// Entries `NAME=value`; `nil` for Weir's environment.
  var environment: [String]?

  public init(
    company: Company, input: Stream = .ours, output: Stream = .ours, errors: Stream = .ours,
    environment: [String]? = nil
  ) {
    (self.company, self.input, self.output, self.errors) = (company, input, output, errors)
    self.environment = environment
  }

  /// Starts a program and returns its process number, which the caller must wait for.
  /// - Parameter words: the program, searched in PATH, and its arguments.
  public func callAsFunction(_ words: [String]) throws(Failure) -> Int32 {
    guard let program = words.first, !program.isEmpty,
      !words.contains(where: { $0.utf8.contains(0) })
    else { throw .noProgram }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in [input, output, errors].enumerated() {
      switch stream {
      case .ours: break
      case .nothing:
        posix_spawn_file_actions_addopen(
          &actions, Int32(number), "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      }
    }
    var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    switch company {
    case .ours: break
    case .ownSession: flags |= SpawnExtensions.newSession
    case .ownGroup:
      guard SpawnExtensions.changeToRoot(&actions) else {
        throw .noStartDirectory
      }
      flags |= Int16(POSIX_SPAWN_SETPGROUP) | SpawnExtensions.closeFiles(&actions)
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, flags)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGWINCH] {
      sigaddset(&defaults, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)

    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) }
    argv.append(nil)
    variables.append(nil)
    defer { for pointer in argv + variables { free(pointer) } }
    var process: pid_t = 0
    let code =
      environment == nil
      ? posix_spawnp(&process, program, &actions, &attributes, argv, environ)
      : posix_spawnp(&process, program, &actions, &attributes, argv, variables)
    guard code == 0 else { throw .error(String(cString: strerror(code))) }
    return process
  }
}

/// Extensions of posix_spawn, looked up because Swift's Glibc module hides them.
private enum SpawnExtensions {
  #if canImport(Darwin)
    static let newSession: Int16 = 0x400
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t?>

    static func changeToRoot(_ actions: Actions) -> Bool {
      posix_spawn_file_actions_addchdir_np(actions, "/") == 0
    }

    static func closeFiles(_ actions: Actions) -> Int16 { Int16(POSIX_SPAWN_CLOEXEC_DEFAULT) }
  #else
    static let newSession: Int16 = 0x80
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    private typealias AddDirectory =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
      ) -> Int32
    private typealias AddCloseFrom =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
      ) -> Int32

    private static let addDirectory: AddDirectory? = find("posix_spawn_file_actions_addchdir_np")
    private static let addCloseFrom: AddCloseFrom? = find(
      "posix_spawn_file_actions_addclosefrom_np")

    private static func find<Function>(_ name: String) -> Function? {
      guard let program = dlopen(nil, RTLD_NOW), let symbol = dlsym(program, name) else {
        return nil
      }
      return unsafeBitCast(symbol, to: Function.self)
    }

    static func changeToRoot(_ actions: Actions) -> Bool {
      guard let addDirectory else { return false }
      return addDirectory(actions, "/") == 0
    }

    /// Closes inherited files. Before glibc 2.34, only O_CLOEXEC does so.
    static func closeFiles(_ actions: Actions) -> Int16 {
      _ = addCloseFrom?(actions, 3)
      return 0
    }
  #endif
}
