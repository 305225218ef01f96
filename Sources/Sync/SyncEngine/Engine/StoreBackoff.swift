/// Backs off after errors of the cache; the wait doubles until a refresh is written. Pure.
struct StoreBackoff: Sendable {
  static let shortest = Duration.seconds(30)
  private static let longest = Duration.hours(1)

  /// The time before which nothing starts; a write must then succeed first. `nil` while the cache
  /// works.
  private(set) var until: Instant?
  private var began: Instant?
  /// The length of the last wait; zero once a refresh was written.
  private var length = Duration.zero

  var isActive: Bool { until != nil }

  mutating func failed(at now: Instant) {
    // Failures of operations that ran when the back-off began do not extend it.
    if let until, now < until { return }
    var next = Self.shortest
    if let began, now < began + (length * 2 + Self.shortest) {
      next = min(max(next, length * 2), Self.longest)
    }
    (began, length) = (now, next)
    until = now + next
  }

  /// Shortens the wait after a successful write of the user.
  mutating func hasten() {
    if let until, let began { self.until = min(until, began + Self.shortest) }
  }

  mutating func wroteRefresh() { length = .zero }

  mutating func end() { until = nil }
}
