@testable import ArticleStore
@testable import CacheCore
@testable import Networking
@testable import SyncEngine

private let noon = Date(timeIntervalSince1970: 1_795_262_400)  // Sat 21 Nov 2026, 12:00 UTC

@Suite("The schedule of refreshes") struct RefreshScheduleTests {
  private func next(
    _ hints: UpdateHints? = nil, fresh: Double? = nil, retryAfter: Double? = nil,
    perDay: Double? = nil, own: Duration? = nil, jitter: Double = 0
  ) -> RefreshSchedule.Check {
    RefreshSchedule().next(
      after: noon, hints: hints, headers: CacheHints(freshFor: fresh, retryAfter: retryAfter),
      articlesPerDay: perDay, own: own, jitter: jitter)
  }

  private func wait(_ check: RefreshSchedule.Check) -> Double { check.at.timeIntervalSince(noon) }

  @Test("A feed without hints is checked hourly") func unhintedFeedIsHourly() {
    #expect(next() == .init(at: noon + 3_600, reasons: [.hourly]))
  }

  @Test("The longest of the hints decides") func longestHintDecides() {
    let check = next(UpdateHints(interval: 5_400), fresh: 7_200, perDay: 24)
    #expect(wait(check) == 7_200)
    #expect(check.reasons == [.freshFor(7_200), .interval(5_400), .articlesPerDay(24)])
  }

  @Test("A feed is checked at most hourly") func checksAtMostHourly() {
    #expect(wait(next(UpdateHints(interval: 60), fresh: 30, perDay: 500)) == 3_600)
  }

  @Test("A feed is checked at least weekly") func checksAtLeastWeekly() {
    #expect(wait(next(fresh: 365 * 86_400, jitter: 0.99)) == 7 * 86_400)
    #expect(wait(next(UpdateHints(interval: .infinity), fresh: .nan)) == 3_600)
  }

  @Test("The interval follows the number of articles per day") func learnsFromTheCadence() {
    #expect(wait(next(perDay: 6)) == 3_600)
    #expect(wait(next(perDay: 1)) == 21_600)
    #expect(wait(next(perDay: 0)) == 86_400)
    #expect(next(perDay: 0).reasons == [.articlesPerDay(0)])
    #expect(next(perDay: 0.3).reasons == [.articlesPerDay(0.3)])
    #expect(next(perDay: 1.0 / 28).reasons == [.articlesPerDay(1.0 / 28)])
  }

  @Test("A check avoids skipped hours") func leavesSkippedHours() {
    // 13:00 and 14:00 are skipped.
    let check = next(UpdateHints(skipHours: [13, 14]))
    #expect(wait(check) == 3 * 3_600)
    #expect(check.reasons == [.skippedHours])
    // Some feeds write midnight as 24.
    #expect(wait(next(UpdateHints(skipHours: [24]), own: .seconds(12 * 3_600))) == 13 * 3_600)
  }

  @Test("A late check avoids skipped hours, too") func lateCheckAvoidsSkipped() {
    func record(_ id: Int64, _ hints: UpdateHints?) -> FetchRecord {
      FetchRecord(
        feed: FeedID(rawValue: id), url: "http://a.example/", name: "A", updateHints: hints)
    }
    // It is noon.
    let late = RefreshSchedule().late(
      of: [
        record(1, UpdateHints(skipHours: [11, 12])), record(2, UpdateHints(skipHours: [11])),
        record(3, nil), record(4, UpdateHints(skipHours: Array(0...23))),
      ], at: noon)
    #expect(late.map(\.feed.rawValue) == [1])
    #expect(late.map { $0.at.timeIntervalSince(noon) } == [3_600])
    #expect(late.map(\.reasons) == [[.skippedHours]])
  }

  @Test("A check avoids skipped days") func leavesSkippedDays() {
    // Saturday is day 7, Sunday day 1: the check is on Monday, 00:00.
    let check = next(UpdateHints(skipDays: [7, 1]))
    #expect(wait(check) == 36 * 3_600)
    #expect(check.reasons == [.skippedDays])
  }

