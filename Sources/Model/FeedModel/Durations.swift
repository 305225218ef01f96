// A day is 24 hours here, not a date of a calendar.

extension Duration {
  @inlinable public static func minutes(_ count: Int64) -> Duration { .seconds(60 * count) }
  @inlinable public static func hours(_ count: Int64) -> Duration { .seconds(3_600 * count) }
  @inlinable public static func days(_ count: Int64) -> Duration { .seconds(86_400 * count) }
}

/// Seconds, the unit of Foundation's `TimeInterval`.
extension Double {
  @inlinable public static func hours(_ count: Double) -> Double { count * 3_600 }
  @inlinable public static func days(_ count: Double) -> Double { count * 86_400 }

  /// These seconds like "0:09", "12:31" or "1:02:03"; "0:00" if they are negative or too many.
  public var clockTime: String {
    guard isFinite, self > 0, self < 1e7 else { return "0:00" }
    let whole = Int(self)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes, end) = (whole / 3_600, whole / 60 % 60, two(whole % 60))
    return hours > 0 ? "\(hours):\(two(minutes)):\(end)" : "\(minutes):\(end)"
  }
}
