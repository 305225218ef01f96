/// One-shot timers: the end of a chord, of a result line. None runs while nothing is awaited.
protocol Timers: AnyObject {
  /// Calls `body` once after so many seconds, unless the token is cancelled or released before.
  func after(_ seconds: Double, _ body: @escaping () -> Void) -> TimerToken
}

/// Keeps a timer waiting; release it to end it.
final class TimerToken {
  private let onCancel: () -> Void
  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }
  func cancel() { onCancel() }
  isolated deinit { onCancel() }
}

/// Timers of the real clock.
final class TaskTimers: Timers {
  func after(_ seconds: Double, _ body: @escaping () -> Void) -> TimerToken {
    let task = Task {
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled { body() }
    }
    return TimerToken { task.cancel() }
  }
}
