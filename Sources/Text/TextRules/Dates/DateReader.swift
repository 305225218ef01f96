import FeedModel
import Foundation

/// Reads a date's bytes: ISO forms by position, all others by word.
struct DateReader {
  let text: DateText
  let bytes: [UInt8]
  let latestYear: Int
  var at = 0

  var year: Int?
  var month: Int?
  var day: Int?
  var seconds: Double?
  var offset: Int?
  /// The zone by its name in the IANA database, unless a number gives the offset.
  var region: TimeZone?
  var calendar = DateCalendar.gregorian
  /// True if the time has a sign of morning or afternoon, or needs none.
  var hasHalf = false
  /// True if the time is written as `10h30` or `10 Uhr`, which excludes the United States.
  var hasHourLetter = false

  init(_ text: DateText, _ latestYear: Int) {
    (self.text, self.latestYear) = (text, latestYear)
    var source = text.bytes[...]
    while source.last?.isSpace == true { source.removeLast() }
    while source.first?.isSpace == true { source.removeFirst() }
    bytes = Array(source)
  }

  func peek(_ ahead: Int = 0) -> UInt8 {
    at + ahead < bytes.count ? bytes[at + ahead] : 0
  }

  mutating func skipSpaces() {
    while peek().isSpace { at += 1 }
  }

  /// Reads at most `limit` digits; `nil` if there are none.
  mutating func number(limit: Int = 18) -> (value: Int, digits: Int)? {
    var value = 0
    let start = at
    while peek().isDigit, at - start < limit {
      value = value * 10 + Int(peek() - 0x30)
      at += 1
    }
    return at == start ? nil : (value, at - start)
  }

  mutating func number(exactly digits: Int) -> Int? {
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
    if (separator == UInt8(ascii: "-") ? peek(1) : separator) | 0x20 == UInt8(ascii: "w") {
      return readISOWeek()
    }
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

  /// Reads `-W39-7` or `W397`; a week without a day means its Monday (ISO 8601).
  private mutating func readISOWeek() -> Double? {
    let isDashed = peek() == UInt8(ascii: "-")
    at += isDashed ? 2 : 1
    guard let written = year, let week = number(exactly: 2) else { return nil }
    if isDashed, peek() == UInt8(ascii: "-") { at += 1 }
    let weekday = number(limit: 1)?.value ?? 1
    // Week 1 has 4 January, and a week belongs to the year of its Thursday. 1 January 1970 was one.
    let fourth = CivilDate.days(year: written, month: 1, day: 4)
    let monday = fourth - ((fourth + 3) % 7 + 7) % 7 + (week - 1) * 7
    guard (1...7).contains(weekday), CivilDate.date(day: monday + 3).year == written else {
      return nil
    }
    (year, month, day) = CivilDate.date(day: monday + weekday - 1)
    return readISOTime()
  }

  mutating func readISOTime() -> Double? {
    skipSpaces()
    if at == bytes.count { return instant() }
    if peek() | 0x20 == UInt8(ascii: "t") { at += 1 }
    skipSpaces()
    guard peek().isDigit else {
      let rest = bytes[at...]
      guard rest.contains(where: { $0.isDigit }), rest.contains(where: { $0 == UInt8(ascii: ":") })
      else {
        readZone()
        return instant()
      }
      return nil  // `2024/8/20 (Tue) 10:30`
    }
    guard readTime(separators: true) else { return nil }
    readZone()
    return instant()
  }

  /// Reads `hh:mm[:ss[.fff]]` with an optional am or pm, or `hhmm[ss]`.
  mutating func readTime(separators: Bool) -> Bool {
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
    if let isAfternoon = readHalfOfDay(), hour <= 12 {
      hour = hour % 12 + (isAfternoon ? 12 : 0)
      hasHalf = true
    }
    return setTime(hour, minute, second)
  }

  /// Reads `am`, `p.m.` or `p. m.`; true in the afternoon.
  mutating func readHalfOfDay() -> Bool? {
    let mark = at
    skipSpaces()
    let first = peek() | 0x20
    if first == UInt8(ascii: "a") || first == UInt8(ascii: "p") {
      at += 1
      if peek() == UInt8(ascii: ".") { at += 1 }
      if at - mark > 1, peek().isSpace, bytes[at - 1] == UInt8(ascii: ".") { skipSpaces() }
      if peek() | 0x20 == UInt8(ascii: "m"), !peek(1).isLetter, peek(1) < 0x80 {
        at += 1
        return first == UInt8(ascii: "p")
      }
    }
    at = mark
    return nil
  }

  mutating func setTime(_ hour: Int, _ minute: Int, _ second: Double) -> Bool {
    // A leap second counts as the next minute's first; 24:00 is the following midnight.
    guard hour <= 24, minute < 60, second <= 60, hour < 24 || (minute == 0 && second == 0) else {
      return false
    }
    seconds = Double(hour * 3600 + minute * 60) + second
    return true
  }

  // MARK: Zones

  /// Reads offsets and names in any sensible order: `+0200`, `GMT+01:00`, `EST`.
  mutating func readZone() {
    while at < bytes.count {
      let byte = peek()
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        guard readOffset() else { return }
      } else if byte.isLetter {
        if !readNamedZone() { readZone(self.word()) }
      } else {
        at += 1
      }
    }
  }

  /// Reads a zone's short name. An offset in digits is preferred: `+0800 (CST)` is China's.
  @discardableResult
  mutating func readZone(_ word: [UInt8]) -> Bool {
    guard let zone = Zones.offset(word) else { return false }
    if offset == nil || offset == 0 { offset = zone }
    return true
  }

  /// Reads `Eastern Daylight Time` or `Europe/Berlin`; consumes nothing if there is no such name.
  mutating func readNamedZone() -> Bool {
    if let (length, zone) = Zones.region(bytes[at...]) {
      at += length
      region = zone
    } else if let (length, zone) = Zones.phrase(bytes[at...]) {
      at += length
      if offset == nil || offset == 0 { offset = zone }
    } else {
      return false
    }
    return true
  }

  /// Reads an offset. Impossible offsets (`+3000`) count as UTC; excess minutes carry over: `+0160`
  /// is two hours. The last digit may be missing: `-040`.
  mutating func readOffset() -> Bool {
    let negative = peek() == UInt8(ascii: "-")
    at += 1
    guard let (value, digits) = number(limit: 4) else { return false }
    let (hours, written) =
      switch digits {
      case 1, 2: (value, 0)
      case 3 where value < 100: (value / 10, value % 10 * 10)
      default: (value / 100, value % 100)
      }
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

  /// Reads letters in lower case; non-ASCII letters as folded by `DateText`.
  mutating func word() -> [UInt8] {
    var word: [UInt8] = []
    while peek().isLetter || peek() >= 0x80 {
      word.append(peek().asciiLowercased)
      at += 1
    }
    return word
  }

  // MARK: The instant

  func instant() -> Double? {
    guard let year, let month, let day,
      let days = text.calendar(calendar, ofYear: year).days(year: year, month: month, day: day)
    else { return nil }
    let local = Double(days) * 86_400 + (seconds ?? 0)
    if offset == nil, let region {
      let standard = region.secondsFromGMT(for: Date(timeIntervalSince1970: local))
      let guess = Date(timeIntervalSince1970: local - Double(standard))
      return local - Double(region.secondsFromGMT(for: guess))
    }
    return local - Double(offset ?? 0)
  }
}
