import FeedModel
import Networking
import Synchronization
import Testing

@testable import RateLimiting
@testable import SyncEngine

@Suite struct HostGateTests {
  /// Counts who is inside, and lets a test open the door.
  private final class Room: Sendable {
    private let state = Mutex((inside: 0, peak: 0, entered: 0))
    func enter() {
      state.withLock {
        $0.inside += 1
        $0.entered += 1
        $0.peak = max($0.peak, $0.inside)
      }
    }
    func leave() { state.withLock { $0.inside -= 1 } }
    var peak: Int { state.withLock { $0.peak } }
    var entered: Int { state.withLock { $0.entered } }
  }

  private func visit(
    _ gate: HostGate, _ host: String, origin: String? = nil, _ room: Room
  ) async -> Bool {
    let visit: Void? = await gate.withPermit(host, origin: origin) {
      room.enter()
      for _ in 0..<20 { await Task.yield() }
      room.leave()
    }
    return visit != nil
  }

  @Test func twoAtATimeAndEverybodyInTheEnd() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await visit(gate, "a", room) } }
      for await entered in group { #expect(entered) }
    }
    #expect(room.peak == 2)
    #expect(room.entered == 50)
  }

  @Test func sixWhereTheHostMultiplexes() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    gate.setMultiplexing("https://a:443", of: "a")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { _ = await visit(gate, "a", origin: "https://a:443", room) }
      }
    }
    #expect((3...6).contains(room.peak))
    #expect(room.entered == 50)
  }

  @Test func otherOriginsOfAHostThatMultiplexesKeepToTwo() async {
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

  @Test func anOriginThatMultiplexesNoMoreHasTwoAgain() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    gate.setMultiplexing("https://a:443", of: "a")
    gate.setMultiplexing("https://a:443", of: "a", false)
    #expect(gate.limit(of: "a") == 2)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { _ = await visit(gate, "a", origin: "https://a:443", room) }
      }
    }
    #expect(room.peak == 2)
    #expect(room.entered == 50)
  }

  @Test func whoIsCancelledInTheQueueTakesNoPlace() async {
    let gate = HostGate(limits: .init())
    let room = Room()
    for round in 0..<200 {
      let tasks = (0..<8).map { _ in Task { await visit(gate, "a", room) } }
      for (index, task) in tasks.enumerated() where (index + round) % 3 == 0 { task.cancel() }
      for task in tasks { _ = await task.value }
    }
    #expect(room.peak <= 2)
    // Both places are still there.
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

  @Test("Answers that come at the same moment count for the same round") func sameMoment() async {
    let gate = HostGate(limits: HostLimits())
    _ = await gate.withPermit("a.test") {
      _ = await gate.withPermit("a.test") { answer(gate) }
      answer(gate)
    }
    #expect(gate.limit(of: "a.test") == 3)
  }

  @Test("Answers that come one after the other raise no limit") func oneByOne() async {
    let gate = HostGate(limits: HostLimits())
    _ = await gate.withPermit("a.test") { _ = await gate.withPermit("a.test") {} }
    for _ in 0..<4 { _ = await gate.withPermit("a.test") { answer(gate) } }
    #expect(gate.limit(of: "a.test") == 2)
  }
}
