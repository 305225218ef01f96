@testable import NetworkMeasurement

@Suite("Detecting that the network is offline") struct OfflineDetectorTests {
  @Test("Each sign of an outage needs its number of hosts") func signs() {
    func isOffline(_ sign: (String) -> OperationEnd, failing: Int, of hosts: Int) -> Bool {
      var detector = OfflineDetector()
      // A host counts once.
      for host in 0..<failing * 2 { detector.failed(sign("h\(host / 2)"), of: hosts, at: 0) }
      return detector.isOffline
    }
    for (sign, hosts, needed) in [
      (OperationEnd.unreachable, 0, 1), (OperationEnd.unreachable, 1, 1),
      (OperationEnd.unreachable, 2, 2), (OperationEnd.unreachable, 3, 3),
      (OperationEnd.unreachable, 9, 3), (OperationEnd.unresolved, 1, 3),
      (OperationEnd.unresolved, 9, 3), (OperationEnd.refused, 9, 8),
    ] {
      #expect(!isOffline(sign, failing: needed - 1, of: hosts))
      #expect(isOffline(sign, failing: needed, of: hosts))
    }
  }

  @Test("Failures count again ten seconds after an answer, a missing route at once")
  func afterAnAnswer() {
    func isInDoubt(_ end: OperationEnd, at now: Double) -> Bool {
      var detector = OfflineDetector()
      detector.answered(at: 5)
      #expect(detector.hasHeard && !detector.isInDoubt)
      detector.failed(end, of: 9, at: now)
      return detector.isInDoubt
    }
    #expect(!isInDoubt(.refused(host: "h"), at: 14.9) && isInDoubt(.refused(host: "h"), at: 15))
    #expect(
      !isInDoubt(.unresolved(host: "h"), at: 14.9) && isInDoubt(.unresolved(host: "h"), at: 15))
    #expect(isInDoubt(.unreachable(host: "h"), at: 5))
  }

  @Test("Silence is counted from its start, and twice the timeout means offline")
  func silenceOfTheNetwork() {
    var detector = OfflineDetector()
    // Silence of two hosts that never answered is not enough.
    detector.watch(silence: 100, timeout: 3, of: 2, at: 100)
    #expect(!detector.isSuspect)
    detector.watch(silence: 100, timeout: 3, of: 3, at: 100)
    #expect(detector.isSuspect)
    detector.answered(at: 0)
    detector.watch(silence: 3, timeout: 3, of: 0, at: 3)
    #expect(!detector.isSuspect)
    detector.watch(silence: 3.5, timeout: 3, of: 0, at: 3.5)
    #expect(detector.isSuspect && detector.outage(at: 5) == 0)
    detector.probeFailed()
    #expect(detector.failedProbes == 0)
    // The timeout at the start of the silence counts.
    detector.watch(silence: 9, timeout: 1, of: 0, at: 6.5)
    #expect(!detector.isOffline)
    detector.watch(silence: 9, timeout: 9, of: 0, at: 6.6)
    #expect(detector.isOffline && detector.outage(at: 7) == 6.5)
    detector.probeFailed()
    #expect(detector.failedProbes == 1)
    detector.failed(.unreachable(host: "h"), of: 1, at: 8)
    #expect(!detector.isInDoubt)
    detector.clearSuspicion()
    #expect(detector.isOffline)
    detector.answered(at: 9)
    #expect(!detector.isOffline && !detector.isSuspect && detector.failedProbes == 0)
    #expect(detector.beginProbe(at: 99) == false)
  }

  @Test("Probes start at once after a suspicion, and a second after an outage without one")
  func probes() {
    func probes(_ detector: inout OfflineDetector, _ times: Double...) -> [Bool] {
      times.map { detector.beginProbe(at: $0) }
    }
    var detector = OfflineDetector()
    detector.answered(at: 0)
    #expect(probes(&detector, 1) == [false])
    detector.watch(silence: 9, timeout: 3, of: 1, at: 9)
    #expect(
      probes(&detector, 9, 9.9, 10, 11.9, 12, 14.9, 15, 17.9, 18) == [
        true, false, true, false, true, false, true, false, true,
      ])
    detector.clearSuspicion()
    #expect(probes(&detector, 30) == [false])
    detector.watch(silence: 9, timeout: 3, of: 1, at: 19)
    #expect(probes(&detector, 19, 20) == [true, true])
    // The outage continues the probes of the suspicion.
    detector.failed(.unreachable(host: "h"), of: 1, at: 21)
    #expect(probes(&detector, 21.9, 22) == [false, true])
    var other = OfflineDetector()
    other.failed(.unreachable(host: "h"), of: 1, at: 100)
    #expect(probes(&other, 100.9, 101, 101.9, 102) == [false, true, false, true])
    var long = other
    #expect(probes(&long, 160.5, 163.5, 190.5) == [true, false, true])
    #expect(probes(&other, 160, 163, 189, 192.9, 193) == [true, true, false, false, true])
  }
}

