/// Distinguishes an outage of the network from hosts that do not answer. Pure; times are monotonic
/// seconds.
///
/// The network is *suspect* when all connections are silent: nothing starts, and a known host is
/// probed; it is *offline* after as much silence again. It is also offline if, without an answer in
/// between, three distinct hosts cannot be found, or eight refuse the connection, or every tried
/// host fails on a machine without a route.
///
/// Probes go out at 0, 1, 3, 6, 9 … s, every 30 s after a minute. Any answer from any host
/// ends it.
struct OfflineDetector: Sendable, Equatable {
  /// The meaning of a missing answer for the network.
  enum Sign {
    /// The machine says that it has no route.
    case unreachable
    /// The name was not found, which a misspelt host says too.
    case unresolved
    /// The connection was refused, as by a stopped server.
    case refused

    /// Returns the required number of failing hosts.
    func needed(of hosts: Int) -> Int {
      switch self {
      case .unreachable: min(3, max(1, hosts))
      case .unresolved: 3
      case .refused: 8
      }
    }
  }

  private enum State: Equatable {
    case alive
    case suspect(since: Double, patience: Double)
    case offline(since: Double)
  }

  private var state = State.alive
  private(set) var failedProbes = 0
  private var failures: Set<String> = []
  private var answeredAt: Double?
  private var nextProbe = 0.0
  private var probes = 0

  var isOffline: Bool { if case .offline = state { true } else { false } }
  var isSuspect: Bool { if case .suspect = state { true } else { false } }
  /// Whether failures may turn out to be the network's.
  var isInDoubt: Bool { !failures.isEmpty }
  /// Whether any host ever answered.
  var hasHeard: Bool { answeredAt != nil }

  /// Seconds since the outage began, including the silence before; 0 while it works.
  func outage(at now: Double) -> Double {
    if case .offline(let since) = state { now - since } else { 0 }
  }

  /// Records received bytes.
  mutating func answered(at now: Double) {
    self = OfflineDetector()
    answeredAt = now
  }

  /// - Parameter hosts: distinct hosts that are asked or wait to be.
  mutating func failed(_ host: String, _ sign: Sign, of hosts: Int, at now: Double) {
    guard !isOffline else { return }
    // Failures of one host while others answer do not count.
    if sign != .unreachable, let answeredAt, now - answeredAt < 10 { return }
    failures.insert(host)
    guard failures.count >= sign.needed(of: hosts) else { return }
    if case .suspect = state {} else { beginProbes(at: now + 1) }
    state = .offline(since: now)
  }

  /// - Parameters:
  ///   - silence: seconds since the last byte arrived while requests were open.
  ///   - patience: seconds of silence that are usual on this network.
  ///   - hosts: distinct hosts that are asked or wait to be. Two that never answered prove nothing.
  mutating func watch(silence: Double, patience: Double, of hosts: Int, at now: Double) {
    switch state {
    case .alive:
      guard silence > patience, hasHeard || hosts > 2 else { return }
      state = .suspect(since: now, patience: patience)
      beginProbes(at: now)
    case .suspect(let since, let patience):
      if now - since > patience { state = .offline(since: since - patience) }
    case .offline: break
    }
  }

  private mutating func beginProbes(at now: Double) {
    nextProbe = now
    probes = 0
  }

  /// Returns true once per probe, when it is due.
  mutating func takesProbe(at now: Double) -> Bool {
    guard state != .alive, now >= nextProbe else { return false }
    probes += 1
    let isLong = outage(at: now) > 60
    nextProbe = now + (isLong ? 30 : min(3, Double(probes)))
    return true
  }

  mutating func probeFailed() {
    if isOffline { failedProbes += 1 }
  }

  /// Discards doubts when nothing is requested any more.
  mutating func settle() {
    failures = []
    if isSuspect { state = .alive }
  }
}
