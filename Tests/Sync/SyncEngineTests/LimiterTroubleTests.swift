@testable import NetworkMeasurement

// The limiter on a failing network.

extension LimiterDetailTests {
  private func operation(
    _ priority: OperationPriority, _ stage: AdaptiveLimiter.Operation.Stage, bytes: Int = 0,
    heardAt: Double = 10
  ) -> AdaptiveLimiter.Operation {
    var operation = AdaptiveLimiter.Operation(priority: priority, startedAt: 9, heardAt: heardAt)
    (operation.stage, operation.bytes) = (stage, bytes)
    return operation
  }

  @Test("A slow network pauses bodies beyond its limit, those with the fewest bytes first")
  func pausedBodies() {
    func regulated(_ change: (inout AdaptiveLimiter) -> Void) -> AdaptiveLimiter {
      limiter { limiter in
        limiter.now = 10
        (limiter.line.isSlow, limiter.current, limiter.line.capacity) = (true, 2, 40_000)
        for (id, bytes) in [(1, 10), (2, 30), (3, 20), (4, 20)] as [(OperationID, Int)] {
          limiter.operations[id] = operation(.scheduled, .receiving, bytes: bytes)
        }
        change(&limiter)
        limiter.regulate()
      }
    }
    let usual = regulated { _ in }
    #expect(usual.actions == [.pause(4), .pause(1)] && usual.hasPaused)
    #expect(usual.operations[4]?.isPaused == true && usual.operations[3]?.isPaused == false)
    // Priority comes before bytes; operations that leave or wait do not count.
    let visible = regulated { $0.operations[1]?.priority = .visible }
    #expect(visible.actions == [.pause(3), .pause(4)])
    let fewer = regulated { limiter in
      limiter.operations[1]?.isLeaving = true
      limiter.operations[2]?.stage = .waiting
    }
    #expect(fewer.actions == [])
    // A user request takes half of the slots.
    let request = regulated { $0.operations[9] = operation(.userInitiated, .receiving) }
    #expect(request.isGated && request.actions.count == 3)
    let hanging = regulated { limiter in
      limiter.now = 14
      limiter.operations[9] = operation(.userInitiated, .waiting)
    }
    #expect(!hanging.isGated && hanging.actions.count == 2)
    let waiting = regulated { limiter in
      limiter.now = 13
      limiter.operations[9] = operation(.userInitiated, .waiting)
    }
    #expect(waiting.isGated)
    let leaving = regulated { limiter in
      limiter.operations[9] = operation(.userInitiated, .receiving)
      limiter.operations[9]?.isLeaving = true
    }
    #expect(!leaving.isGated)
    // All continue from now on a fast network.
    var quick = usual
    (quick.line.isSlow, quick.actions, quick.now) = (false, [], 12)
    quick.regulate()
    #expect(quick.actions == [.resume(4), .resume(1)] && !quick.hasPaused)
    #expect(quick.operations[4]?.heardAt == 12 && quick.operations[3]?.heardAt == 10)
    quick.actions = []
    quick.regulate()
    #expect(quick.actions == [])
    var single = regulated { $0.operations[1] = nil }
    (single.line.isSlow, single.actions) = (false, [])
    single.regulate()
    #expect(single.actions == [.resume(4)])
  }

  @Test("A user request requeues operations that have hardly begun, the oldest last")
  func requeuesForRoom() {
    var limiter = limiter { limiter in
      limiter.now = 10
      limiter.operations = [
        1: operation(.scheduled, .connecting, bytes: 999),
        2: operation(.scheduled, .connecting, bytes: 1_000),
        3: operation(.scheduled, .waiting), 4: operation(.visible, .connecting),
        5: operation(.background, .connecting), 6: operation(.scheduled, .connecting),
      ]
      limiter.operations[6]?.isLeaving = true
    }
    limiter.line.isSlow = true
    limiter.operationStarted(9, .userInitiated, at: 10)
    #expect(limiter.actions == [.requeue(5), .requeue(1)])
    #expect(limiter.operations.filter { $0.value.isLeaving }.keys.sorted() == [1, 5, 6])
    limiter.operationStarted(10, .userInitiated, at: 10)
    #expect(limiter.actions.count == 2)
    // This applies only on a slow network, where bodies pause too.
    for isSlow in [true, false] {
      var other = self.limiter { other in
        other.ledger.add(0, at: 9)
        other.operations[1] = operation(.scheduled, .connecting)
        other.operations[2] = operation(.scheduled, .receiving)
        other.line.isSlow = isSlow
      }
      other.operationStarted(9, .userInitiated, at: 10)
      #expect(other.actions == (isSlow ? [.requeue(1), .pause(2)] : []))
      #expect(other.isGated)
    }
  }

