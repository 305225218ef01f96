import Foundation
import TestSupport

/// The CPU time of a process by stage: samples of all its threads by Linux's `perf`, each counted
/// for the stage whose code is innermost on its stack.
struct Profile {
  enum Stage: String, CaseIterable {
    case transfer, inflate, decode, parse, sanitise, text, fingerprint, merge, commit, index
    case store, engine, kernel, other

    /// Parts of mangled names and names of libraries that identify a stage, in the order in which
    /// a frame is tested.
    static let marks: [(Stage, [String])] = [
      (.transfer, ["libcurl", "10Networking"]),
      (.inflate, ["libz.so", "libbrotli", "libzstd"]),
      (.decode, ["12TextDecoding", "7CharsetO", "12WideEncoding", "11Windows1252"]),
      (.text, ["9PlainText", "13GraphemeLimit", "15PlainTextReader"]),
      (.sanitise, ["11HTMLContent", "10HTMLWriter"]),
      (.fingerprint, ["11FingerprintO", "8BodyHash", "9FeedStore4Link", "5XXH64"]),
      (.index, ["11SearchIndex", "10SearchText", "14SearchDocument"]),
      (.commit, ["endTransaction", "sqlite3WalFrames", "CommitPhase", "Checkpoint"]),
      (.merge, ["9FeedStore5Merge", "17ArticleStatements"]),
      // Time in TextRules counts for its callers, except for the types above.
      (.parse, ["11FeedParsing"]),
      (.engine, ["10SyncEngine", "18NetworkMeasurement"]),
      // The store and engine count only if no other stage is on the stack.
      (.store, ["9FeedStore", "4GRDB", "libsqlite3"]),
    ]
    /// Stages that count only if no outer frame belongs to another stage.
    static let carriers: Set<Stage> = [.store, .engine]
  }

  private var counts: [Stage: Int] = [:]
  private var total = 0

  /// Samples per second; not a multiple of common timer rates.
  private static let rate = 997

  static var program: String? {
    ["/usr/bin/perf", "/usr/local/bin/perf"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Records whole stacks, because C libraries keep no frame pointers.
  static func recording(_ perf: String, in file: String, of arguments: [String]) -> [String] {
    [
      perf, "record", "-q", "-e", "cpu-clock", "-F", String(rate), "--call-graph", "dwarf,8192",
      "-o", file, "--",
    ] + arguments
  }

  static func script(_ perf: String, of file: String) -> [String] {
    [perf, "script", "-i", file, "--no-inline", "-F", "ip,sym,dso"]
  }

  /// - Parameter script: the output of `perf script`: a line for each frame, innermost first, and
  /// an empty line after each sample.
  init(_ script: String) {
    var frames: [Substring] = []
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.isEmpty {
        frames.append(line)
      } else if !frames.isEmpty {
        counts[Self.stage(frames), default: 0] += 1
        total += 1
        frames = []
      }
    }
  }

  private static func stage(_ frames: [Substring]) -> Stage {
    var carrier: Stage?
    for frame in frames {
      let found = Stage.marks.first { $0.1.contains { frame.contains($0) } }?.0
      guard let found else { continue }
      if !Stage.carriers.contains(found) { return found }
      carrier = carrier ?? found
    }
    return carrier ?? (frames[0].contains("kernel.kallsyms") ? .kernel : .other)
  }

  /// CPU seconds of a stage.
  func seconds(_ stage: Stage) -> Double { Double(counts[stage] ?? 0) / Double(Self.rate) }
  var seconds: Double { Double(total) / Double(Self.rate) }
}

extension Bench {
  /// Prints the cost of each stage of a first sync, a second sync, a first sync of 100,000
  /// articles, and their index.
  func runProfile() throws {
    guard let perf = Profile.program else { return print("Skipped: there is no perf.") }
    let origin = try Origin(address: "0.0.0.0")
    defer { origin.stop() }
    var columns: [(name: String, profile: Profile)] = []
    func profile(_ name: String, _ arguments: [String], _ data: String) throws {
      let (samples, script) = (folder + "/perf.data", folder + "/output")
      _ = try spawn(
        Profile.recording(perf, in: samples, of: [weir] + arguments + ["--data-dir", data]))
      try FileManager.default.removeItem(atPath: script)
      _ = try spawn(Profile.script(perf, of: samples))
      let text = String(decoding: try Data(contentsOf: URL(filePath: script)), as: UTF8.self)
      try FileManager.default.removeItem(atPath: script)
      columns.append((name, Profile(text)))
    }
    for count in [articles, 100_000 / feeds] {
      let corpus = Corpus(feeds: feeds, articlesPerFeed: count)
      let stage = corpus.serve(on: origin)
      stage.prepare(corpus)
      let (list, data) = (folder + "/feeds.opml", folder + "/profile\(count)")
      try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)
      _ = try weir(["import", list], data)
      let isLarge = !columns.isEmpty
      try profile(isLarge ? "100,000 articles" : "first sync", ["sync", "--all", "--quiet"], data)
      if isLarge {
        try profile("index, one search", ["search", "weir"], data)
      } else {
        try profile("second sync", ["sync", "--all", "--quiet"], data)
      }
    }
    print("\(feeds) feeds, \(articles) articles each, loopback origin. Seconds of CPU.\n")
    print("| stage | \(columns.map(\.name).joined(separator: " | ")) |")
    print("|---|\(String(repeating: "--:|", count: columns.count))")
    for stage in Profile.Stage.allCases {
      let values = columns.map { $0.profile.seconds(stage).text(2) }
      print("| \(stage.rawValue) | \(values.joined(separator: " | ")) |")
    }
    print("| all | \(columns.map { $0.profile.seconds.text(2) }.joined(separator: " | ")) |")
  }
}
