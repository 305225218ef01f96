@testable import NetworkMeasurement
@testable import SyncEngine

@Suite("Detecting that the network is offline") final class OfflineDetectorTests {
  var detector = OfflineDetector()

  @Test("Three hosts without a route mean offline") func threeNoRoutesAreOffline() {
    detector.failed(.unreachable(host: "a"), of: 9, at: 0)
    detector.failed(.unreachable(host: "a"), of: 9, at: 0)
    detector.failed(.unreachable(host: "b"), of: 9, at: 0)
    #expect(!detector.isOffline)
    #expect(detector.isInDoubt)
    detector.failed(.unreachable(host: "c"), of: 9, at: 0)
    #expect(detector.isOffline)
  }

  @Test("A single host without a route means offline if it is the only one")
  func singleHostCanBeOffline() {
    detector.failed(.unreachable(host: "a"), of: 1, at: 0)
    #expect(detector.isOffline)
    var misspelt = OfflineDetector()
    misspelt.failed(.unresolved(host: "a"), of: 1, at: 0)
    #expect(!misspelt.isOffline)
  }

  @Test("Unknown names do not mean offline while other hosts answer")
  func unknownNamesAreNoOutage() {
    detector.answered(at: 0)
    for host in ["a", "b", "c", "d"] { detector.failed(.unresolved(host: host), of: 9, at: 1) }
    #expect(!detector.isOffline)
    #expect(!detector.isInDoubt)
    for host in ["a", "b", "c"] { detector.failed(.unresolved(host: host), of: 9, at: 60) }
    #expect(detector.isOffline)
  }

  @Test("Eight hosts that refuse connections mean offline") func eightRefusalsAreOffline() {
    detector.answered(at: 0)
    // A stopped server with many names, while other hosts answer.
    for host in 1...9 { detector.failed(.refused(host: "h\(host)"), of: 99, at: 5) }
    #expect(!detector.isOffline)
    for host in 1...7 { detector.failed(.refused(host: "h\(host)"), of: 99, at: 20) }
    #expect(!detector.isOffline)
    detector.failed(.refused(host: "h8"), of: 99, at: 20)
    #expect(detector.isOffline)
  }

  @Test("Probes back off") func probesBackOff() {
    detector.failed(.unreachable(host: "a"), of: 1, at: 0)
    var sent: [Double] = []
    for step in 0...1_500 {
      let now = Double(step) / 10
      if detector.beginProbe(at: now) {
        sent.append(now)
        detector.probeFailed()
      }
    }
    #expect(sent.prefix(5) == [1, 2, 4, 7, 10])
    #expect(zip(sent, sent.dropFirst()).filter { $0.0 > 61 }.allSatisfy { $0.1 - $0.0 >= 29 })
    #expect(detector.failedProbes == sent.count)
    detector.answered(at: 151)
    #expect(!detector.isOffline)
    #expect(detector.failedProbes == 0)
    #expect(detector.beginProbe(at: 152) == false)
  }

  @Test("Silence makes the network suspect, then offline") func silenceMeansOfflineLater() {
    detector.answered(at: 0)
    detector.watch(silence: 2.4, timeout: 2.5, of: 1, at: 2.4)
    #expect(!detector.isSuspect)
    detector.watch(silence: 2.6, timeout: 2.5, of: 1, at: 2.6)
    #expect(detector.isSuspect)
    #expect(detector.beginProbe(at: 2.6) == true)
    detector.watch(silence: 5, timeout: 2.5, of: 1, at: 5)
    #expect(!detector.isOffline)
    detector.watch(silence: 5.2, timeout: 2.5, of: 1, at: 5.2)
    #expect(detector.isOffline)
    #expect(detector.outage(at: 5.2) == 5.1)
    detector.answered(at: 6)
    #expect(!detector.isOffline && !detector.isSuspect)
  }

  @Test("Two hosts that never answered are not enough for a suspicion")
  func newHostsProveNothing() {
    detector.watch(silence: 60, timeout: 2.5, of: 2, at: 60)
    #expect(!detector.isSuspect)
    detector.watch(silence: 60, timeout: 2.5, of: 3, at: 60)
    #expect(detector.isSuspect)
  }

  @Test("A suspicion ends with the work") func suspicionEndsWithTheWork() {
    detector.answered(at: 0)
    detector.watch(silence: 3, timeout: 2.5, of: 1, at: 3)
    detector.clearSuspicion()
    #expect(!detector.isSuspect)
    #expect(detector.beginProbe(at: 4) == false)
  }
}

@Suite("Estimating the connection quality") struct QualityEstimateTests {
  @Test("A change of the quality must last for three epochs") func aChangeMustLast() {
    var quality = QualityEstimate()
    quality.judge(goodput: 2e6, delay: 0.02, wasFull: true)
    #expect(quality.quality == .excellent)
    for _ in 1...2 { quality.judge(goodput: 1e5, delay: 0.02, wasFull: true) }
    #expect(quality.quality == .excellent)
    quality.judge(goodput: 1e5, delay: 0.02, wasFull: true)
    #expect(quality.quality == .fair)
  }

  @Test("Values around a bound do not change the quality repeatedly") func qualityDoesNotFlutter() {
    var quality = QualityEstimate()
    quality.judge(goodput: 260_000, delay: 0.1, wasFull: true)
    #expect(quality.quality == .good)
    for step in 0..<20 {
      quality.judge(goodput: step % 2 == 0 ? 220_000 : 280_000, delay: 0.1, wasFull: true)
      #expect(quality.quality == .good)
    }
  }

  @Test("Slow hosts do not lower the quality, but delays do") func delayLowersQuality() {
    var quality = QualityEstimate()
    for _ in 0..<9 { quality.judge(goodput: 500, delay: 0.01, wasFull: false) }
    #expect(quality.quality == .good)
    for _ in 0..<3 { quality.judge(goodput: 500, delay: 2, wasFull: false) }
    #expect(quality.quality == .poor)
  }
}
