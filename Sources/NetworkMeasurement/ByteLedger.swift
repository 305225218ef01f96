/// What came off all sockets together, over time: the aggregate is the network's, whatever one
/// transfer is doing. Times are monotonic seconds.
struct ByteLedger: Sendable {
  /// No window is longer.
  static let memory = 12.0

  private(set) var total: Int64 = 0
  /// When bytes last arrived.
  private(set) var heardAt = -Double.infinity
  /// The total at each look, the oldest first; those before `first` are past remembering.
  private var marks: [(at: Double, total: Int64)] = []
  private var first = 0

  mutating func add(_ bytes: Int, at now: Double) {
    heardAt = max(heardAt, now)
    total += Int64(bytes)
  }

  /// Silence before this moment does not count: nothing was asked for, or nothing was read.
  mutating func excuseSilence(until now: Double) { heardAt = max(heardAt, now) }

  /// A look, about ten times a second.
  mutating func mark(at now: Double) {
    marks.append((now, total))
    while first < marks.count - 1, marks[first + 1].at <= now - Self.memory { first += 1 }
    if first > 256 {
      marks.removeFirst(first)
      first = 0
    }
  }

  /// Bytes a second between the look that began the window and the last one.
  func goodput(over window: Double) -> Double {
    guard let last = marks.last else { return 0 }
    var oldest = last
    for mark in marks[first...].reversed() {
      oldest = mark
      if mark.at <= last.at - window { break }
    }
    return Double(last.total - oldest.total) / max(0.05, last.at - oldest.at)
  }
}
