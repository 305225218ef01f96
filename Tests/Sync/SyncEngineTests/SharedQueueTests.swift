@testable import SyncEngine

/// A host is judged by its own time: the queue of a slow network delays the answers of all hosts.
@Suite("The shared queue of a network") struct SharedQueueTests {
  private let monitor = TransferMonitor()

  private func moment(_ seconds: Double) -> Instant {
    Instant(uptime: .seconds(seconds), date: EngineFixture.start + seconds)
  }

  /// Connections to other hosts, made at the same time.
  private func connect(_ times: [Double], at now: Double) {
    for (number, time) in times.enumerated() {
      monitor.entry(of: 100 + UInt64(number))
        .observed(.connected(time), at: moment(now))
    }
  }

  /// Answers for the host; returns the milliseconds by which its limit is judged.
  private func answer(_ seconds: Double, at now: Double) -> Int? {
    let page = monitor.entry(of: 7)
    page.asks("a.example")
    page.observed(.firstByte(seconds), at: moment(now))
    return page.answered("a.example", status: 200, at: EngineFixture.start + now)
      .map { Int(($0.own / .milliseconds(1)).rounded()) }
  }

  @Test("A delay of all connections does not count against the host") func queue() {
    connect([0.04, 0.05], at: 0)
    #expect(answer(0.11, at: 0.1) == 110)
    connect(Array(repeating: 0.24, count: 16), at: 1)
    #expect(answer(0.31, at: 1.1) == 110)
    #expect(monitor.answers["a.example"]?.latency == .seconds(0.31))
  }

  @Test("A queue that has just built up counts") func justBuiltUp() {
    connect(Array(repeating: 0.04, count: 12), at: 0.5)
    connect(Array(repeating: 0.24, count: 4), at: 0.9)
    #expect(answer(0.31, at: 1) == 110)
  }

  @Test("While another host connects as fast as before, the delay counts against the host")
  func ownWait() {
    connect([0.04], at: 0)
    connect([0.24, 0.04, 0.3], at: 1)
    #expect(answer(0.31, at: 1.1) == 310)
  }

  @Test("Old connections do not measure the current queue") func old() {
    connect([0.04], at: 0)
    connect(Array(repeating: 0.24, count: 16), at: 1)
    #expect(answer(0.31, at: 3.5) == 310)
  }
}
