import Foundation

/// The time left of a sync, and the hosts for which the sync waits.
struct SyncEstimate {
  static let mostNamed = 3
  /// Seconds without a completed feed after which a sync counts as waiting.
  private static let quiet = 2.0
  /// The shortest wait that is reported, in seconds.
  private static let notable = 5.0
  /// The fewest feeds of a host for which the host's pace is used.
  private static let paced = 4

  private struct Host {
    var total = 0
    var left = 0
    var endedAt = 0.0
  }

  private var hosts: [String: Host] = [:]
  private var left = 0
  private var total = 0
  private var endedAt = 0.0

  init(feeds: [String]) {
    for host in feeds {
      hosts[host, default: Host()].total += 1
      hosts[host]?.left += 1
    }
    (left, total) = (feeds.count, feeds.count)
  }

  /// - Parameters:
  ///   - feeds: the host of each unfinished feed.
  ///   - seconds: the seconds since the beginning.
  mutating func update(left feeds: [String], at seconds: Double) {
    var counts: [String: Int] = [:]
    for host in feeds { counts[host, default: 0] += 1 }
    for (name, host) in hosts where host.left != counts[name, default: 0] {
      hosts[name]?.left = counts[name, default: 0]
      hosts[name]?.endedAt = seconds
    }
    if feeds.count != left { endedAt = seconds }
    left = feeds.count
  }

  /// Estimates the seconds left from pace, slowest host and silence; `nil` if unknown.
  func secondsLeft(at seconds: Double) -> Double? {
    let done = total - left
    guard seconds > 1, done > 0, left > 0 else { return nil }
    var estimate = seconds / Double(done) * Double(left)
    for host in hosts.values where host.left > 0 && host.total >= Self.paced {
      let done = host.total - host.left
      if done > 0 { estimate = max(estimate, seconds / Double(done) * Double(host.left)) }
    }
    let silence = seconds - endedAt
    return silence > Self.quiet ? max(estimate, silence) : estimate
  }

  /// Returns the last hosts for which the sync waits; empty while others are active.
  func awaitedHosts(at seconds: Double) -> [String] {
    let names = hosts.filter { $0.value.left > 0 }.keys.sorted()
    let isWaiting =
      !names.isEmpty && names.count <= Self.mostNamed && seconds - endedAt > Self.quiet
    return isWaiting ? names : []
  }

  /// Hosts that ended long after all others, and the seconds of waiting for them.
  var wait: (hosts: [String], seconds: Double)? {
    let ends = hosts.sorted { ($0.value.endedAt, $0.key) < ($1.value.endedAt, $1.key) }
    for last in 1...Self.mostNamed where last < ends.count {
      let first = ends.count - last
      let before = ends[first - 1].value.endedAt
      guard ends[first].value.endedAt - before >= Self.notable else { continue }
      return (ends[first...].map(\.key).sorted(), ends[ends.count - 1].value.endedAt - before)
    }
    return nil
  }
}
