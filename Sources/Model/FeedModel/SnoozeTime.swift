public import Foundation

/// Times of the future as users type them: "2h", "3d", "tomorrow 18:00", "mon", "20:00",
/// "2026-12-24 9:30".
public enum SnoozeTime {
  /// The hour of a day that is given without a time.
  public static let hour = 8
  private static let longest = 3_650
  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]

  /// Returns the time that a text means; `nil` if the text is invalid, or names a date that is past
  /// or more than ten years ahead.
  ///
  /// A time of day that is past means the next day, and a weekday the next one whose time is ahead.
  /// Times are those of the calendar's time zone: a time that daylight saving skips means the first
  /// moment after the gap, and a time that occurs twice the first of both.
  public static func date(_ text: String, after now: Date, _ calendar: Calendar) -> Date? {
    var words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first else { return nil }
    let time = words.last.flatMap(Self.time)
    if time != nil { words.removeLast() }
    guard words.count <= 1 else { return nil }
    let (hour, minute) = time ?? (Self.hour, 0)
    let today = calendar.startOfDay(for: now)
    func moment(_ days: Int) -> Date? {
      calendar.date(byAdding: .day, value: days, to: today).flatMap {
        calendar.date(
          bySettingHour: hour, minute: minute, second: 0, of: $0, matchingPolicy: .nextTime,
          repeatedTimePolicy: .first)
      }
    }
    func next(_ days: some Sequence<Int>) -> Date? {
      days.lazy.compactMap(moment).first { $0 > now }
    }
    guard let day = words.first else { return next(0...1) }
    switch day {
    case "today": return next(0...1)
    case "tomorrow": return moment(1)
    default: break
    }
    if let span = span(first) {
      if let days = span.days { return moment(days) }
      guard time == nil else { return nil }
      return (now + Double(span.hours) * 3_600).wholeMinute
    }
    if day.count >= 3, let weekday = weekdays.firstIndex(where: { $0.hasPrefix(day) }) {
      let ahead = weekday + 1 - calendar.component(.weekday, from: today)
      return next([ahead, ahead + 7, ahead + 14].filter { $0 >= 0 })
    }
    return days(to: day, from: today, calendar).flatMap { next([$0]) }
  }

  /// Parses "9:30" or "18:00".
  private static func time(_ text: String) -> (hour: Int, minute: Int)? {
    guard let match = text.wholeMatch(of: /(\d{1,2}):(\d\d)/), let hour = Int(match.1),
      let minute = Int(match.2), hour < 24, minute < 60
    else { return nil }
    return (hour, minute)
  }

  /// Parses "2h", "3d" or "1w".
  private static func span(_ text: String) -> (hours: Int, days: Int?)? {
    guard let match = text.wholeMatch(of: /(\d{1,5})([hdw])/), let count = Int(match.1), count > 0
    else { return nil }
    let days = match.2 == "h" ? nil : match.2 == "d" ? count : count * 7
    guard (days ?? count / 24) <= longest else { return nil }
    return (count, days)
  }

  /// Parses "2026-12-24". Returns its distance in days, at most ten years.
  private static func days(to text: String, from today: Date, _ calendar: Calendar) -> Int? {
    guard let match = text.wholeMatch(of: /(\d{4})-(\d\d?)-(\d\d?)/), let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3)
    else { return nil }
    let parts = DateComponents(year: year, month: month, day: day)
    guard let date = calendar.date(from: parts),
      calendar.dateComponents([.year, .month, .day], from: date) == parts,
      let days = calendar.dateComponents([.day], from: today, to: date).day
    else { return nil }
    return (0...longest).contains(days) ? days : nil
  }
}

extension Date {
  /// The first whole minute that is not before this moment.
  fileprivate var wholeMinute: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.up) * 60)
  }
}
