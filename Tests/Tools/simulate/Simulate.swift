import Foundation
import NetworkMeasurement
import SimulatedNetwork
import TestSupport

/// Compares the measured limit with fixed ones on every simulated network, and prints a table.
///
///     simulate [--seeds 6] [--networks EDGE,3G] [--limits weir,8,25] [--requests 10]
@main
struct Simulate {
  var seeds = 6
  var networks = NetworkProfile.all
  var limits = ["1", "5", "8", "25", "100", "weir"]
  var requests = 10

  static func main() {
    var simulate = Simulate()
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      guard let value = arguments.popFirst() else { fail("\(option) needs a value") }
      switch option {
      case "--seeds": simulate.seeds = max(1, Int(value) ?? 1)
      case "--requests": simulate.requests = Int(value) ?? 0
      case "--limits": simulate.limits = value.split(separator: ",").map(String.init)
      case "--networks":
        let names = value.lowercased().split(separator: ",").map(String.init)
        simulate.networks = NetworkProfile.all.filter { names.contains($0.name.lowercased()) }
      default: fail("unknown option \(option)")
      }
    }
    simulate.run()
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(64)
  }

  func run() {
    print("1,000 feeds, means of \(seeds) seeded syncs, \(requests) user requests each.\n")
    print(
      "| network | limit | t95 s | of the best | on screen s | all s | lost | wasted % | user s | max"
        + " | in flight |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for network in networks {
      let rows = limits.map { (name: $0, results: play(network, $0)) }
      let best =
        rows.filter { $0.name != "weir" && $0.name != "1" }.map { $0.results.map(\.t95).mean }.min()
      for row in rows { show(network, row.name, row.results, best) }
    }
    guard limits.contains("weir") else { return }
    print(
      "\n| weir on | 64 in flight at s | in flight after 60 s | network fell at s | offline at s"
        + " | heard again at s | grades | probes | t95 s |")
    print("|---|--:|--:|--:|--:|--:|---|--:|--:|")
    for network in networks { report(network, "", play(network, "weir")) }
    for network in NetworkProfile.steady where networks.contains(where: { $0.name == network.name })
    {
      report(network, ", all 304", play(network, "weir", unchanged: 1))
    }
    print(
      "\n| weir beside \(Self.pictures) pictures on | fetched | t95 s | without them | user s"
        + " | without | max | without |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for network in networks { compare(network) }
  }

  private static let pictures = 500

  /// Compares a sync and user requests with and without simultaneous prefetching of pictures.
  private func compare(_ network: NetworkProfile) {
    let with = play(network, "weir", pictures: Self.pictures)
    let without = play(network, "weir")
    func t95(_ results: [SimulationResult]) -> String { results.map(\.t95).mean.text(1) }
    func user(_ results: [SimulationResult]) -> String {
      results.map(\.userLatencies.median).median.text(2)
    }
    func worst(_ results: [SimulationResult]) -> String {
      (results.flatMap(\.userLatencies).max() ?? 0).text(1)
    }
    let cells = [
      network.name, with.map { Double($0.pictures) }.mean.text(0), t95(with), t95(without),
      user(with), user(without), worst(with), worst(without),
    ]
    print("| " + cells.joined(separator: " | ") + " |")
  }

  private func report(_ network: NetworkProfile, _ what: String, _ results: [SimulationResult]) {
    func range(_ values: [Double]) -> String {
      guard let least = values.min(), let most = values.max() else { return "" }
      return least == most ? least.text(1) : least.text(1) + "–" + most.text(1)
    }
    let grades = Set(results.flatMap { [$0.worstQuality, $0.lastQuality] }.compactMap { $0 })
      .sorted()
    let cells = [
      network.name + what, range(results.compactMap(\.wideAt)),
      "\(results.map(\.mostLater).max() ?? 0)", range(results.flatMap(\.collapses)),
      range(results.flatMap(\.outages)), range(results.flatMap(\.returns)),
      grades.map(\.rawValue).joined(separator: " "), "\(results.map(\.probes).max() ?? 0)",
      results.map(\.t95).mean.text(1),
    ]
    print("| " + cells.joined(separator: " | ") + " |")
  }

  private func play(
    _ network: NetworkProfile, _ limit: String, unchanged: Double = 0.6, pictures: Int = 0
  ) -> [SimulationResult] {
    (1...seeds).map { seed in
      let controller: any ConcurrencyLimiter =
        Int(limit).map { FixedLimiter($0) } ?? AdaptiveLimiter(ceiling: 128)
      var workload = Workload(seed: UInt64(seed))
      workload.unchanged = unchanged
      return Simulation(network, workload, controller, requests: requests, pictures: pictures).run()
    }
  }

  private func show(
    _ network: NetworkProfile, _ limit: String, _ results: [SimulationResult], _ best: Double?
  ) {
    let mean = { (value: (SimulationResult) -> Double) in results.map(value).mean }
    let latencies = results.map(\.userLatencies.median)
    let cells = [
      network.name, limit, mean(\.t95).text(1), best.map { (mean(\.t95) / $0).text(2) } ?? "",
      mean(\.top).text(1), mean(\.end).text(1), mean { Double($0.missed) }.text(1),
      mean { 100 * $0.wastedShare }.text(1), latencies.median.text(2),
      (results.flatMap(\.userLatencies).max() ?? 0).text(1),
      "\(results.map(\.mostInFlight).max() ?? 0)",
    ]
    print("| " + cells.joined(separator: " | ") + " |")
  }
}
