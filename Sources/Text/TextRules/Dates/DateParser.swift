import FeedModel
package import Foundation

/// Parses dates of feeds: RFC 822/2822, RFC 3339, W3CDTF and ISO 8601, C's `asctime`, JavaScript's
/// `Date.toString`, ASP.NET's `/Date(…)/`, American and European numbers, seconds since 1970, and
/// all these with names, digits and calendars of other languages.
///
/// Uses no locale, and the time-zone database only for its own names. A missing or unknown zone is
/// UTC (RFC 2822, §4.3). An ambiguous text is not a date.
package enum DateParser {
  /// - Parameter latestYear: the latest meaning of a year of two digits (RFC 2822, §4.3, with the
  ///   window of POSIX).
  /// - Returns: `nil` for a text that is not a date, or an impossible one (30 February, hour 25).
  package static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, latestYear: Int = 2068
  ) -> Date? {
    if let instant = StandardDate.parse(bytes) { return Date(timeIntervalSince1970: instant) }
    if bytes.contains(UInt8(ascii: "(")), let date = milliseconds(bytes) { return date }
    let text = DateText(bytes.prefix(200))
    var reader = DateReader(text, latestYear)
    if let instant = reader.readISO() { return Date(timeIntervalSince1970: instant) }
    reader = DateReader(text, latestYear)
    return reader.readWords().map { Date(timeIntervalSince1970: $0) }
  }

  /// Reads `/Date(1719835200000+0200)/`: milliseconds since 1970, whatever the zone.
  private static func milliseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    guard
      let match = String(decoding: bytes.prefix(60), as: UTF8.self)
        .prefixMatch(of: /\s*\\?\/Date\((-?\d{1,13})(?:[+-]\d{4})?\)/)
    else { return nil }
    return Double(match.1).map { Date(timeIntervalSince1970: $0 / 1_000) }
  }

  package static func parse(_ text: String) -> Date? { parse(text, latestYear: 2068) }

  package static func parse(_ text: String, latestYear: Int) -> Date? {
    var text = text
    return text.withUTF8 { parse($0, latestYear: latestYear) }
  }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Formats RFC 3339 in UTC with whole seconds, for the years 0…9999.
  package static func rfc3339(_ date: Date) -> String? {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard seconds > -62_167_219_201, seconds < 253_402_300_800 else { return nil }
    let total = Int(seconds)
    let day = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
    let rest = total - day * 86_400
    let (year, month, dayOfMonth) = CivilDate.date(day: day)
    func pad(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))"
      + "T\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))Z"
  }
}
