internal import FeedModel
internal import Foundation

/// A date's text reduced to the characters that its reader distinguishes: ASCII digits, folded
/// letters, and control characters for East Asian units; with facts about its script.
struct DateText {
  /// Characters for `年月日時分秒` and their Korean counterparts after a number, and for signs of morning
  /// and afternoon before a time.
  enum Unit: UInt8 {
    case year = 1, month, day, hour, minute, second, morning, afternoon
  }

  private(set) var bytes: [UInt8]
  private(set) var isThai = false
  private(set) var hasPersianDigits = false
  private(set) var hasOtherDigits = false
  private(set) var hasOtherLetters = false
  var beginsWithEastAsianWord: Bool { bytes.first == UInt8(ascii: "|") && hasOtherLetters }
  /// Number of years before the first year of the text's era.
  private(set) var era: Int?

  init(_ source: Slice<UnsafeBufferPointer<UInt8>>) {
    guard source.contains(where: { $0 >= 0x80 }) else {
      bytes = source.map { $0 < 0x20 ? 0x20 : $0 }
      return
    }
    bytes = []
    let text = String(decoding: source, as: UTF8.self)
    era = Self.eras.first { text.contains($0.name) }?.years
    bytes = Array(Self.fold(scalars(of: text)).utf8)
  }

  /// Returns the calendar of a year; the script decides if none is named.
  func calendar(_ named: DateCalendar, ofYear year: Int) -> DateCalendar {
    if isThai, (2_400..<2_700).contains(year) { return .buddhist }
    if named == .gregorian, hasPersianDigits, year < 1_500 { return .persian }
    // Smaller years belong to other calendars, such as the Hijra's.
    if named == .gregorian, hasOtherDigits, year < 1_600 { return .unknown }
    return named
  }

  /// Returns lower-case letters without accents, for comparison with tables.
  static func fold(_ text: String, apostrophe: Unicode.Scalar = " ") -> String {
    var out = String.UnicodeScalarView()
    let scalars = Array(text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar.value {
      case 0x300...0x36F, 0x653...0x655, 0x64B...0x652, 0x640, 0x93C, 0x970, 0xAF0: break
      case 0x131: out.append("i")
      case 0x142: out.append("l")
      case 0x111: out.append("d")
      case 0xF8: out.append("o")
      case 0x3C2: out.append("σ")
      case 0x649, 0x6CC: out.append("\u{64A}")
      case 0x6A9: out.append("\u{643}")
      case 0x27, 0x60, 0xB4, 0x2B9, 0x2BC, 0x2018, 0x2019, 0x5F3: out.append(apostrophe)
      case 0x2E where isInitialsDot(scalars, index): break
      default: out.append(scalar)
      }
    }
    return String(out)
  }

  /// True for a full stop in initials: `p.m.`, `ม.ค.`.
  private static func isInitialsDot(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard index > 0, isLetter(scalars[index - 1]) else { return false }
    let next = scalars[(index + 1)...].prefix(3).prefix(while: isLetter).count
    return next == 1 || next == 2
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
  }

  // MARK: Digits and East Asian units

  private static let eras: [(name: String, years: Int)] = [
    ("令和", 2018), ("平成", 1988), ("昭和", 1925), ("民國", 1911), ("民国", 1911),
  ]

  private static let halves: [(name: [Unicode.Scalar], unit: Unit)] = [
    ("午前", .morning), ("上午", .morning), ("凌晨", .morning), ("早上", .morning), ("오전", .morning),
    ("午後", .afternoon), ("午后", .afternoon), ("下午", .afternoon), ("晚上", .afternoon),
    ("오후", .afternoon),
  ].map { (Array($0.unicodeScalars), $1) }

  private static let units: [Unicode.Scalar: Unit] = [
    "年": .year, "년": .year, "月": .month, "월": .month, "日": .day, "号": .day, "號": .day, "일": .day,
    "時": .hour, "时": .hour, "點": .hour, "点": .hour, "시": .hour, "分": .minute, "분": .minute,
    "秒": .second, "초": .second,
  ]

  private static let hanDigits: [Unicode.Scalar: Int] = [
    "〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "十": 10, "元": 1,
  ]

