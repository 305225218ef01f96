@Suite("Compaction") struct CompactionTests {
  private typealias S = Samples

  @Test("The newest own value of each field stays, with its number and time") func newest() {
    let (a, b, c) = (S.article(1), S.article(2), S.article(3))
    let entries = [
      S.subscription(1, at: 1, S.feed, "https://a.example/"),
      S.read(2, at: 2, [a, b, c]), S.entry(3, at: 3, .feed(S.feed), .name, .string("x")),
      S.read(4, at: 4, [b], isOn: false), S.entry(5, at: 5, .articles(S.feed, [b]), .starred),
      S.entry(6, at: 6, .feed(S.feed), .name, .string("y")), S.read(7, at: 7, [a]),
      S.read(8, at: 8, [a], of: S.other),
    ]
    let kept = Compaction.newest(entries, of: S.laptop)
    #expect(kept.map(\.number) == [1, 2, 4, 5, 6, 8])
    #expect(kept[1].subject == .articles(S.feed, [c, a]))
    #expect(kept[1].time == entries[1].time && kept[1].times == [entries[1].time, entries[6].time])
    #expect(Compaction.newest(kept, of: S.laptop) == kept)
    #expect(Compaction.newest(entries.reversed(), of: S.laptop) == kept)
  }

  @Test("A later number with an earlier time does not replace a value") func times() {
    let entries = [S.read(1, at: 9, [S.article(1)]), S.read(2, at: 5, [S.article(1)], isOn: false)]
    #expect(Compaction.newest(entries, of: S.laptop) == [entries[0]])
  }

  @Test("Members, fields and entries of later versions survive") func unknown() throws {
    let lines = [
      "{\"n\":1,\"t\":\"019b7caa00880000\",\"new\":[1]}",
      "{\"n\":2,\"t\":\"019b7caa00880001\",\"f\":\"8c1d000000000001\",\"k\":\"mood\",\"v\":7}",
      "{\"n\":3,\"t\":\"019b7caa00880002\",\"f\":\"8c1d000000000001\",\"k\":\"read\",\"v\":1,"
        + "\"i\":\"AAAAAAAAAAE-----------\",\"color\":{\"b\":1.50}}",
      "{\"n\":4,\"t\":\"019b7caa00880003\",\"new\":[2]}",
    ]
    let entries = try lines.map { try Entry(line: Array($0.utf8)) }
    let file = SegmentWriter.file(
      Compaction.newest(entries, of: S.laptop), compacted: 4, of: S.laptop, named: "a",
      ProgressReport())
    let text = String(decoding: file.bytes, as: UTF8.self)
    for line in lines { #expect(text.contains(line)) }
    #expect(try S.entries(file.bytes, named: file.name, of: S.laptop) == entries)
  }

  @Test("The state of a compacted file is that of its entries") func sameState() {
    let entries = (1...60).map { number in
      S.read(
        number, at: Int64(number * 7 % 31), [S.article(number % 5), S.article(number % 3)],
        isOn: number % 2 == 0)
    }
    var (all, compacted) = (MergedState(), MergedState())
    for entry in entries { all.merge(entry, from: S.laptop) }
    for entry in Compaction.newest(entries, of: S.laptop) { compacted.merge(entry, from: S.laptop) }
    #expect(all == compacted)
  }

  @Test("Compaction is due at 100 files, or after a month with several") func due() {
    let month = Compaction.interval
    #expect(Compaction.isDue(files: 100, last: 0, now: 1))
    #expect(!Compaction.isDue(files: 99, last: 0, now: month - 1))
    #expect(Compaction.isDue(files: 2, last: 0, now: month))
    #expect(!Compaction.isDue(files: 1, last: 0, now: 12 * month))
    #expect(!Compaction.isDue(files: 50, last: month, now: 0))
  }

  /// One act for each, at any time of a year, in 200 feeds.
  @Test("100,000 marks take at most 3 MB, and each keeps its time") func size() throws {
    var random = SeededRandom(seed: 1)
    var time = S.time
    let entries = (1...100_000).map { number in
      time += .random(in: 1...630_000, using: &random)
      return S.read(
        UInt64(number), at: time,
        [S.article(.random(in: 1...UInt64.max, using: &random), link: random.next())],
        of: FeedKey(rawValue: .random(in: 1...200, using: &random)))
    }
    let kept = Compaction.newest(entries, of: S.laptop)
    let file = SegmentWriter.file(
      kept, compacted: 100_000, of: S.laptop, named: "a", ProgressReport())
    #expect(file.bytes.count <= 3_000_000)
    func marks(_ entries: [Entry]) -> [RegisterKey: Register] {
      Dictionary(entries.flatMap { $0.registers(from: S.laptop) }) { a, _ in a }
    }
    let read = try S.entries(file.bytes, named: file.name, of: S.laptop)
    #expect(marks(read) == marks(entries))
    #expect(read == kept && Compaction.newest(read, of: S.laptop) == kept)
  }

  @Test("Files that a compacted one replaces are deleted after ten minutes") func replaced() {
    let compacted = SegmentName(1...40, isCompacted: true, hash: 1)
    let old = [
      SegmentName(1...20, hash: 2), SegmentName(21...40, hash: 3),
      SegmentName(1...20, isCompacted: true, hash: 4),
      SegmentName(1...40, isCompacted: true, hash: 5),
    ]
    let others = [
      compacted, SegmentName(35...41, hash: 6), SegmentName(1...50, isCompacted: true, hash: 7),
    ]
    let delay = Compaction.delay
    #expect(Compaction.replaced(by: compacted, age: delay, among: old + others) == old)
    #expect(Compaction.replaced(by: compacted, age: delay - 1, among: old).isEmpty)
    #expect(Compaction.replaced(by: compacted, age: -1, among: old).isEmpty)
    #expect(Compaction.replaced(by: others[1], age: delay, among: old).isEmpty)
  }
}
