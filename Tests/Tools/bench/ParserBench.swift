import FeedModel
import FeedParsing
import Foundation
import HTMLContent
import TestSupport

/// Measures the parser alone: bytes in memory → `ParsedFeed` with clean HTML, compared with
/// libxml2's raw pass over the same bytes and, if `python3` has them, two Python libraries.
struct ParserBench {
  var size = 52 << 20
  let runs: Int
  let folder: String
  let weir: String
  let environment: [String: String]

  private typealias Kind = WildCorpus.Kind

  func run() throws {
    RawSAX.prepare()
    let documents = WildCorpus.documents(size: size)
    print(
      "The parser: \(documents.count) documents, \(megabytes(documents).text(0)) MB, CPU time of one thread,"
        + " medians of \(runs).\n")
    measureKinds(documents)
    measureParts(documents)
    measureSizes()
    try measureMemory()
    try measurePython(documents)
  }

  private func megabytes(_ documents: [WildCorpus.Document]) -> Double {
    Double(documents.reduce(0) { $0 + $1.bytes.count }) / 1e6
  }

  /// Median CPU seconds of this thread for a call; other load on the machine has little effect.
  private func time(_ body: () -> Void) -> Double {
    (0..<runs).map { _ in Self.seconds(body) }.median
  }

  /// CPU seconds of this thread for a call.
  private static func seconds(_ body: () -> Void) -> Double {
    let start = cpu
    body()
    return cpu - start
  }

  private static var cpu: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func parse(_ document: WildCorpus.Document) -> ParsedFeed? {
    try? FeedParser.parse(document.bytes, baseURL: "https://example.org/feed")
  }

  // MARK: Tables

  private func measureKinds(_ documents: [WildCorpus.Document]) {
    print("| documents | MB | libxml2 SAX2, MB/s | weir, MB/s | weir ÷ libxml2 |")
    print("|---|--:|--:|--:|--:|")
    for kind in Kind.allCases {
      row(kind.rawValue, documents.filter { $0.kind == kind })
    }
    row("all XML", documents.filter(\.kind.isXML))
    row("all", documents)
  }

  private func row(_ name: String, _ documents: [WildCorpus.Document]) {
    let megabytes = megabytes(documents)
    guard documents.allSatisfy(\.kind.isXML) else {
      let parsing = time { for document in documents { _ = parse(document) } }
      print("| \(name) | \(megabytes.text(1)) | – | \((megabytes / parsing).text(0)) | – |")
      return
    }
    // Documents take turns, so that both parsers run at the machine's current speed.
    var times = [(floor: Double, parsing: Double)](repeating: (0, 0), count: runs)
    for run in times.indices {
      for document in documents {
        times[run].floor += Self.seconds { RawSAX.read(document.bytes) }
        times[run].parsing += Self.seconds { _ = parse(document) }
      }
    }
    let floor = times.map(\.floor).median
    let parsing = times.map(\.parsing).median
    let ratio = times.map { $0.floor / $0.parsing }.median
    print(
      "| \(name) | \(megabytes.text(1)) | \((megabytes / floor).text(0))"
        + " | \((megabytes / parsing).text(0)) | \(ratio.text(2)) |")
  }

  /// Measures the cost of each part.
  private func measureParts(_ documents: [WildCorpus.Document]) {
    let feeds = documents.compactMap(parse)
    let bodies = feeds.flatMap(\.items).compactMap { $0.contentHTML.map { Array($0.utf8) } }
    let size = Double(bodies.reduce(0) { $0 + $1.count }) / 1e6
    let texts = bodies.map { String(decoding: $0, as: UTF8.self) }
    print("\n| part | MB | MB/s |")
    print("|---|--:|--:|")
    let rows: [(String, () -> Void)] = [
      ("sanitise the bodies", { for body in bodies { _ = HTMLContent.sanitise(body) } }),
      ("plain text of the bodies", { for text in texts { _ = HTMLContent.plainText(text) } }),
      (
        "write JSON Feed",
        {
          for feed in feeds {
            var document: [UInt8] = []
            JSONFeedWriter.write(feed) { document += $0 }
          }
        }
      ),
    ]
    for (name, body) in rows {
      print("| \(name) | \(size.text(1)) | \((size / time(body)).text(0)) |")
    }
  }

