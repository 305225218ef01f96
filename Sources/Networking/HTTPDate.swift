public import Foundation

/// The dates of HTTP headers: the one form that is sent today and the two that must be understood
/// (RFC 9110, §5.6.7).
public enum HTTPDate {
  /// - Parameter now: decides the century of the two-digit years of RFC 850.
  public static func parse(_ text: String, now: Date = Date()) -> Date? {
    // All three forms hold the same words once punctuation is gone:
    //   Sun, 06 Nov 1994 08:49:37 GMT   Sunday, 06-Nov-94 08:49:37 GMT   Sun Nov  6 08:49:37 1994
    var words = text.utf8.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }.map(Array.init)
    guard words.count >= 4 else { return nil }
    if words[0].allSatisfy(isLetter) { words.removeFirst() }
    guard words.count >= 4, words.count <= 5 else { return nil }

    let (dayWord, monthWord, yearWord, timeWord): ([UInt8], [UInt8], [UInt8], [UInt8])
    if words[0].allSatisfy(isLetter) {
      (monthWord, dayWord, timeWord, yearWord) = (words[0], words[1], words[2], words[3])
    } else {
      (dayWord, monthWord, yearWord, timeWord) = (words[0], words[1], words[2], words[3])
    }
    guard let day = number(dayWord), let month = month(monthWord), var year = number(yearWord),
      (1...31).contains(day)
    else { return nil }
    let clock = timeWord.split(separator: UInt8(ascii: ":")).map { number(Array($0)) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }

    if yearWord.count == 2 {
      let thisYear = Int(now.timeIntervalSince1970 / (365.2425 * 86_400)) + 1970
      year += thisYear / 100 * 100
      // More than fifty years ahead means the most recent year in the past with these digits.
      if year > thisYear + 50 { year -= 100 }
    }
    guard (1...9_999).contains(year) else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func number(_ digits: [UInt8]) -> Int? {
    guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func month(_ word: [UInt8]) -> Int? {
    let names = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    let lowered = String(decoding: word.prefix(3), as: UTF8.self).lowercased()
    return names.firstIndex(of: lowered).map { $0 + 1 }
  }

  /// The proleptic Gregorian calendar, counted from 1 March so that the leap day comes last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let m = (month + 9) % 12
    return 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719_468
  }
}
