@testable import NetworkMeasurement
@testable import SyncEngine

@Suite("The adaptive limiter") final class AdaptiveLimiterTests {
  var limiter = AdaptiveLimiter(ceiling: 64)
  private let much = NetworkDemand(waiting: 1_000, hosts: 500)

  /// A limiter that has measured a connection of this quality.
  private func limiter(quality: ConnectionQuality) -> AdaptiveLimiter {
    var limiter = AdaptiveLimiter(ceiling: 64)
    limiter.estimate.set(quality)
    return limiter
  }

  private func start(
    _ limiter: inout AdaptiveLimiter, _ ids: ClosedRange<OperationID>, _ at: Double
  ) {
    for id in ids { limiter.operationStarted(id, .scheduled, at: at) }
  }

  @Test("A sync of a single feed is enough to measure the connection quality")
  func singleFeedGivesQuality() {
    #expect(limiter.quality == nil)
    limiter.operationStarted(1, .scheduled, at: 0)
    limiter.observed(.connected(0.02), by: 1, at: 0.02)
    limiter.observed(.received(300), by: 1, at: 0.1)
    limiter.operationEnded(1, .answered, demand: NetworkDemand(waiting: 0, hosts: 1), at: 0.1)
    #expect(limiter.quality == .excellent || limiter.quality == .good)
  }

  @Test("Background work needs a fair connection, and prefetching a good one")
  func luxuryNeedsANetwork() {
    #expect(!AdaptiveLimiter(ceiling: 64).mayStart(.background))
    #expect(!limiter(quality: .poor).mayStart(.background))
    #expect(limiter(quality: .fair).mayStart(.background))
    #expect(!limiter(quality: .fair).mayStart(.prefetch))
    var good = limiter(quality: .good)
    #expect(good.mayStart(.prefetch))
    good.operationStarted(1, .prefetch, at: 0)
    good.operationStarted(2, .prefetch, at: 0)
    #expect(!good.mayStart(.prefetch))
    #expect(good.mayStart(.background))
  }

