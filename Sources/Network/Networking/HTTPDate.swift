public import Foundation
import TextRules

/// Parses dates of HTTP headers in the current form and the two obsolete ones (RFC 9110, §5.6.7).
public enum HTTPDate {
  /// - Parameter now: decides the century of the two-digit years of RFC 850: a year more than fifty
  ///   years ahead becomes the latest past year with these digits.
  public static func parse(_ text: String, now: Date = Date()) -> Date? {
    // `Expires: 0` and the like are not dates; all three forms include the time of day.
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let thisYear = Int(now.timeIntervalSince1970 / .days(365.2425)) + 1970
    return DateParser.parse(text, latestYear: thisYear + 50)
  }
}

/// Parses `Retry-After` (RFC 9110, §10.2.3): seconds, or a date.
public enum RetryAfter {
  /// Returns the seconds from `now`, never negative and not clamped; `nil` if the value is invalid.
  public static func seconds(_ value: String, now: Date) -> Double? {
    if let seconds = DeltaSeconds.parse(value) { return seconds }
    return HTTPDate.parse(value, now: now).map { max(0, $0.timeIntervalSince(now)) }
  }
}

/// Parses a whole number of seconds (RFC 9111, §1.2.2); an overflow counts as 2³¹.
enum DeltaSeconds {
  static func parse(_ text: some StringProtocol) -> Double? {
    let digits = text.utf8
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Double(text) ?? 0, 2_147_483_648)
  }
}
