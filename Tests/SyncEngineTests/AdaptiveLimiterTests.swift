import FeedModel
import Networking
import Testing

@testable import NetworkMeasurement
@testable import SyncEngine

@Suite struct AdaptiveLimiterTests {
  private let much = NetworkDemand(waiting: 1_000, hosts: 500)

  /// A width that knows its line to be of this grade.
  private func width(grade: ConnectionQuality) -> AdaptiveLimiter {
    var width = AdaptiveLimiter(ceiling: 64)
    width.quality.take(grade)
    return width
  }

  private func start(_ width: inout AdaptiveLimiter, _ ids: ClosedRange<OperationID>, _ at: Double)
  {
    for id in ids { width.operationStarted(id, .scheduled, at: at) }
  }

  @Test func pressingOnAShortListStillHasAGrade() {
    var width = AdaptiveLimiter(ceiling: 64)
    #expect(width.grade == nil)
    width.operationStarted(1, .scheduled, at: 0)
    width.observed(.connected(0.02), by: 1, at: 0.02)
    width.observed(.received(300), by: 1, at: 0.1)
    width.operationEnded(1, .answered, demand: NetworkDemand(waiting: 0, hosts: 1), at: 0.1)
    #expect(width.grade == .excellent || width.grade == .good)
  }

  @Test func luxuryNeedsALine() {
    #expect(!AdaptiveLimiter(ceiling: 64).mayStart(.background))
    #expect(!width(grade: .poor).mayStart(.background))
    #expect(width(grade: .fair).mayStart(.background))
    #expect(!width(grade: .fair).mayStart(.prefetch))
    var good = width(grade: .good)
    #expect(good.mayStart(.prefetch))
    good.operationStarted(1, .prefetch, at: 0)
    good.operationStarted(2, .prefetch, at: 0)
    #expect(!good.mayStart(.prefetch))
    #expect(good.mayStart(.background))
  }

  @Test func luxuryPausesOrEndsWhereTheLineGetsBadAndGoesOnLater() {
    var width = width(grade: .good)
    width.operationStarted(1, .background, at: 0)
    width.operationStarted(2, .prefetch, at: 0)
    width.operationStarted(3, .prefetch, at: 0)
    for id: OperationID in [1, 2] {
      width.observed(.requesting, by: id, at: 0.1)
      width.observed(.firstByte(0.2), by: id, at: 0.2)
    }
    width.quality.take(.fair)
    #expect(Set(width.tick(at: 0.3, demand: much)) == [.pause(2), .requeue(3)])
    width.quality.take(.poor)
    #expect(width.tick(at: 0.4, demand: much) == [.pause(1)])
    width.operationEnded(3, .cancelled, demand: much, at: 0.4)
    width.quality.take(.good)
    #expect(Set(width.tick(at: 0.5, demand: much)) == [.resume(1), .resume(2)])
    #expect(width.tick(at: 0.6, demand: much) == [])
  }

  @Test func aServerThatThinksIsParked() {
    var width = AdaptiveLimiter(ceiling: 64)
    start(&width, 1...12, 0)
    for id in OperationID(1)...12 { width.observed(.connected(0.02), by: id, at: 0.02) }
    #expect(!width.mayStart(.scheduled))
    // The line lives: another operation hears something.
    width.observed(.received(1_000), by: 1, at: 5)
    _ = width.tick(at: 5, demand: much)
    #expect(width.load == 1)
    #expect(width.mayStart(.scheduled))
  }

