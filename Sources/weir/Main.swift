import ArgumentParser
import FeedStore
import Foundation
import ProgramSettings

/// Synchronous: with an async main on Linux the main actor is not on the main thread, which curses
/// needs.
@main
enum Main {
  static func main() {
    // The child that decodes a picture needs nothing of the program.
    if PictureChild.isWanted { PictureChild.run() }
    Memory.prepare()
    StandardStreams.prepare()
    Signals.prepare()
    do {
      if let failure = UnknownCommand.failure(CommandLine.arguments.dropFirst()) { throw failure }
      var command = try RootCommand.parseAsRoot()
      guard let command = command as? any AsyncCommand else { return try command.run() }
      Task { @MainActor in
        do {
          try await command.runAsync()
          leave(0)
        } catch {
          end(error)
        }
      }
      while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    } catch {
      end(error)
    }
  }

  /// Exits without exit handlers: a TLS library that is torn down under threads of the network can
  /// hang.
  static func leave(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }

  /// Reports an error and exits with its code.
  static func end(_ error: any Error) -> Never {
    switch error {
    case let failure as CommandFailure:
      Console.complain(failure.sentence)
      leave(failure.code.rawValue)
    case let error as StoreError: end(CommandFailure(error))
    case is CancellationError: end(CommandFailure("Cancelled.", code: .interrupted))
    default:
      let code = RootCommand.exitCode(for: error).rawValue
      let message = RootCommand.fullMessage(for: error)
      if message.isEmpty { leave(code) }
      // Requested help is a result; an error repeats arguments, whatever they hold.
      guard code == 0 else {
        Console.noteLines(message)
        leave(code)
      }
      do {
        try Console.printLines(message)
      } catch {
        end(error)
      }
      leave(code)
    }
  }
}

/// The three standard streams.
enum StandardStreams {
  /// Replaces closed streams, whose numbers would go to the cache or the log, by /dev/null opened
  /// the other way round: reading or writing it is an error.
  static func prepare() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Signal settings that threads inherit, set before the first thread starts.
enum Signals {
  static func prepare() {
    // A broken pipe or a file limit gives an error number.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Unblocks signals that a parent blocked.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}
