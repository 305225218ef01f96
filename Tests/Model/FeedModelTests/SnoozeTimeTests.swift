@Suite("Times until which users snooze") struct SnoozeTimeTests {
  private func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private func format(_ date: Date?, _ zone: TimeZone) -> String? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = zone
    formatter.dateFormat = "EEE yyyy-MM-dd HH:mm"
    return date.map(formatter.string)
  }

  /// Resolves a text at 10:30:20 on a Wednesday in Vienna.
  private func wednesday(_ text: String) throws -> String? {
    let calendar = try calendar("Europe/Vienna")
    let now = try #require(
      calendar.date(
        from: DateComponents(year: 2026, month: 11, day: 25, hour: 10, minute: 30, second: 20)))
    return format(SnoozeTime.date(text, after: now, calendar), calendar.timeZone)
  }

  private static let times: [(String, String)] = [
    ("2h", "Wed 2026-11-25 12:31"), ("24h", "Thu 2026-11-26 10:31"),
    ("1d", "Thu 2026-11-26 08:00"), ("3d", "Sat 2026-11-28 08:00"),
    ("3d 18:15", "Sat 2026-11-28 18:15"), ("2w", "Wed 2026-12-09 08:00"),
    ("tomorrow", "Thu 2026-11-26 08:00"), ("tomorrow 18:00", "Thu 2026-11-26 18:00"),
    ("Tomorrow  9:05", "Thu 2026-11-26 09:05"), ("today 20:00", "Wed 2026-11-25 20:00"),
    ("20:00", "Wed 2026-11-25 20:00"), ("10:30", "Thu 2026-11-26 10:30"),
    ("10:31", "Wed 2026-11-25 10:31"), ("0:00", "Thu 2026-11-26 00:00"),
    ("mon", "Mon 2026-11-30 08:00"), ("Monday 9:30", "Mon 2026-11-30 09:30"),
    ("thu", "Thu 2026-11-26 08:00"), ("tues", "Tue 2026-12-01 08:00"),
    ("wed", "Wed 2026-12-02 08:00"), ("wed 18:00", "Wed 2026-11-25 18:00"),
    ("sun", "Sun 2026-11-29 08:00"), ("2026-12-24", "Thu 2026-12-24 08:00"),
    ("2026-12-24 9:30", "Thu 2026-12-24 09:30"), ("2026-11-25 18:00", "Wed 2026-11-25 18:00"),
    ("2028-2-29", "Tue 2028-02-29 08:00"), ("520w", "Wed 2036-11-12 08:00"),
  ]

  @Test("A typed time is the next such time", arguments: times)
  func valid(text: String, expected: String) throws { #expect(try wednesday(text) == expected) }

  private static let noTimes: [String] = [
    "", " ", "2", "h", "0h", "-2h", "2m", "99999d", "24:00", "9:60", "9.30", "8", "mo", "monde",
    "2026-11-24", "2026-11-25 8:00", "2027-02-29", "2026-13-01", "2040-01-01", "24.12.2026",
    "tomorrow mon", "2h 9:00", "mon 8", "8:00 mon", "yesterday", "9:00 10:00",
  ]

  @Test("An invalid text and a past date are no time", arguments: noTimes)
  func invalid(text: String) throws { #expect(try wednesday(text) == nil) }

  private static let changes: [(String, String, String, Double)] = [
    ("Europe/Vienna", "2026-03-28", "Sun 2026-03-29 08:00", 21),
    ("Europe/Vienna", "2026-10-24", "Sun 2026-10-25 08:00", 23),
    ("America/New_York", "2026-03-07", "Sun 2026-03-08 08:00", 21),
    ("Australia/Lord_Howe", "2026-10-03", "Sun 2026-10-04 08:00", 21.5),
    ("Asia/Kolkata", "2026-03-28", "Sun 2026-03-29 08:00", 22),
  ]

  @Test("8:00 stays 8:00 across both changes of daylight-saving time", arguments: changes)
  func daylight(zone: String, day: String, expected: String, hours: Double) throws {
    let calendar = try calendar(zone)
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let now = try #require(
      calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 10)))
    let date = try #require(SnoozeTime.date("tomorrow", after: now, calendar))
    #expect(format(date, calendar.timeZone) == expected)
    #expect(date.timeIntervalSince(now) == hours * 3_600)
  }

  @Test("A skipped time becomes the first after the gap, and a repeated one its first occurrence")
  func gap() throws {
    let calendar = try calendar("Europe/Vienna")
    let before = try #require(
      calendar.date(from: DateComponents(year: 2026, month: 3, day: 28, hour: 12)))
    let skipped = SnoozeTime.date("tomorrow 2:30", after: before, calendar)
    #expect(format(skipped, calendar.timeZone) == "Sun 2026-03-29 03:00")
    let autumn = try #require(
      calendar.date(from: DateComponents(year: 2026, month: 10, day: 24, hour: 12)))
    let double = try #require(SnoozeTime.date("tomorrow 2:30", after: autumn, calendar))
    #expect(double.timeIntervalSince(autumn) == 14.5 * 3_600)
  }
}
