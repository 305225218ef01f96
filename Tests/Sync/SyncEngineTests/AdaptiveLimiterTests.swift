@testable import NetworkMeasurement

@Suite("The adaptive limiter") struct AdaptiveLimiterTests {
  private let much = NetworkDemand(waiting: 1_000, hosts: 500)

  @Test("Background work and prefetching pause on a worse connection and resume later")
  func prefetchPausesAndResumes() {
    var limiter = AdaptiveLimiter(ceiling: 64)
    limiter.estimate.set(.good)
    limiter.operationStarted(1, .background, at: 0)
    limiter.operationStarted(2, .prefetch, at: 0)
    limiter.operationStarted(3, .prefetch, at: 0)
    for id: OperationID in [1, 2] {
      limiter.observed(.requesting, by: id, at: 0.1)
      limiter.observed(.firstByte(0.2), by: id, at: 0.2)
    }
    limiter.estimate.set(.fair)
    #expect(Set(limiter.tick(at: 0.3, demand: much)) == [.pause(2), .requeue(3)])
    limiter.estimate.set(.poor)
    #expect(limiter.tick(at: 0.4, demand: much) == [.pause(1)])
    limiter.operationEnded(3, .cancelled, demand: much, at: 0.4)
    limiter.estimate.set(.good)
    #expect(Set(limiter.tick(at: 0.5, demand: much)) == [.resume(1), .resume(2)])
    #expect(limiter.tick(at: 0.6, demand: much) == [])
  }

  /// Runs a sync that fills the limit with answers of 50 ms; returns the seconds until the limit is
  /// first raised.
  private func timeToGrow(_ limiter: inout AdaptiveLimiter, from start: Double) -> Double? {
    var id: OperationID = 1_000
    for turn in 0..<40 {
      let now = start + Double(turn) * 0.05
      let limit = limiter.limit
      let ids = (0..<limit).map { id + OperationID($0) }
      id += OperationID(limit)
      for id in ids { limiter.operationStarted(id, .scheduled, at: now) }
      for id in ids { limiter.observed(.connected(0.01), by: id, at: now + 0.01) }
      _ = limiter.tick(at: now + 0.02, demand: much)
      for id in ids {
        limiter.observed(.received(20_000), by: id, at: now + 0.045)
        limiter.operationEnded(id, .answered, demand: much, at: now + 0.045)
      }
      if limiter.limit > limit { return Double(turn) * 0.05 }
    }
    return nil
  }

  @Test("Prefetching before a sync does not delay the rise of its limit")
  func syncAfterPrefetch() throws {
    var alone = AdaptiveLimiter(ceiling: 64)
    let expected = try #require(timeToGrow(&alone, from: 10))
    var beside = AdaptiveLimiter(ceiling: 64)
    for id in OperationID(1)...10 {
      let now = 9.8 + Double(id) * 0.017
      beside.operationStarted(id, .prefetch, at: now)
      if id == 1 { beside.observed(.connected(0.01), by: id, at: now) }
      beside.observed(.received(60_000), by: id, at: now + 0.016)
      beside.operationEnded(id, .answered, demand: much, at: now + 0.016)
      _ = beside.tick(at: now + 0.016, demand: much)
    }
    #expect(try #require(timeToGrow(&beside, from: 10)) <= expected)
  }

  @Test("The limit never exceeds the ceiling") func theCeilingIsNeverPassed() {
    var limiter = AdaptiveLimiter(ceiling: 5)
    #expect(limiter.limit == 5)
    var id: OperationID = 0
    for step in 1...200 {
      let now = Double(step) / 20
      while limiter.mayStart(.scheduled) {
        id += 1
        limiter.operationStarted(id, .scheduled, at: now)
        limiter.observed(.connected(0.01), by: id, at: now)
        limiter.observed(.received(20_000), by: id, at: now)
      }
      for done in limiter.operations.keys {
        limiter.operationEnded(done, .answered, demand: much, at: now + 0.01)
      }
      _ = limiter.tick(at: now + 0.01, demand: much)
      #expect(limiter.limit <= 5)
    }
  }
}
