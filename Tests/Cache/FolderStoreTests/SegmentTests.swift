@Suite("Files of entries") struct SegmentTests {
  /// A file of format 1. A version that cannot read or write it breaks every folder.
  private static let golden = """
    {"weir":1,"device":"9b1e2c7740d3aa51","name":"laptop","from":41,"to":45}
    {"n":41,"t":"019b7caa00880000","f":"8c1d000000000001","k":"sub","v":1,"url":"https://lwn.net/headlines/rss","title":"LWN"}
    {"n":42,"t":"019b7caa00880001","f":"8c1d000000000001","k":"folder","v":["News","Linux"]}
    {"n":43,"t":"019b7caa00880002","f":"8c1d000000000001","k":"read","v":1,"i":"AAAAAAAAAAE__________8EjRWeJCrze8-----------"}
    {"n":44,"t":"019b7caa00880003","u":"0b5e000000000001","k":"rule","v":{"query":"title:/deals/"}}
    {"n":45,"t":"019b7caa00880004","f":"8c1d000000000001","k":"mood","v":[1.50,null],"i":"AAAAAAAAAAE-----------","color":{"b":1}}
    {"have":{"e07c000000000001":{"to":312}},"digest":"51f2000000000001"}
    {"end":5,"xxh64":"085b34dece2667a1"}

    """
  private static let goldenName = "s-000041-000045-085b34dece2667a1.jsonl"

  private static func goldenFile() throws -> (SegmentName, [UInt8]) {
    (try #require(SegmentName(goldenName)), Array(golden.utf8))
  }

  @Test("A file of format 1 is read and written byte for byte") func isGolden() throws {
    let (name, bytes) = try Self.goldenFile()
    var reader = try SegmentReader(bytes, named: name, of: Samples.laptop)
    #expect(reader.deviceName == "laptop")
    #expect(reader.report.have == [Samples.desk: 312])
    #expect(reader.report.digest?.text == "51f2000000000001")
    var entries: [Entry] = []
    while let next = reader.next() { entries.append(try next.get()) }
    #expect(entries.map(\.number) == Array(41...45))
    #expect(entries[0].rest["title"]?.text == "LWN")
    #expect(
      entries[2].subject
        == .articles(
          Samples.feed, [Samples.article(1, link: .max), Samples.article(0x1234_5678_90ab_cdef)]))
    let written = SegmentWriter.file(entries, of: Samples.laptop, named: "laptop", reader.report)
    #expect(String(decoding: written.bytes, as: UTF8.self) == Self.golden)
    #expect(written.name.text == Self.goldenName)
    var state = MergedState()
    for entry in entries { state.merge(entry, from: Samples.laptop) }
    #expect(state.digest.text == "88befa8158ae48d2")
  }

  @Test(
    "Names are read and written",
    arguments: [
      "s-000041-000058-1c9e77a02b44d310.jsonl", "c-000040-77aa01c2d3e4f506.jsonl",
      "s-1000000-1000001-0000000000000000.jsonl",
    ])
  func names(text: String) throws { #expect(try #require(SegmentName(text)).text == text) }

  @Test(
    "Conflict copies, temporary files and other names are ignored",
    arguments: [
      "", "s", ".jsonl", "-.jsonl", "s-.jsonl", "weir-folder.json",
      ".weir-s-000041-000058-1c9e77a02b44d310.jsonl.tmp",
      "s-000041-000058-1c9e77a02b44d310.sync-conflict-20250101-120000-ABCDEFG.jsonl",
      "s-000041-000058-1c9e77a02b44d310 (conflicted copy).jsonl",
      "s-41-58-1c9e77a02b44d310.jsonl", "s-000058-000041-1c9e77a02b44d310.jsonl",
      "s-000000-000001-1c9e77a02b44d310.jsonl", "c-000000-1c9e77a02b44d310.jsonl",
      "c-000001-000002-1c9e77a02b44d310.jsonl", "x-000040-1c9e77a02b44d310.jsonl",
      "s-000041-000058-1C9E77A02B44D310.jsonl", "S-000041-000058-1c9e77a02b44d310.jsonl",
      "s-+00041-000058-1c9e77a02b44d310.jsonl", "../s-000041-000058-1c9e77a02b44d310.jsonl",
      "c-9999999999999-1c9e77a02b44d310.jsonl",
      "s-99999999999999999999-99999999999999999999-1c9e77a02b44d310.jsonl",
    ])
  func otherNames(text: String) { #expect(SegmentName(text) == nil) }

  @Test("A truncated file is incomplete, wherever it ends") func truncated() throws {
    let (name, bytes) = try Self.goldenFile()
    for count in 0..<bytes.count {
      #expect(throws: SegmentProblem.incomplete) {
        try SegmentReader(Array(bytes.prefix(count)), named: name, of: Samples.laptop)
      }
    }
  }

  @Test("A file with zeros or other bytes at its end is incomplete") func padded() throws {
    let (name, bytes) = try Self.goldenFile()
    for end: [UInt8] in [[0], [0x0A], Array(repeating: 0, count: 4_096), Array("{}\n".utf8)] {
      #expect(throws: SegmentProblem.incomplete) {
        try SegmentReader(bytes + end, named: name, of: Samples.laptop)
      }
    }
  }

  @Test("A file with a changed byte is incomplete") func changed() throws {
    var (name, bytes) = try Self.goldenFile()
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "L")))
    bytes[place] = UInt8(ascii: "M")
    #expect(throws: SegmentProblem.incomplete) {
      try SegmentReader(bytes, named: name, of: Samples.laptop)
    }
    name = SegmentName(name.range, hash: 1)
    #expect(throws: SegmentProblem.incomplete) {
      try SegmentReader(Array(Self.golden.utf8), named: name, of: Samples.laptop)
    }
  }

  @Test("A file of another format is reported") func otherFormat() throws {
    let (name, _) = try Self.goldenFile()
    let bytes = Array(Self.golden.replacing("\"weir\":1", with: "\"weir\":2").utf8)
    #expect(throws: SegmentProblem.otherFormat) {
      try SegmentReader(bytes, named: name, of: Samples.laptop)
    }
  }

  /// Returns lines as a file with a correct hash.
  private static func file(_ lines: [String], end: Int? = nil) -> (bytes: [UInt8], hash: UInt64) {
    let text = lines.map { $0 + "\n" }.joined()
    let hash = XXH64.hash(text, seed: 0)
    let ending =
      "{\"end\":\(end ?? lines.count - 2),\"xxh64\":\"\(DeviceID(rawValue: hash).text)\"}\n"
    return (Array((text + ending).utf8), hash)
  }

  private static let header = goldenHeader(to: 2)

  private static func goldenHeader(to last: Int) -> String {
    "{\"weir\":1,\"device\":\"\(Samples.laptop.text)\",\"name\":\"a\",\"from\":1,\"to\":\(last)}"
  }

  @Test("A complete file in another folder or under another name is misplaced")
  func misplaced() throws {
    let lines = [Self.header, "{\"n\":1}", "{\"n\":2}", "{\"have\":{}}"]
    let (bytes, hash) = Self.file(lines)
    #expect(throws: Never.self) {
      try SegmentReader(bytes, named: SegmentName(1...2, hash: hash), of: Samples.laptop)
    }
    #expect(throws: SegmentProblem.malformed) {
      try SegmentReader(bytes, named: SegmentName(1...2, hash: hash), of: Samples.desk)
    }
    #expect(throws: SegmentProblem.malformed) {
      try SegmentReader(bytes, named: SegmentName(1...3, hash: hash), of: Samples.laptop)
    }
    let (short, shortHash) = Self.file([Self.header, "{\"n\":1}", "{\"have\":{}}"])
    #expect(throws: SegmentProblem.malformed) {
      try SegmentReader(short, named: SegmentName(1...2, hash: shortHash), of: Samples.laptop)
    }
    #expect(throws: SegmentProblem.incomplete) {
      try SegmentReader(bytes, named: SegmentName(1...2, hash: hash &+ 1), of: Samples.laptop)
    }
  }

  @Test("A complete file that is not in the format is malformed") func malformed() throws {
    for (lines, end) in [
      ([], 0), (["{}"], 0), (["x", "y"], 0), ([Self.header, "{\"n\":1}", "{}"], 2),
    ] {
      let (bytes, hash) = Self.file(lines, end: end)
      #expect(throws: SegmentProblem.self) {
        try SegmentReader(bytes, named: SegmentName(1...2, hash: hash), of: Samples.laptop)
      }
    }
  }

  @Test("A line or a file that is too long is reported") func limits() {
    let long = String(repeating: "x", count: Limits.line)
    let (bytes, hash) = Self.file([
      Self.header, "{\"n\":1}", "{\"n\":\"\(long)\"}", "{\"have\":{}}",
    ])
    #expect(throws: SegmentProblem.malformed) {
      try SegmentReader(bytes, named: SegmentName(1...2, hash: hash), of: Samples.laptop)
    }
    #expect(throws: SegmentProblem.malformed) {
      try SegmentReader(
        Array(repeating: 0x0A, count: Limits.segment + 1),
        named: SegmentName(1...2, hash: hash), of: Samples.laptop)
    }
  }

  @Test("A line that is not valid is skipped, and the others are read") func skips() throws {
    let valid = "\"t\":\"019b7caa00880000\",\"f\":\"8c1d000000000001\",\"k\":\"name\",\"v\":\"a\"}"
    let lines = [
      Self.goldenHeader(to: 4), "{\"n\":1,\(valid)", "nonsense", "{\"n\":7,\(valid)",
      "{\"n\":4,\(valid)", "{\"have\":[]}",
    ]
    let (bytes, hash) = Self.file(lines)
    var reader = try SegmentReader(bytes, named: SegmentName(1...4, hash: hash), of: Samples.laptop)
    var numbers: [UInt64?] = []
    while let next = reader.next() { numbers.append(try? next.get().number) }
    #expect(numbers == [1, nil, nil, 4])
    #expect(reader.report == ProgressReport())
  }

  @Test("Numbers of a compacted file ascend up to its number") func compacted() throws {
    let valid = "\"t\":\"019b7caa00880000\",\"f\":\"8c1d000000000001\",\"k\":\"name\",\"v\":\"a\"}"
    let lines =
      [Self.goldenHeader(to: 9)] + [2, 5, 5, 4, 9, 10].map { "{\"n\":\($0),\(valid)" }
      + ["{\"have\":{}}"]
    let (bytes, hash) = Self.file(lines)
    let name = SegmentName(1...9, isCompacted: true, hash: hash)
    #expect(name.range == 1...9)
    let entries = try Samples.entries(bytes, named: name, of: Samples.laptop)
    #expect(entries.map(\.number) == [2, 5, 9])
  }

  @Test("Entries are divided into files that can be read") func division() throws {
    let articles = (0..<UInt64(Limits.articles)).map { Samples.article($0 << 40, link: $0 << 41) }
    var entries = (1...40).map { Samples.read($0, articles) }
    var files = 0
    while !entries.isEmpty {
      let file = SegmentWriter.file(entries, of: Samples.laptop, named: "a", ProgressReport())
      let part = Array(entries.prefix(file.name.range.count))
      #expect(file.bytes.count <= Limits.segment)
      #expect(try Samples.entries(file.bytes, named: file.name, of: Samples.laptop) == part)
      entries.removeFirst(part.count)
      files += 1
    }
    #expect(files == 2)
  }
}
