@testable import NetworkMeasurement

@Suite("Rules of the adaptive limiter") struct LimiterDetailTests {
  let much = NetworkDemand(waiting: 1_000, hosts: 500)
  let none = NetworkDemand(waiting: 0, hosts: 0)

  func limiter(_ change: (inout AdaptiveLimiter) -> Void = { _ in }) -> AdaptiveLimiter {
    var limiter = AdaptiveLimiter(ceiling: 64)
    change(&limiter)
    return limiter
  }

  @Test("The first limit is twelve, within the ceiling, which is at least two") func firstLimit() {
    #expect(
      [0, 1, 2, 3, 11, 12, 13, 64].map { AdaptiveLimiter(ceiling: $0).limit }
        == [2, 2, 2, 3, 11, 12, 12, 12])
    #expect(limiter { $0.current = 0.4 }.limit == 1)
    #expect(limiter { $0.current = 7.9 }.limit == 7)
  }

  @Test("Timeouts are longer on a worse connection, and the receive buffer is small on a slow one")
  func timeouts() {
    func timeouts(_ quality: ConnectionQuality?, isSlow: Bool = false) -> ConnectionTimeouts {
      limiter {
        $0.estimate.set(quality)
        $0.line.isSlow = isSlow
      }.timeouts
    }
    #expect(timeouts(nil) == ConnectionTimeouts(silence: 20))
    #expect(timeouts(nil, isSlow: true) == ConnectionTimeouts(silence: 20))
    #expect(timeouts(.excellent) == ConnectionTimeouts(silence: 20))
    #expect(timeouts(.good, isSlow: true) == ConnectionTimeouts(silence: 20, receiveBuffer: 32_768))
    #expect(timeouts(.fair) == ConnectionTimeouts(silence: 30, connect: 20))
    #expect(
      timeouts(.poor, isSlow: true)
        == ConnectionTimeouts(silence: 45, connect: 30, receiveBuffer: 32_768))
    let offline = limiter { limiter in
      for host in ["a", "b", "c"] {
        limiter.operationEnded(1, .unreachable(host: host), demand: much, at: 0)
      }
    }
    #expect(offline.limit == 0 && offline.quality == .offline && offline.failedProbes == 0)
    #expect(offline.timeouts == ConnectionTimeouts(silence: 45, connect: 30))
    #expect(offline.outage(at: 5) == 5 && !offline.hasHeard)
  }

  @Test("The rate is that of one second, or of four on a network with very little capacity")
  func rate() {
    func rate(_ capacity: Double) -> Double {
      limiter { limiter in
        limiter.line.capacity = capacity
        for second in 0...6 {
          limiter.ledger.add(1_000 * second, at: Double(second))
          limiter.ledger.mark(at: Double(second))
        }
      }.rate
    }
    #expect(rate(40_000) == 4_500)
    #expect(rate(40_001) == 6_000)
  }

  @Test("Work of each priority starts below its limit") func starts() {
    func admitted(_ running: Int, _ change: (inout AdaptiveLimiter) -> Void = { _ in })
      -> [OperationPriority]
    {
      let limiter = limiter { limiter in
        limiter.ledger.add(0, at: 0)
        limiter.estimate.set(.excellent)
        limiter.line.capacity = 1_000_000
        for id in 0..<running { limiter.operationStarted(OperationID(id), .scheduled, at: 0) }
        change(&limiter)
      }
      return OperationPriority.allCases.filter { limiter.mayStart($0) }
    }
    let all = OperationPriority.allCases
    #expect(admitted(11) == all)
    #expect(admitted(12) == [.userInitiated])
    // A slot is reserved for work on screen while the quality is unknown or the network slow.
    func withVisible(_ limiter: inout AdaptiveLimiter) {
      limiter.operationStarted(100, .visible, at: 0)
    }
    #expect(admitted(10, withVisible) == all)
    #expect(
      admitted(10) {
        withVisible(&$0); $0.line.goodputs = []
      } == [.userInitiated, .visible])
    #expect(
      admitted(9) {
        withVisible(&$0); $0.line.goodputs = []
      } == all)
    #expect(
      admitted(10) {
        withVisible(&$0); $0.line.isSlow = true
      } == [.userInitiated, .visible])
    #expect(admitted(11) { $0.line.goodputs = [] } == all)
    // A user request leaves half of a slow network's slots, and none of a tiny one.
    func gate(_ limiter: inout AdaptiveLimiter, _ capacity: Double) {
      limiter.operationStarted(300, .userInitiated, at: 0)
      (limiter.line.isSlow, limiter.line.capacity) = (true, capacity)
    }
    #expect(admitted(5) { gate(&$0, 40_000) } == all)
    #expect(admitted(6) { gate(&$0, 40_000) } == [.userInitiated])
    #expect(admitted(0) { gate(&$0, 39_999) } == [.userInitiated])
    #expect(
      admitted(0) {
        gate(&$0, 40_000); $0.current = 1
      } == all)
    #expect(admitted(6) { $0.operationStarted(300, .userInitiated, at: 0) } == all)
    // At most two prefetches run.
    func prefetch(_ count: Int) -> (inout AdaptiveLimiter) -> Void {
      { for id in 200..<200 + count { $0.operationStarted(OperationID(id), .prefetch, at: 0) } }
    }
    #expect(admitted(0, prefetch(1)) == all)
    #expect(admitted(0, prefetch(2)) == all.filter { $0 != .prefetch })
    // An expected quality counts only for prefetches.
    func expects(_ limiter: inout AdaptiveLimiter) {
      limiter.estimate.set(nil)
      limiter.expected = .good
    }
    #expect(admitted(0, expects) == all.filter { $0 != .background })
    #expect(
      admitted(0) {
        $0.estimate.set(nil); $0.expected = .fair
      } == Array(all.prefix(3)))
    #expect(admitted(0) { $0.estimate.set(.fair) } == Array(all.prefix(4)))
    #expect(admitted(0) { $0.estimate.set(.poor) } == Array(all.prefix(3)))
  }

  @Test("Waiting operations count until their server is found slow, receiving ones always")
  func load() {
    func load(at now: Double, _ change: (inout AdaptiveLimiter) -> Void = { _ in }) -> Int {
      limiter { limiter in
        limiter.operationStarted(1, .scheduled, at: 0)
        limiter.operationStarted(2, .userInitiated, at: 0)
        change(&limiter)
        limiter.ledger.add(1, at: now)
        limiter.now = now
      }.load
    }
    #expect(load(at: 3) == 1)
    #expect(load(at: 3.1) == 0)
    #expect(load(at: 9) { $0.observed(.firstByte(1), by: 1, at: 0) } == 1)
    #expect(load(at: 3) { $0.operations[1]?.isPaused = true } == 0)
    #expect(load(at: 3) { $0.operations[1]?.isLeaving = true } == 0)
    // Silence of all operations is no evidence against a server.
    let silent = limiter { limiter in
      limiter.operationStarted(1, .scheduled, at: 0)
      limiter.ledger.add(1, at: 0)
      limiter.now = 1.4
    }
    #expect(silent.isAlive && silent.park == 3)
    var dead = silent
    dead.now = 1.5
    #expect(!dead.isAlive && dead.park == .infinity)
    dead.now = 90
    #expect(dead.load == 1)
  }

  @Test("The queueing target is the greatest of its three bounds") func queueTarget() {
    func target(base: Double?, capacity: Double) -> Double {
      limiter { ($0.line.base, $0.line.capacity) = (base, capacity) }.line.queueTarget
    }
    #expect(target(base: nil, capacity: 0) == 0.1)
    #expect(target(base: 0.05, capacity: 0) == 0.1)
    #expect(target(base: 0.3, capacity: 1_000_000) == 0.3)
    #expect(target(base: 0.05, capacity: 14_600) == 2)
    #expect(target(base: 0.05, capacity: 0.5) == 58_400)
  }

  @Test("Events move an operation through its stages and are measured in its epoch") func events() {
    var limiter = limiter()
    limiter.operationStarted(1, .scheduled, at: 5)
    #expect(limiter.operations[1]?.stage == .connecting && limiter.operations[1]?.heardAt == 5)
    limiter.observed(.connected(0.3), by: 1, at: 5.3)
    #expect(limiter.epoch.connects == [0.3] && limiter.operations[1]?.heardAt == 5.3)
    #expect(limiter.hasHeard && limiter.ledger.heardAt == 5.3 && limiter.line.base == nil)
    limiter.observed(.roundTrip(0.5, least: 0.2), by: 1, at: 5.4)
    #expect(limiter.epoch.delays == [0.3] && limiter.line.base == 0.2)
    #expect(limiter.operations[1]?.heardAt == 5.4)
    limiter.observed(.roundTrip(0.1, least: 0.15), by: 1, at: 5.5)
    #expect(limiter.epoch.delays == [0.3, 0] && limiter.line.base == 0.2)
    limiter.observed(.requesting, by: 1, at: 6)
    #expect(limiter.operations[1]?.stage == .waiting && limiter.operations[1]?.heardAt == 5.5)
    limiter.observed(.firstByte(2), by: 1, at: 8)
    #expect(limiter.operations[1]?.stage == .receiving && limiter.thinkTimes == [2])
    #expect(limiter.operations[1]?.heardAt == 8 && limiter.ledger.heardAt == 8)
    limiter.observed(.received(700), by: 1, at: 9)
    #expect(limiter.operations[1]?.bytes == 700 && limiter.ledger.total == 700)
    #expect(limiter.operations[1]?.heardAt == 9 && limiter.now == 9)
    limiter.observed(.received(1), by: 7, at: 4)
    #expect(limiter.now == 9 && limiter.ledger.total == 701)
    // A redirect connects again.
    limiter.observed(.requesting, by: 1, at: 9)
    limiter.observed(.connected(0.3), by: 1, at: 9.5)
    #expect(limiter.operations[1]?.stage == .connecting)
    // Transfers that began before the epoch are not measured in it.
    limiter.beginEpoch()
    limiter.observed(.connected(0.3), by: 1, at: 10)
    limiter.observed(.roundTrip(0.5, least: 0.2), by: 1, at: 10)
    #expect(limiter.epoch.connects == [] && limiter.epoch.delays == [])
    limiter.operationEnded(1, .answered, demand: much, at: 11)
    #expect(limiter.epoch.ended == 0 && limiter.durations == [6] && limiter.now == 11)
    limiter.operationEnded(2, .refused(host: "h"), demand: much, at: 30)
    #expect(limiter.now == 30 && limiter.reason == .starting && limiter.falteredAt < 0)
    limiter.probeEnded(reached: false, at: 31)
    #expect(limiter.now == 31)
  }

  @Test("An operation that ends counts unless it was cancelled, and an answer has a duration")
  func ends() {
    func ended(_ end: OperationEnd, _ priority: OperationPriority = .scheduled) -> AdaptiveLimiter {
      limiter { limiter in
        limiter.operationStarted(1, priority, at: 1)
        limiter.operationEnded(1, end, demand: much, at: 3)
      }
    }
    #expect(ended(.answered).epoch.ended == 1 && ended(.answered).durations == [2])
    #expect(ended(.failed).epoch.ended == 1 && ended(.failed).durations == [])
    #expect(ended(.cancelled).epoch.ended == 0)
    #expect(ended(.answered, .userInitiated).durations == [])
    #expect(ended(.answered).operations.isEmpty && ended(.answered).hasHeard)
    #expect(!ended(.failed).hasHeard && ended(.answered).ledger.heardAt == 3)
    // The first answer determines a quality.
    #expect(ended(.answered).quality == .good && ended(.failed).quality == nil)
    let slow = limiter { limiter in
      limiter.operationStarted(1, .scheduled, at: 0)
      limiter.observed(.connected(2), by: 1, at: 2)
      limiter.operationEnded(1, .answered, demand: much, at: 3)
    }
    #expect(slow.quality == .poor)
    // A paused operation that ends is no longer paused.
    let paused = limiter { limiter in
      limiter.operationStarted(1, .scheduled, at: 0)
      limiter.operations[1]?.isPaused = true
      limiter.operationEnded(1, .failed, demand: much, at: 3)
    }
    #expect(!paused.hasPaused)
  }

  @Test("A failure may be the network's if the network is poor or has faltered meanwhile")
  func networkFailures() {
    func mayBeNetwork(
      _ end: OperationEnd = .failed, _ change: (inout AdaptiveLimiter) -> Void = { _ in }
    ) -> Bool {
      var limiter = limiter { limiter in
        limiter.estimate.set(.good)
        limiter.operationStarted(1, .scheduled, at: 5)
        change(&limiter)
      }
      return limiter.operationEnded(1, end, demand: much, at: 6)
    }
    #expect(!mayBeNetwork() && !mayBeNetwork(.timedOut))
    #expect(
      mayBeNetwork { $0.estimate.set(.fair) }
        && mayBeNetwork(.timedOut) { $0.estimate.set(.poor) })
    #expect(!mayBeNetwork { $0.estimate.set(nil) })
    #expect(mayBeNetwork { $0.falteredAt = 5 } && !mayBeNetwork { $0.falteredAt = 4.9 })
    #expect(!mayBeNetwork(.answered) { $0.falteredAt = 5 })
    #expect(!mayBeNetwork(.cancelled) { $0.falteredAt = 5 })
    #expect(!mayBeNetwork(.refused(host: "h")) { $0.falteredAt = 5 })
    #expect(mayBeNetwork { $0.detector.watch(silence: 9, timeout: 3, of: 9, at: 5) })
    var other = limiter { $0.falteredAt = 5 }
    #expect(other.operationEnded(9, .failed, demand: much, at: 6) == false)
  }

  @Test("Doubts end when no operation is left to compare with") func doubts() {
    func isInDoubt(_ demand: NetworkDemand, isRunning: Bool = false, ticks: Bool = false) -> Bool {
      limiter { limiter in
        limiter.operationStarted(1, .scheduled, at: 0)
        if isRunning || ticks { limiter.operationStarted(2, .scheduled, at: 0) }
        limiter.operationEnded(1, .refused(host: "h"), demand: demand, at: 1)
        if ticks {
          limiter.operations = [:]
          _ = limiter.tick(at: 1.1, demand: demand)
        }
      }.isInDoubt
    }
    #expect(isInDoubt(much) && !isInDoubt(none))
    #expect(isInDoubt(none, isRunning: true) && isInDoubt(NetworkDemand(waiting: 1, hosts: 1)))
    #expect(!isInDoubt(none, ticks: true) && isInDoubt(much, ticks: true))
  }

  @Test("A failed probe counts during an outage, and a successful one ends the outage")
  func probes() {
    var limiter = limiter { limiter in
      for host in ["a", "b", "c"] {
        limiter.operationEnded(1, .unreachable(host: host), demand: much, at: 0)
      }
    }
    #expect(limiter.reason == .offline)
    limiter.probeEnded(reached: false, at: 1)
    #expect(limiter.failedProbes == 1 && limiter.limit == 0 && limiter.now == 1)
    limiter.probeEnded(reached: true, at: 2)
    #expect(limiter.failedProbes == 0 && limiter.limit == 12 && limiter.reason == .recovered)
    #expect(limiter.ledger.heardAt == 2 && limiter.falteredAt == 2 && limiter.quality == nil)
    #expect(!limiter.line.isSlow)
  }

  @Test("After an outage, the limit is half of the previous one, and at least four")
  func recovery() {
    func recovered(_ limit: Double, ceiling: Int = 64) -> AdaptiveLimiter {
      var limiter = AdaptiveLimiter(ceiling: ceiling)
      limiter.memory = (limit, Line(goodputs: [9_000], base: 0.2, isSlow: true))
      (limiter.line.phase, limiter.line.queueing) = (.steady, 0.3)
      limiter.now = 7
      limiter.recover()
      return limiter
    }
    #expect(recovered(20).current == 10 && recovered(6).current == 4)
    #expect(recovered(3, ceiling: 3).current == 3)
    let limiter = recovered(20)
    #expect(
      limiter.line.capacity == 9_000 && limiter.line.goodputs == [9_000] && limiter.line.base == 0.2
    )
    #expect(limiter.line.isSlow && limiter.falteredAt == 7 && limiter.line.phase == .startup)
    #expect(limiter.ledger.heardAt == 7 && limiter.line.queueing == 0)
  }

  @Test("Quantiles use the last twenty values") func quantiles() {
    #expect([Double]().quantile(0.5) == nil)
    #expect([4.0, 1, 3, 2].quantile(0) == 1)
    #expect([4.0, 1, 3, 2].quantile(0.25) == 2)
    #expect([4.0, 1, 3, 2].quantile(0.5) == 3)
    #expect([4.0, 1, 3, 2].quantile(1) == 4)
    var values: [Double] = []
    for value in 1...21 { values.appendRecent(Double(value)) }
    #expect(values == (2...21).map(Double.init))
  }

  @Test("After a second of rest, the measurement restarts; after a minute, the network's does too")
  func rest() {
    func rested(_ idle: Double, _ change: (inout AdaptiveLimiter) -> Void = { _ in })
      -> AdaptiveLimiter
    {
      limiter { limiter in
        limiter.current = 40
        (limiter.line.base, limiter.line.capacity) = (0.01, 5)
        limiter.epoch.ended = 7
        limiter.estimate.set(.good)
        limiter.ledger.add(1, at: 100)
        change(&limiter)
        limiter.operationStarted(1, .scheduled, at: 100 + idle)
      }
    }
    #expect(rested(1).epoch.ended == 7 && rested(1).checkedAt == 101)
    #expect(rested(1.1).epoch.ended == 0 && rested(1.1).current == 40)
    #expect(rested(1.1).ledger.heardAt == 101.1 && rested(1.1).epoch.start == 101.1)
    #expect(rested(60).current == 40 && rested(60).quality == .good)
    let forgotten = rested(60.1)
    #expect(forgotten.current == 20 && forgotten.quality == nil)
    #expect(forgotten.line.base == nil && forgotten.line.capacity == 0)
    #expect(rested(60.1) { $0.current = 13 }.current == 12)
    #expect(rested(60.1) { $0.line.goodputs = [] }.current == 40)
    // Nothing is measured again beside running work.
    #expect(
      rested(9) { $0.operations[5] = .init(priority: .scheduled, startedAt: 1, heardAt: 1) }
        .epoch.ended == 7)
  }
}
