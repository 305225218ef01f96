// A day is 24 hours here, not a date of a calendar.

extension Duration {
  /// Returns a duration of whole minutes.
  @inlinable public static func minutes(_ count: Int64) -> Duration { .seconds(60 * count) }
  /// Returns a duration of whole hours.
  @inlinable public static func hours(_ count: Int64) -> Duration { .seconds(3_600 * count) }
  /// Returns a duration of days of 24 hours.
  @inlinable public static func days(_ count: Int64) -> Duration { .seconds(86_400 * count) }
}

/// Seconds, the unit of Foundation's `TimeInterval`.
extension Double {
  /// Returns hours in seconds.
  @inlinable public static func hours(_ count: Double) -> Double { count * 3_600 }
  /// Returns days of 24 hours in seconds.
  @inlinable public static func days(_ count: Double) -> Double { count * 86_400 }
}
