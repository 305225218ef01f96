@testable import NetworkMeasurement

// The end of an epoch.

extension LimiterDetailTests {
  /// A limiter whose epoch of one second ends with this goodput, queue and load.
  private func epoch(
    _ goodput: Int, queueing: Double = 0, load: Int = 100,
    _ change: (inout AdaptiveLimiter) -> Void = { _ in }
  ) -> AdaptiveLimiter {
    limiter { limiter in
      limiter.now = 10
      limiter.beginEpoch()
      limiter.line.base = 0.2
      limiter.current = 10
      limiter.ledger.add(goodput, at: 11)
      limiter.epoch.connects = Array(repeating: 0.2 + queueing, count: 3)
      (limiter.epoch.loads, limiter.epoch.checks) = (load, 10)
      limiter.line.lastQueueing = queueing
      limiter.now = 11
      change(&limiter)
      limiter.endEpoch()
    }
  }

  @Test("Startup doubles the limit while goodput grows, and triples it without a queue")
  func startup() {
    // The queueing target is 0.2 s: pressure is queueing ÷ 0.2.
    #expect(epoch(1_000_000, queueing: 0.1).current == 20)
    #expect(epoch(1_000_000, queueing: 0.1).reason == .goodputGrowing)
    #expect(epoch(1_000_000).current == 30 && epoch(150_001).current == 30)
    #expect(epoch(150_000).current == 20)
    #expect(epoch(39_000).current == 12.5 && epoch(40_000).current == 20)
    // Small answers on fast connections measure the hosts.
    #expect(
      epoch(100) {
        $0.line.base = 0.09; $0.epoch.connects = [0.09, 0.09, 0.09]
      }.current == 30)
    #expect(
      epoch(100) {
        $0.line.base = 0.1; $0.epoch.connects = [0.1, 0.1, 0.1]
      }.current == 12)
    #expect(epoch(1_000_000, load: 400) { $0.current = 30 }.current == 64)
    #expect(epoch(1_000_000, load: 400) { $0.current = 30 }.reason == .atCeiling)
    // Fewer operations than three quarters of the limit are not enough to decide.
    #expect(epoch(1_000_000, load: 74).current == 10)
    #expect(epoch(1_000_000, load: 74).reason == .fewOperations)
    #expect(epoch(1_000_000, load: 75).current == 30)
    // A queue beyond the target ends startup.
    let full = epoch(1_000_000, queueing: 0.25)
    #expect(full.current == 8 && full.line.phase == .steady && full.reason == .queueing)
    #expect(epoch(1_000_000, queueing: 0.2).line.phase == .startup)
    #expect(epoch(1_000_000, queueing: 2).current == 4)
    #expect(epoch(1_000_000, queueing: 0.25, load: 50).current == 4)
    #expect(epoch(1_000_000, queueing: 2, load: 0).current == 2)
  }

  @Test("The steady phase raises the limit by the queue's length and lowers it by its excess")
  func steady() {
    func steady(
      _ queueing: Double, load: Int = 400, _ change: (inout AdaptiveLimiter) -> Void = { _ in }
    ) -> AdaptiveLimiter {
      epoch(1_000_000, queueing: queueing, load: load) { limiter in
        limiter.line.phase = .steady
        limiter.current = 40
        change(&limiter)
      }
    }
    #expect(steady(0).current == 56 && steady(0).reason == .steady)
    #expect(steady(0.05).current == 46 && steady(0.1).current == 40.5)
    #expect(steady(0) { $0.current = 2 }.current == 3)
    #expect(steady(0, load: 500) { $0.current = 60 }.current == 64)
    #expect(steady(0, load: 500) { $0.current = 60 }.reason == .atCeiling)
    #expect(steady(0, load: 200).current == 40 && steady(0, load: 200).reason == .fewOperations)
    let lowered = steady(0.4)
    #expect(lowered.current == 30 && lowered.reason == .queueing && lowered.line.floorEpochs == 0)
    #expect(steady(200).current < 20.1 && steady(200).current >= 20)
    // Four epochs at the floor mean that the route has changed.
    let floor = steady(0.4) { ($0.current, $0.line.floorEpochs) = (2.5, 2) }
    #expect(floor.current == 2 && floor.line.floorEpochs == 3 && floor.line.base == 0.2)
    let changed = steady(0.4) { ($0.current, $0.line.floorEpochs) = (2.5, 3) }
    #expect(changed.line.base == nil && changed.line.floorEpochs == 0)
    #expect(steady(0.4) { $0.line.floorEpochs = 3 }.line.floorEpochs == 0)
    #expect(steady(0) { $0.line.floorEpochs = 3 }.line.floorEpochs == 0)
    // The lesser queue of two epochs counts.
    #expect(steady(0.4) { $0.line.lastQueueing = 0 }.current == 56)
    #expect(abs(steady(0.4) { $0.line.lastQueueing = 0 }.line.lastQueueing - 0.4) < 1e-9)
  }

  /// An epoch whose queue is this part of the tolerated one, without rounding.
  /// - Parameter speed: a power of two, at most 8.
  private func epoch(
    pressure: Double, speed: Int = 1, _ change: (inout AdaptiveLimiter) -> Void = { _ in }
  ) -> AdaptiveLimiter {
    // With speed 1 two first flights take a second, which is then the tolerated queue.
    epoch(29_200 * speed) { limiter in
      let queue = pressure / Double(speed)
      (limiter.line.base, limiter.line.lastQueueing) = (0, queue)
      limiter.epoch.connects = Array(repeating: queue, count: 3)
      change(&limiter)
    }
  }

  @Test("A queue is compared with exact parts of the tolerated one") func exactQueues() {
    // From a tenth on, the network was full, so that its goodput decides about the quality.
    #expect(epoch(pressure: 0.09).quality == .good && epoch(pressure: 0.1).quality == .poor)
    #expect(!epoch(pressure: 0.09).line.isSlow && epoch(pressure: 0.1).line.isSlow)
    // Startup triples the limit below a tenth, and doubles it from there on.
    #expect(epoch(pressure: 0.09, speed: 8).current == 30)
    #expect(epoch(pressure: 0.1, speed: 8).current == 20)
    // Beyond three tenths, a network of little goodput is slow.
    #expect(
      !epoch(pressure: 0.3, speed: 2).line.isSlow && epoch(pressure: 0.31, speed: 2).line.isSlow)
    // The steady phase takes smaller steps from a tenth and from a half on, and none beyond one.
    func steady(_ pressure: Double) -> Double {
      epoch(pressure: pressure) { $0.line.phase = .steady }.current
    }
    #expect(steady(0.09) == 14 && steady(0.1) == 11.5)
    #expect(steady(0.49) == 11.5 && steady(0.5) == 10.5)
    #expect(steady(1) == 10.5 && steady(1.1) < 10)
  }

  @Test("An epoch leaves its measurements and the kind of the network") func measured() {
    let ended = epoch(1_000_000, queueing: 0.1)
    #expect(ended.line.goodputs == [1_000_000] && ended.line.capacity == 1_000_000)
    #expect(ended.hasDecided && ended.line.base == 0.2)
    #expect(abs(ended.line.queueing - 0.1) < 1e-9 && ended.memory?.limit == 20)
    #expect(
      ended.memory?.line.capacity == 1_000_000 && ended.epoch.start == 11 && ended.epoch.checks == 0
    )
    #expect(ended.quality == .fair && epoch(1_000_000).quality == .good)
    #expect(epoch(30_000, queueing: 0.2).quality == .poor && epoch(30_000).quality == .good)
    #expect(epoch(30_000, queueing: 0.2, load: 74).quality == .fair)
    // Ten epochs are kept, and the best of them is the capacity.
    let long = epoch(500_000) { $0.line.goodputs = Array(repeating: 700_000, count: 10) }
    #expect(
      long.line.goodputs.count == 10 && long.line.goodputs.last == 500_000
        && long.line.capacity == 700_000)
    let ten = epoch(500_000) { $0.line.goodputs = [700_000] + Array(repeating: 1, count: 8) }
    #expect(ten.line.goodputs.count == 10 && ten.line.capacity == 700_000)
    // Two connections are too few; the kernel's delays count instead.
    let few = epoch(1_000_000) { ($0.epoch.connects, $0.line.queueing) = ([0.9, 0.9], 0.3) }
    #expect(few.line.queueing == 0.3)
    let reused = epoch(1_000_000) {
      ($0.epoch.connects, $0.epoch.delays) = ([], [0.1, 0.2, 0.3, 0.4])
    }
    #expect(reused.line.queueing == 0.2 && reused.line.base == 0.2)
    let two = epoch(1_000_000) { ($0.epoch.connects, $0.epoch.delays) = ([], [0.1, 0.1]) }
    #expect(two.line.queueing == 0)
    let three = epoch(1_000_000) { ($0.epoch.connects, $0.epoch.delays) = ([], [0.1, 0.1, 0.1]) }
    #expect(three.line.queueing == 0.1)
    #expect(epoch(1_000_000) { $0.epoch.connects = [0.1, 0.3, 0.3] }.line.base == 0.1)
    // Nothing is remembered at the floor.
    #expect(epoch(1_000_000, queueing: 9) { $0.current = 2 }.memory == nil)
    func isSlow(_ goodput: Int, queueing: Double = 0, steady: Bool = false) -> Bool {
      let ended = epoch(goodput, queueing: queueing) { if steady { $0.line.phase = .steady } }
      #expect((ended.falteredAt == 11) == ended.line.isSlow)
      return ended.line.isSlow
    }
    #expect(isSlow(39_999) && !isSlow(40_000) && isSlow(40_000, steady: true))
    #expect(isSlow(499_999, queueing: 0.07) && !isSlow(499_999, queueing: 0.05))
    #expect(!isSlow(500_000, queueing: 0.07) && !isSlow(500_000, steady: true))
    #expect(isSlow(499_999, steady: true))
    // The capacity bounds the limit.
    func widest(_ goodput: Int) -> Double { epoch(goodput) { $0.current = 200 }.current }
    #expect([9_999, 10_000, 39_999, 40_000, 499_999].map(widest) == [12, 24, 24, 64, 64])
    var wide = AdaptiveLimiter(ceiling: 128)
    (wide.current, wide.now, wide.line.base) = (100, 11, 0.2)
    wide.ledger.add(450_000 * 11, at: 11)
    wide.endEpoch()
    #expect(wide.current == 64)
  }

  @Test("The load of an epoch is the mean of its samples") func epochLoad() {
    var epoch = AdaptiveLimiter.Epoch(start: 0, bytesBefore: 0)
    #expect(epoch.load == 0 && epoch.loads == 0 && epoch.ended == 0)
    let fresh = limiter()
    #expect(fresh.line.floorEpochs == 0 && !fresh.hasPaused)
    (epoch.loads, epoch.checks) = (3, 1)
    #expect(epoch.load == 3)
    (epoch.loads, epoch.checks) = (3, 2)
    #expect(epoch.load == 1.5)
  }

  @Test("One slot remains, however low the limit is") func narrowLimits() {
    func mayStart(_ limit: Double, running: Int, leaving: Int = 0) -> Bool {
      limiter { limiter in
        for id in 0..<running + leaving {
          limiter.operationStarted(OperationID(id), .visible, at: 0)
          limiter.operations[OperationID(id)]?.isLeaving = id >= running
        }
        limiter.current = limit
      }.mayStart(.scheduled)
    }
    #expect(mayStart(1, running: 0, leaving: 1) && !mayStart(1, running: 1))
    #expect(!mayStart(2, running: 1) && mayStart(3, running: 1) && !mayStart(3, running: 2))
    #expect(limiter { ($0.current, $0.line.capacity) = (1, 40_000) }.gatedWidth == 1)
    #expect(limiter { ($0.current, $0.line.capacity) = (7, 40_000) }.gatedWidth == 3)
    #expect(limiter { ($0.current, $0.line.capacity) = (7, 39_999) }.gatedWidth == 0)
  }

  @Test("Transfers without an operation and signs of life add no bytes and no times")
  func otherTransfers() {
    var limiter = limiter()
    limiter.observed(.connected(0.1), by: 99, at: 1)
    limiter.observed(.roundTrip(0.2, least: 0.1), by: 99, at: 1)
    limiter.observed(.firstByte(1), by: 99, at: 1)
    #expect(limiter.epoch.connects == [] && limiter.epoch.delays == [] && limiter.thinkTimes == [])
    limiter.operationStarted(1, .scheduled, at: 2)
    limiter.operationEnded(1, .answered, demand: much, at: 3)
    limiter.probeEnded(reached: true, at: 4)
    #expect(limiter.ledger.total == 0 && limiter.ledger.heardAt == 4)
  }

  @Test("Bodies are regulated when a user request or a paused operation ends")
  func regulatedEnds() {
    func actions(after priority: OperationPriority, isPaused: Bool) -> [LimiterAction] {
      limiter { limiter in
        limiter.operationStarted(1, priority, at: 0)
        for id: OperationID in [2, 3] {
          limiter.operationStarted(id, .scheduled, at: 0)
          limiter.operations[id]?.stage = .receiving
        }
        limiter.operations[3]?.isPaused = isPaused
        (limiter.line.isSlow, limiter.current) = (true, isPaused ? 12 : 1)
        limiter.operationEnded(1, .answered, demand: much, at: 1)
      }.actions
    }
    #expect(actions(after: .userInitiated, isPaused: false) == [.pause(3)])
    #expect(actions(after: .scheduled, isPaused: false) == [])
    #expect(actions(after: .scheduled, isPaused: true) == [.resume(3)])
  }

  @Test("An epoch ends when half a limit of operations has ended") func epochEnd() {
    func isOver(
      _ seconds: Double, ended: Int, current: Double = 12, durations: [Double] = []
    ) -> Bool {
      limiter { limiter in
        limiter.epoch = .init(start: 0, bytesBefore: 0)
        limiter.now = seconds
        limiter.current = current
        limiter.epoch.ended = ended
        limiter.durations = durations
      }.isEpochOver()
    }
    #expect(isOver(0.2, ended: 6) && !isOver(0.2, ended: 5))
    #expect(isOver(0.18, ended: 6) && !isOver(0.17, ended: 6))
    #expect(isOver(0.2, ended: 3, current: 2) && !isOver(0.2, ended: 2, current: 2))
    #expect(isOver(4, ended: 1) && !isOver(3.9, ended: 1) && !isOver(9, ended: 0))
    #expect(isOver(1.5, ended: 1, durations: [0.1]) && !isOver(1.4, ended: 1, durations: [0.1]))
  }
}
