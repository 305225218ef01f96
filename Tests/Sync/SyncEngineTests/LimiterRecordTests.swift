import NetworkMeasurement

/// Compares the limiter's decisions on the simulated networks with recorded ones, to show which
/// decisions a change affects; `SimulatedNetworkTests` and `make simulate` measure its effect on
/// syncs. `make golden` records the decisions again.
@Suite("Records of the limiter") struct LimiterRecordTests {
  @Test("The limiter decides on each simulated network as recorded") func decisions() throws {
    var lines: [String] = []
    for network in NetworkProfile.all {
      var workload = Workload(seed: 5)
      workload.feeds = 150
      let limiter = RecordedLimiter(AdaptiveLimiter(ceiling: 64))
      let result = Simulation(network, workload, limiter, requests: 3, pictures: 6).run(limit: 200)
      lines.append("\(network.name): \(result.ends.count) feeds, \(result.bytes) bytes")
      lines += limiter.decisions.lines
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Records/limiter.txt")
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["WEIR_RECORD_GOLDEN"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let difference = zip(lines, recorded.split(separator: "\n")).first { $0 != $1 }
    #expect(text == recorded, "\(String(describing: difference))")
  }
}

/// Records the decisions of a limiter.
private struct RecordedLimiter: ConcurrencyLimiter {
  final class Decisions: Sendable {
    private let state = Mutex((lines: [String](), last: ""))
    var lines: [String] { state.withLock { $0.lines } }

    /// Adds a line unless it equals the previous one.
    func add(_ text: String, at now: Double) {
      state.withLock { state in
        guard text != state.last else { return }
        state.last = text
        state.lines.append("  \(hundredths(now)) \(text)")
      }
    }
  }

  let decisions = Decisions()
  private var limiter: AdaptiveLimiter

  init(_ limiter: AdaptiveLimiter) { self.limiter = limiter }

  private func record(at now: Double) {
    let quality = limiter.quality.map(\.rawValue) ?? "-"
    let timeouts = limiter.timeouts
    let starts = OperationPriority.allCases.map { limiter.mayStart($0) ? "+" : "-" }.joined()
    decisions.add(
      "\(limiter.limit) \(quality) \(limiter.reason) \(starts) \(Int(timeouts.silence))"
        + (limiter.isInDoubt ? " in doubt" : "") + (limiter.hasHeard ? "" : " not heard")
        + (limiter.failedProbes > 0 ? " \(limiter.failedProbes) probes" : ""), at: now)
  }

  mutating func operationStarted(_ id: OperationID, _ priority: OperationPriority, at now: Double) {
    limiter.operationStarted(id, priority, at: now)
  }
  mutating func observed(_ event: TransferEvent, by id: OperationID, at now: Double) {
    limiter.observed(event, by: id, at: now)
  }
  mutating func operationEnded(
    _ id: OperationID, _ end: OperationEnd, demand: NetworkDemand, at now: Double
  ) -> Bool {
    let mayBeNetwork = limiter.operationEnded(id, end, demand: demand, at: now)
    if end != .answered { decisions.add("\(id) \(end) \(mayBeNetwork)", at: now) }
    return mayBeNetwork
  }
  var expected: ConnectionQuality? {
    get { limiter.expected }
    set { limiter.expected = newValue }
  }
  mutating func probeEnded(reached: Bool, at now: Double) {
    limiter.probeEnded(reached: reached, at: now)
    decisions.add("probe \(reached), offline for \(hundredths(limiter.outage(at: now)))", at: now)
  }
  mutating func tick(at now: Double, demand: NetworkDemand) -> [LimiterAction] {
    let actions = limiter.tick(at: now, demand: demand)
    for action in actions { decisions.add("\(action)", at: now) }
    record(at: now)
    return actions
  }

  func mayStart(_ priority: OperationPriority) -> Bool { limiter.mayStart(priority) }
  func outage(at now: Double) -> Double { limiter.outage(at: now) }
  var limit: Int { limiter.limit }
  var quality: ConnectionQuality? { limiter.quality }
  var failedProbes: Int { limiter.failedProbes }
  var hasHeard: Bool { limiter.hasHeard }
  var isInDoubt: Bool { limiter.isInDoubt }
  var rate: Double { limiter.rate }
  var timeouts: ConnectionTimeouts { limiter.timeouts }
  var reason: LimitReason { limiter.reason }
}

/// Seconds with two digits.
private func hundredths(_ seconds: Double) -> String {
  let value = Int((seconds * 100).rounded())
  return "\(value / 100).\(value % 100 < 10 ? "0" : "")\(value % 100)"
}
