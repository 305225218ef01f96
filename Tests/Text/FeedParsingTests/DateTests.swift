@Suite("Dates") struct DateTests {
  private func date(_ text: String) throws -> Date? {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return try parse(rss("<item><pubDate>\(escaped)</pubDate></item>")).items.first?.datePublished
  }

  @Test(
    "A date in a form that feeds use is read",
    arguments: [
      // RFC 822 and RFC 2822.
      ("Mon, 01 Jul 2024 12:00:00 GMT", "2024-07-01T12:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 +0530", "2024-07-01T06:30:00Z"),
      ("Mon, 1 Jul 2024 12:00 EST", "2024-07-01T17:00:00Z"),
      ("1 Jul 24 12:00:00 PDT", "2024-07-01T19:00:00Z"),
      ("01 Jul 99 12:00:00 Z", "1999-07-01T12:00:00Z"),
      ("Monday, 01-Jul-24 12:00:00 UT", "2024-07-01T12:00:00Z"),
      ("Tue, 01 Jul 2024 12:00:00 GMT", "2024-07-01T12:00:00Z"),
      ("Thu, 05 Sept 2024 10:00:00 -00:30", "2024-09-05T10:30:00Z"),
      ("  Mon,01 July 2024 12:00:00   gmt ", "2024-07-01T12:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 GMT+02:00", "2024-07-01T10:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 Etc/GMT", "2024-07-01T12:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 XYZ", "2024-07-01T12:00:00Z"),
      // Offsets with 60 minutes or more.
      ("Mon, 01 Jul 2024 12:00:00 +0160", "2024-07-01T10:00:00Z"),
      ("2024-07-01T12:00:00-04:90", "2024-07-01T17:30:00Z"),
      // Offsets that no place has count as UTC.
      ("Mon, 01 Jul 2024 12:00:00 +3000", "2024-07-01T12:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 -9900", "2024-07-01T12:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 GMT+30:00", "2024-07-01T12:00:00Z"),
      ("Mon, 01 Jul 2024 12:00:00 +0099", "2024-07-01T12:00:00Z"),
      ("2024-07-01T12:00:00+30:00", "2024-07-01T12:00:00Z"),
      ("2024-07-01T12:00:00-2500", "2024-07-01T12:00:00Z"),
      ("20240701120000+9900", "2024-07-01T12:00:00Z"),
      ("Mon Jul 01 12:00:00 +3000 2024", "2024-07-01T12:00:00Z"),
      ("July 1, 2024 12:00 PM +3000", "2024-07-01T12:00:00Z"),
      ("Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00Z"),
      ("Mon, 01 Jul 2024 24:00:00 GMT", "2024-07-02T00:00:00Z"),
      ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
      // RFC 3339, W3CDTF, ISO 8601.
      ("2024-07-01T12:00:00Z", "2024-07-01T12:00:00Z"),
      ("2024-07-01T12:00:00.123456789+02:00", "2024-07-01T10:00:00Z"),
      ("2024-07-01t12:00z", "2024-07-01T12:00:00Z"),
      ("2024-07-01 12:00:00 UTC", "2024-07-01T12:00:00Z"),
      ("2024-07-01 12:00:00 -0700", "2024-07-01T19:00:00Z"),
      ("2024-07-01T12:00:00−02:00", "2024-07-01T14:00:00Z"),
      ("2024-07-01", "2024-07-01T00:00:00Z"), ("2024-07", "2024-07-01T00:00:00Z"),
      ("2024", "2024-01-01T00:00:00Z"), ("2024-183", "2024-07-01T00:00:00Z"),
      ("20240701", "2024-07-01T00:00:00Z"), ("20240701T120000Z", "2024-07-01T12:00:00Z"),
      ("2024/07/01 12:00", "2024-07-01T12:00:00Z"),
      // Forms of C, JavaScript, Twitter and people.
      ("Mon Jul  1 12:00:00 2024", "2024-07-01T12:00:00Z"),
      ("Mon Jul 01 2024 12:00:00 +0200", "2024-07-01T10:00:00Z"),
      ("Mon Jul 01 12:00:00 +0000 2024", "2024-07-01T12:00:00Z"),
      ("Mon Jul 01 2024 12:00:00 GMT+0200 (CEST)", "2024-07-01T10:00:00Z"),
      ("July 1, 2024 12:00 PM", "2024-07-01T12:00:00Z"),
      ("July 1, 2024 1:30 am EDT", "2024-07-01T05:30:00Z"),
      ("July 1st, 2024", "2024-07-01T00:00:00Z"), ("1 July 2024", "2024-07-01T00:00:00Z"),
      ("07/13/2024 03:04:05 PM", "2024-07-13T15:04:05Z"), ("13/07/2024", "2024-07-13T00:00:00Z"),
      ("1.7.2024 12:00", "2024-07-01T12:00:00Z"),
      ("Fri, 2006-09-15 08:19:53 EDT", "2006-09-15T12:19:53Z"),
      ("1719835200", "2024-07-01T12:00:00Z"), ("1719835200000", "2024-07-01T12:00:00Z"),
      // Other languages.
      ("Mo, 01 März 2024 12:00:00 +0100", "2024-03-01T11:00:00Z"),
      ("lun., 01 juil. 2024 12:00:00 +0200", "2024-07-01T10:00:00Z"),
      ("1 de julio de 2024", "2024-07-01T00:00:00Z"),
      ("Пн, 01 июл 2024 12:00:00 +0300", "2024-07-01T09:00:00Z"),
      ("1 de julio de 2024, 3:04 p. m.", "2024-07-01T15:04:00Z"),
      ("2024. július 1. du. 3:04", "2024-07-01T15:04:00Z"),
      ("2024年7月1日下午3时4分5秒", "2024-07-01T15:04:05Z"),
      ("2024/7/1(月) 12:30", "2024-07-01T12:30:00Z"), ("1 jul 2024 12.30", "2024-07-01T12:30:00Z"),
      ("Le 1er juillet 2024 à 12h", "2024-07-01T12:00:00Z"),
      ("July 1, 2024 3:04 p.m.", "2024-07-01T15:04:00Z"),
      ("Posted on Febuary 1, 2024 by admin", "2024-02-01T00:00:00Z"),
    ])
  func aDateIsUnderstood(text: String, meant: String) throws {
    #expect(try date(text) == instant(meant))
  }

  @Test("Dates in thirty languages are read, and none is read wrongly")
  func datesOfLanguages() throws {
    let lines = String(decoding: try fixture("dates-of-languages.tsv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    try #require(lines.count == 528)
    let dates = try parse(rss(lines.map { "<item><pubDate>\($0[2])</pubDate></item>" }.joined()))
      .items.map(\.datePublished)
    for (line, date) in zip(lines, dates) where date != instant(line[1]) {
      Issue.record("\(line[0]): \(line[2]) is \(date?.formatted(.iso8601) ?? "none")")
    }
  }

  @Test("Named zones, weeks, eras and forms of servers are read, and an open order is none")
  func datesOfServers() throws {
    let lines = String(decoding: try fixture("dates-of-servers.tsv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    try #require(lines.count >= 100)
    for line in lines where try date(line[0]) != instant(line[1]) {
      Issue.record("\(line[0]): \(line[1]) is \(try date(line[0])?.formatted(.iso8601) ?? "none")")
    }
  }

  @Test(
    "A word that is a weekday and a month is the weekday if another word is the month",
    arguments: [
      ("mar, 20 ago 2024", "2024-08-20"), ("mar., 20 août 2024", "2024-08-20"),
      ("mardi 20 août 2024", "2024-08-20"), ("mar, 3 mar 2026", "2026-03-03"),
      ("mar 20, 2024", "2024-03-20"), ("mar., 20 aug. 2024", "2024-08-20"),
      ("martes, agosto 20, 2024", "2024-08-20"), ("20 ago 2024, mar", "2024-08-20"),
      ("sht, 7 sht 2024", "2024-09-07"), ("mar, 3 sht 2024", "2024-09-03"),
      ("mar 20/08/2024", "2024-08-20"), ("mar, 03/09/2024", "2024-09-03"),
      ("Сер, 21 сер 2024", "2024-08-21"), ("marraskuuta 5, 2024", "2024-11-05"),
    ])
  func weekdayOrMonth(text: String, meant: String) throws {
    #expect(try date(text) == instant(meant + "T00:00:00Z"))
  }

  @Test(
    "A month name with two meanings is decided by the weekday and by full stops",
    arguments: [
      ("15 listopada 2024", "2024-11-15"), ("15. listopada 2024.", "2024-10-15"),
      ("pon, 14 lis 2024", "2024-10-14"), ("czw., 14 lis 2024", "2024-11-14"),
      ("út, 20 srp 2024", "2024-08-20"), ("15. lis 2024.", "2024-10-15"),
      // The weekday fits neither, or there is none.
      ("pon, 15 lis 2024", nil), ("15 lis 2024", nil), ("20 srp 2024", nil), ("20. srp 2024", nil),
      ("March 5 April 2024", nil), ("mar, 03/10/2024", nil), ("24. 8. 20.", nil),
    ])
  func monthOfTwoLanguages(text: String, meant: String?) throws {
    #expect(try date(text) == meant.flatMap { instant($0 + "T00:00:00Z") })
  }

  @Test(
    "Numbers beside a date change neither its day nor its year",
    arguments: [
      ("March 5, 2024 (3 min read)", "2024-03-05"), ("Week 10: 5 March 2024", nil),
      ("Vol. 3 No. 2, 5 March 2024", nil), ("T3, 05 Th3 2024", nil),
      ("2ª feira, 4 mar 2024", nil), ("3.ª feira, 5 de março de 2024", nil), ("R6.3.5", nil),
      // Years of the solar and the lunar Hijri calendar.
      ("1403/12/15", nil), ("1446-02-15", nil),
    ])
  func otherNumbers(text: String, meant: String?) throws {
    #expect(try date(text) == meant.flatMap { instant($0 + "T00:00:00Z") })
  }

  @Test(
    "Times with full stops, with an hour only, and with a word or letter for the hour are read",
    arguments: [
      ("5.3.2024 klo 9.05", "2024-03-05T09:05"), ("05.03.2024 09.05 Uhr", "2024-03-05T09:05"),
      ("2024.03.05 9.05", "2024-03-05T09:05"), ("7pm 3 May 2024", "2024-05-03T19:00"),
      ("05-MAR-24 10.30.00.000000 PM", "2024-03-05T22:30"),
      ("Tue, Mar 5 2024, 7 p.m.", "2024-03-05T19:00"),
      ("June 23rd, 2024, 12am", "2024-06-23T00:00"),
      ("5 March 2024, 12 noon", "2024-03-05T12:00"), ("12 noon, 5 March 2024", "2024-03-05T12:00"),
      ("3/5/2024, 12 noon", "2024-03-05T12:00"), ("tirsdag 5. mars 2024 kl. 9", "2024-03-05T09:00"),
      ("kl. 9 5. mars 2024", "2024-03-05T09:00"), ("kl. 9.05 5. mars 2024", "2024-03-05T09:05"),
      ("kl 9, tirsdag 5. mars 2024", "2024-03-05T09:00"), ("kl. 5 mars 2024", "2024-03-05T00:00"),
      ("5 mars 2024 klockan 17", "2024-03-05T17:00"), ("5.3.2024 klo 9", "2024-03-05T09:00"),
      ("5. März 2024, 9 Uhr", "2024-03-05T09:00"), ("5. März 2024, 9 Uhr 30", "2024-03-05T09:30"),
      ("Dienstag, 05.03.2024 um 17 Uhr", "2024-03-05T17:00"),
      ("9 uur, 5 maart 2024", "2024-03-05T09:00"), ("5 marca 2024, godz. 9", "2024-03-05T09:00"),
      ("05/03/2024 9 Uhr", "2024-03-05T09:00"),
      // A time in this form excludes a date with the month first.
      ("05/03/2024 - 09h05", "2024-03-05T09:05"),
    ])
  func otherTimes(text: String, meant: String) throws {
    #expect(try date(text) == instant(meant + ":00Z"))
  }

  @Test(
    "Years of other calendars are converted if the text names the calendar",
    arguments: [
      ("20 สิงหาคม พ.ศ. 2567", "2024-08-20"), ("๒๐ ส.ค. ๒๕๖๗", "2024-08-20"),
      ("20 ส.ค. 67", "2024-08-20"), ("20 ส.ค. 2024", "2024-08-20"), ("20 ส.ค. 24", nil),
      ("۳۰ مرداد ۱۴۰۳", "2024-08-20"), ("۱۴۰۳/۰۵/۳۰", "2024-08-20"),
      ("30 مرداد 1403", "2024-08-20"), ("۳۰ اسفند ۱۴۰۲", nil),
      ("١٥ صفر ١٤٤٦", nil), ("١٤٤٦/٠٢/١٥", nil), ("令和6年8月20日", "2024-08-20"),
      ("民國113年8月20日", "2024-08-20"), ("二〇二四年八月二十日", "2024-08-20"),
      ("2024年十二月三十一日", "2024-12-31"), ("2024年13月1日", nil),
    ])
  func otherCalendars(text: String, meant: String?) throws {
    #expect(try date(text) == meant.flatMap { instant($0 + "T00:00:00Z") })
  }

  @Test(
    "An invalid date is not read",
    arguments: [
      "", "   ", "yesterday", "Fri, 30 Feb 2024 12:00:00 GMT", "Sun, 99 Jun 2009 12:00:00 GMT",
      "2024-13-01", "2024-02-30T00:00:00Z", "2024-07-01T25:00:00Z", "12:00:00", "Mon, Jul",
      "0001-01-01T00:00:00Z", "99999999999999999999", "-", "T", "Sun, 16 zzz 2012 11:47:32 GMT",
      "2024-", "2024-07-", "////", "\u{1F600}", "1", "Jan Jan Jan",
    ])
  func whatIsNoDateIsNone(text: String) throws {
    #expect(try date(text) == nil)
  }

  @Test("Dates across four centuries are written as they are read")
  func fourCenturiesOfDates() throws {
    // One parse reads all dates, because 146,097 parses would be too slow; a prime step reaches all
    // months.
    var items = ""
    var expected: [Date] = []
    for day in stride(from: -100_000, to: 46_097, by: 97) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
      expected.append(date)
      items += "<item><pubDate>\(date.formatted(.iso8601))</pubDate></item>"
    }
    let feed = try parse(rss(items))
    #expect(feed.items.map(\.datePublished) == expected)
    let again = try FeedParser.parse(jsonFeed(feed))
    #expect(again.items.map(\.datePublished) == expected)
  }

  @Test("A valid pubDate is preferred to dc:date") func theBetterVocabularyWins() throws {
    let feed = try parse(
      rss(
        "<item><dc:date>2001-01-01</dc:date><pubDate>2 Jan 2002</pubDate></item>"
          + "<item><pubDate>soon</pubDate><dc:date>2001-01-01</dc:date></item>",
        declarations: "xmlns:dc='http://purl.org/dc/elements/1.1/'"))
    #expect(
      feed.items.map(\.datePublished)
        == [instant("2002-01-02T00:00:00Z"), instant("2001-01-01T00:00:00Z")])
  }

  @Test("A full stop after a date in a standard form does not change the date")
  func standardForms() throws {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    var texts: [String] = []
    for number in 0..<600 {
      let (year, month, day) = (1_980 + number % 80, number * 7 % 12, number * 11 % 32)
      let time = "\(two(number * 5 % 25)):\(two(number * 13 % 60)):\(two(number * 17 % 61))"
      let offset = ["+\(two(number % 26))30", "-0700", "GMT", "Z", "EST"][number % 5]
      let weekday = number.isMultiple(of: 2) ? "Mon, " : ""
      texts.append("\(weekday)\(day) \(months[month]) \(year) \(time) \(offset)")
      let zone = ["Z", "+\(two(number % 26)):30", ".125-04:00", ""][number % 4]
      texts.append("\(year)-\(two(month + 1))-\(two(day))T\(time)\(zone)")
    }
    func dates(_ texts: [String]) throws -> [Date?] {
      try parse(rss(texts.map { "<item><pubDate>\($0)</pubDate></item>" }.joined())).items
        .map(\.datePublished)
    }
    let found = try dates(texts)
    #expect(found.count == texts.count)
    #expect(try found == dates(texts.map { $0 + " ." }))
    #expect(found.count { $0 != nil } > 1_000)
  }
}
