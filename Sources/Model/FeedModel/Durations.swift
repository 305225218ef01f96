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
}