  /// Measures that time is proportional to size: equal nanoseconds per byte.
  private func measureSizes() {
    print("\n| one document of | ns per byte |")
    print("|---|--:|")
    for size in [10_000, 100_000, 1_000_000, 5_000_000, 15_000_000] {
      let document = WildCorpus.document(.rssEscaped, size: size)
      let times = max(1, 2_000_000 / size)
      let seconds = time { for _ in 0..<times { _ = parse(document) } } / Double(times)
      let name = size < 1_000_000 ? "\(size / 1_000) kB" : "\(size / 1_000_000) MB"
      print("| \(name) | \((seconds * 1e9 / Double(document.bytes.count)).text(2)) |")
    }
  }

  private func measureMemory() throws {
    print("\n| weir parse, whole process | input MB | CPU s | peak MB | peak ÷ input |")
    print("|---|--:|--:|--:|--:|")
    for kind in [Kind.rssCDATA, .rssEscaped, .atomXHTML, .damaged, .json] {
      let document = WildCorpus.document(kind, size: 15_000_000)
      let file = folder + "/feed"
      try Data(document.bytes).write(to: URL(filePath: file))
      var times: [Double] = []
      var peaks: [Double] = []
      for _ in 0..<runs {
        let process = try Spawn.start(
          [weir, "parse", file], environment: environment, terminal: nil, output: "/dev/null")
        let usage = Spawn.wait(for: process)
        times.append(usage?.cpu ?? 0)
        peaks.append(Double(usage?.peakMemory ?? 0) / 1e6)
      }
      let input = Double(document.bytes.count) / 1e6
      print(
        "| \(kind.rawValue) | \(input.text(1)) | \(times.median.text(2)) | \(peaks.median.text(0))"
          + " | \((peaks.median / input).text(1)) |")
    }
  }

  // MARK: Others

  /// Measures Python's libraries on a sample of the documents, since all would take minutes.
  private func measurePython(_ documents: [WildCorpus.Document]) throws {
    var sample: [WildCorpus.Document] = []
    for kind in Kind.allCases where kind.isXML {
      sample += documents.filter { $0.kind == kind && $0.bytes.count < 200_000 }.prefix(4)
    }
    let own = time { for document in sample { _ = parse(document) } }
    var files: [String] = []
    for (index, document) in sample.enumerated() {
      files.append(folder + "/sample\(index)")
      try Data(document.bytes).write(to: URL(filePath: files[index]))
    }
    let megabytes = megabytes(sample)
    print("\n| the same \(megabytes.text(1)) MB of XML | MB/s | weir ÷ it |")
    print("|---|--:|--:|")
    print("| weir | \((megabytes / own).text(1)) | 1 |")
    for library in ["feedparser", "fastfeedparser"] {
      guard let seconds = try python(library, files) else {
        print("| \(library) | not installed: `pip install \(library)` | – |")
        continue
      }
      print("| \(library) | \((megabytes / seconds).text(2)) | \((seconds / own).text(1)) |")
    }
  }

  private func python(_ library: String, _ files: [String]) throws -> Double? {
    let script = """
      import sys, time, \(library) as library
      documents = [open(name, 'rb').read() for name in sys.argv[1:]]
      best = []
      for _ in range(3):
          start = time.process_time()
          for document in documents:
              try: library.parse(document)
              except Exception: pass
          best.append(time.process_time() - start)
      print(sorted(best)[1])
      """
    let output = folder + "/python"
    var environment = environment
    environment["PYTHONPATH"] = ProcessInfo.processInfo.environment["PYTHONPATH"]
    let process = try Spawn.start(
      ["/usr/bin/env", "python3", "-c", script] + files, environment: environment, terminal: nil,
      output: output)
    guard Spawn.wait(for: process)?.exitCode == 0 else { return nil }
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return text.split(separator: "\n").last.flatMap { Double($0) }
  }
}
