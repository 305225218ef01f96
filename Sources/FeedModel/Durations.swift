// Lengths of time by name. Days are of 24 hours: what is meant is an age or a pause, not a date of
// a calendar.

extension Duration {
  /// So many minutes.
  @inlinable public static func minutes(_ count: Int64) -> Duration { .seconds(60 * count) }
  /// So many hours.
  @inlinable public static func hours(_ count: Int64) -> Duration { .seconds(3_600 * count) }
  /// So many days of 24 hours.
  @inlinable public static func days(_ count: Int64) -> Duration { .seconds(86_400 * count) }
}

/// As seconds, the unit of Foundation's `TimeInterval`.
extension Double {
  /// So many hours in seconds.
  @inlinable public static func hours(_ count: Double) -> Double { count * 3_600 }
  /// So many days of 24 hours in seconds.
  @inlinable public static func days(_ count: Double) -> Double { count * 86_400 }
}