  @Test func theUsersOwnOperationMakesRoomOnASlowLine() {
    var width = width(grade: .poor)
    width.isSlow = true
    width.capacity = 5_000
    start(&width, 1...3, 0)
    for id: OperationID in [1, 2] {
      width.observed(.connected(0.7), by: id, at: 0.7)
      width.observed(.requesting, by: id, at: 0.7)
      width.observed(.firstByte(1), by: id, at: 1)
      width.observed(.received(1_400), by: id, at: 1)
    }
    width.operationStarted(9, .userInitiated, at: 1.1)
    // What has brought bytes pauses, what has only begun to connect begins again.
    #expect(
      Set(width.tick(at: 1.1, demand: much)) == [.requeue(3), .pause(1), .pause(2)])
    width.operationEnded(3, .cancelled, demand: much, at: 1.1)
    #expect(!width.mayStart(.scheduled))
    width.operationEnded(9, .answered, demand: much, at: 3)
    #expect(Set(width.tick(at: 3, demand: much)) == [.resume(1), .resume(2)])
  }

  @Test func aUsersHostThatHangsDoesNotHoldEverythingUp() {
    var width = width(grade: .poor)
    width.isSlow = true
    width.capacity = 5_000
    width.operationStarted(9, .userInitiated, at: 0)
    #expect(!width.mayStart(.scheduled))
    for step in 1...100 {
      width.operationStarted(OperationID(100 + step), .visible, at: Double(step) / 10)
      width.observed(.received(100), by: OperationID(100 + step), at: Double(step) / 10)
      width.operationEnded(
        OperationID(100 + step), .answered, demand: much, at: Double(step) / 10)
      _ = width.tick(at: Double(step) / 10, demand: much)
    }
    #expect(width.mayStart(.scheduled))
  }

  @Test func onReusedConnectionsTheKernelsRoundTripShowsTheQueue() {
    var width = AdaptiveLimiter(ceiling: 64)
    start(&width, 1...12, 0)
    var now = 0.0
    // One is still on its way.
    for id in OperationID(1)...11 {
      now += 0.03
      width.observed(.requesting, by: id, at: now)
      width.observed(.roundTrip(0.5, least: 0.05), by: id, at: now)
      width.observed(.received(20_000), by: id, at: now)
      width.operationEnded(id, .answered, demand: much, at: now)
    }
    _ = width.tick(at: now, demand: much)
    #expect(width.queueing == 0.45)
    #expect(width.reason == .queueing)
    #expect(width.width < 12)
  }

  @Test func nothingStartsOnADeadLineAndWhatRanBeginsAgain() {
    var width = AdaptiveLimiter(ceiling: 64)
    start(&width, 1...4, 0)
    for (id, host) in ["a", "b", "c"].enumerated() {
      width.operationEnded(
        OperationID(id + 1), .unreachable(host: host), demand: much, at: 0)
    }
    #expect(width.grade == .offline)
    #expect(width.width == 0)
    #expect(!width.mayStart(.visible))
    // The machine may be wrong: what is on its way may still prove it.
    #expect(width.tick(at: 0.5, demand: much) == [])
    #expect(width.tick(at: 1.1, demand: much) == [.probe])
    width.probeEnded(reached: false, at: 1.2)
    #expect(width.failedProbes == 1)
    #expect(width.tick(at: 1.3, demand: much) == [])
    width.probeEnded(reached: true, at: 1.4)
    #expect(width.width > 0)
    #expect(width.grade != .offline)
    #expect(width.mayStart(.scheduled))
  }

  @Test func aDoubtEndsWhereNothingIsLeftToCompareWith() {
    var width = AdaptiveLimiter(ceiling: 64)
    width.operationStarted(1, .userInitiated, at: 0)
    width.operationEnded(1, .unresolved(host: "a"), demand: much, at: 0)
    _ = width.tick(at: 0.1, demand: much)
    #expect(width.isInDoubt)
    _ = width.tick(at: 0.2, demand: NetworkDemand(waiting: 0, hosts: 0))
    #expect(!width.isInDoubt)
  }

  @Test func silenceTakesEverythingOffTheLine() {
    var width = AdaptiveLimiter(ceiling: 64)
    start(&width, 1...3, 0)
    width.observed(.received(100), by: 1, at: 0.5)
    var seen: [Double: [LimiterAction]] = [:]
    for step in 5...80 {
      let now = Double(step) / 10
      seen[now] = width.tick(at: now, demand: much)
      if seen[now] == [] { seen[now] = nil }
    }
    #expect(
      seen == [
        3.1: [.probe], 4.1: [.probe], 5.7: [.requeue(3), .requeue(2), .requeue(1)], 6.1: [.probe],
      ])
    #expect(width.grade == .offline)
    width.probeEnded(reached: true, at: 8)
    #expect(width.mayStart(.visible))
  }

  @Test func aMachineTooBusyToLookIsNoLineThatWent() {
    var width = AdaptiveLimiter(ceiling: 64)
    start(&width, 1...12, 0)
    width.observed(.received(100), by: 1, at: 0.1)
    for step in 1...20 {
      #expect(width.tick(at: 2.0 * Double(step), demand: much) == [])
    }
    #expect(width.grade != .offline)
  }

  @Test func aTimeoutOnALineThatFalteredIsNoVerdictOnTheHost() {
    var width = width(grade: .good)
    start(&width, 1...2, 0)
    #expect(width.operationEnded(1, .timedOut, demand: much, at: 20) == false)
    width.falteredAt = 10
    #expect(width.operationEnded(2, .timedOut, demand: much, at: 20) == true)
    #expect(self.width(grade: .poor).patience.silence == 45)
    #expect(self.width(grade: .fair).patience.connect == 20)
    #expect(self.width(grade: .good).patience == ConnectionTimeouts(silence: 20))
  }

  @Test func theCeilingIsNeverPassed() {
    var width = AdaptiveLimiter(ceiling: 5)
    #expect(width.width == 5)
    var id: OperationID = 0
    for step in 1...200 {
      let now = Double(step) / 20
      while width.mayStart(.scheduled) {
        id += 1
        width.operationStarted(id, .scheduled, at: now)
        width.observed(.connected(0.01), by: id, at: now)
        width.observed(.received(20_000), by: id, at: now)
      }
      for done in width.operations.keys {
        width.operationEnded(done, .answered, demand: much, at: now + 0.01)
      }
      _ = width.tick(at: now + 0.01, demand: much)
      #expect(width.width <= 5)
    }
  }

  @Test func afterALongRestTheLineIsLearntAnew() {
    var width = AdaptiveLimiter(ceiling: 128)
    width.hasDecided = true
    width.current = 100
    width.capacity = 1e6
    width.base = 0.01
    width.ledger.add(1, at: 100)
    width.operationStarted(1, .scheduled, at: 130)
    #expect(width.width == 100)
    width.operationEnded(1, .answered, demand: NetworkDemand(waiting: 0, hosts: 0), at: 130)
    width.operationStarted(2, .scheduled, at: 300)
    #expect(width.width == 50)
    #expect(width.base == nil)
    #expect(width.grade == nil)
  }
}
