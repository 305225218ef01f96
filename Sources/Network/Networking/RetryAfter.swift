public import Foundation

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
