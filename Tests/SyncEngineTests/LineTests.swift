import FeedModel
import Networking
import Testing

@testable import SyncEngine

@Suite struct OfflineDetectorTests {
  @Test func threeHostsWithoutARouteAreALineGone() {
    var line = OfflineDetector()
    line.failed("a", .unreachable, of: 9, at: 0)
    line.failed("a", .unreachable, of: 9, at: 0)
    line.failed("b", .unreachable, of: 9, at: 0)
    #expect(!line.isOffline)
    #expect(line.isInDoubt)
    line.failed("c", .unreachable, of: 9, at: 0)
    #expect(line.isOffline)
  }

  @Test func oneHostIsEnoughWhereThereIsOnlyOneAndTheMachineSaysSo() {
    var line = OfflineDetector()
    line.failed("a", .unreachable, of: 1, at: 0)
    #expect(line.isOffline)
    var misspelt = OfflineDetector()
    misspelt.failed("a", .unresolved, of: 1, at: 0)
    #expect(!misspelt.isOffline)
  }

  @Test func namesThatAreNotFoundWhileOthersAnswerAreTheirOwnTrouble() {
    var line = OfflineDetector()
    line.answered(at: 0)
    for host in ["a", "b", "c", "d"] { line.failed(host, .unresolved, of: 9, at: 1) }
    #expect(!line.isOffline)
    #expect(!line.isInDoubt)
    for host in ["a", "b", "c"] { line.failed(host, .unresolved, of: 9, at: 60) }
    #expect(line.isOffline)
  }

  @Test func eightHostsWhereNobodyListensAreALineGone() {
    var line = OfflineDetector()
    line.answered(at: 0)
    // A stopped server on a machine of many, while others answer.
    for host in 1...9 { line.failed("h\(host)", .refused, of: 99, at: 5) }
    #expect(!line.isOffline)
    for host in 1...7 { line.failed("h\(host)", .refused, of: 99, at: 20) }
    #expect(!line.isOffline)
    line.failed("h8", .refused, of: 99, at: 20)
    #expect(line.isOffline)
  }

  @Test func probesGoOneAtATimeAndBackOff() {
    var line = OfflineDetector()
    line.failed("a", .unreachable, of: 1, at: 0)
    #expect(line.takesProbe(at: 0.5) == false)
    #expect(line.takesProbe(at: 1) == true)
    #expect(line.takesProbe(at: 1) == false)
    line.failed("a", .unreachable, of: 1, at: 1.2)
    #expect(line.failedProbes == 1)
    #expect(line.takesProbe(at: 3) == false)
    #expect(line.takesProbe(at: 3.2) == true)
    line.failed("a", .unreachable, of: 1, at: 100)
    #expect(line.takesProbe(at: 129) == false)
    #expect(line.takesProbe(at: 130) == true)
    line.answered(at: 131)
    #expect(!line.isOffline)
    #expect(line.failedProbes == 0)
  }

  @Test func aProbeThatIsCancelledIsNotTheLast() {
    var line = OfflineDetector()
    line.failed("a", .unreachable, of: 1, at: 0)
    #expect(line.takesProbe(at: 1) == true)
    line.probeLost(at: 2)
    #expect(line.takesProbe(at: 3) == true)
  }
}

@Suite struct SlowStartWidthTests {
  /// Plays a line: `capacity` bytes a second shared by what is in flight, each exchange `size` bytes
  /// and at least `think` seconds long.
  private func play(
    _ width: inout SlowStartWidth, capacity: Double, size: Double, think: Double,
    connect: (Int) -> Double, seconds: Double
  ) {
    struct Exchange {
      var id: OperationID
      var left: Double
      var until: Double
    }
    var running: [Exchange] = []
    var id: OperationID = 1
    let demand = LineDemand(waiting: 1_000, hosts: 500)
    var now = 0.0
    while now < seconds {
      while width.mayStart(.p2) {
        width.operationStarted(id, .p2, at: now)
        width.observed(.connected(connect(running.count)), by: id, at: now)
        running.append(Exchange(id: id, left: size, until: now + think))
        id += 1
      }
      now += 0.05
      let sending = running.indices.filter { running[$0].until <= now }
      let share = capacity * 0.05 / Double(max(1, sending.count))
      for index in sending {
        let bytes = min(share, running[index].left)
        running[index].left -= bytes
        width.observed(.received(Int(bytes)), by: running[index].id, at: now)
      }
      for exchange in running where exchange.left < 1 && exchange.until <= now {
        width.operationEnded(exchange.id, .answered, demand: demand, at: now)
      }
      running.removeAll { $0.left < 1 && $0.until <= now }
      _ = width.tick(at: now, demand: demand)
    }
  }

  @Test func aGoodLineIsFilledToTheCeiling() {
    var width = SlowStartWidth(ceiling: 128)
    play(
      &width, capacity: 12_500_000, size: 28_000, think: 0.2, connect: { _ in 0.02 }, seconds: 2.5)
    #expect(width.width >= 64)
    #expect(width.grade == .excellent || width.grade == .good)
    play(
      &width, capacity: 12_500_000, size: 28_000, think: 0.2, connect: { _ in 0.02 }, seconds: 30)
    #expect(width.width == 128)
  }

  @Test func aQueueInTheLineNarrowsIt() {
    var width = SlowStartWidth(ceiling: 128)
    // EDGE: connecting takes longer the more is in flight.
    play(
      &width, capacity: 25_000, size: 28_000, think: 0.3, connect: { 0.4 + 0.2 * Double($0) },
      seconds: 60)
    #expect(width.width <= 24)
    #expect(width.grade == .poor)
    #expect(width.silenceLimit == 45)
  }

  @Test func aLineOf304sIsNeverGradedBelowGood() {
    var width = SlowStartWidth(ceiling: 64)
    play(&width, capacity: 12_500_000, size: 300, think: 0.3, connect: { _ in 0.01 }, seconds: 20)
    #expect(width.grade == .good || width.grade == .excellent)
  }

  @Test func slowHostsDoNotMakeALineBad() {
    var width = SlowStartWidth(ceiling: 64)
    play(&width, capacity: 12_500_000, size: 20_000, think: 8, connect: { _ in 0.02 }, seconds: 60)
    #expect(width.grade != .poor && width.grade != .fair)
  }

  @Test func nothingStartsOnADeadLineButAProbe() {
    var width = SlowStartWidth(ceiling: 64)
    let demand = LineDemand(waiting: 10, hosts: 10)
    for (id, host) in ["a", "b", "c"].enumerated() {
      width.operationStarted(OperationID(id), .p2, at: 0)
      width.operationEnded(OperationID(id), .unreachable(host: host), demand: demand, at: 0)
    }
    #expect(width.grade == .offline)
    #expect(width.width == 0)
    #expect(!width.mayStart(.p1))
    #expect(width.tick(at: 0.5, demand: demand) == [])
    #expect(width.tick(at: 1.1, demand: demand) == [.probe])
    #expect(width.tick(at: 1.2, demand: demand) == [])
    width.operationStarted(9, .p2, at: 1.2)
    width.observed(.firstByte(0.1), by: 9, at: 1.4)
    #expect(width.width == 8)
    #expect(width.grade != .offline)
  }

  @Test func theCeilingIsNeverPassed() {
    var width = SlowStartWidth(ceiling: 5)
    #expect(width.width == 5)
    play(&width, capacity: 1e9, size: 1_000, think: 0.1, connect: { _ in 0.01 }, seconds: 10)
    #expect(width.width == 5)
  }
}
