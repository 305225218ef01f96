@testable import SyncEngine

@Suite("Back-off of the store") struct StoreBackoffTests {
  @Test("Failures during a wait do not extend it") func duringAWait() {
    var backoff = StoreBackoff()
    #expect(!backoff.isActive)
    backoff.failed(at: .at(0))
    #expect(backoff.isActive && backoff.until?.seconds == 30)
    backoff.failed(at: .at(29))
    #expect(backoff.until?.seconds == 30)
    backoff.failed(at: .at(30))
    #expect(backoff.until?.seconds == 90)
  }

  @Test("Each wait is twice the previous one, up to an hour") func doubling() {
    var backoff = StoreBackoff()
    var now = 0.0
    var waits: [Double] = []
    for _ in 0..<9 {
      backoff.failed(at: .at(now))
      let until = backoff.until?.seconds ?? 0
      waits.append(until - now)
      now = until
    }
    #expect(waits == [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  }

  @Test("A failure long after the last one waits like the first") func longAfter() {
    func wait(after seconds: Double) -> Double? {
      var backoff = StoreBackoff()
      backoff.failed(at: .at(0))
      backoff.end()
      #expect(!backoff.isActive)
      backoff.failed(at: .at(seconds))
      return backoff.until.map { $0.seconds - seconds }
    }
    #expect(wait(after: 89) == 60)
    #expect(wait(after: 90) == 30)
  }

  @Test("A refresh that was written resets the next wait to the shortest") func written() {
    var backoff = StoreBackoff()
    backoff.failed(at: .at(0))
    backoff.failed(at: .at(30))
    backoff.wroteRefresh()
    backoff.failed(at: .at(90))
    #expect(backoff.until?.seconds == 120)
  }

  @Test("A user's write shortens a long wait to the shortest") func hastened() {
    var backoff = StoreBackoff()
    backoff.hasten()
    #expect(!backoff.isActive)
    backoff.failed(at: .at(0))
    backoff.hasten()
    #expect(backoff.until?.seconds == 30)
    backoff.failed(at: .at(30))
    backoff.hasten()
    #expect(backoff.until?.seconds == 60)
  }
}
