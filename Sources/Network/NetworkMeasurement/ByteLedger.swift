/// Counts the bytes of all sockets over time.
struct ByteLedger: Sendable {
  /// The longest window in seconds.
  static let memory = 12.0

  private(set) var total: Int64 = 0
  /// The time when bytes last arrived, or until which silence is excused.
  private(set) var heardAt = -Double.infinity
  /// The total at each mark, the oldest first.
  private var marks: [(at: Double, total: Int64)] = []

  mutating func add(_ bytes: Int, at now: Double) {
    heardAt = max(heardAt, now)
    total += Int64(bytes)
  }

  /// Excuses silence before `now`, because nothing was requested or read.
  mutating func excuseSilence(until now: Double) { heardAt = max(heardAt, now) }

  /// Marks the total, about ten times per second.
  mutating func mark(at now: Double) {
    marks.append((now, total))
    while marks.count > 1, marks[1].at <= now - Self.memory { marks.removeFirst() }
  }

  /// Returns the B/s between the first and the last mark of the window.
  func goodput(over window: Double) -> Double {
    guard let last = marks.last,
      let oldest = marks.last(where: { $0.at <= last.at - window }) ?? marks.first
    else { return 0 }
    return Double(last.total - oldest.total) / max(0.05, last.at - oldest.at)
  }
}
