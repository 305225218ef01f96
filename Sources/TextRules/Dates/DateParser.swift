import FeedModel
package import Foundation

/// Dates as feeds write them: RFC 822/2822, RFC 3339, W3CDTF and ISO 8601, C's `asctime`, what
/// `Date.toString` of several languages gives, American and European numbers, seconds since 1970.
///
/// Reads bytes, knows no locale and no time-zone database. A text without a zone is UTC; zone names
/// that nobody knows are UTC too (RFC 2822, §4.3).
package enum DateParser {
  /// - Parameter latestYear: a year of two digits is the last one that ends so, up to this one (RFC
  ///   2822, §4.3, with the window of POSIX).
  /// - Returns: nil if it is no date, or one that cannot be (30 February, hour 25).
  package static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, latestYear: Int = 2068
  ) -> Date? {
    let head = UnsafeBufferPointer(rebasing: bytes.prefix(120))
    // A no-break space between the parts is a space.
    let text = head.contains(0xC2) ? Array(head).withoutNoBreakSpaces : Array(head)
    var reader = DateReader(text, latestYear)
    if let instant = reader.readISO() { return Date(timeIntervalSince1970: instant) }
    reader = DateReader(text, latestYear)
    return reader.readWords().map { Date(timeIntervalSince1970: $0) }
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

  /// RFC 3339 in UTC, whole seconds; the years 0…9999 are within its reach.
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

extension [UInt8] {
  fileprivate var withoutNoBreakSpaces: [UInt8] {
    var out: [UInt8] = []
    var index = 0
    while index < count {
      let isWide = self[index] == 0xC2 && index + 1 < count && self[index + 1] == 0xA0
      out.append(isWide ? 0x20 : self[index])
      index += isWide ? 2 : 1
    }
    return out
  }
}

/// One reading of a date's bytes: the ISO forms by their places, all others word by word.
private struct DateReader {
  private let bytes: [UInt8]
  private let latestYear: Int
  private var at = 0

  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var seconds: Double?
  private var offset: Int?

  init(_ source: [UInt8], _ latestYear: Int) {
    self.latestYear = latestYear
    var end = source.count
    while end > 0, source[end - 1].isSpace { end -= 1 }
    while at < end, source[at].isSpace { at += 1 }
    bytes = at == 0 && end == source.count ? source : Array(source[at..<end])
    at = 0
  }

  private func peek(_ ahead: Int = 0) -> UInt8 {
    at + ahead < bytes.count ? bytes[at + ahead] : 0
  }

  private mutating func skipSpaces() {
    while peek().isSpace { at += 1 }
  }

  /// Digits from here, at most `limit`; nil if there is none.
  private mutating func number(limit: Int = 18) -> (value: Int, digits: Int)? {
    var value = 0
    let start = at
    while peek().isDigit, at - start < limit {
      value = value * 10 + Int(peek() - 0x30)
      at += 1
    }
    return at == start ? nil : (value, at - start)
  }

  /// Exactly this many digits.
  private mutating func number(exactly digits: Int) -> Int? {
    let start = at
    guard let (value, count) = number(limit: digits), count == digits else {
      at = start
      return nil
    }
    return value
  }

  // MARK: ISO 8601 and its profiles

  mutating func readISO() -> Double? {
    let start = at
    guard let (_, digits) = number() else { return nil }
    at = start
    switch digits {
    case 4: break
    case 8:  // 20240701, 20240701T120000Z
      year = number(exactly: 4)
      month = number(exactly: 2)
      day = number(exactly: 2)
      return readISOTime()
    case 10 where digits == bytes.count:  // Seconds since 1970.
      return number().map { Double($0.value) }
    case 13 where digits == bytes.count:  // Milliseconds since 1970.
      return number().map { Double($0.value / 1000) }
    case 14:  // 20240701120000
      year = number(exactly: 4)
      month = number(exactly: 2)
      day = number(exactly: 2)
      guard let hour = number(exactly: 2), let minute = number(exactly: 2),
        let second = number(exactly: 2), setTime(hour, minute, Double(second))
      else { return nil }
      readZone()
      return instant()
    default: return nil
    }
    year = number(exactly: 4)
    let separator = peek()
    if at == bytes.count {  // A year alone.
      month = 1
      day = 1
      return instant()
    }
    guard
      separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/")
        || separator == UInt8(ascii: ".") || separator == UInt8(ascii: ":")
    else { return nil }
    at += 1
    let field = at
    guard let (value, count) = number(limit: 3) else { return nil }
    if count == 3 {  // 2003-335: the day of the year.
      guard let year, (1...366).contains(value) else { return nil }
      let days = CivilDate.days(year: year, month: 1, day: 1) + value - 1
      (self.year, month, day) = CivilDate.date(day: days)
      return readISOTime()
    }
    at = field
    month = number(limit: 2)?.value
    if peek() == separator {
      at += 1
      day = number(limit: 2)?.value
      guard day != nil else { return nil }
      if peek() == separator, separator == UInt8(ascii: "-") { at += 1 }
    } else {
      day = 1
    }
    return readISOTime()
  }

  private mutating func readISOTime() -> Double? {
    skipSpaces()
    if at == bytes.count { return instant() }
    if peek() | 0x20 == UInt8(ascii: "t") { at += 1 }
    skipSpaces()
    guard peek().isDigit else {
      readZone()
      return at == bytes.count || seconds == nil ? instant() : nil
    }
    guard readTime(separators: true) else { return nil }
    readZone()
    return instant()
  }

  /// `hh:mm[:ss[.fff]]` with an optional am or pm, or `hhmm[ss]`.
  private mutating func readTime(separators: Bool) -> Bool {
    guard let (first, digits) = number() else { return false }
    var hour = first
    var minute = 0
    var second = 0.0
    if digits == 4 || digits == 6 {
      let whole = digits == 4 ? first * 100 : first
      (hour, minute, second) = (whole / 10_000, whole / 100 % 100, Double(whole % 100))
    } else if digits <= 2 {
      if peek() == UInt8(ascii: ":") || (peek() == UInt8(ascii: ".") && peek(1).isDigit) {
        let separator = peek()
        at += 1
        guard let value = number(limit: 2)?.value else { return false }
        minute = value
        if peek() == separator, peek(1).isDigit {
          at += 1
          guard let value = number(limit: 2)?.value else { return false }
          second = Double(value)
        }
      }
    } else {
      return false
    }
    if peek() == UInt8(ascii: ".") || peek() == UInt8(ascii: ","), peek(1).isDigit {
      at += 1
      _ = number()
      while peek().isDigit { at += 1 }
    }
    let mark = at
    skipSpaces()
    if peek(1) | 0x20 == UInt8(ascii: "m"), !peek(2).isLetter {
      let isAfternoon = peek() | 0x20 == UInt8(ascii: "p")
      if (isAfternoon || peek() | 0x20 == UInt8(ascii: "a")), hour <= 12 {
        hour = hour % 12 + (isAfternoon ? 12 : 0)
        at += 2
        return setTime(hour, minute, second)
      }
    }
    at = mark
    return setTime(hour, minute, second)
  }

  private mutating func setTime(_ hour: Int, _ minute: Int, _ second: Double) -> Bool {
    // A leap second counts as the next minute's first; 24:00 is midnight after.
    guard hour <= 24, minute < 60, second <= 60, hour < 24 || (minute == 0 && second == 0) else {
      return false
    }
    seconds = Double(hour * 3600 + minute * 60) + second
    return true
  }

  // MARK: Zones

  /// Offsets and names from here on, in any order that makes sense: `+0200`, `GMT+01:00`, `EST`.
  private mutating func readZone() {
    while at < bytes.count {
      let byte = peek()
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        guard readOffset() else { return }
      } else if byte == 0xE2, peek(1) == 0x88, peek(2) == 0x92 {  // U+2212, the minus sign.
        at += 2
        guard readOffset(isNegative: true) else { return }
      } else if byte.isLetter {
        let word = self.word()
        if let zone = Zones.offset(word) { offset = zone }
      } else {
        at += 1
      }
    }
  }

  /// An offset that no place on earth has (`+3000`) says nothing: the time counts as UTC. Minutes
  /// beyond an hour are what a sum came to: `+0160` is two hours.
  private mutating func readOffset(isNegative: Bool? = nil) -> Bool {
    let negative = isNegative ?? (peek() == UInt8(ascii: "-"))
    at += 1
    guard let (value, digits) = number(limit: 4) else { return false }
    let (hours, written) = digits <= 2 ? (value, 0) : (value / 100, value % 100)
    var minutes = written
    if digits <= 2, peek() == UInt8(ascii: ":") {
      at += 1
      minutes = number(limit: 2)?.value ?? 0
      if peek() == UInt8(ascii: ":") {
        at += 1
        _ = number(limit: 2)
      }
    }
    guard hours < 24, minutes < 60 || hours > 0 && minutes % 15 == 0 else { return true }
    minutes += hours * 60
    offset = negative ? -minutes * 60 : minutes * 60
    return true
  }

  /// A run of letters, in lower case; letters beyond ASCII are kept as they are.
  private mutating func word() -> [UInt8] {
    var word: [UInt8] = []
    while peek().isLetter || peek() >= 0x80 {
      word.append(peek().asciiLowercased)
      at += 1
    }
    return word
  }

  // MARK: Words

  /// Any order of weekday, day, month by name or number, year, time and zone.
  mutating func readWords() -> Double? {
    var numbers: [(value: Int, digits: Int)] = []
    while at < bytes.count {
      let byte = peek()
      if byte.isDigit {
        let start = at
        guard let (value, digits) = number() else { return nil }
        if seconds == nil, digits <= 2, peek() == UInt8(ascii: ":"), peek(1).isDigit {
          at = start
          guard readTime(separators: true) else { return nil }
          continue
        }
        if numbers.isEmpty, month == nil, digits <= 2,
          peek() == UInt8(ascii: "/") || peek() == UInt8(ascii: ".")
            || (peek() == UInt8(ascii: "-") && peek(1).isDigit), peek(1).isDigit
        {
          guard readNumericDate(first: value) else { return nil }
          continue
        }
        if digits == 4, year == nil, month == nil, peek() == UInt8(ascii: "-"), peek(1).isDigit {
          year = value  // `Fri, 2006-09-15 08:19:53 EDT`
          at += 1
          month = number(limit: 2)?.value
          if peek() == UInt8(ascii: "-") { at += 1 }
          day = number(limit: 2)?.value
          continue
        }
        numbers.append((value, digits))
      } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), seconds != nil,
        peek(1).isDigit, offset == nil || offset == 0, isOffset()
      {
        guard readOffset() else { return nil }
      } else if byte.isLetter || byte >= 0x80 {
        let word = self.word()
        if month == nil, let named = Months.month(word) {
          month = named
        } else if seconds != nil || offset == nil, let zone = Zones.offset(word) {
          if seconds != nil { offset = zone }
        }
      } else {
        at += 1
      }
    }
    guard assign(numbers) else { return nil }
    return instant()
  }

  /// Whether a sign after a time begins an offset, not the year of `12:00 - 2004`.
  private func isOffset() -> Bool {
    var digits = 0
    while digits < 5, peek(1 + digits).isDigit { digits += 1 }
    return digits <= 2 || digits == 4
  }

  /// `7/1/2024` (month first, as the United States write), `25/12/2024`, `1.7.2024` (day first).
  private mutating func readNumericDate(first: Int) -> Bool {
    let separator = peek()
    at += 1
    guard let (second, _) = number(limit: 2) else { return false }
    guard peek() == separator else { return false }
    at += 1
    guard let (third, digits) = number(limit: 4) else { return false }
    let monthFirst = separator == UInt8(ascii: "/") ? first <= 12 : first <= 12 && second > 12
    (month, day) = monthFirst ? (first, second) : (second, first)
    year = digits <= 2 ? century(third) : third
    return true
  }

  private mutating func assign(_ numbers: [(value: Int, digits: Int)]) -> Bool {
    for (value, digits) in numbers {
      if digits >= 3 || value > 31 {
        if year == nil { year = digits <= 2 ? century(value) : value }
      } else if day == nil {
        day = value
      } else if year == nil {
        year = century(value)
      }
    }
    return year != nil && month != nil && day != nil
  }

  private func century(_ value: Int) -> Int {
    let year = latestYear / 100 * 100 + value
    return year > latestYear ? year - 100 : year
  }

  // MARK: The instant

  private func instant() -> Double? {
    guard let year, let month, let day, (1000...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= DateParser.length(ofMonth: month, year: year)
    else { return nil }
    let days = CivilDate.days(year: year, month: month, day: day)
    return Double(days) * 86_400 + (seconds ?? 0) - Double(offset ?? 0)
  }
}
