@Suite("Progress of devices") struct DeviceProgressTests {
  @Test("Gaps are reported until their files arrive") func gaps() {
    var progress = DeviceProgress()
    for range in [1...16, 18...20, 25...30, 18...20] as [ClosedRange<UInt64>] {
      progress.receive(SegmentName(range, hash: 1))
    }
    #expect(progress.contiguous == 16 && progress.gaps == [17...17, 21...24])
    progress.receive(SegmentName(17...17, hash: 1))
    #expect(progress.contiguous == 20 && progress.gaps == [21...24])
    progress.receive(SegmentName(1...27, isCompacted: true, hash: 1))
    #expect(progress.contiguous == 30 && progress.gaps.isEmpty)
  }

  @Test("A file is read once, and another file with the same numbers is read, too") func files() {
    var progress = DeviceProgress()
    let (first, second) = (SegmentName(1...9, hash: 1), SegmentName(1...9, hash: 2))
    progress.receive(first)
    #expect(!progress.needs(first) && progress.needs(second))
    #expect(progress.contiguous == 9)
  }

  @Test("Ranges in any order and with overlaps count as the set of their numbers") func anyOrder() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<200 {
      var progress = DeviceProgress()
      var numbers: Set<UInt64> = []
      for _ in 0..<12 {
        let first = UInt64.random(in: 1...30, using: &random)
        let range = first...(first + .random(in: 0...5, using: &random))
        progress.receive(SegmentName(range, hash: random.next()))
        numbers.formUnion(range)
        let last = numbers.max() ?? 0
        let missing = (1...last).filter { !numbers.contains($0) }
        #expect(progress.contiguous == (missing.first ?? last + 1) - 1)
        #expect(progress.gaps.flatMap { Array($0) } == missing)
      }
    }
  }

  @Test("A database from another machine or from a backup gets a new identity") func identity() {
    let (first, second) = (SegmentName(1...20, hash: 1), SegmentName(21...40, hash: 2))
    func identity(_ stored: UInt64, _ found: [SegmentName]) -> OwnIdentity {
      OwnIdentity(machine: (stored: stored, now: 7), found: found, written: [first, second])
    }
    #expect(identity(7, [first, second]) == .valid)
    #expect(identity(7, []) == .valid)
    #expect(identity(7, [second, SegmentName(41...41, hash: 3)]) == .restored)
    #expect(identity(7, [SegmentName(21...40, hash: 4)]) == .restored)
    #expect(identity(8, [first]) == .cloned)
  }

  @Test("Digests are compared only if both devices have the same entries") func agreement() {
    let (laptop, desk) = (Samples.laptop, Samples.desk)
    let third = DeviceID(rawValue: 3)
    var mine = [desk: DeviceProgress(), third: DeviceProgress()]
    mine[desk]?.receive(SegmentName(1...10, hash: 1))
    func answer(_ have: [DeviceID: UInt64], digest: UInt64? = 1, number: UInt64 = 10) -> Agreement {
      Agreement.of(
        desk, ProgressReport(have: have, digest: digest.map { StateDigest(rawValue: $0) }),
        at: number, mine: mine, own: (laptop, 5), digest: StateDigest(rawValue: 1))
    }
    #expect(answer([laptop: 5]) == .same)
    #expect(answer([laptop: 5, third: 0]) == .same)
    #expect(answer([laptop: 5], digest: 2) == .different)
    #expect(answer([laptop: 5], digest: nil) == .unknown)
    #expect(answer([laptop: 4]) == .unknown)
    #expect(answer([:]) == .unknown)
    #expect(answer([laptop: 5], number: 9) == .unknown)
    #expect(answer([laptop: 5, third: 2]) == .unknown)
    mine[third]?.receive(SegmentName(2...2, hash: 1))
    #expect(answer([laptop: 5]) == .unknown)
  }
}