  @Test("A feed that skips every hour is still checked") func alwaysSkippedIsChecked() {
    #expect(wait(next(UpdateHints(skipHours: Array(0...23)))) == 3_600)
  }

  @Test("Each failure doubles the back-off") func failuresDoubleBackoff() {
    let schedule = RefreshSchedule()
    func wait(_ failures: Int, _ isTransient: Bool) -> Double {
      schedule.backOff(after: noon, failures: failures, isTransient: isTransient, jitter: 0).at
        .timeIntervalSince(noon)
    }
    #expect([1, 2, 3].map { wait($0, true) } == [3_600, 7_200, 14_400])
    #expect([1, 2, 3].map { wait($0, false) } == [21_600, 43_200, 86_400])
    #expect(wait(1_000_000, true) == 7 * 86_400)
    #expect(wait(-5, true) == 3_600)
  }

  @Test("Intervals and reasons change exactly at their bounds") func bounds() {
    #expect(next(fresh: 3_600).reasons == [.freshFor(3_600)])
    #expect(next(fresh: 3_599).reasons == [.hourly])
    #expect(next(fresh: 0).reasons == [.hourly])
    #expect(next(fresh: -5).reasons == [.hourly])
    #expect(next(fresh: 1e12).reasons == [.freshFor(1_000_000_000)])
    #expect(next(retryAfter: 7_200).reasons == [.retryAfter(7_200)])
    #expect(wait(next(retryAfter: 7_200)) == 7_200)
    #expect(wait(next(own: .seconds(900))) == 900)
    #expect(wait(next(fresh: 1_800, own: .seconds(900))) == 1_800)
    #expect(wait(next(fresh: 1_800, perDay: 1, own: .seconds(900))) == 1_800)
    // Less than a quarter of an article a day means a daily check.
    #expect(wait(next(perDay: 0.25)) == 86_400)
    #expect(wait(next(perDay: 0.5)) == 43_200)
    #expect(wait(next(UpdateHints(interval: 90_000), perDay: 0)) == 90_000)
  }

  @Test("Jitter is a tenth of the interval, at most a quarter of an hour") func jitterBounds() {
    #expect(wait(next(jitter: 0.5)) == 3_600 + 180)
    #expect(wait(next(fresh: 9_000, jitter: 0.5)) == 9_000 + 450)
    #expect(wait(next(fresh: 36_000, jitter: 0.5)) == 36_000 + 450)
    #expect(wait(next(fresh: 7 * 86_400 - 60, jitter: 0.5)) == 7 * 86_400)
  }

