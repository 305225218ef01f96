package import Foundation

/// Converts between days since 1 January 1970 and dates of the proleptic Gregorian calendar (Howard
/// Hinnant, "chrono-Compatible Low-Level Date Algorithms").
package enum CivilDate {
  /// Returns the day's number. Month and day count from 1 and are not checked.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package static func date(day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  package static func day(of date: Date, in calendar: Calendar) -> Int {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return days(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
  }
}

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
