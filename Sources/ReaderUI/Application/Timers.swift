/// One-shot timers and the clock that they run by.
protocol Timers: AnyObject {
  /// The time since a fixed moment.
  var now: Duration { get }
  /// Calls `body` once after a delay, unless the token is released before.
  func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerToken
}

/// Keeps a timer or a task waiting; release it to cancel it.
final class TimerToken {
  private nonisolated let task: Task<Void, Never>?
  init(_ task: Task<Void, Never>? = nil) { self.task = task }
  deinit { task?.cancel() }
}

/// Timers of the real clock.
final class TaskTimers: Timers {
  private let start = ContinuousClock.now

  var now: Duration { ContinuousClock.now - start }

  func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerToken {
    TimerToken(
      Task {
        try? await Task.sleep(for: delay)
        if !Task.isCancelled { body() }
      })
  }
}
