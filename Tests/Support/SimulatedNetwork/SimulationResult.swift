public import NetworkMeasurement

/// The result of a simulated sync. Times are in seconds from its start.
public struct SimulationResult: Sendable {
  /// The number of good feeds.
  public var feeds = 0
  /// Good feeds that never arrived.
  public var missed = 0
  /// Arrival times of the good feeds.
  public var ends: [Double] = []
  /// Arrival time of the last feed on screen.
  public var top = 0.0
  /// End of the sync, including hosts that hang.
  public var end = 0.0
  /// Seconds from each user request to its answer or failure.
  public var userLatencies: [Double] = []
  public var failedRequests = 0
  public var pictures = 0
  public var bytes = 0
  /// Received bytes of transfers without an answer.
  public var wasted = 0
  /// The most operations in flight at one time.
  public var mostInFlight = 0
  /// Probes that the limiter requested.
  public var probes = 0
  /// The time at which 64 operations were first in flight.
  public var wideAt: Double?
  /// The most operations in flight after the first minute.
  public var mostLater = 0
  /// Times at which the limiter detected a collapse.
  public var collapses: [Double] = []
  /// Times at which the limiter reported the network as offline.
  public var outages: [Double] = []
  /// Times of the first received bytes after an outage.
  public var returns: [Double] = []
  /// `nil` if nothing was measured.
  public var worstQuality: ConnectionQuality?
  /// `nil` if nothing was measured.
  public var lastQuality: ConnectionQuality?
  private var reason: LimitReason?
  private var isDead = false

  /// Creates the result of a sync without events.
  public init() {}

  /// The time at which 95 of 100 good feeds had arrived, or infinity if they never did.
  public var t95: Double {
    let needed = Int(0.95 * Double(feeds))
    let sorted = ends.sorted()
    return needed > 0 && sorted.count >= needed ? sorted[needed - 1] : .infinity
  }

  /// The share of wasted bytes, from 0 to 1.
  public var wastedShare: Double { bytes > 0 ? Double(wasted) / Double(bytes) : 0 }

  mutating func note(inFlight: Int, at now: Double) {
    mostInFlight = max(mostInFlight, inFlight)
    if inFlight >= 64, wideAt == nil { wideAt = now }
    if now > 60 { mostLater = max(mostLater, inFlight) }
  }

  mutating func note(_ controller: any ConcurrencyLimiter, at now: Double, _ inFlight: Int) {
    note(inFlight: inFlight, at: now)
    if controller.reason == .collapsed, reason != controller.reason { collapses.append(now) }
    reason = controller.reason
    let isOffline = controller.quality == .offline
    if isOffline, !isDead { outages.append(now) }
    isDead = isOffline
    lastQuality = controller.quality
    if let quality = controller.quality { worstQuality = min(worstQuality ?? quality, quality) }
  }

  mutating func heard(at now: Double) {
    if isDead {
      returns.append(now)
      isDead = false
    }
  }
}
