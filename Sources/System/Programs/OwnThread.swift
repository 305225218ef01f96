import Foundation
import Synchronization

/// Runs blocking work on separate threads, so that it does not delay tasks, parsing and keys.
public enum OwnThread {
  /// - Parameter body: polls `isCancelled`, which is true once the task is cancelled.
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
