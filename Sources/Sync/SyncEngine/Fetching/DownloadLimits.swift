import Foundation
import Synchronization

struct DownloadLimits {
  /// The limit in bytes; `nil` for no limit.
  var perDay: Int64?
  /// The limit in bytes; `nil` for no limit.
  var perMonth: Int64?
  var parallel: Int

  /// Returns the limit in force; `nil` if there is none.
  func pause(
    at now: Date, used: (day: Int64, month: Int64), _ calendar: Calendar
  ) -> DownloadPause? {
    if let perMonth, used.month >= perMonth {
      let end = calendar.dateInterval(of: .month, for: now)?.end ?? now + Duration.days(1)
      return DownloadPause(.month, until: end)
    }
    if let perDay, used.day >= perDay {
      let end = calendar.dateInterval(of: .day, for: now)?.end ?? now + Duration.days(1)
      return DownloadPause(.day, until: end)
    }
    return nil
  }
}

/// Selects the downloads that may run, and records the limit for which the others wait.
final class DownloadGate: Sendable {
  private struct State {
    var running: Set<Int64> = []
    /// Downloads with all their bytes, which are kept whatever the limits.
    var complete: Set<Int64> = []
    /// The limit in force, if any; `nil` before the first evaluation.
    var pause: DownloadPause??
    /// The limit in the cache, if any; `nil` if unknown.
    var written: DownloadPause??

    /// The time of the next evaluation.
    var until: Date? { (pause ?? nil)?.until }
  }

  private let limits: DownloadLimits
  private let calendar: Calendar
  private let state = Mutex(State())

  init(limits: DownloadLimits, calendar: Calendar) {
    (self.limits, self.calendar) = (limits, calendar)
  }

  func began(_ id: Int64) {
    state.withLock { state in
      state.running.insert(id)
      state.complete.remove(id)
    }
  }
  func completed(_ id: Int64) { state.withLock { _ = $0.complete.insert(id) } }
  func ended(_ id: Int64) { state.withLock { _ = $0.running.remove(id) } }

  /// Returns the downloads that may run, in queue order; running ones continue within the limits.
  /// - Parameter paused: hosts whose downloads do not use a place.
  func select(
    _ tasks: [DownloadTask], paused: Set<String>, at now: Date, in store: EngineCache
  ) throws(StoreError) -> [DownloadTask] {
    let pause = limits.pause(
      at: now, used: try store.downloads.downloadUsage(at: now), calendar)
    let (running, complete) = state.withLock { state in
      state.pause = pause
      return (state.running, state.complete)
    }
    func isFree(_ task: DownloadTask) -> Bool {
      task.ignoresLimits || complete.contains(task.id)
    }
    let allowed = pause == nil ? tasks : tasks.filter(isFree)
    let inPlace = allowed.filter { running.contains($0.id) }
    var chosen = Set(inPlace.map(\.id))
    // Downloads that ignore the limits do not use places of the others.
    chosen.formUnion(allowed.filter(isFree).map(\.id))
    var places = limits.parallel - inPlace.count
    for task in allowed where places > 0 && !chosen.contains(task.id) {
      chosen.insert(task.id)
      if !paused.contains(WebAddress(task.url).hostKey ?? "") { places -= 1 }
    }
    return allowed.filter { chosen.contains($0.id) }
  }

  /// Returns true if the selection may have changed.
  func isStale(at now: Date) -> Bool {
    state.withLock { $0.until.map { $0 <= now } ?? false }
  }

  /// Returns the time of the next evaluation, at most an hour away, as wall clocks may be set.
  func changesAt(after now: Instant) -> Instant? {
    state.withLock(\.until).map {
      now + .seconds(min(max($0.timeIntervalSince(now.date), 0.01), .hours(1)))
    }
  }

  /// Returns the limit to write, if any; `nil` if it has not changed.
  func drainPause() -> DownloadPause?? {
    state.withLock { state in
      guard let pause = state.pause, state.pause != state.written else { return nil }
      state.written = pause
      return pause
    }
  }
}