  @Test("A failed feed waits as long as the server says, at most a week") func retryAfter() {
    func check(
      _ failures: Int, _ seconds: Double?, hints: UpdateHints? = nil, jitter: Double = 0
    ) -> RefreshSchedule.Check {
      RefreshSchedule().backOff(
        after: noon, failures: failures, isTransient: true, retryAfter: seconds, hints: hints,
        jitter: jitter)
    }
    #expect(check(1, nil).reasons == [.failed(1)])
    #expect(check(0, nil).reasons == [.failed(1)])
    #expect(check(3, 60) == .init(at: noon + 14_400, reasons: [.failed(3)]))
    #expect(check(1, 3_600).reasons == [.failed(1)])
    #expect(check(1, 3_601) == .init(at: noon + 3_601, reasons: [.failed(1), .retryAfter(3_601)]))
    #expect(check(1, -1).reasons == [.failed(1)])
    #expect(check(1, .infinity).reasons == [.failed(1)])
    #expect(check(1, 1e12).reasons == [.failed(1), .retryAfter(1_000_000_000)])
    #expect(wait(check(1, 1e12)) == 7 * 86_400)
    #expect(wait(check(1, nil, jitter: 0.5)) == 3_600 + 180)
    #expect(wait(check(8, nil)) == 128 * 3_600)
    #expect(wait(check(9, nil)) == 7 * 86_400)
    #expect(wait(check(9, nil, jitter: 0.5)) == 7 * 86_400)
    #expect(
      check(1, nil, hints: UpdateHints(skipHours: [13])).reasons == [.failed(1), .skippedHours])
  }

  @Test("A pause adds a tenth of its wait, at least of a minute, and avoids skipped hours")
  func pauseBounds() {
    func check(_ seconds: Double, hints: UpdateHints? = nil) -> RefreshSchedule.Check {
      RefreshSchedule().afterPause(until: noon + seconds, now: noon, hints: hints, jitter: 0.5)
    }
    #expect(check(600) == .init(at: noon + 630, reasons: [.backoff(600)]))
    #expect(wait(check(60)) == 63)
    #expect(wait(check(10)) == 13)
    #expect(check(-10) == .init(at: noon - 10 + 3, reasons: [.backoff(0)]))
    #expect(wait(check(3_600, hints: UpdateHints(skipHours: [13]))) == 7_200)
  }

  @Test("Hours and days are numbered correctly, also before 1970") func hoursAndDays() {
    func allowed(_ date: Date, hours: [Int] = [], days: [Int] = []) -> Date? {
      RefreshSchedule.afterSkipped(date, UpdateHints(skipHours: hours, skipDays: days))
    }
    let midnight = Date(timeIntervalSince1970: 1_795_219_200)  // Saturday
    for hour in 0..<24 {
      let date = midnight + Double(hour) * 3_600 + 60
      #expect(allowed(date, hours: [hour]) == midnight + Double(hour + 1) * 3_600)
      #expect(allowed(date, hours: [(hour + 1) % 24]) == date)
    }
    for day in 0..<7 {
      // Saturday is day 7.
      let date = midnight + Double(day) * 86_400 + 60
      let number = (day + 6) % 7 + 1
      #expect(allowed(date, days: [number]) == midnight + Double(day + 1) * 86_400)
      #expect(allowed(date, days: [number % 7 + 1]) == date)
    }
    // 31 December 1969 was a Wednesday, day 4.
    let old = Date(timeIntervalSince1970: -3_600)
    #expect(allowed(old, hours: [23]) == Date(timeIntervalSince1970: 0))
    #expect(allowed(old, hours: [22]) == old && allowed(old, days: [5]) == old)
    #expect(allowed(old, days: [4]) == Date(timeIntervalSince1970: 0))
    #expect(allowed(noon) == noon && allowed(noon, hours: Array(0...23)) == nil)
    #expect(allowed(noon, days: Array(1...6)) == noon)
    // The first allowed hour may be almost a week later.
    #expect(
      allowed(noon, hours: Array(0...22), days: Array(2...7)) == midnight + 86_400 + 23 * 3_600)
  }

  @Test("Skipped hours delay a check by at most a week") func skippedForLong() {
    let hints = UpdateHints(interval: 7 * 86_400, skipDays: [7])
    // Saturday again; Sunday would be more than a week from now.
    #expect(wait(next(hints)) == 7 * 86_400)
  }

  @Test("The cadence of a new subscription is estimated from its document")
  func newCadenceIsEstimated() {
    func document(_ ages: [Double]) -> ParsedFeed {
      ParsedFeed(
        format: .rss,
        items: ages.enumerated().map {
          ParsedItem(id: "\($0.offset)", datePublished: noon - $0.element * 86_400)
        })
    }
    // Ten items within five days fill the whole document: two a day.
    let busy = document((1...10).map { Double($0) / 2 })
    #expect(Cadence.articlesPerDay(arrived: nil, document: busy, at: noon) == 2)
    let quiet = document([5, 200, 300])
    #expect(Cadence.articlesPerDay(arrived: nil, document: quiet, at: noon) == 1.0 / 28)
    #expect(Cadence.articlesPerDay(arrived: nil, document: document([90]), at: noon) == 0)
    #expect(Cadence.articlesPerDay(arrived: nil, document: document([]), at: noon) == nil)
    #expect(Cadence.articlesPerDay(arrived: 56, document: nil, at: noon) == 2)
    #expect(Cadence.articlesPerDay(arrived: 0, document: nil, at: noon) == 0)
    #expect(Cadence.articlesPerDay(arrived: nil, document: document([0.1, 0.2]), at: noon) == 2)
    // Dates in the future are ignored.
    #expect(
      Cadence.articlesPerDay(arrived: nil, document: document([-400, 3]), at: noon) == 1.0 / 28)
  }
}