  @Test("Background work stops on a poor connection, and prefetches below a good one")
  func deferredWork() {
    func actions(_ quality: ConnectionQuality?, without ids: OperationID...) -> [LimiterAction] {
      limiter { limiter in
        limiter.now = 10
        limiter.estimate.set(quality)
        limiter.operations = [
          1: operation(.background, .waiting), 2: operation(.prefetch, .connecting),
          3: operation(.background, .receiving), 4: operation(.prefetch, .receiving),
          5: operation(.scheduled, .receiving), 6: operation(.visible, .waiting),
        ]
        for id in ids { limiter.operations[id] = nil }
        limiter.regulate()
      }.actions
    }
    #expect(actions(.good) == [] && actions(nil) == [])
    #expect(actions(.fair) == [.pause(4), .requeue(2)])
    #expect(actions(.poor) == [.pause(3), .pause(4), .requeue(2), .requeue(1)])
    #expect(actions(.poor, without: 2, 4) == [.pause(3), .requeue(1)])
  }

  @Test("A tick after a pause of the machine excuses the silence") func machinePause() {
    func checked(after seconds: Double) -> AdaptiveLimiter {
      limiter { limiter in
        limiter.operationStarted(1, .scheduled, at: 5)
        limiter.checkedAt = 10
        limiter.check(at: 10 + seconds, much)
      }
    }
    #expect(checked(after: 0.39).distractedUntil < 0 && checked(after: 0.39).ledger.heardAt == 5)
    let late = checked(after: 0.5)
    #expect(late.distractedUntil == 11.5 && late.ledger.heardAt == 10.5 && late.checkedAt == 10.5)
    #expect(late.now == 10.5 && late.epoch.checks == 1 && late.epoch.loads == 0)
    // Silence beyond 2.5 s makes the network suspect, and nothing is counted then.
    let silent = checked(after: 0.3)
    #expect(silent.isAlive == false && silent.epoch.checks == 0 && silent.reason == .silence)
    #expect(silent.falteredAt == 10.3 && silent.actions == [.probe])
  }

  @Test("Servers are parked after four times their usual latency, or the network's wait")
  func parking() {
    func parkLimit(_ times: [Double], queueing: Double = 0, base: Double? = 0.1) -> Double {
      limiter { limiter in
        limiter.ledger.add(0, at: 10)
        limiter.thinkTimes = times
        (limiter.line.queueing, limiter.line.base) = (queueing, base)
        limiter.check(at: 10.1, none)
      }.parkLimit
    }
    #expect(parkLimit([]) == 4 && parkLimit([9, 9, 9]) == 4)
    #expect(parkLimit([0.1, 0.1, 0.1, 0.1]) == 3)
    #expect(parkLimit([1, 1, 1, 2]) == 8 && parkLimit([1, 1, 1, 1, 2]) == 4)
    #expect(parkLimit([0.1, 0.1, 0.1, 0.1], queueing: 2) == 8.4)
    #expect(parkLimit([0.1, 0.1, 0.1, 0.1], queueing: 2, base: nil) == 10)
  }

  @Test("A silent network is suspect, then offline, and all operations are requeued")
  func silentNetwork() {
    var limiter = limiter { limiter in
      limiter.operationStarted(1, .scheduled, at: 0)
      limiter.operationStarted(2, .userInitiated, at: 0)
      limiter.observed(.received(1), by: 1, at: 0)
    }
    var seen: [Double: [LimiterAction]] = [:]
    for step in 1...60 {
      let now = Double(step) / 10
      let actions = limiter.tick(at: now, demand: much)
      if !actions.isEmpty { seen[now] = actions }
      // The timeout is 3 × 0.5 + 1 = 2.5 s.
      #expect(limiter.isAlive == (step < 15))
      #expect(limiter.mayStart(.userInitiated) == (step <= 25))
      #expect((limiter.limit == 0) == (step > 51))
    }
    #expect(seen[2.6] == [.probe] && seen[3.6] == [.probe] && seen[5.6] == [.probe])
    #expect(seen[5.2] == [.requeue(2), .requeue(1)] && seen.count == 4)
    #expect(limiter.falteredAt == 5.2 && limiter.reason == .offline)
  }

  @Test("A collapse leaves a tenth of the load and requeues operations that receive nothing")
  func collapsed() {
    var limiter = limiter { limiter in
      (limiter.line.base, limiter.line.capacity, limiter.current) = (0.02, 1_000_000, 60)
      limiter.now = 10
      limiter.estimate.set(.excellent)
      limiter.beginEpoch()
      for id in OperationID(1)...50 {
        limiter.operations[id] = operation(.scheduled, .receiving, bytes: 2_000, heardAt: 11)
      }
      limiter.operations[60] = operation(.scheduled, .waiting, heardAt: 11)
      limiter.operations[61] = operation(.visible, .waiting, heardAt: 11)
      for step in 0...20 { limiter.ledger.mark(at: 10 + Double(step) / 10) }
      limiter.ledger.add(1, at: 11.9)
      limiter.checkedAt = 11.9
    }
    let actions = limiter.tick(at: 12, demand: much)
    #expect(limiter.reason == .collapsed && limiter.line.isSlow && limiter.falteredAt == 12)
    #expect(limiter.quality == .poor && limiter.line.base == nil && limiter.epoch.start == 12)
    #expect(abs(limiter.current - 5.2) < 1e-9)
    #expect(actions.first == .requeue(60) && !actions.contains(.requeue(61)))
    #expect(limiter.operations.values.count(where: \.isPaused) == 45)
  }

