import Foundation
import SoakSupport

@Suite("Hostile bytes", .countsFailures) struct HostileBytesTests {
  private static let rounds = Soak.length(short: 600, long: 200_000)
  private static let fragments = [
    "{", "}", "[", "]", "\"", "\\", "\\u0000", "\\ud800", "\n", "\r\n", ",", ":", "null", "1e-9",
    "-1", "18446744073709551616", "\u{0}", "é", "\"i\":[", "\"n\":", "\"k\":\"tag:\"", "\"f\":",
    "\"t\":\"ffffffffffffffff\"", "[[[[[[[[[[[[[[[[[[[[", "\"v\":{}", "\"u\":\"x\"",
    "\"end\":9999999999", "\"weir\":1",
  ].map { Array($0.utf8) }

  private static func valid() -> [Entry] {
    let articles = (1...5).map { Samples.article($0, link: $0 * 7) }
    return [
      Samples.subscription(1, Samples.feed, "https://a.example/"),
      Samples.entry(2, .feed(Samples.feed), .folder, .array([.string("a"), .string("é\"")])),
      Samples.read(3, articles), Samples.entry(4, .articles(Samples.feed, articles), .tag("x")),
      Samples.entry(5, .object(ObjectID(rawValue: 1)), .rule, .object(["query": .string("q")])),
      Samples.entry(6, .feed(Samples.feed), Field(rawValue: "new"), .object(["a": .number("1.5")])),
    ]
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, place + .random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: place)
      case 4:
        bytes.insert(contentsOf: bytes[place..<end], at: .random(in: 0...place, using: &random))
      default: bytes.replaceSubrange(place..<end, with: repeatElement(bytes[place], count: 30))
      }
    }
  }

  /// Ends the file with the hash of its bytes, as somebody who knows the format does.
  private static func sealed(_ bytes: [UInt8], count: Int) -> (bytes: [UInt8], hash: UInt64) {
    let hash = bytes.withUnsafeBytes { XXH64.hash($0, seed: 0) }
    let text = DeviceID(rawValue: hash).text
    return (bytes + Array("{\"end\":\(count),\"xxh64\":\"\(text)\"}\n".utf8), hash)
  }

  @Test("Mutated files yield entries or a reason, and what is read can be written")
  func mutatedFiles() throws {
    let entries = Self.valid()
    let file = SegmentWriter.file(
      entries, of: Samples.laptop, named: "laptop",
      ProgressReport(have: [Samples.desk: 3], digest: StateDigest(rawValue: 5)))
    let end = try #require(file.bytes.dropLast().lastIndex(of: 0x0A)) + 1
    var random = SeededRandom(seed: 1)
    var readCount = 0
    for round in 0..<Self.rounds {
      var bytes = round % 4 == 0 ? file.bytes : Array(file.bytes[..<end])
      Self.mutate(&bytes, &random)
      var name = file.name
      if round % 4 > 0 {
        let lines = bytes.count { $0 == 0x0A } - 2
        let sealed = Self.sealed(bytes, count: lines)
        bytes = sealed.bytes
        name = SegmentName(1...6, isCompacted: round % 8 < 4, hash: sealed.hash)
      }
      guard var reader = try? SegmentReader(bytes, named: name, of: Samples.laptop) else {
        continue
      }
      var state = MergedState()
      var total = 0
      while let next = reader.next() {
        guard case .success(let entry) = next else { continue }
        state.merge(entry, from: Samples.laptop)
        let line = entry.line
        total += line.count
        let again = try Entry(line: line.dropLast()).admitted()
        #expect(again == entry, "round \(round)")
        readCount += 1
      }
      _ = (state.feeds(), state.missingAliases())
      // A byte may become an escape of six.
      #expect(total <= 6 * bytes.count, "round \(round)")
      #expect(state.registers.count <= bytes.count)
    }
    #expect(readCount > Self.rounds)
    Soak.report("mutated files of a folder", "\(Self.rounds) files", "no crash")
  }

  @Test("Mutated lines yield an entry or a reason") func mutatedLines() {
    var random = SeededRandom(seed: 2)
    for entry in Self.valid() {
      for _ in 0..<(Self.rounds / 6) {
        var bytes = entry.line
        Self.mutate(&bytes, &random)
        let isJSON = JSONValue(bytes) != nil
        // Foundation reads everything that this project reads.
        if isJSON {
          #expect(
            (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
              != nil, "\(String(decoding: bytes, as: UTF8.self))")
        }
        _ = try? Entry(line: bytes).admitted()
      }
    }
  }

  @Test("Mutated names are rejected or written as they are read") func mutatedNames() {
    var random = SeededRandom(seed: 3)
    for round in 0..<Self.rounds {
      let name = ["s-000041-000058-1c9e77a02b44d310.jsonl", "c-000040-77aa01c2d3e4f506.jsonl"]
      var bytes = Array(name[round % 2].utf8)
      Self.mutate(&bytes, &random)
      let text = String(decoding: bytes, as: UTF8.self)
      if let name = SegmentName(text) { #expect(name.text == text) }
    }
  }

  @Test("Any bytes as a file yield a problem") func noise() {
    var random = SeededRandom(seed: 4)
    let name = SegmentName(1...9, isCompacted: true, hash: 0)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: SegmentProblem.self) {
        try SegmentReader(bytes, named: name, of: Samples.laptop)
      }
    }
    for byte: UInt8 in [0, 0x0A, 0x22, 0x5B, 0x7B] {
      #expect(throws: SegmentProblem.self) {
        try SegmentReader(Array(repeating: byte, count: 1_000_000), named: name, of: Samples.laptop)
      }
    }
  }
}
