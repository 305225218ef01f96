import Foundation
import TestSupport

/// Measures the release binary on real networks: two network namespaces with a bottleneck between
/// them, and the project's own origin behind it. Prints Markdown tables.
///
///     netlab WEIR [--lines edge,3g,dsl,fibre,drop,tunnel] [--runs 5] [--feeds N] [--hang PERCENT]
///            [--again yes | --peers yes]
@main
struct NetLab {
  let weir: String
  var lines = ["edge", "3g", "dsl", "fibre", "drop", "tunnel"]
  var runs = 5
  var feeds: Int?
  /// Hosts in a hundred that never answer.
  var hang = 0
  /// True to measure the second sync, in which one feed in five has news, instead of the first.
  var isAgain = false
  /// True to measure other readers as well.
  var isPeers = false
  let folder = NSTemporaryDirectory() + "weir-netlab-\(getpid())"

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard let weir = arguments.popFirst() else { fail("usage: netlab WEIR [--lines …] …") }
    var lab = NetLab(weir: weir)
    while let option = arguments.popFirst() {
      guard let value = arguments.popFirst() else { fail("\(option) needs a value") }
      switch option {
      case "--lines": lab.lines = value.split(separator: ",").map(String.init)
      case "--runs": lab.runs = max(1, Int(value) ?? 1)
      case "--feeds": lab.feeds = Int(value)
      case "--hang": lab.hang = Int(value) ?? 0
      case "--again": lab.isAgain = value == "yes"
      case "--peers": lab.isPeers = value == "yes"
      default: fail("unknown option \(option)")
      }
    }
    defer { try? FileManager.default.removeItem(atPath: lab.folder) }
    do {
      try lab.run()
    } catch let failure as Namespaces.Failure {
      print("The network lab is skipped: \(failure.message).")
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(64)
  }

  init(weir: String) { self.weir = weir }

  var environment: [String: String] {
    [
      "HOME": folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  private struct Sample {
    var wall: Double
    var usage: ResourceUsage
    var good: Int
    var atOnce: Int
    var perHost: Int
    var wideAt: Double?
  }

  private func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let namespaces = try Namespaces()
    let tunnels = try namespaces.tunnels()
    let bottleneck = Bottleneck(near: tunnels.near, far: tunnels.far)
    defer { bottleneck.stop() }
    let origin = try namespaces.within(namespaces.origin) {
      try Origin(address: "0.0.0.0", answersOnlyLoopback: false)
    }
    defer { origin.stop() }
    if isPeers { return try measurePeers(origin, bottleneck, namespaces) }
    print(
      "Medians of \(runs), \(isAgain ? "second sync" : "first sync")"
        + (hang > 0 ? ", \(hang) % of the hosts hang" : "") + ".\n")
    print("| network | feeds | wall s | lost | at once | per host | 64 at s | CPU s | MB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for timeline in Timeline.all where lines.contains(timeline.name) {
      try measure(timeline, origin, bottleneck, namespaces)
    }
  }

  private func measure(
    _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck, _ namespaces: Namespaces
  ) throws {
    let count = feeds ?? timeline.feeds
    var corpus = Corpus(feeds: count, hosts: max(1, count * 7 / 10))
    corpus.network = Namespaces.network
    let stage = serve(corpus, on: origin)
    let list = folder + "/\(timeline.name).opml"
    try corpus.opml(port: origin.port).write(toFile: list, atomically: true, encoding: .utf8)
    var samples: [Sample] = []
    for run in 0..<runs {
      let data = folder + "/\(timeline.name)-\(run)"
      bottleneck.play(.open)
      stage.generation = 0
      stage.prepare(corpus)
      try spawn(namespaces, ["import", list, "--data-dir", data])
      if isAgain {
        try spawn(namespaces, ["sync", "--all", "--quiet", "--data-dir", data])
        stage.generation = 1
        stage.prepare(corpus)
      }
      samples.append(try sync(data, timeline, origin, bottleneck, namespaces))
      try FileManager.default.removeItem(atPath: data)
    }
    show(timeline, count, samples)
  }

  /// Serves the corpus; each host's number gives its latency, and some hosts hang.
  func serve(_ corpus: Corpus, on origin: Origin) -> Corpus.Stage {
    let hang = hang
    return corpus.serve(on: origin) { host in
      var random = SeededRandom(seed: UInt64(host))
      if Int.random(in: 0..<100, using: &random) < hang { return .infinity }
      let spread = (0..<4).map { _ in Double.random(in: -1...1, using: &random) }.reduce(0, +)
      return 0.08 * exp(0.8 * spread * 0.866)
    }
  }

  private func sync(
    _ data: String, _ timeline: Timeline, _ origin: Origin, _ bottleneck: Bottleneck,
    _ namespaces: Namespaces
  ) throws -> Sample {
    origin.forget()
    bottleneck.play(timeline)
    let before = origin.age
    let start = ContinuousClock.now
    let output = data + ".out"
    let usage = try spawn(
      namespaces, ["sync", "--all", "--json", "--data-dir", data], output: output)
    let wall = (ContinuousClock.now - start).seconds
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return Sample(
      wall: wall, usage: usage,
      good: text.split(separator: "\n").count { $0.contains("\"outcome\":\"ok\"") },
      atOnce: origin.peakConcurrency, perHost: origin.peakConcurrencyPerHost,
      wideAt: origin.log.first { $0.concurrent >= 64 }.map { $0.time - before })
  }

  private func show(_ timeline: Timeline, _ feeds: Int, _ samples: [Sample]) {
    let middle = { (value: (Sample) -> Double) in samples.map(value).median }
    let wide = samples.compactMap(\.wideAt)
    let cells = [
      timeline.name, "\(feeds)", middle(\.wall).text(2),
      "\(feeds - (samples.map(\.good).min() ?? 0))", "\(samples.map(\.atOnce).max() ?? 0)",
      "\(samples.map(\.perHost).max() ?? 0)", wide.isEmpty ? "" : wide.median.text(2),
      middle(\.usage.cpu).text(2), "\(Int(middle { Double($0.usage.peakMemory) }) >> 20)",
    ]
    print("| " + cells.joined(separator: " | ") + " |")
    fflush(nil)
  }

  /// Runs weir until it exits.
  @discardableResult func spawn(
    _ namespaces: Namespaces, _ arguments: [String], output: String? = nil
  ) throws -> ResourceUsage {
    let usage = try spawn(namespaces, program: [weir] + arguments, output: output)
    guard usage.exitCode == 0 else {
      let text = (try? String(contentsOfFile: folder + "/errors", encoding: .utf8)) ?? ""
      throw Namespaces.Failure(message: "weir \(arguments.joined(separator: " ")): \(text)")
    }
    return usage
  }

  /// Runs a program on the reader's side of the network until it exits.
  func spawn(
    _ namespaces: Namespaces, program: [String], output: String? = nil
  ) throws -> ResourceUsage {
    let process = try Spawn.start(
      [Namespaces.ip ?? "ip", "netns", "exec", namespaces.reader] + program,
      environment: environment, terminal: nil, output: output ?? folder + "/output",
      errors: folder + "/errors")
    guard let usage = Spawn.wait(for: process) else {
      throw Namespaces.Failure(message: "\(program.prefix(2)) did not end within the hour")
    }
    return usage
  }
}
