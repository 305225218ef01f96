@Suite("Dates that users type") struct CalendarDayTests {
  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    return calendar
  }

  @Test(
    "A day ends when the next begins, also on days when daylight saving time changes",
    arguments: [
      ("2026-12-31", "2026-12-31T23:00:00Z"), ("2028-02-29", "2028-02-29T23:00:00Z"),
      ("2026-3-29", "2026-03-29T22:00:00Z"), ("2026-10-25", "2026-10-25T23:00:00Z"),
    ])
  func ends(text: String, end: String) throws {
    #expect(CalendarDay.end(of: text, in: calendar) == (try Date(end, strategy: .iso8601)))
  }

  @Test(
    "Text that is not a valid date is rejected",
    arguments: [
      "2026-02-29", "2026-02-31", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
      "1969-12-31", "10000-01-01", "2026-12", "2026-12-31-1", "", "tomorrow",
    ])
  func isNone(text: String) {
    #expect(CalendarDay.end(of: text, in: calendar) == nil)
  }
}
