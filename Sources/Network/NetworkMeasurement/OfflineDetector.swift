/// Distinguishes an outage of the network from hosts that do not answer.
///
/// The network is *suspect* when all connections are silent: no operation starts, and a known host
/// is probed. After as much silence again, the network is *offline*. It is also offline if three
/// distinct hosts cannot be found, eight refuse the connection, or up to three fail on a machine
/// without a route, each time without an answer in between.
///
/// Probes are sent after 0, 1, 3, 6, 9 … s, and every 30 s after a minute. An answer from any host
/// ends the outage.
struct OfflineDetector: Sendable {
  private enum State: Equatable {
    case alive
    case suspect(since: Double, timeout: Double)
    case offline(since: Double)
  }

  private var state = State.alive
  private(set) var failedProbes = 0
  private var failures: Set<String> = []
  private var answeredAt: Double?
  /// The number of probes in this outage, and the time of the next one.
  private var probes = (count: 0, next: 0.0)

  var isOffline: Bool { if case .offline = state { true } else { false } }
  var isSuspect: Bool { if case .suspect = state { true } else { false } }
  var isInDoubt: Bool { !failures.isEmpty }
  var hasHeard: Bool { answeredAt != nil }

  /// Returns the seconds since the outage began, including the silence before; 0 while online.
  func outage(at now: Double) -> Double {
    if case .offline(let since) = state { now - since } else { 0 }
  }

  /// Records received bytes, which end an outage.
  mutating func answered(at now: Double) {
    self = OfflineDetector()
    answeredAt = now
  }

  /// Counts failures that may indicate an outage.
  mutating func failed(_ end: OperationEnd, of hosts: Int, at now: Double) {
    let (host, needed): (String, Int)
    switch end {
    case .unreachable(let name): (host, needed) = (name, min(3, hosts))
    case .unresolved(let name): (host, needed) = (name, 3)
    case .refused(let name): (host, needed) = (name, 8)
    case .answered, .failed, .timedOut, .cancelled: return
    }
    guard !isOffline else { return }
    // Unless the machine has no route, failures do not count within ten seconds of any answer.
    if end != .unreachable(host: host), let answeredAt, now - answeredAt < 10 { return }
    failures.insert(host)
    guard failures.count >= needed else { return }
    if !isSuspect { probes = (0, now + 1) }
    state = .offline(since: now)
  }

  /// - Parameters:
  ///   - silence: seconds since the last byte arrived while requests were open.
  ///   - timeout: seconds of silence after which the network is suspect.
  ///   - hosts: as in `NetworkDemand`. Before the first answer of any host, the silence of one or
  ///     two hosts does not make the network suspect.
  mutating func watch(silence: Double, timeout: Double, of hosts: Int, at now: Double) {
    switch state {
    case .alive:
      guard silence > timeout, hasHeard || hosts > 2 else { return }
      state = .suspect(since: now, timeout: timeout)
      probes = (0, now)
    case .suspect(let since, let timeout):
      if now - since > timeout { state = .offline(since: since - timeout) }
    case .offline: break
    }
  }

  /// Returns true once per probe, when it is due.
  mutating func beginProbe(at now: Double) -> Bool {
    guard state != .alive, now >= probes.next else { return false }
    probes.count += 1
    probes.next = now + (outage(at: now) > 60 ? 30 : min(3, Double(probes.count)))
    return true
  }

  mutating func probeFailed() {
    if isOffline { failedProbes += 1 }
  }

  /// Discards failures and suspicion when nothing is requested any more.
  mutating func clearSuspicion() {
    failures = []
    if isSuspect { state = .alive }
  }
}
