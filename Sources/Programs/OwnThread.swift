import Foundation
import Synchronization

/// Threads for blocking work, so that tasks, parsing and keys do not wait.
public enum OwnThread {
  /// - Parameter body: polls whether the task was cancelled.
  public static func run<T: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) -> T
  ) async -> T {
    let flag = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body { flag.isRaised }) }
        thread.name = "blocking"
        thread.start()
      }
    } onCancel: {
      flag.raise()
    }
  }

  private final class Cancellation: Sendable {
    private let flag = Mutex(false)
    var isRaised: Bool { flag.withLock { $0 } }
    func raise() { flag.withLock { $0 = true } }
  }
}