@Suite("Estimating the connection quality") struct QualityEstimateTests {
  private func quality(
    _ goodput: Double, _ delay: Double? = nil, wasFull: Bool = true
  ) -> ConnectionQuality? {
    var estimate = QualityEstimate()
    estimate.judge(goodput: goodput, delay: delay, wasFull: wasFull)
    return estimate.quality
  }

  @Test("The first measurement is graded exactly at the bounds") func grades() {
    #expect(quality(1_250_000) == .excellent && quality(1_249_999) == .good)
    #expect(quality(250_000) == .good && quality(249_999) == .fair)
    #expect(quality(40_000) == .fair && quality(39_999) == .poor)
    #expect(quality(1_250_000, 0.27) == .excellent && quality(1_250_000, 0.271) == .fair)
    #expect(quality(1_250_000, 1.4) == .fair && quality(1_250_000, 1.41) == .poor)
    #expect(quality(100, 1.41) == .poor)
    #expect(quality(100, wasFull: false) == .good)
    #expect(quality(1_250_000, wasFull: false) == .excellent)
    #expect(quality(100, 0.5, wasFull: false) == .fair)
  }

  @Test("A grade changes after three epochs beyond a fifth of the bound, in one direction")
  func changes() {
    var estimate = QualityEstimate()
    func judge(_ goodputs: Double...) -> ConnectionQuality? {
      for goodput in goodputs { estimate.judge(goodput: goodput, delay: nil, wasFull: true) }
      return estimate.quality
    }
    #expect(judge(100_000, 500_000, 500_000) == .fair)
    #expect(judge(500_000) == .good)
    // 250,000 with a fifth more or less.
    #expect(judge(209_000, 209_000, 208_000) == .good)
    #expect(judge(209_000, 209_000, 209_000) == .good)
    #expect(judge(208_000, 208_000) == .good)
    #expect(judge(500_000, 208_000, 208_000) == .good)
    #expect(judge(208_000) == .fair)
    #expect(judge(299_000, 299_000, 301_000) == .fair)
    #expect(judge(299_000, 299_000, 299_000) == .fair)
    #expect(judge(301_000, 301_000, 301_000) == .good)
    // Two successive worse grades agree; a better one between them breaks the sequence.
    #expect(judge(30_000, 100_000, 30_000) == .poor)
    #expect(judge(100_000, 100_000) == .poor)
    #expect(judge(500_000) == .good)
    #expect(judge(100_000, 100_000, 9_000_000, 100_000, 100_000) == .good)
    #expect(judge(100_000) == .fair)
    // The count restarts after a change.
    #expect(judge(500_000, 500_000) == .fair)
    estimate.set(.fair)
    #expect(judge(500_000, 500_000) == .fair)
    #expect(judge(500_000) == .good)
  }

  @Test("A collapse lowers the quality at once, and an outage ends with a new grade")
  func collapse() {
    var estimate = QualityEstimate()
    estimate.fell(to: 9_000_000)
    #expect(estimate.quality == .good)
    estimate.fell(to: 50_000)
    #expect(estimate.quality == .fair)
    estimate.fell(to: 9_000_000)
    #expect(estimate.quality == .fair)
    estimate.set(.offline)
    estimate.judge(goodput: 9_000_000, delay: nil, wasFull: true)
    #expect(estimate.quality == .excellent)
  }
}
