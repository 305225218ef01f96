import Foundation
import Synchronization

/// The limits of downloads: hours, number and bytes.
public struct DownloadLimits: Sendable, Equatable {
  /// The minutes of a day from `from` until before `until`, past midnight if `until` is less.
  public struct Hours: Sendable, Equatable {
    public var from: Int
    /// The minute after the last one.
    public var until: Int
    /// Creates a span of minutes, from 0 ... 1439.
    public init(from: Int, until: Int) {
      self.from = from
      self.until = until
    }

    /// Parses a text like "22:00-07:00".
    public init?(_ text: String) {
      let minutes = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
      guard minutes.count == 2, let from = minutes[0], let until = minutes[1], from != until else {
        return nil
      }
      self.init(from: from, until: until)
    }

    private static func minute(_ text: Substring) -> Int? {
      let digits = text.split(separator: ":", omittingEmptySubsequences: false)
      guard digits.count == 2, (1...2).contains(digits[0].count), digits[1].count == 2,
        let hour = Int(digits[0]), let minute = Int(digits[1]), (0...23).contains(hour),
        (0...59).contains(minute), !digits[0].hasPrefix("+"), !digits[1].hasPrefix("+")
      else { return nil }
      return hour * 60 + minute
    }

    func contains(_ minute: Int) -> Bool {
      from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }
  }

  /// The hours of downloads; `nil` for the whole day.
  public var hours: Hours?
  /// The limit in bytes; `nil` for no limit.
  public var perDay: Int64?
  /// The limit in bytes; `nil` for no limit.
  public var perMonth: Int64?
  public var parallel = 3

  public init() {}

  /// Returns the limit in force, and the time of the next evaluation (`nil` for never).
  func pause(
    at now: Date, used: (day: Int64, month: Int64), _ calendar: Calendar
  ) -> (pause: DownloadPause?, changesAt: Date?) {
    let parts = calendar.dateComponents([.hour, .minute], from: now)
    let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    if let hours, !hours.contains(minute) {
      let begin = next(hours.from, after: now, calendar)
      return (DownloadPause(.hours, until: begin), begin)
    }
    if let perMonth, used.month >= perMonth {
      let end = calendar.dateInterval(of: .month, for: now)?.end ?? now + Duration.days(1)
      return (DownloadPause(.month, until: end), end)
    }
    if let perDay, used.day >= perDay {
      let end = calendar.dateInterval(of: .day, for: now)?.end ?? now + Duration.days(1)
      return (DownloadPause(.day, until: end), end)
    }
    return (nil, hours.map { next($0.until, after: now, calendar) })
  }

  private func next(_ minute: Int, after now: Date, _ calendar: Calendar) -> Date {
    calendar.nextDate(
      after: now, matching: DateComponents(hour: minute / 60, minute: minute % 60, second: 0),
      matchingPolicy: .nextTime) ?? now + Duration.hours(1)
  }
}

/// Whether the limits let downloads run.
enum DownloadPauseState: Sendable, Equatable {
  /// No limit applies.
  case free
  case paused(DownloadPause)

  init(_ pause: DownloadPause?) { self = pause.map(Self.paused) ?? .free }

  var pause: DownloadPause? {
    switch self {
    case .free: nil
    case .paused(let pause): pause
    }
  }
}

/// Selects the downloads that may run, and records the limit for which the others wait.
final class DownloadGate: Sendable {
  private struct State {
    var running: Set<Int64> = []
    /// Downloads with all their bytes, which are kept whatever the limits.
    var complete: Set<Int64> = []
    var changesAt: Date?
    /// `nil` before the first evaluation.
    var pause: DownloadPauseState?
    /// The state in the cache; `nil` if unknown.
    var written: DownloadPauseState?
  }

  private let limits: DownloadLimits
  private let calendar: Calendar
  private let state = Mutex(State())

  init(limits: DownloadLimits, calendar: Calendar) {
    self.limits = limits
    self.calendar = calendar
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
    let (pause, changesAt) = limits.pause(
      at: now, used: try store.downloads.downloadUsage(at: now), calendar)
    let (running, complete) = state.withLock { state in
      (state.pause, state.changesAt) = (DownloadPauseState(pause), changesAt)
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
    state.withLock { $0.changesAt.map { $0 <= now } ?? false }
  }

  /// Returns the time of the next evaluation, at most an hour away, as wall clocks may be set.
  func changesAt(after now: Instant) -> Instant? {
    state.withLock(\.changesAt).map {
      now + .seconds(min(max($0.timeIntervalSince(now.date), 0.01), .hours(1)))
    }
  }

  /// Returns the state to write; `nil` if it has not changed.
  func drainPause() -> DownloadPauseState? {
    state.withLock { state in
      guard let pause = state.pause, pause != state.written else { return nil }
      state.written = pause
      return pause
    }
  }
}
