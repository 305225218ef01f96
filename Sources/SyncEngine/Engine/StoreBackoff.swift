/// How long the engine leaves a cache alone that refuses reads or writes: twice as long each time
/// until a refresh could be written. Pure.
struct StoreBackoff: Sendable {
  static let shortest = Duration.seconds(30)
  private static let longest = Duration.seconds(3_600)

  /// Nothing starts before then, nor before the cache has taken a write; nil: it works.
  private(set) var until: Instant?
  private var began: Instant?
  /// Zero once a refresh was written.
  private var length = Duration.zero

  var isActive: Bool { until != nil }

  mutating func failed(at now: Instant) {
    // What was on its way when the back-off began fails too.
    if let until, now < until { return }
    var next = Self.shortest
    if let began, now < began + (length * 2 + Self.shortest) {
      next = min(max(next, length * 2), Self.longest)
    }
    (began, length) = (now, next)
    until = now + next
  }

  /// Somebody wants something now, and the cache has taken that.
  mutating func hasten() {
    if let until, let began { self.until = min(until, began + Self.shortest) }
  }

  mutating func wroteRefresh() { length = .zero }

  mutating func end() { until = nil }
}
