public import FeedModel
import NetworkMeasurement

/// What one simulated sync came to. Times in seconds from its start.
public struct SimulationResult: Sendable {
  /// Good feeds, and those of them that never arrived.
  public var feeds = 0
  public var missed = 0
  /// When each good feed arrived.
  public var ends: [Double] = []
  /// When the last feed on screen arrived.
  public var top = 0.0
  /// When the sync was over, hanging hosts included.
  public var end = 0.0
  public var userLatencies: [Double] = []
  public var failedRequests = 0
  /// Pictures that were fetched ahead of need.
  public var pictures = 0
  /// Bytes received in all, and those of transfers that came to nothing.
  public var bytes = 0
  public var wasted = 0
  public var mostInFlight = 0
  public var probes = 0
  /// When 64 were first in flight.
  public var wideAt: Double?
  /// The most in flight after the first minute.
  public var mostLater = 0
  /// When the line was found to have fallen, and to be dead.
  public var collapses: [Double] = []
  public var outages: [Double] = []
  /// When anything was heard while the line was thought dead.
  public var returns: [Double] = []
  public var worstQuality: ConnectionQuality?
  public var lastQuality: ConnectionQuality?
  private var reason: LimitReason?
  private var isDead = false

  public init() {}

  /// When 95 of 100 good feeds had arrived; infinite where they never did.
  public var t95: Double {
    let needed = Int(0.95 * Double(feeds))
    let sorted = ends.sorted()
    return needed > 0 && sorted.count >= needed ? sorted[needed - 1] : .infinity
  }

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
