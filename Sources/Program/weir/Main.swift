import ArgumentParser
import CProcess
import Foundation
import ProgramSettings

/// The synchronous entry point. With an async main on Linux, the main actor does not run on the
/// main thread, which curses needs.
@main
enum Main {
  static func main() {
    // The child that decodes a picture needs no other part of the program.
    if PictureChild.isWanted { PictureChild.run() }
    Memory.prepare()
    StandardStreams.prepare()
    Signals.prepare()
    do {
      let arguments = QueryArguments.protected(Array(CommandLine.arguments.dropFirst()))
      if let failure = UnknownCommand.failure(arguments) { throw failure }
      var command = try RootCommand.parseAsRoot(arguments)
      guard let command = command as? any AsyncCommand else { return try command.run() }
      Task { @MainActor in
        do {
          try await command.runAsync()
          exitWithoutHandlers(0)
        } catch {
          end(error)
        }
      }
      while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    } catch {
      end(error)
    }
  }

  /// Exits without exit handlers: a TLS library can hang if it is torn down while threads of the
  /// network run.
  static func exitWithoutHandlers(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }

  /// Reports an error and exits with its code.
  static func end(_ error: any Error) -> Never {
    switch error {
    case let failure as CommandFailure:
      Console.complain(failure.sentence)
      exitWithoutHandlers(failure.code.rawValue)
    case let error as StoreError: end(CommandFailure(error))
    case is CancellationError: end(CommandFailure("Cancelled.", code: .interrupted))
    default:
      let code = RootCommand.exitCode(for: error).rawValue
      let message = RootCommand.fullMessage(for: error)
      if message.isEmpty { exitWithoutHandlers(code) }
      // Requested help is a result. An error repeats arguments, which may have any content.
      guard code == 0 else {
        Console.noteLines(message)
        exitWithoutHandlers(code)
      }
      do {
        try Console.printLines(message)
      } catch {
        end(error)
      }
      exitWithoutHandlers(code)
    }
  }
}

enum StandardStreams {
  /// Replaces closed streams by /dev/null; otherwise the cache or the log would get their numbers.
  /// It is opened in the wrong direction, so that reading or writing it is an error.
  static func prepare() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Signal settings that threads inherit, applied before the first thread starts.
enum Signals {
  static func prepare() {
    // A broken pipe or a file size limit returns an error number.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Unblocks signals that a parent blocked.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}

/// The memory of the process: its allocation, and protection against other processes.
enum Memory {
  /// Limits the arenas of the C library, and keeps passwords out of core files.
  ///
  /// By default each thread has an arena, up to eight per core, and an arena keeps memory freed by
  /// other threads. With four arenas, a first sync of 1,000 feeds needs 77 MB instead of 85
  /// MB, and one of 100,000 articles 96 MB instead of 104 MB, in the same time. With two or three
  /// arenas, threads block each other.
  static func prepare() {
    weir_limit_arenas(4)
    weir_hide_memory()
  }
}
