import FeedModel

/// Parses the two common forms fast: `Tue, 20 Aug 2024 10:30:00 +0200` and `2024-08-20T10:30:00Z`.
/// `DateReader` reads all others.
struct StandardDate {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private var at = 0

  /// - Returns: seconds since 1970; `nil` for another form.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard (16...40).contains(bytes.count) else { return nil }
    var date = StandardDate(bytes)
    return date.read()
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var end = bytes.count
    while end > 0, bytes[end - 1].isSpace { end -= 1 }
    self.end = end
    while at < end, bytes[at].isSpace { at += 1 }
  }

  private mutating func read() -> Double? {
    let isISO = peek(4) == UInt8(ascii: "-")
    guard let days = isISO ? readISODays() : readDays(),
      let hour = number(2), consume(UInt8(ascii: ":")), let minute = number(2), hour < 24,
      minute < 60
    else { return nil }
    var second = 0
    if consume(UInt8(ascii: ":")) {
      guard let value = number(2), value <= 60 else { return nil }
      second = value
      if isISO, consume(UInt8(ascii: ".")) {
        guard peek().isDigit else { return nil }
        while peek().isDigit { at += 1 }
      }
    }
    if !isISO { guard consume(UInt8(ascii: " ")) else { return nil } }
    guard let offset = readOffset(), at == end else { return nil }
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset)
  }

  /// Reads `2024-08-20T`.
  private mutating func readISODays() -> Int? {
    guard let year = number(4), consume(UInt8(ascii: "-")), let month = number(2),
      consume(UInt8(ascii: "-")), let day = number(2), consume(UInt8(ascii: "T"))
    else { return nil }
    return DateCalendar.gregorian.days(year: year, month: month, day: day)
  }

  /// Reads `Tue, 20 Aug 2024 `, with or without the weekday.
  private mutating func readDays() -> Int? {
    if peek().isLetter {
      guard let name = name(), Self.weekdays.contains(name), consume(UInt8(ascii: ",")),
        consume(UInt8(ascii: " "))
      else { return nil }
    }
    guard let day = number(peek(1).isDigit ? 2 : 1), consume(UInt8(ascii: " ")), let name = name(),
      let month = Self.months.firstIndex(of: name), consume(UInt8(ascii: " ")),
      let year = number(4), consume(UInt8(ascii: " "))
    else { return nil }
    return DateCalendar.gregorian.days(year: year, month: month + 1, day: day)
  }

  /// Reads `+0200`, `+02:00`, `Z` or `GMT`.
  private mutating func readOffset() -> Int? {
    let sign = peek()
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      if consume(UInt8(ascii: "Z")) { return 0 }
      return name() == Self.gmt ? 0 : nil
    }
    at += 1
    guard let hours = number(2) else { return nil }
    _ = consume(UInt8(ascii: ":"))
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  private func peek(_ ahead: Int = 0) -> UInt8 { at + ahead < end ? bytes[at + ahead] : 0 }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    at += 1
    return true
  }

  private mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard peek().isDigit else { return nil }
      value = value * 10 + Int(peek() & 15)
      at += 1
    }
    return value
  }

  /// Reads three letters that no other letter follows.
  private mutating func name() -> UInt32? {
    guard !peek(3).isLetter, peek(3) < 0x80 else { return nil }
    let name = UInt32(peek()) << 16 | UInt32(peek(1)) << 8 | UInt32(peek(2))
    at += 3
    return name
  }

  private static func names(_ text: String) -> [UInt32] {
    text.split(separator: " ").map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private static let weekdays = names("Mon Tue Wed Thu Fri Sat Sun")
  private static let months = names("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
  private static let gmt = names("GMT").first
}
