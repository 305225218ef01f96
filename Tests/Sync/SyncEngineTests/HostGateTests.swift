@testable import SyncEngine

@Suite("The gate of hosts") struct HostGateTests {
  /// Counts the requests that run, and keeps their peak.
  private final class Room: Sendable {
    private let state = Mutex((inside: 0, peak: 0, entered: 0))
    func enter() {
      state.withLock {
        $0.inside += 1
        $0.entered += 1
        $0.peak = max($0.peak, $0.inside)
      }
    }
    func exit() { state.withLock { $0.inside -= 1 } }
    var peak: Int { state.withLock { $0.peak } }
    var entered: Int { state.withLock { $0.entered } }
  }

  private func visit(
    _ gate: HostGate, _ host: String, origin: String? = nil, _ room: Room
  ) async -> Bool {
    let visit: Void? = await gate.withPermit(host, origin: origin) {
      room.enter()
      for _ in 0..<20 { await Task.yield() }
      room.exit()
    }
    return visit != nil
  }

  /// Lets fifty requests of the host in at once, and checks that all run.
  private func rush(_ gate: HostGate, origin: String? = nil) async -> Int {
    let room = Room()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await visit(gate, "a", origin: origin, room) } }
      for await entered in group { #expect(entered) }
    }
    #expect(room.entered == 50)
    return room.peak
  }

  @Test("Two requests of a host run at once, and all run in the end")
  func twoRequestsRunAtOnce() async {
    #expect(await rush(HostGate(limits: .init())) == 2)
  }

  @Test("Up to six requests run at once on a host that multiplexes")
  func sixRequestsIfMultiplexed() async {
    let gate = HostGate(limits: .init())
    gate.setMultiplexing("https://a:443", of: "a")
    let peak = await rush(gate, origin: "https://a:443")
    #expect((3...6).contains(peak))
  }

  @Test("Other origins of a host that multiplexes are limited to two")
  func otherOriginsHaveTwo() async {
    let gate = HostGate(limits: .init())
    let (secure, plain) = (Room(), Room())
    gate.setMultiplexing("https://a:443", of: "a")
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 {
        group.addTask { await visit(gate, "a", origin: "https://a:443", secure) }
        group.addTask { await visit(gate, "a", origin: "http://a:80", plain) }
      }
      for await entered in group { #expect(entered) }
    }
    #expect(secure.peak <= 6)
    #expect(plain.peak <= 2)
    #expect(secure.entered + plain.entered == 100)
  }

  @Test("An origin that no longer multiplexes is limited to two again")
  func originFallsBackToTwo() async {
    let gate = HostGate(limits: .init())
    gate.setMultiplexing("https://a:443", of: "a")
    gate.setMultiplexing("https://a:443", of: "a", false)
    #expect(gate.limit(of: "a") == 2)
    #expect(await rush(gate, origin: "https://a:443") == 2)
  }

  @Test("A request that is cancelled in the queue takes no slot")
  func cancelledTakesNoSlot() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    for round in 0..<200 {
      let tasks = (0..<8).map { _ in Task { await visit(gate, "a", room) } }
      for (index, task) in tasks.enumerated() where (index + round) % 3 == 0 { task.cancel() }
      for task in tasks { _ = await task.value }
    }
    #expect(room.peak <= 2)
    // Both slots are still free.
    let late = Room()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 { group.addTask { await visit(gate, "a", late) } }
      for await entered in group { #expect(entered) }
    }
    #expect(late.entered == 10)
  }

  private func answer(_ gate: HostGate, _ host: String = "a.test") {
    let response = HTTPResponse(status: 304)
    let latency = HostLatency(own: .milliseconds(70))
    gate.measured(host, .success(response), latency: latency, at: EngineFixture.start)
  }

  /// Starts a request of a host without a free slot, and lets it begin to wait.
  private func wait(
    _ gate: HostGate, _ host: String, origin: String? = nil, _ room: Room
  ) async -> Task<Bool, Never> {
    let waiter = Task { await visit(gate, host, origin: origin, room) }
    for _ in 0..<100 { await Task.yield() }
    return waiter
  }

  @Test("A request that is cancelled while it waits does not run") func cancelledWaiter() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    _ = await gate.withPermit("a") {
      _ = await gate.withPermit("a") {
        let waiter = await wait(gate, "a", room)
        waiter.cancel()
        #expect(await waiter.value == false)
      }
    }
    #expect(room.entered == 0)
  }

  @Test("A cancelled request does not end one that waits before it") func cancelledSecond() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    var waiters: [Task<Bool, Never>] = []
    _ = await gate.withPermit("a") {
      _ = await gate.withPermit("a") {
        for _ in 0..<2 { waiters.append(await wait(gate, "a", room)) }
        waiters[1].cancel()
      }
    }
    let haveRun = [await waiters[0].value, await waiters[1].value]
    #expect(haveRun == [true, false])
    #expect(room.entered == 1)
  }

  @Test("A request that is cancelled before it waits does not run") func cancelledBefore() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    let request = Task {
      while !Task.isCancelled { await Task.yield() }
      return await visit(gate, "a", room)
    }
    request.cancel()
    #expect(await request.value == false)
    #expect(room.entered == 0)
  }

  @Test("A request that waits runs as soon as the limit rises", arguments: [true, false])
  func admittedWaiter(isMultiplexing: Bool) async {
    let gate = HostGate(limits: HostLimits())
    let origin = "https://a.test"
    _ = await gate.withPermit("a.test") {
      _ = await gate.withPermit("a.test") {
        let waiter = await wait(gate, "a.test", origin: origin, Room())
        if isMultiplexing {
          gate.setMultiplexing(origin, of: "a.test")
        } else {
          for _ in 0..<2 { answer(gate) }
        }
        #expect(await waiter.value)
      }
    }
  }

  @Test("Answers at the same time count for the same round") func sameMoment() async {
    let gate = HostGate(limits: HostLimits())
    _ = await gate.withPermit("a.test") {
      _ = await gate.withPermit("a.test") { answer(gate) }
      answer(gate)
    }
    #expect(gate.limit(of: "a.test") == 3)
  }

  @Test("Answers one after the other do not raise the limit") func oneByOne() async {
    let gate = HostGate(limits: HostLimits())
    _ = await gate.withPermit("a.test") { _ = await gate.withPermit("a.test") {} }
    for _ in 0..<4 { _ = await gate.withPermit("a.test") { answer(gate) } }
    #expect(gate.limit(of: "a.test") == 2)
  }

  private func end(
    _ gate: HostGate, _ error: TransportError.Kind, permits: Int
  ) async -> HostLimitReason {
    func usePermits(_ left: Int) async {
      guard left > 0 else {
        return gate.measured(
          "a.test", .failure(TransportError(error)), latency: nil, at: EngineFixture.start)
      }
      _ = await gate.withPermit("a.test") { await usePermits(left - 1) }
    }
    await usePermits(permits)
    return gate.limitAndReason(of: "a.test").reason
  }

  @Test("A refused connection counts only during another exchange, and a stall only after a raise")
  func failures() async {
    #expect(await end(HostGate(limits: HostLimits()), .connectionRefused, permits: 1) == .usual)
    #expect(await end(HostGate(limits: HostLimits()), .connectionRefused, permits: 2) == .refused)
    #expect(await end(HostGate(limits: HostLimits()), .connectionLost, permits: 2) == .refused)
    #expect(await end(HostGate(limits: HostLimits()), .stalled, permits: 2) == .usual)
    let raised = HostGate(limits: HostLimits())
    for _ in 0..<2 {
      _ = await raised.withPermit("a.test") {
        _ = await raised.withPermit("a.test") { answer(raised) }
      }
    }
    #expect(raised.limitAndReason(of: "a.test") == (3, .fast))
    #expect(await end(raised, .hostNotFound, permits: 2) == .fast)
    #expect(await end(raised, .stalled, permits: 2) == .slower)
  }

  @Test("Measured limits are reported once and stored") func learned() {
    let gate = HostGate(limits: HostLimits())
    #expect(gate.drainLearned() == [])
    for host in ["b.test", "a.test"] {
      gate.measured(
        host, .success(HTTPResponse(status: 429)), latency: nil, at: EngineFixture.start)
    }
    answer(gate, "c.test")
    let until = EngineFixture.start + 86_400
    let learned = ["a.test", "b.test"].map {
      HostLimit(host: $0, atOnce: 1, reason: .refused, until: until)
    }
    #expect(gate.drainLearned() == learned)
    #expect(gate.drainLearned() == [])
    let other = HostGate(limits: HostLimits())
    other.remember(learned)
    #expect(other.limitAndReason(of: "a.test") == (1, .refused))
    #expect(other.limitAndReason(of: "c.test") == (2, .usual))
  }

  @Test("A configured limit is not measured, and local sources have the default")
  func configuredLimits() {
    let configured = HostGate(limits: HostLimits(perHost: 3, isMeasured: false))
    configured.measured(
      "a.test", .success(HTTPResponse(status: 429)), latency: nil, at: EngineFixture.start)
    #expect(configured.limitAndReason(of: "a.test") == (3, .configured))
    configured.setMultiplexing("https://a.test", of: "a.test")
    #expect(configured.limitAndReason(of: "a.test") == (6, .configured))
    let measured = HostGate(limits: HostLimits(perHost: 3))
    #expect(measured.limitAndReason(of: LocalSource.hostKey) == (3, .usual))
    #expect(measured.limitAndReason(of: "a.test") == (2, .usual))
    measured.setMultiplexing("https://a.test", of: "a.test")
    measured.setMultiplexing("https://b.a.test", of: "a.test")
    #expect(measured.limitAndReason(of: "a.test") == (6, .multiplexing))
    measured.setMultiplexing("https://b.a.test", of: "a.test", false)
    #expect(measured.limit(of: "a.test") == 6)
    measured.setMultiplexing("https://a.test", of: "a.test", false)
    #expect(measured.limitAndReason(of: "a.test") == (2, .usual))
  }

  @Test("A host with a limit of one gets one request at once") func limitOfOne() async {
    let gate = HostGate(limits: HostLimits())
    gate.remember([
      HostLimit(host: "a.test", atOnce: 1, reason: .refused, until: EngineFixture.start)
    ])
    #expect(await gate.withPermit("a.test") { 7 } == 7)
  }

  @Test("A raised limit is not full until its new slot is in use") func raisedLimit() async {
    let gate = HostGate(limits: HostLimits())
    _ = await gate.withPermit("a.test") {
      _ = await gate.withPermit("a.test") { for _ in 0..<6 { answer(gate) } }
    }
    #expect(gate.limit(of: "a.test") == 3)
    // With multiplexing, three requests run before the limit rises to three.
    let origin = "https://b.test"
    gate.setMultiplexing(origin, of: "b.test")
    _ = await gate.withPermit("b.test", origin: origin) {
      _ = await gate.withPermit("b.test", origin: origin) {
        _ = await gate.withPermit("b.test", origin: origin) {
          for _ in 0..<5 { answer(gate, "b.test") }
        }
      }
    }
    gate.setMultiplexing(origin, of: "b.test", false)
    #expect(gate.limit(of: "b.test") == 4)
  }
}
