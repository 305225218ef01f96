@testable import Networking

@Suite("The time budget") struct TimeBudgetTests {
  /// Returns when an exchange that receives this many bytes per second has used its 600 seconds, or
  /// `nil` if not within a day.
  private func end(_ rate: Double) -> Double? {
    var budget = TimeBudget(seconds: 600, now: 0)
    return stride(from: 0.0, through: 86_400, by: 1).first { now in
      budget.isSpent(now: now, total: Int64(now * rate))
    }
  }

  @Test("Received bytes extend the time budget") func whatComesEarnsTime() {
    #expect(end(0) == 601)
    // A rate that the stall meter barely accepts.
    #expect((700...800).contains(end(101) ?? 0))
    #expect(end(500) == nil)
    #expect(end(5_000) == nil)
  }

  @Test("A trickle of 1,000 B/s ends if 2,000 B/s are required") func faster() {
    var budget = TimeBudget(seconds: 20, bytesPerSecond: 2_000, now: 0)
    let end = stride(from: 0.0, through: 600, by: 0.5).first { now in
      budget.isSpent(now: now, total: Int64(now * 1_000))
    }
    #expect((40...41).contains(end ?? 0))
  }

  @Test("A long time in which nothing was measured barely counts") func longGapBarelyCounts() {
    var budget = TimeBudget(seconds: 600, now: 0)
    // The process was stopped, or the machine slept.
    let verdicts = [1.0, 4_000, 4_001].map { budget.isSpent(now: $0, total: 0) }
    #expect(verdicts == [false, false, false])
  }

  @Test("Time in which the transfer is held does not count") func pausedTimeIsIgnored() {
    var budget = TimeBudget(seconds: 10, now: 0)
    budget.setPaused(true, now: 5)
    var verdicts = [budget.isSpent(now: 1_000, total: 0)]
    budget.setPaused(false, now: 1_000)
    for now in [1_004.0, 1_006] { verdicts.append(budget.isSpent(now: now, total: 0)) }
    #expect(verdicts == [false, false, true])
  }
}
