// Texts for the screens: failures, dates, amounts, undone changes. Plain sentences, made by
// functions without state.

public import Foundation

/// Dates and times in a reader's time zone, in words.
public struct DateWording: Sendable {
  public let now: Date
  public let timeZone: TimeZone

  public init(now: Date, timeZone: TimeZone) { (self.now, self.timeZone) = (now, timeZone) }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let fullMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Returns the civil day of an instant, in days since 1970-01-01.
  public func day(_ date: Date) -> Int { local(date).day }

  /// Clamps dates to the years 1…9999, since seconds of an extreme date do not fit an integer.
  private func local(_ date: Date) -> (day: Int, second: Int) {
    let clamped = min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: clamped))
    let seconds = Int(clamped.rounded(.down)) + offset
    let day = Int((Double(seconds) / 86_400).rounded(.down))
    return (day, seconds - day * 86_400)
  }

  private func weekday(_ day: Int) -> String {
    Self.weekdays[((day + 3) % 7 + 7) % 7]
  }

  /// Returns "now", "2m", "3h", "4d", "3w", "21 Nov" or, for other years, "2024": up to 6 columns.
  public func age(_ date: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    let (day, today) = (self.day(date), self.day(now))
    switch seconds {
    case -60..<60: return "now"
    case 60..<(.hours(1)): return "\(Int(seconds / 60))m"
    case .hours(1)..<(.days(1)): return "\(Int(seconds / .hours(1)))h"
    case .days(1)..<(.days(7)): return "\(Int(seconds / .days(1)))d"
    case .days(7)..<(.days(28)): return "\(Int(seconds / .days(7)))w"
    default:
      if day == today { return time(date) }
      let then = CivilDate.date(day: day)
      guard then.year == CivilDate.date(day: today).year else { return "\(then.year)" }
      return "\(then.day) \(Self.months[then.month - 1])"
    }
  }

  /// Returns the age in words: "just now", "2 hours ago" or "21 Nov 2026".
  public func ago(_ date: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    func words(_ unit: Double, _ one: String, _ many: String) -> String {
      AmountWording.count(Int(seconds / unit), one, many) + " ago"
    }
    switch seconds {
    case ..<(-60): return short(date)
    case ..<60: return "just now"
    case ..<(.hours(1)): return words(60, "minute", "minutes")
    case ..<(.days(1)): return words(.hours(1), "hour", "hours")
    case ..<(.days(7)): return words(.days(1), "day", "days")
    default: return short(date)
    }
  }

  /// The minimum number of rows for which a period gets a heading.
  public static let leastRowsOfPeriod = 5

  /// Returns the civil day on which the period of a date begins: each of the last seven days is a
  /// period, then each month of a year, then each year.
  public func period(_ date: Date) -> Int {
    let day = self.day(date)
    if self.day(now) - day < 7 { return day }
    let then = CivilDate.date(day: day)
    return CivilDate.days(
      year: then.year, month: isWithinYear(then.year, then.month) ? then.month : 1, day: 1)
  }

  /// Returns the heading of a period: "today", "yesterday", "Wed 18 Nov", "October", "2024".
  public func heading(period: Int) -> String {
    let today = self.day(now)
    switch today - period {
    case 0: return "today"
    case 1: return "yesterday"
    case -1: return "tomorrow"
    default:
      let then = CivilDate.date(day: period)
      if !isWithinYear(then.year, then.month) { return "\(then.year)" }
      if today - period >= 7 { return Self.fullMonths[then.month - 1] }
      let short = "\(weekday(period)) \(then.day) \(Self.months[then.month - 1])"
      return then.year == CivilDate.date(day: today).year ? short : short + " \(then.year)"
    }
  }

  /// Returns true for the last twelve months, each of which has another name, and for later ones.
  private func isWithinYear(_ year: Int, _ month: Int) -> Bool {
    let today = CivilDate.date(day: day(now))
    return (today.year - year) * 12 + today.month - month < 12
  }

  /// Returns text like "10:52".
  public func time(_ date: Date) -> String {
    let second = local(date).second
    return Self.two(second / 3_600) + ":" + Self.two(second / 60 % 60)
  }

  /// Returns "10:52", "tomorrow 10:52", "Wed 10:52" or "3 Dec 10:52", for future and past events.
  public func moment(_ date: Date) -> String {
    let (day, today) = (self.day(date), self.day(now))
    switch day - today {
    case 0: return time(date)
    case 1: return "tomorrow \(time(date))"
    case -1: return "yesterday \(time(date))"
    case 2...6: return "\(weekday(day)) \(time(date))"
    default:
      let then = CivilDate.date(day: day)
      let short = "\(then.day) \(Self.months[then.month - 1])"
      guard then.year == CivilDate.date(day: today).year else { return "\(short) \(then.year)" }
      return "\(short) \(time(date))"
    }
  }

  /// Returns text like "today 10:40", "yesterday 10:40" or "2 Jan 2021".
  public func short(_ date: Date) -> String {
    let day = self.day(date)
    if (0...1).contains(self.day(now) - day) { return "\(heading(period: day)) \(time(date))" }
    let then = CivilDate.date(day: day)
    return "\(then.day) \(Self.months[then.month - 1]) \(then.year)"
  }

  /// Returns text like "Sat 21 Nov 2026, 10:40".
  public func full(_ date: Date) -> String {
    let day = self.day(date)
    let then = CivilDate.date(day: day)
    return "\(weekday(day)) \(then.day) \(Self.months[then.month - 1]) \(then.year), \(time(date))"
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Amounts with their units, and lists.
public enum AmountWording {
  /// Returns "a", "a and b" or "a, b and c".
  public static func list(_ names: [String], _ conjunction: String = "and") -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }

  /// Returns text like "1 feed", "12 feeds" or "1,000 feeds".
  public static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(grouped(number)) \(number == 1 ? one : many)"
  }

  public static func articles(_ number: Int) -> String { count(number, "article", "articles") }
  public static func feeds(_ number: Int) -> String { count(number, "feed", "feeds") }
  public static func changes(_ number: Int) -> String { count(number, "change", "changes") }

  /// Returns the amounts above zero, like "3 failed" and "1,200 waiting".
  public static func some(_ amounts: [(Int, String)]) -> [String] {
    amounts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
  }

  /// Returns text like "1,000,000".
  public static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    parts.insert(digits, at: 0)
    return (number < 0 ? "-" : "") + parts.joined(separator: ",")
  }

  /// Returns text like "812 B", "48 kB" or "1.4 MB", in powers of ten like network speeds.
  public static func bytes(_ number: Double) -> String {
    guard number.isFinite, number > 0 else { return "0 B" }
    if number < 1_000 { return "\(Int(number)) B" }
    for (limit, unit) in [(1e6, "kB"), (1e9, "MB"), (1e12, "GB")] where number < limit {
      let value = number / (limit / 1_000)
      if value < 9.95 {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      return "\(min(999, Int(value.rounded()))) \(unit)"
    }
    return "\(Int(min(number / 1e12, 9_999))) TB"
  }

  public static func rate(_ bytesPerSecond: Double) -> String { bytes(bytesPerSecond) + "/s" }

  /// Returns text like "47 min", "1 h 02" or, from 100 hours on, "12 days".
  public static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "" }
    guard seconds < 360_000 else {
      return count(Int(min(seconds / 86_400, 1e6).rounded()), "day", "days")
    }
    let minutes = Int((seconds / 60).rounded())
    if minutes < 60 { return "\(max(1, minutes)) min" }
    return "\(minutes / 60) h \(DateWording.two(minutes % 60))"
  }
}
