/// The measurements of the network, which a likely change of network discards.
struct Line: Sendable {
  enum Phase: Sendable { case startup, steady }

  /// The first flight of a TCP connection, 10 × 1,460 bytes (RFC 6928), which may enter the
  /// network's queue at once.
  static let firstFlight = 14_600.0
  /// B/s below which a network is tiny or slow, unless connections are quick and no queue builds
  /// up.
  static let tiny = 40_000.0
  static let slow = 500_000.0

  var phase = Phase.startup
  /// B/s of the last ten epochs.
  var goodputs: [Double] = []
  /// The least connect time in seconds; `nil` before the first, and after a likely change of route.
  var base: Double?
  /// The network's standing queue in seconds, and the last epoch's value before smoothing.
  var queueing = 0.0
  var lastQueueing = 0.0
  /// Decisions in a row that left the limit at its minimum because of a queue.
  var floorEpochs = 0
  var isSlow = false

  /// The best goodput of the last ten epochs; 0 before the first.
  var capacity: Double {
    get { goodputs.max() ?? 0 }
    set { goodputs = [newValue] }
  }

  /// The tolerated queueing in seconds: the largest of 0.1, the least connect time, and the
  /// transfer time of two first flights.
  var queueTarget: Double {
    max(0.1, base ?? 0, capacity > 0 ? 2 * Self.firstFlight / capacity : 0)
  }

  var pressure: Double { queueing / queueTarget }
  /// True if connects are quick, unlike on a slow radio link, and nothing queues. The measured
  /// speed is then that of the hosts, not of the network.
  var isQuick: Bool { pressure < 0.1 && (base ?? .infinity) < 0.1 }
  /// The seconds in which four first flights arrive, within those of the ledger.
  var collapseWindow: Double { min(ByteLedger.memory, max(0.5, 4 * Self.firstFlight / capacity)) }

  /// The highest limit for the capacity.
  var widest: Double {
    switch capacity {
    case _ where isQuick: .infinity
    case ..<(Self.tiny / 4): 12
    case ..<Self.tiny: 24
    case ..<Self.slow: 64
    default: .infinity
    }
  }

  /// Uses the lower quartile, so that one slow path does not count as a queue. In the steady phase,
  /// uses the lower value of two epochs, so that a burst does not count as one either.
  mutating func measure(_ epoch: AdaptiveLimiter.Epoch, goodput: Double) {
    goodputs = goodputs.suffix(9) + [goodput]
    let connect = epoch.connects.quantile(0.25, ofAtLeast: 3)
    if let connect { base = min(base ?? connect, connect) }
    let wait = connect.map { $0 - (base ?? $0) }
    if let fresh = wait ?? epoch.delays.quantile(0.25, ofAtLeast: 3) {
      queueing = phase == .steady ? min(fresh, lastQueueing) : fresh
      lastQueueing = fresh
    }
    let hasQueue = pressure > 0.3 || phase == .steady
    isSlow = !isQuick && capacity < (hasQueue ? Self.slow : Self.tiny)
  }
}