  @Test("Background work and prefetching pause on a worse connection and resume later")
  func prefetchPausesAndResumes() {
    var limiter = limiter(quality: .good)
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

  @Test("An operation whose server is slow to answer does not count against the limit")
  func slowServerIsParked() {
    start(&limiter, 1...12, 0)
    for id in OperationID(1)...12 { limiter.observed(.connected(0.02), by: id, at: 0.02) }
    #expect(!limiter.mayStart(.scheduled))
    // The network works: another operation receives bytes.
    limiter.observed(.received(1_000), by: 1, at: 5)
    _ = limiter.tick(at: 5, demand: much)
    #expect(limiter.load == 1)
    #expect(limiter.mayStart(.scheduled))
  }

  @Test("A user's operation pauses or requeues others on a slow network")
  func userOperationMakesRoom() {
    var limiter = limiter(quality: .poor)
    limiter.line.isSlow = true
    limiter.line.capacity = 5_000
    limiter.ledger.excuseSilence(until: 0)
    start(&limiter, 1...3, 0)
    for id: OperationID in [1, 2] {
      limiter.observed(.connected(0.7), by: id, at: 0.7)
      limiter.observed(.requesting, by: id, at: 0.7)
      limiter.observed(.firstByte(1), by: id, at: 1)
      limiter.observed(.received(1_400), by: id, at: 1)
    }
    limiter.operationStarted(9, .userInitiated, at: 1.1)
    // Operations that have received bytes pause; one that is connecting is requeued.
    #expect(Set(limiter.tick(at: 1.1, demand: much)) == [.requeue(3), .pause(1), .pause(2)])
    limiter.operationEnded(3, .cancelled, demand: much, at: 1.1)
    #expect(!limiter.mayStart(.scheduled))
    limiter.operationEnded(9, .answered, demand: much, at: 3)
    #expect(Set(limiter.tick(at: 3, demand: much)) == [.resume(1), .resume(2)])
  }

  @Test("A user's request to a host that hangs does not block other operations for ever")
  func hangingHostDoesNotBlock() {
    var limiter = limiter(quality: .poor)
    limiter.line.isSlow = true
    limiter.line.capacity = 5_000
    limiter.ledger.excuseSilence(until: 0)
    limiter.operationStarted(9, .userInitiated, at: 0)
    #expect(!limiter.mayStart(.scheduled))
    for step in 1...100 {
      limiter.operationStarted(OperationID(100 + step), .visible, at: Double(step) / 10)
      limiter.observed(.received(100), by: OperationID(100 + step), at: Double(step) / 10)
      limiter.operationEnded(
        OperationID(100 + step), .answered, demand: much, at: Double(step) / 10)
      _ = limiter.tick(at: Double(step) / 10, demand: much)
    }
    #expect(limiter.mayStart(.scheduled))
  }

  @Test("The kernel's round-trip time shows queueing on reused connections")
  func kernelTimeShowsQueueing() {
    start(&limiter, 1...12, 0)
    var now = 0.0
    // A single operation is still running.
    for id in OperationID(1)...11 {
      now += 0.03
      limiter.observed(.requesting, by: id, at: now)
      limiter.observed(.roundTrip(0.5, least: 0.05), by: id, at: now)
      limiter.observed(.received(20_000), by: id, at: now)
      limiter.operationEnded(id, .answered, demand: much, at: now)
    }
    _ = limiter.tick(at: now, demand: much)
    #expect(limiter.line.queueing == 0.45)
    #expect(limiter.reason == .queueing)
    #expect(limiter.limit < 12)
  }

  @Test("Nothing starts while the network is offline, until a probe succeeds")
  func offlineStartsNothing() {
    start(&limiter, 1...4, 0)
    for (id, host) in ["a", "b", "c"].enumerated() {
      limiter.operationEnded(OperationID(id + 1), .unreachable(host: host), demand: much, at: 0)
    }
    #expect(limiter.quality == .offline)
    #expect(limiter.limit == 0)
    #expect(!limiter.mayStart(.visible))
    // The conclusion may be wrong: running operations may still prove the network.
    #expect(limiter.tick(at: 0.5, demand: much) == [])
    #expect(limiter.tick(at: 1.1, demand: much) == [.probe])
    limiter.probeEnded(reached: false, at: 1.2)
    #expect(limiter.failedProbes == 1)
    #expect(limiter.tick(at: 1.3, demand: much) == [])
    limiter.probeEnded(reached: true, at: 1.4)
    #expect(limiter.limit > 0)
    #expect(limiter.quality != .offline)
    #expect(limiter.mayStart(.scheduled))
  }

  @Test("A doubt ends when no other operation is left to compare with") func loneDoubtEnds() {
    limiter.operationStarted(1, .userInitiated, at: 0)
    limiter.operationEnded(1, .unresolved(host: "a"), demand: much, at: 0)
    _ = limiter.tick(at: 0.1, demand: much)
    #expect(limiter.isInDoubt)
    _ = limiter.tick(at: 0.2, demand: NetworkDemand(waiting: 0, hosts: 0))
    #expect(!limiter.isInDoubt)
  }

  @Test("Silence of the whole network requeues all operations") func silenceRequeuesAll() {
    start(&limiter, 1...3, 0)
    limiter.observed(.received(100), by: 1, at: 0.5)
    var seen: [Double: [LimiterAction]] = [:]
    for step in 5...80 {
      let now = Double(step) / 10
      seen[now] = limiter.tick(at: now, demand: much)
      if seen[now] == [] { seen[now] = nil }
    }
    #expect(
      seen == [
        3.1: [.probe], 4.1: [.probe], 5.7: [.requeue(3), .requeue(2), .requeue(1)], 6.1: [.probe],
      ])
    #expect(limiter.quality == .offline)
    limiter.probeEnded(reached: true, at: 8)
    #expect(limiter.mayStart(.visible))
  }

  @Test("Late ticks of a busy machine do not count as an offline network")
  func lateTicksAreNotOffline() {
    start(&limiter, 1...12, 0)
    limiter.observed(.received(100), by: 1, at: 0.1)
    for step in 1...20 {
      #expect(limiter.tick(at: 2.0 * Double(step), demand: much) == [])
    }
    #expect(limiter.quality != .offline)
  }

  @Test("A timeout on a network that faltered does not count as the host's failure")
  func falteringBlamesNoHost() {
    var limiter = limiter(quality: .good)
    start(&limiter, 1...2, 0)
    #expect(limiter.operationEnded(1, .timedOut, demand: much, at: 20) == false)
    limiter.falteredAt = 10
    #expect(limiter.operationEnded(2, .timedOut, demand: much, at: 20) == true)
    #expect(self.limiter(quality: .poor).timeouts.silence == 45)
    #expect(self.limiter(quality: .fair).timeouts.connect == 20)
    #expect(self.limiter(quality: .good).timeouts == ConnectionTimeouts(silence: 20))
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

  @Test("After a long idle time, the network is measured again") func idleNetworkIsRemeasured() {
    var limiter = AdaptiveLimiter(ceiling: 128)
    limiter.current = 100
    limiter.line.capacity = 1e6
    limiter.line.base = 0.01
    limiter.ledger.add(1, at: 100)
    limiter.operationStarted(1, .scheduled, at: 130)
    #expect(limiter.limit == 100)
    limiter.operationEnded(1, .answered, demand: NetworkDemand(waiting: 0, hosts: 0), at: 130)
    limiter.operationStarted(2, .scheduled, at: 300)
    #expect(limiter.limit == 50)
    #expect(limiter.line.base == nil)
    #expect(limiter.quality == nil)
  }
}
