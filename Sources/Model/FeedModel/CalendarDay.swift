package import Foundation

/// A day that a person types: `2026-12-31`.
package enum CalendarDay {
  /// Returns the end of a day, which is the beginning of the next.
  /// - Parameter calendar: a Gregorian calendar with the user's time zone.
  /// - Returns: `nil` if the text has another form, the calendar has no such day, or the year is
  ///   not between 1970 and 9999.
  package static func end(of text: String, in calendar: Calendar) -> Date? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1_970...9_999).contains(year)
    else { return nil }
    let components = DateComponents(year: year, month: month, day: day)
    guard components.isValidDate(in: calendar) else { return nil }
    return calendar.date(from: components)
      .flatMap { calendar.date(byAdding: .day, value: 1, to: $0) }
  }
}
