@testable import Networking

@Suite("The stall meter") struct StallMeterTests {
  @Test("A transfer that stops completely ends after the silence, and not before")
  func fullStopEnds() {
    var meter = StallMeter(silence: 20, now: 0)
    var ended: Double?
    // 5,000 bytes a second for 29 seconds, then none.
    for tick in stride(from: 0.0, through: 60, by: 0.5) where ended == nil {
      if meter.isStalled(now: tick, total: Int64(min(tick, 29) * 5_000)) { ended = tick }
    }
    #expect((48...51).contains(ended ?? 0))
  }

  @Test("A trickle counts as a stall, and a slow flow does not") func trickleEnds() {
    for (rate, stalls) in [(99.0, true), (1, true), (101, false)] {
      var meter = StallMeter(silence: 20, now: 0)
      var hasStalled = false
      for tick in stride(from: 0.0, through: 60, by: 0.25) {
        hasStalled = hasStalled || meter.isStalled(now: tick, total: Int64(tick * rate))
      }
      #expect(hasStalled == stalls, "\(rate)")
    }
  }

  @Test("Time in which nothing was measured does not count") func unmeasuredTimeIsIgnored() {
    var meter = StallMeter(silence: 20, now: 0)
    var verdicts = [meter.isStalled(now: 0, total: 0)]
    verdicts.append(meter.isStalled(now: 10_000, total: 10))
    verdicts.append(meter.isStalled(now: 10_001, total: 10))
    #expect(verdicts == [false, false, false])
  }
}
