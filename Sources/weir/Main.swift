import ArgumentParser
import FeedStore
import Foundation

/// Synchronous, and on the main thread to the end: with an async main on Linux the main actor would
/// live on another thread, and curses wants one.
@main
enum Main {
  static func main() {
    // Before anything else: the child that decodes a picture needs nothing of the program.
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

  /// Ends without what libraries do at an exit: threads of the network may still be at work, and a
  /// TLS library that is taken down under them can hang.
  static func leave(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }

  /// Says why, and ends with the exit code that the reason has.
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
      // Help that was asked for is a result; the rest repeats arguments, whatever they hold.
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

/// The three streams that every program is started with, or should be.
enum StandardStreams {
  /// The number of one that is closed would go to the next file that is opened, the cache or the
  /// log, and what is printed would be written into it. What is put in its place can be neither
  /// read nor written the way it is used: trying gives an error.
  static func prepare() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Signals that must be settled before the first thread starts, as threads inherit them.
enum Signals {
  static func prepare() {
    // A pipe or a file limit that ends a write is an error number there, not the end of the
    // program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Whoever started us may have blocked what we must hear: a thread of a pool does.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}
