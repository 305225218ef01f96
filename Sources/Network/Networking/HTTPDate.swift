import FeedModel
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