  @Test("Few bytes arrive in a collapse during the time that four first flights take")
  func collapseWindow() {
    func quality(bytesAt time: Double) -> ConnectionQuality? {
      var limiter = limiter { limiter in
        // Four first flights take 2 s.
        (limiter.line.base, limiter.line.capacity, limiter.now) = (0.02, 29_200, 9)
        limiter.estimate.set(.good)
        limiter.beginEpoch()
        limiter.checkedAt = 11.9
        for id in OperationID(1)...4 {
          var operation = AdaptiveLimiter.Operation(
            priority: .scheduled, startedAt: 8, heardAt: 8.5)
          operation.stage = .receiving
          limiter.operations[id] = operation
        }
        for mark in [9.4, 9.9] {
          if time < mark { limiter.ledger.add(200_000, at: time) }
          limiter.ledger.mark(at: mark)
        }
        if time > 9.9 { limiter.ledger.add(200_000, at: time) }
        limiter.ledger.add(1, at: 11.9)
      }
      _ = limiter.tick(at: 12, demand: much)
      return limiter.reason == .collapsed ? limiter.quality : nil
    }
    #expect(quality(bytesAt: 9.7) == .poor && quality(bytesAt: 10.1) == nil)
  }

  @Test("A collapse needs a silent majority of at least four operations, and few bytes")
  func collapse() {
    func collapses(
      silent: Int = 4, alive: Int = 4, demand: Int = 100,
      _ change: (inout AdaptiveLimiter) -> Void = { _ in }
    ) -> Bool {
      var limiter = limiter { limiter in
        limiter.line.base = 0.02
        limiter.line.capacity = 1_000_000
        limiter.now = 10
        limiter.beginEpoch()
        limiter.checkedAt = 11.9
        for id in 0..<silent + alive {
          var operation = AdaptiveLimiter.Operation(
            priority: .scheduled, startedAt: 9, heardAt: id < silent ? 11 : 11.9)
          operation.stage = .receiving
          limiter.operations[OperationID(id)] = operation
        }
        for step in 0...20 { limiter.ledger.mark(at: 10 + Double(step) / 10) }
        limiter.ledger.add(1, at: 11.9)
        limiter.distractedUntil = 12
        change(&limiter)
      }
      _ = limiter.tick(at: 12, demand: NetworkDemand(waiting: demand, hosts: 9))
      return limiter.reason == .collapsed
    }
    #expect(collapses())
    #expect(!collapses(silent: 3, alive: 0) && !collapses(silent: 4, alive: 5))
    #expect(collapses(demand: 8) && !collapses(demand: 7))
    #expect(!collapses { $0.distractedUntil = 12.1 } && !collapses { $0.line.base = nil })
    #expect(!collapses { $0.line.capacity = 0 })
    #expect(!collapses { $0.epoch.start = 11.8 } && collapses { $0.epoch.start = 11.6 })
    // With the byte above, a quarter of the capacity in half a second.
    #expect(!collapses { $0.ledger.add(124_999, at: 11.9) })
    #expect(collapses { $0.ledger.add(124_998, at: 11.9) })
    #expect(
      !collapses { limiter in
        for id in limiter.operations.keys { limiter.operations[id]?.stage = .waiting }
      })
    // Hosts that have not responded since the start do not count.
    #expect(
      !collapses { limiter in
        for id in limiter.operations.keys {
          limiter.operations[id]?.stage = .connecting
          limiter.operations[id]?.heardAt = 9
        }
      })
    // Two round trips, three tolerated queues and 0.3 s are no silence yet.
    func silent(since heardAt: Double, base: Double = 0.02) -> (inout AdaptiveLimiter) -> Void {
      { limiter in
        limiter.line.base = base
        for id in 0..<4 { limiter.operations[OperationID(id)]?.heardAt = heardAt }
      }
    }
    #expect(collapses(silent(since: 11.3)) && !collapses(silent(since: 11.4)))
    #expect(collapses(silent(since: 11.15, base: 0.1)))
    #expect(!collapses(silent(since: 11.25, base: 0.1)))
    // A user request on a slow network has stopped the other operations.
    for isSlow in [true, false] {
      let collapsed = collapses { limiter in
        limiter.line.isSlow = isSlow
        var request = AdaptiveLimiter.Operation(
          priority: .userInitiated, startedAt: 11.9, heardAt: 11.9)
        request.stage = .receiving
        limiter.operations[99] = request
      }
      #expect(collapsed != isSlow)
    }
  }
}
