/// One-shot timers: the end of a chord, of a result line. None runs while nothing is awaited.
protocol Timers: AnyObject {
  /// Calls `body` once after so many seconds, unless the token is released before.
  func after(_ seconds: Double, _ body: @escaping () -> Void) -> TimerToken
}

/// Keeps a timer waiting, or a look into the cache under way; release it to end it.
final class TimerToken {
  private nonisolated let task: Task<Void, Never>?
  init(_ task: Task<Void, Never>? = nil) { self.task = task }
  deinit { task?.cancel() }
}

/// Timers of the real clock.
final class TaskTimers: Timers {
  func after(_ seconds: Double, _ body: @escaping () -> Void) -> TimerToken {
    TimerToken(
      Task {
        try? await Task.sleep(for: .seconds(seconds))
        if !Task.isCancelled { body() }
      })
  }
}
