import Synchronization

/// A clock that moves only when a test advances it, and then wakes the tasks that sleep on it.
public final class ManualClock: Clock, Sendable {
  /// Time since the clock was made.
  public struct Instant: InstantProtocol {
    /// The duration since the clock was made.
    public var offset: Duration
    /// Makes the moment when the clock was made, or one at an offset from it.
    public init(offset: Duration = .zero) { self.offset = offset }
    /// Returns the moment after a duration, or before it if it is negative.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration, which is negative if the other moment is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns true if `a` is earlier.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    var id: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    var count: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Sleeper] = []
    /// Sleeps that were cancelled before they had begun.
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []
  }

  private let state = Mutex(State())

  /// Makes a clock at offset 0.
  public init() {}

  /// The present moment, which only `advance(by:)` changes.
  public var now: Instant { state.withLock { $0.now } }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The number of tasks that sleep on this clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// The earliest deadline of a sleeping task.
  public var nextDeadline: Instant? {
    state.withLock { $0.sleepers.map(\.deadline).min() }
  }

  /// Sleeps until the deadline, or returns at once after it. Throws `CancellationError` if
  /// cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, watchers) = state.withLock { state -> (Result<Void, any Error>?, [Watcher]) in
          if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          let ready = state.watchers.filter { $0.count <= state.sleepers.count }
          state.watchers.removeAll { $0.count <= state.sleepers.count }
          return (nil, ready)
        }
        if let outcome { continuation.resume(with: outcome) }
        for watcher in watchers { watcher.continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  /// Moves time on and wakes the tasks that are due, the earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Moves time to the earliest deadline, or returns false if no task sleeps.
  @discardableResult public func advanceToNextDeadline() -> Bool {
    guard let next = nextDeadline else { return false }
    advance(by: now.duration(to: next))
    return true
  }

  /// Waits until at least `count` tasks sleep, so that a test may advance the clock.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append(Watcher(count: count, continuation: continuation))
        return false
      }
      if ready { continuation.resume() }
    }
  }
}