  private mutating func scalars(of text: String) -> String {
    let source = Array(text.unicodeScalars)
    var out = String.UnicodeScalarView()
    var index = 0
    /// True after a number and optional blanks.
    var isAfterNumber = false
    while index < source.count {
      let scalar = source[index]
      if scalar.value >= 0x3000,
        let half = Self.halves.first(where: { source[index...].starts(with: $0.name) })
      {
        out.append(Unicode.Scalar(half.unit.rawValue))
        index += half.name.count
        isAfterNumber = false
        continue
      }
      if isAfterNumber, let unit = Self.units[scalar] {
        out.append(Unicode.Scalar(unit.rawValue))
        isAfterNumber = false
      } else if Self.hanDigits[scalar] != nil, let (number, length) = Self.number(source[index...])
      {
        out.append(contentsOf: String(number).unicodeScalars)
        index += length
        isAfterNumber = true
        continue
      } else if let digit = Self.mayBeDigit(scalar) && scalar.properties.numericType == .decimal
        ? scalar.properties.numericValue.map({ Int($0) }) : nil
      {
        out.append(contentsOf: String(digit).unicodeScalars)
        isAfterNumber = true
        noteDigit(scalar)
      } else {
        let plain = Self.plain(scalar)
        if let plain { out.append(plain) }
        noteLetter(scalar)
        isAfterNumber = isAfterNumber && (plain == nil || plain == " ")
      }
      index += 1
    }
    return String(out)
  }

  private static func mayBeDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x660 || UInt8(truncatingIfNeeded: scalar.value).isDigit && scalar.isASCII
  }

  private mutating func noteDigit(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39, 0xFF10...0xFF19: break
    case 0x6F0...0x6F9: (hasPersianDigits, hasOtherDigits) = (true, true)
    case 0xE50...0xE59: (isThai, hasOtherDigits) = (true, true)
    default: hasOtherDigits = true
    }
  }

  private mutating func noteLetter(_ scalar: Unicode.Scalar) {
    if (0xE00...0xE7F).contains(scalar.value) { isThai = true }
    if scalar.value >= 0xAA, scalar.properties.isAlphabetic { hasOtherLetters = true }
  }

  /// Returns the value of Chinese numerals before a unit, and their count.
  private static func number(_ source: ArraySlice<Unicode.Scalar>) -> (value: Int, count: Int)? {
    let digits = source.prefix { hanDigits[$0] != nil }.compactMap { hanDigits[$0] }
    guard digits.count <= 4,
      let unit = source.dropFirst(digits.count).first(where: { $0 != " " }), units[unit] != nil
    else { return nil }
    guard digits.contains(10) else { return (digits.reduce(0) { $0 * 10 + $1 }, digits.count) }
    var value = 0
    for (index, digit) in digits.enumerated() {
      let isTens = index + 1 < digits.count && digits[index + 1] == 10
      value += digit == 10 ? (index == 0 ? 10 : 0) : isTens ? digit * 10 : digit
    }
    return (value, digits.count)
  }

  /// Returns the ASCII counterpart of a sign; `nil` if it means nothing in dates.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0..<0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: " "
    case 0x200B...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x61C, 0xFEFF, 0xAD: nil
    case 0x2212: "-"
    case 0x60C, 0x3001, 0xFF0C: ","
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
    // Names in these scripts add nothing to the numbers.
    case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3: "|"
    default: scalar
    }
  }
}

enum DateCalendar {
  case gregorian, buddhist, persian, unknown

  private static let solarHijri: Calendar = {
    var calendar = Calendar(identifier: .persian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// Returns days since 1970; `nil` for an impossible date.
  func days(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1 else { return nil }
    switch self {
    case .unknown: return nil
    case .buddhist: return Self.gregorian.days(year: year - 543, month: month, day: day)
    case .gregorian:
      // No feed means the years from 2500 to 2699, which are 1957 to 2156 of the Buddhist era.
      let year = (2_500..<2_700).contains(year) ? year - 543 : year
      // The calendar began in 1582; smaller years belong to other calendars.
      guard (1583...9999).contains(year), day <= DateParser.length(ofMonth: month, year: year)
      else { return nil }
      return CivilDate.days(year: year, month: month, day: day)
    case .persian:
      let parts = DateComponents(year: year, month: month, day: day)
      guard (1_300..<1_500).contains(year), let date = Self.solarHijri.date(from: parts),
        Self.solarHijri.component(.month, from: date) == month
      else { return nil }
      return Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    }
  }
}
