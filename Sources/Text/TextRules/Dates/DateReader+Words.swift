import FeedModel

struct DateWord {
  var text: [UInt8]
  /// True if only blanks and a full stop separate the word from the previous one.
  var joinsPrevious: Bool
  /// True if the word follows the first number.
  var isAfterNumber: Bool
  /// A month written as a number after its word: `tháng 8`.
  var month: Int?
}

extension DateReader {
  /// Numbers of a date before their interpretation.
  struct Numbers {
    var values: [(value: Int, digits: Int)] = []
    /// A pair such as `7/1/2024`: month and day in either order.
    var pair: (first: Int, second: Int, separator: UInt8)?
    /// True if a full stop follows the first number, the day in a date of words.
    var hasDayDot = false
    var hasYearDot = false

    /// True for the numbers of `03 Apr 02`, before the time `1500`.
    var isDayAndShortYear: Bool {
      values.count == 2 && values[0].digits <= 2 && values[1].digits == 2
    }
    var hasYear: Bool { values.contains { $0.digits >= 3 || $0.value > 31 } }
  }

  /// Reads weekday, day, month by name or number, year, time and zone in any order.
  mutating func readWords() -> Double? {
    var numbers = Numbers()
    var words: [DateWord] = []
    var wordEnd = -1
    var isAfternoon: Bool?
    while at < bytes.count {
      let byte = peek()
      if byte.isDigit {
        let isJoined = wordEnd >= 0 && isBlank(wordEnd..<at)
        guard readNumber(&numbers, after: isJoined ? words.last?.text : nil) else { return nil }
      } else if byte == DateText.Unit.morning.rawValue || byte == DateText.Unit.afternoon.rawValue {
        isAfternoon = byte == DateText.Unit.afternoon.rawValue
        at += 1
      } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), seconds != nil,
        peek(1).isDigit, offset == nil || offset == 0, isOffset()
      {
        guard readOffset() else { return nil }
      } else if byte.isLetter, seconds != nil, readNamedZone() {
        continue
      } else if byte.isLetter || byte >= 0x80 {
        let isGlued = at > 0 && bytes[at - 1].isDigit
        let joins = wordEnd >= 0 && isBlank(wordEnd..<at)
        let word = self.word()
        wordEnd = at
        let isZone = seconds != nil && readZone(word)
        if !isZone, !readVietnameseWeekday(word) {
          let hasNumber = !numbers.values.isEmpty || year != nil
          words.append(
            DateWord(
              text: word, joinsPrevious: joins, isAfterNumber: hasNumber,
              month: isGlued ? nil : readVietnameseMonth(word)))
        }
      } else {
        at += 1
      }
    }
    guard assign(numbers) else { return nil }
    let names = DateNaming(words, numbers: numbers, reader: self)
    guard names.resolve(&self) else { return nil }
    if let isAfternoon = isAfternoon ?? names.isAfternoon(self), !hasHalf, let time = seconds,
      time < 13 * 3600
    {
      seconds = time.truncatingRemainder(dividingBy: 43_200) + (isAfternoon ? 43_200 : 0)
    }
    return instant()
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0.isSpace || $0 == UInt8(ascii: ".") }
  }

  /// Reads the number after `thứ`, which counts the days from Sunday.
  private mutating func readVietnameseWeekday(_ word: [UInt8]) -> Bool {
    guard word == Array("thu".utf8), text.hasOtherLetters else { return false }
    let start = at
    skipSpaces()
    if let value = number(limit: 2)?.value, (2...7).contains(value), !"/.-:".utf8.contains(peek()) {
      return true
    }
    at = start
    return false
  }

  /// Reads the number after `tháng`, `thg` or `th`.
  private mutating func readVietnameseMonth(_ word: [UInt8]) -> Int? {
    guard word == Array("thang".utf8) || word == Array("thg".utf8) || word == Array("th".utf8)
    else {
      return nil
    }
    let start = at
    if peek() == UInt8(ascii: ".") { at += 1 }
    skipSpaces()
    if let (value, digits) = number(limit: 3), digits <= 2, (1...12).contains(value) {
      return value
    }
    at = start
    return nil
  }

  // MARK: Numbers

  /// - Parameter word: the word before the number, with only blanks and a full stop between them.
  private mutating func readNumber(_ numbers: inout Numbers, after word: [UInt8]?) -> Bool {
    let start = at
    guard let (value, digits) = number() else { return false }
    if seconds == nil, digits <= 2 {
      // True for an hour such as `kl. 9` after or before a date.
      let isHour =
        word.map(Self.wordsBeforeHours.contains) == true
        && (year != nil || numbers.hasYear || numbers.values.isEmpty && hasDayAhead)
      if peek() == UInt8(ascii: ":") && peek(1).isDigit
        || peek() == UInt8(ascii: ".") && peek(1).isDigit && peek(2).isDigit
          && (isHour || year != nil || numbers.hasYear || numbers.values.count > 1)
      {
        at = start
        return readTime(separators: true)
      }
      if readHour(value) { return true }
      // Reads `7pm`; `7 p.m.` only after a date, since the word may mean something else before it.
      if (1...12).contains(value), peek().isLetter || year != nil || numbers.hasYear,
        let isAfternoon = readHalfOfDay()
      {
        hasHalf = true
        return setTime(value % 12 + (isAfternoon ? 12 : 0), 0, 0)
      }
      if isHour { return setTime(value, 0, 0) }
    }
    if readUnit(value, &numbers) { return true }
    if numbers.values.isEmpty, numbers.pair == nil, year == nil {
      if digits == 4, readYearFirst(value) { return true }
      // Excludes `R6.3.5`, which has a year of an era, and `v1.7.2024`, which is not a date.
      let isGlued = start > 0 && bytes[start - 1].isLetter
      if digits <= 2, !isGlued, readPair(value, &numbers) { return true }
      // The text `10.30` is not a date, nor a time while there is no date.
      if digits <= 2, peek(1).isDigit,
        [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(peek())
      {
        return false
      }
    }
    if seconds == nil, digits == 4, word == nil, numbers.isDayAndShortYear, isZoneNext {
      at = start
      return readTime(separators: false)
    }
    let hasDot = peek() == UInt8(ascii: ".")
    if digits <= 2, !numbers.values.contains(where: { $0.digits <= 2 }) {
      numbers.hasDayDot = hasDot
    }
    if digits == 4 { numbers.hasYearDot = hasDot }
    numbers.values.append((value, digits))
    return true
  }

  private var isZoneNext: Bool {
    var next = self
    next.skipSpaces()
    return next.peek() == UInt8(ascii: "+") || next.peek() == UInt8(ascii: "-")
      || next.peek().isLetter && Zones.offset(next.word()) != nil
  }

  /// True if a number that can be a day follows.
  private var hasDayAhead: Bool {
    bytes[at...].split { !$0.isDigit }.contains { $0.count <= 2 }
  }

  private static let wordsBeforeHours = Set(
    ["kl", "klo", "klockan", "klokken", "klokka", "kell", "godz", "ore", "ora", "saat"].map {
      Array($0.utf8)
    })
  private static let noon = Array("noon".utf8)
  private static let wordsAfterHours = Set(
    ["h", "uhr", "uur", "hod", "hodin", "horas", "heures", "ora", "sati"].map { Array($0.utf8) }
      + [noon])

  /// Reads `10h30`, `10 h 30`, `10h`, `10 Uhr 30`, `12 noon`.
  private mutating func readHour(_ hour: Int) -> Bool {
    let start = at
    skipSpaces()
    let unit = word()
    guard Self.wordsAfterHours.contains(unit) else {
      at = start
      return false
    }
    skipSpaces()
    let mark = at
    let minute = number(exactly: 2)
    if minute == nil || peek().isDigit { at = mark }
    if setTime(hour, minute ?? 0, 0) {
      (hasHalf, hasHourLetter) = (true, unit != Self.noon)
      return true
    }
    at = start
    return false
  }

  /// Reads the unit of an East Asian date after a number.
  private mutating func readUnit(_ value: Int, _ numbers: inout Numbers) -> Bool {
    let start = at
    skipSpaces()
    guard let unit = DateText.Unit(rawValue: peek()) else {
      at = start
      return false
    }
    switch unit {
    case .year where year == nil:
      year = value < 200 && text.era != nil ? value + (text.era ?? 0) : value
      if let written = year, written < 100 { year = century(written) }
    case .month where month == nil: month = value
    case .day where day == nil: day = value
    case .hour where seconds == nil && value <= 24: seconds = Double(value * 3600)
    case .minute where seconds != nil && value < 60: seconds = (seconds ?? 0) + Double(value * 60)
    case .second where seconds != nil && value <= 60: seconds = (seconds ?? 0) + Double(value)
    default:
      at = start
      return false
    }
    at += 1
    return true
  }

  /// Reads `2006-09-15`, `2024.08.20`, `2024. 8. 20.` within a text.
  private mutating func readYearFirst(_ first: Int) -> Bool {
    let start = at
    let separator = peek()
    guard
      let second = part(after: separator), let third = part(after: separator),
      (1...12).contains(second), !peek().isDigit
    else {
      at = start
      return false
    }
    (year, month, day) = (first, second, third)
    return true
  }

  /// Reads `7/1/2024`, `1.7.2024`, `1. 7. 2024`, `25-12-2024`.
  private mutating func readPair(_ first: Int, _ numbers: inout Numbers) -> Bool {
    let start = at
    let separator = peek()
    guard let second = part(after: separator), peek() == separator else {
      at = start
      return false
    }
    let hasBlank = separator == UInt8(ascii: ".") && peek(1).isSpace
    at += 1
    if hasBlank { skipSpaces() }
    // The text `24. 8. 20.` may begin with its year.
    guard let (third, digits) = number(limit: 4), digits != 2 || !hasBlank else {
      at = start
      return false
    }
    year = digits <= 2 ? century(third) : third
    numbers.pair = (first, second, separator)
    return true
  }

  /// Reads up to two digits after a separator; blanks may follow a full stop.
  private mutating func part(after separator: UInt8) -> Int? {
    guard
      separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/")
        || separator == UInt8(ascii: "."), peek() == separator
    else { return nil }
    at += 1
    if separator == UInt8(ascii: ".") { skipSpaces() }
    return number(limit: 2)?.value
  }

  /// True if a sign after a time begins an offset, unlike in `12:00 - 2004`.
  private func isOffset() -> Bool {
    var digits = 0
    while digits < 5, peek(1 + digits).isDigit { digits += 1 }
    return digits <= 4
  }

  /// Sets day and year. Returns false if unknown. Before a full year, either of two small numbers
  /// may be the day.
  private mutating func assign(_ numbers: Numbers) -> Bool {
    if let written = numbers.values.firstIndex(where: { $0.digits >= 3 || $0.value > 31 }),
      written > 1, day == nil, numbers.pair == nil
    {
      // .NET has no names of months in Japanese and Korean: `木, 28 5 2026`.
      guard text.beginsWithEastAsianWord, written == 2, month == nil else { return false }
      (day, month, year) = (
        numbers.values[0].value, numbers.values[1].value, numbers.values[2].value
      )
    }
    for (value, digits) in numbers.values {
      if digits >= 3 || value > 31 {
        if year == nil { year = digits <= 2 ? century(value) : value }
      } else if day == nil, numbers.pair == nil {
        day = value
      } else if year == nil {
        year = century(value)
      }
    }
    return year != nil && (day != nil || numbers.pair != nil)
  }

  private func century(_ value: Int) -> Int {
    // A two-digit year in Thai is Buddhist; below 43, it would be before 2000 or in the future.
    if text.isThai { return value >= 43 ? 2_500 + value : 0 }
    let year = latestYear / 100 * 100 + value
    return year > latestYear ? year - 100 : year
  }
}
