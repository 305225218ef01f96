import TerminalViews

/// The frame scheduler with its timer.
final class FrameTimer {
  private let timers: any Timers
  private var scheduler = FrameScheduler()
  private var timer: TimerToken?
  private var wakeAt = Duration.zero

  init(_ timers: any Timers) { self.timers = timers }

  func apply(_ event: FrameScheduler.Event) -> [FrameScheduler.Action] {
    scheduler.apply(event, at: timers.now)
  }

  /// Sets the timer for the scheduler's next action.
  func start(_ wake: @escaping () -> Void) {
    guard let next = scheduler.wake else { return stop() }
    // A timer that is early costs less than a new timer for each key.
    if timer != nil, wakeAt <= next { return }
    wakeAt = next
    timer = timers.after(max(.zero, next - timers.now)) { [weak self] in
      self?.timer = nil
      wake()
    }
  }

  func stop() { (timer, wakeAt) = (nil, .zero) }
}
