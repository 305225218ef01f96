import Foundation
import Synchronization

/// A thread for what blocks: neither tasks nor parsing nor keys wait for a file or a program.
public enum OwnThread {
  /// - Parameter body: asks now and then whether the task was cancelled.
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
