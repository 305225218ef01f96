/// Tells a dead line from dead hosts. Pure; times are monotonic seconds.
///
/// Three distinct hosts that cannot be found, with no answer in between, make the line *offline*, and
/// so do eight where nobody listens; where the machine itself says that it has no network, as many as
/// are asked will do. Then one
/// operation at a time is let through as a probe, with a back-off of 1, 2, 3, 3 … s, 30 s after a
/// minute. Any answer from anywhere ends it.
struct OfflineDetector: Sendable, Equatable {
  /// What an exchange without an answer says about the line.
  enum Sign {
    /// The machine says that it has no route.
    case unreachable
    /// The name was not found, which a misspelt host says too.
    case unresolved
    /// Nobody listened there, which a stopped server says too.
    case refused

    /// Distinct hosts that must say so.
    func needed(of hosts: Int) -> Int {
      switch self {
      case .unreachable: min(3, max(1, hosts))
      case .unresolved: 3
      case .refused: 8
      }
    }
  }

  private(set) var isOffline = false
  /// Probes that failed since the line went.
  private(set) var failedProbes = 0
  private var unreachable: Set<String> = []
  private var answeredAt: Double?
  private var offlineSince = 0.0
  private var nextProbe = 0.0
  private var isProbing = false

  /// Whether failures are about that may turn out to be the line's.
  var isInDoubt: Bool { !unreachable.isEmpty }

  mutating func answered(at now: Double) {
    self = OfflineDetector()
    answeredAt = now
  }

  /// - Parameter hosts: distinct hosts that are asked or wait to be.
  mutating func failed(_ host: String, _ sign: Sign, of hosts: Int, at now: Double) {
    if isOffline {
      // What was on its way when the line went tells nothing new.
      guard isProbing else { return }
      failedProbes += 1
      isProbing = false
      nextProbe = now + delay(at: now)
      return
    }
    // What fails while others answer is its own trouble.
    if sign != .unreachable, let answeredAt, now - answeredAt < 10 { return }
    unreachable.insert(host)
    guard unreachable.count >= sign.needed(of: hosts) else { return }
    isOffline = true
    offlineSince = now
    nextProbe = now + 1
  }

  /// Whether one operation is to be let through now. The answer yes is given once per probe.
  mutating func takesProbe(at now: Double) -> Bool {
    guard isOffline, !isProbing, now >= nextProbe else { return false }
    isProbing = true
    return true
  }

  /// The probe ended without telling anything (cancelled, nothing to send): another may go.
  mutating func probeLost(at now: Double) {
    guard isProbing else { return }
    isProbing = false
    nextProbe = now + 1
  }

  /// What was in doubt has been settled otherwise.
  mutating func settle() { unreachable = [] }

  private func delay(at now: Double) -> Double {
    now - offlineSince > 60 ? 30 : failedProbes <= 1 ? 2 : 3
  }
}
