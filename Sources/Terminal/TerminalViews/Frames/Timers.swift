/// Timers that fire once, and their clock.
@MainActor package protocol Timers: AnyObject {
  /// The time since a fixed moment.
  var now: Duration { get }
  /// Calls `body` once after a delay, unless the token is released before that.
  func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerToken
}

/// Cancels a timer or a task when released.
package final class TimerToken {
  private nonisolated let task: Task<Void, Never>?
  package init(_ task: Task<Void, Never>? = nil) { self.task = task }
  deinit { task?.cancel() }
}

/// Calls an action after a period without requests. A further request creates no new timer: when
/// the running timer fires, it waits for the remaining time.
package final class RestTimer {
  private let timers: any Timers
  private let pause: Duration
  private var token: TimerToken?
  private var dueAt = Duration.zero
  private var action: () -> Void = {}

  package init(_ timers: any Timers, after pause: Duration) {
    (self.timers, self.pause) = (timers, pause)
  }

  /// Restarts the period. Only the action of the last request is called.
  package func restart(_ action: @escaping () -> Void) {
    self.action = action
    dueAt = timers.now + pause
    if token == nil { start() }
  }

  package func cancel() {
    token = nil
    action = {}
  }

  private func start() {
    token = timers.after(dueAt - timers.now) { [weak self] in self?.fired() }
  }

  private func fired() {
    token = nil
    if timers.now < dueAt { return start() }
    let action = action
    cancel()
    action()
  }
}

package final class TaskTimers: Timers {
  private let start = ContinuousClock.now

  package init() {}

  package var now: Duration { ContinuousClock.now - start }

  package func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerToken {
    TimerToken(
      Task {
        try? await Task.sleep(for: delay)
        if !Task.isCancelled { body() }
      })
  }
}
