import FeedModel
import Networking
import Testing

@testable import NetworkMeasurement
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

  @Test func probesBackOff() {
    var line = OfflineDetector()
    line.failed("a", .unreachable, of: 1, at: 0)
    var sent: [Double] = []
    for step in 0...1_500 {
      let now = Double(step) / 10
      if line.takesProbe(at: now) {
        sent.append(now)
        line.probeFailed()
      }
    }
    #expect(sent.prefix(5) == [1, 2, 4, 7, 10])
    #expect(zip(sent, sent.dropFirst()).filter { $0.0 > 61 }.allSatisfy { $0.1 - $0.0 >= 29 })
    #expect(line.failedProbes == sent.count)
    line.answered(at: 151)
    #expect(!line.isOffline)
    #expect(line.failedProbes == 0)
    #expect(line.takesProbe(at: 152) == false)
  }

  @Test func silenceMakesALineSuspectThenOffline() {
    var line = OfflineDetector()
    line.answered(at: 0)
    line.watch(silence: 2.4, patience: 2.5, of: 1, at: 2.4)
    #expect(!line.isSuspect)
    line.watch(silence: 2.6, patience: 2.5, of: 1, at: 2.6)
    #expect(line.isSuspect)
    #expect(line.takesProbe(at: 2.6) == true)
    line.watch(silence: 5, patience: 2.5, of: 1, at: 5)
    #expect(!line.isOffline)
    line.watch(silence: 5.2, patience: 2.5, of: 1, at: 5.2)
    #expect(line.isOffline)
    #expect(line.outage(at: 5.2) == 5.1)
    line.answered(at: 6)
    #expect(!line.isOffline && !line.isSuspect)
  }

  @Test func twoHostsThatNeverAnsweredProveNothing() {
    var line = OfflineDetector()
    line.watch(silence: 60, patience: 2.5, of: 2, at: 60)
    #expect(!line.isSuspect)
    line.watch(silence: 60, patience: 2.5, of: 3, at: 60)
    #expect(line.isSuspect)
  }

  @Test func suspicionEndsWithTheWork() {
    var line = OfflineDetector()
    line.answered(at: 0)
    line.watch(silence: 3, patience: 2.5, of: 1, at: 3)
    line.settle()
    #expect(!line.isSuspect)
    #expect(line.takesProbe(at: 4) == false)
  }
}

@Suite struct QualityEstimateTests {
  @Test func aChangeMustLast() {
    var quality = QualityEstimate()
    quality.judge(goodput: 2e6, delay: 0.02, wasFull: true)
    #expect(quality.quality == .excellent)
    for _ in 1...2 { quality.judge(goodput: 1e5, delay: 0.02, wasFull: true) }
    #expect(quality.quality == .excellent)
    quality.judge(goodput: 1e5, delay: 0.02, wasFull: true)
    #expect(quality.quality == .fair)
  }

  @Test func aboutABoundNothingFlutters() {
    var quality = QualityEstimate()
    quality.judge(goodput: 260_000, delay: 0.1, wasFull: true)
    #expect(quality.quality == .good)
    for step in 0..<20 {
      quality.judge(goodput: step % 2 == 0 ? 220_000 : 280_000, delay: 0.1, wasFull: true)
      #expect(quality.quality == .good)
    }
  }

  @Test func hostsLowerNothingAndDelayDoes() {
    var quality = QualityEstimate()
    for _ in 0..<9 { quality.judge(goodput: 500, delay: 0.01, wasFull: false) }
    #expect(quality.quality == .good)
    for _ in 0..<3 { quality.judge(goodput: 500, delay: 2, wasFull: false) }
    #expect(quality.quality == .poor)
  }
}
