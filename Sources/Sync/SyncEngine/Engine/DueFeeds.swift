import Foundation

/// The feeds that are due by their schedules. A pure value.
struct DueFeeds: Sendable {
  private static let interval = Duration.seconds(1)
  private static let longestNap = Duration.hours(1)

  /// Feeds of the first load, spread over time, with their start.
  var spread: [OperationKey: (entry: OperationEntry, at: Instant)] = [:]
  /// Feeds that the user stopped, or whose publishers exclude this hour: not refreshed before the
  /// given time unless requested.
  var suppressed: [OperationKey: Instant] = [:]
  var isStale = true
  var loadedAt: Instant?
  var nextAt: Instant?
  var hasSpread = false
  /// True while plans that were made with a wrong clock are corrected.
  var isCorrecting = false

  func mayLoad(isIdle: Bool, at now: Instant) -> Bool {
    guard isStale || nextAt.map({ $0 <= now }) ?? false else { return false }
    return isIdle || loadedAt.map { now - $0 >= Self.interval } ?? true
  }

  func mayStart(_ key: OperationKey) -> Bool { spread[key] == nil && suppressed[key] == nil }

  mutating func began(_ loaded: DueWork, _ now: Instant) {
    (isStale, loadedAt) = (false, now)
    suppressed = suppressed.filter { $0.value > now }
    for plan in loaded.late {
      let wait = Duration.seconds(plan.at.timeIntervalSince(now.date))
      suppressed[OperationKey.refresh(plan.feed)] = now + wait
    }
  }

  /// Plans the next load, by the date of the first feed that was not loaded.
  mutating func plan(_ next: Date?, _ now: Instant) {
    // Overdue feeds are queued by now; due feeds are loaded again when a sync ends.
    let wait = next.map { Duration.seconds($0.timeIntervalSince(now.date)) }
    let nap = wait.map { $0 <= .zero ? .seconds(60) : min($0, Self.longestNap) } ?? Self.longestNap
    nextAt = wait == nil && spread.isEmpty ? nil : now + nap
  }

  /// Returns the spread feeds whose start has come, and removes them.
  mutating func release(_ now: Instant) -> [OperationEntry] {
    let started = spread.values.filter { $0.at <= now }.sorted { $0.at < $1.at }.map(\.entry)
    for entry in started { spread[entry.key] = nil }
    return started
  }
}
