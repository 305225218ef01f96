public import FeedModel
import NetworkMeasurement

/// What one simulated sync came to. Times in seconds from its start.
public struct SimulationResult: Sendable {
  /// Good feeds, and those of them that never arrived.
  public var feeds = 0
  /// Those of `feeds` that never arrived.
  public var missed = 0
  /// When each good feed arrived.
  public var ends: [Double] = []
  /// When the last feed on screen arrived.
  public var top = 0.0
  /// When the sync was over, hanging hosts included.
  public var end = 0.0
  /// Seconds from each request of the user's to its answer or failure.
  public var userLatencies: [Double] = []
  /// Requests of the user's that failed.
  public var failedRequests = 0
  /// Pictures that were fetched ahead of need.
  public var pictures = 0
  /// Bytes received in all, and those of transfers that came to nothing.
  public var bytes = 0
  /// Those of `bytes` that belonged to transfers without an answer.
  public var wasted = 0
  /// The most operations in flight at one time.
  public var mostInFlight = 0
  /// Probes that the limiter asked for.
  public var probes = 0
  /// When 64 were first in flight.
  public var wideAt: Double?
  /// The most in flight after the first minute.
  public var mostLater = 0
  /// When the limiter found that the network had become slower, and that it was dead.
  public var collapses: [Double] = []
  /// When the limiter reported the network as offline.
  public var outages: [Double] = []
  /// When anything was received while the network was thought dead.
  public var returns: [Double] = []
  /// Nil: nothing was measured.
  public var worstQuality: ConnectionQuality?
  /// Nil: nothing was measured.
  public var lastQuality: ConnectionQuality?
  private var reason: LimitReason?
  private var isDead = false

  /// Nothing has happened yet.
  public init() {}

  /// When 95 of 100 good feeds had arrived; infinite where they never did.
  public var t95: Double {
    let needed = Int(0.95 * Double(feeds))
    let sorted = ends.sorted()
    return needed > 0 && sorted.count >= needed ? sorted[needed - 1] : .infinity
  }

  /// From 0 to 1.
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
