import Foundation
import TestSupport

/// Measures the release binary as a user runs it: whole processes, a loopback origin, a
/// pseudo-terminal. Prints Markdown tables for Benchmarks.md.
///
///     bench WEIR [parser|latency|pictures|peers|profile]
///       [--feeds 1000] [--articles 32] [--runs 5]
///     bench WEIR --scale 1000000 [--runs 5] [--keep DIR]
///     bench WEIR latency [--keep DIR] [--rows held,idle,sync,requests,quit,untouched]
///
/// `parser` measures the parser alone, `latency` the latency of keys, `pictures` the same in
/// articles of pictures, `peers` newsboat as well, `profile` the CPU time of a sync by stage.
@main
struct Bench {
  enum Part: String, CaseIterable {
    case parser, latency, pictures, peers, profile
  }

  let weir: String
  var feeds = 1_000
  var articles = 32
  var runs = 5
  /// The only measured part; `nil` for the sync and the parser.
  var part: Part?
  /// Articles of the large cache; 0 to measure the sync instead.
  var scale = 0
  /// The folder of a reusable large cache; `nil` for a temporary one.
  var keep: String?
  /// The measured rows of `latency`; empty for all.
  var rows: Set<LatencyRows> = []
  let folder: String
  let environment: [String: String]

  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard let weir = arguments.popFirst(), FileManager.default.isExecutableFile(atPath: weir) else {
      print(
        "usage: bench WEIR [\(Part.allCases.map(\.rawValue).joined(separator: "|"))] [--feeds N] [--articles N] [--runs N] [--scale N [--keep DIR]] [--rows \(LatencyRows.names)]"
      )
      exit(64)
    }
    var bench = try Bench(weir: weir)
    bench.part = arguments.first.flatMap(Part.init)
    if bench.part != nil { arguments.removeFirst() }
    while let option = arguments.popFirst() {
      if option == "--keep" {
        bench.keep = arguments.popFirst()
        continue
      }
      if option == "--rows" {
        let names = (arguments.popFirst() ?? "").split(separator: ",")
        bench.rows = Set(names.compactMap { LatencyRows(rawValue: "\($0)") })
        guard !names.isEmpty, bench.rows.count == Set(names).count else {
          print("--rows needs some of \(LatencyRows.names)")
          exit(64)
        }
        continue
      }
      guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else {
        print("\(option) needs a number")
        exit(64)
      }
      switch option {
      case "--feeds": bench.feeds = number
      case "--articles": bench.articles = number
      case "--runs": bench.runs = number
      case "--scale": bench.scale = number
      default:
        print("unknown option \(option)")
        exit(64)
      }
    }
    defer { try? FileManager.default.removeItem(atPath: bench.folder) }
    if bench.scale > 0, bench.part == nil { return try await bench.runAtScale() }
    switch bench.part {
    case .latency: return try await bench.runLatency()
    case .pictures: return try bench.runPictures()
    case .peers: return try await bench.runPeers()
    case .profile: return try bench.runProfile()
    case .parser: break
    case nil:
      try bench.run()
      print("")
    }
    try ParserBench(
      runs: bench.runs, folder: bench.folder, weir: weir, environment: bench.environment
    ).run()
  }

  init(weir: String) throws {
    self.weir = weir
    folder = NSTemporaryDirectory() + "weir-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    environment = [
      "HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  // MARK: The story

  func run() throws {
    let corpus = Corpus(feeds: feeds, articlesPerFeed: articles)
    let origin = try Origin(address: "0.0.0.0")
    defer { origin.stop() }
    let stage = corpus.serve(on: origin)
    stage.prepare(corpus)
    let list = folder + "/feeds.opml"
    try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)

    print("\(feeds) feeds, \(articles) articles each, loopback origin, medians of \(runs).\n")
    print("| sync | wall s | CPU s | peak MB | requests | conditional | at once |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    var first: [Sample] = []
    var second: [Sample] = []
    var third: [Sample] = []
    for run in 0..<runs {
      let data = folder + "/data\(run)"
      stage.generation = 0
      stage.prepare(corpus)
      _ = try weir(["import", list], data)
      first.append(try sync(data, origin))
      second.append(try sync(data, origin))
      stage.generation = 1
      stage.prepare(corpus)
      third.append(try sync(data, origin))
    }
    row("weir, first", first)
    row("weir, nothing new", second)
    row("weir, one in five new", third)
    try measureOthers(corpus, origin, stage)

    let data = folder + "/data0"
    // The index is complete before the next measurement.
    _ = try weir(["search", "weir"], data)
    print("\n| reader, 80×24 | median | worst |")
    print("|---|--:|--:|")
    try measureReader(data)
    let database = try FileManager.default.contentsOfDirectory(atPath: data)
      .compactMap { try FileManager.default.attributesOfItem(atPath: data + "/" + $0)[.size] }
      .compactMap { ($0 as? NSNumber)?.intValue }.reduce(0, +)
    let count = (0..<feeds).reduce(0) { $0 + corpus.articleCount($1, generation: 1) }
    print(
      "\nThe cache: \(database >> 20) MB for \(count) articles, \(database / count) bytes each, search index "
        + "included.")
  }

  // MARK: Syncing

  struct Sample {
    var wall: Double
    var usage: ResourceUsage
    var requests: Int
    var conditional: Int
    var atOnce: Int
  }

  func sync(_ data: String, _ origin: Origin) throws -> Sample {
    origin.forget()
    let (wall, usage) = try weir(["sync", "--all", "--quiet"], data)
    return sample(wall, usage, origin)
  }

  func sample(_ wall: Double, _ usage: ResourceUsage, _ origin: Origin) -> Sample {
    let log = origin.log
    return Sample(
      wall: wall, usage: usage, requests: log.count,
      conditional: log.count { $0.header("If-None-Match") != nil },
      atOnce: log.map(\.concurrent).max() ?? 0)
  }

  /// Measures other readers at the same origin, and curl, which stores nothing and shows the
  /// minimum. Readers that take half a minute are measured at most three times.
  private func measureOthers(_ corpus: Corpus, _ origin: Origin, _ stage: Corpus.Stage) throws {
    let urls = (0..<feeds).map { corpus.url($0, port: origin.port) }
    let tags = (0..<feeds).map { corpus.document($0, generation: 0).etag }
    let others: [OtherReader?] = [
      .curl(connections: 100), .newsraft, .newsboat(threads: 8), .sfeed,
    ]
    stage.generation = 0
    stage.prepare(corpus)
    for other in others.compactMap(\.self) {
      guard other.isInstalled else {
        print("| \(other.name): there is no \(other.program) | | | | | | |")
        continue
      }
      var samples: (first: [Sample], second: [Sample]) = ([], [])
      for run in 0..<min(runs, 3) {
        let home = folder + "/other-\(run)"
        for isFirst in [true, false] {
          let command = try other.prepare(home, urls, entityTags: isFirst ? nil : tags)
          origin.forget()
          let (wall, usage) = try spawn(command)
          let taken = sample(wall, usage, origin)
          if isFirst { samples.first.append(taken) } else { samples.second.append(taken) }
        }
        try FileManager.default.removeItem(atPath: home)
      }
      row("\(other.name), first", samples.first)
      row("\(other.name), nothing new", samples.second)
    }
  }

  func row(_ name: String, _ samples: [Sample]) {
    let middle = { (value: (Sample) -> Double) in samples.map(value).median }
    print(
      "| \(name) | \(middle(\.wall).text(2)) | \(middle(\.usage.cpu).text(2))"
        + " | \(Int(middle { Double($0.usage.peakMemory) }) >> 20)"
        + " | \(Int(middle { Double($0.requests) })) | \(Int(middle { Double($0.conditional) }))"
        + " | \(Int(middle { Double($0.atOnce) })) |")
  }

  // MARK: Reading

  private func measureReader(_ data: String) throws {
    var painted: [Double] = []
    var memory: [Double] = []
    var idle: [Double] = []
    var wakes: [Double] = []
    var keys: [Double] = []
    for _ in 0..<runs {
      let reader = try PseudoTerminal(
        [weir, "--offline", "--data-dir", data], environment: environment)
      guard let time = reader.wait(for: "Starred") else {
        print("The reader painted nothing: \(String(decoding: reader.output, as: UTF8.self))")
        exit(1)
      }
      painted.append(time * 1e3)
      reader.waitUntilIdle(quiet: 0.5)
      for _ in 0..<40 {
        let before = ContinuousClock.now
        reader.send("j")
        if reader.read(wait: 2) { keys.append((ContinuousClock.now - before).seconds * 1e3) }
        reader.waitUntilIdle(quiet: 0.03)
      }
      reader.waitUntilIdle(quiet: 3)
      let start = Self.account(of: reader.process)
      reader.waitUntilIdle(quiet: 5)
      let end = Self.account(of: reader.process)
      memory.append(end.resident)
      idle.append((end.cpu - start.cpu) * 1e3)
      wakes.append(
        end.switches.reduce(0) { sum, thread in
          sum + thread.value - (start.switches[thread.key] ?? 0)
        })
      quit(reader)
    }
    row("start to first painted screen, ms", painted)
    row("key to first byte of its frame, ms", keys)
    row("resident memory, MB", memory)
    row("idle for 5 s: CPU, ms", idle)
    row("idle for 5 s: wake-ups", wakes)
  }

  func row(_ name: String, _ values: [Double]) {
    print("| \(name) | \(values.median.text(1)) | \((values.max() ?? 0).text(1)) |")
  }

  /// Seconds of CPU, resident megabytes, and each thread's voluntary context switches (Linux).
  static func account(of process: pid_t) -> (
    cpu: Double, resident: Double, switches: [String: Double]
  ) {
    let read = { (path: String) in
      (try? String(contentsOfFile: "/proc/\(process)/" + path, encoding: .utf8)) ?? ""
    }
    let fields = read("stat").split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = [11, 12].compactMap { $0 < fields.count ? Double(fields[$0]) : nil }.reduce(0, +)
    let pages = read("statm").split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    let threads =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    var switches: [String: Double] = [:]
    for thread in threads {
      let line = read("task/\(thread)/status").split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches:") }
      switches[thread] = line?.split(separator: "\t").last.flatMap { Double($0) }
    }
    return (ticks / 100, pages * 4096 / 1_048_576, switches)
  }

  // MARK: Processes

  /// Quits the reader from any of its screens; a remaining process would distort later
  /// measurements.
  func quit(_ reader: PseudoTerminal) {
    // A second Escape is needed if the first only left a field. The keys are sent separately,
    // because Escape and Q together are Alt-Q.
    for key in ["\u{1B}", "\u{1B}", "Q"] {
      reader.send(key, quiet: 0.05)
    }
    guard reader.waitForExit() == nil else { return }
    print("The reader did not end.")
    exit(1)
  }

  func weir(_ arguments: [String], _ data: String) throws -> (Double, ResourceUsage) {
    try spawn([weir] + arguments + ["--data-dir", data])
  }

  func spawn(_ arguments: [String]) throws -> (Double, ResourceUsage) {
    let start = ContinuousClock.now
    let process = try Spawn.start(
      arguments, environment: environment, terminal: nil, output: folder + "/output")
    guard let usage = Spawn.wait(for: process) else {
      throw PseudoTerminal.Failure(call: "wait4", code: errno)
    }
    guard usage.exitCode == 0 else {
      print("\(arguments.joined(separator: " ")) exited with \(usage.exitCode):")
      print((try? String(contentsOfFile: folder + "/output", encoding: .utf8)) ?? "")
      exit(1)
    }
    return ((ContinuousClock.now - start).seconds, usage)
  }
}
