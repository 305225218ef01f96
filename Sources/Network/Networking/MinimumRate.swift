import Synchronization

/// The minimum rate of an answer, applied only while `isEnforced` is set: the network then has
/// spare capacity, so slowness is the server's fault. Shared by a group of transfers. Thread-safe.
public final class MinimumRate: Sendable {
  /// B/s, averaged from the answer's first byte.
  let bytesPerSecond: Double
  /// Seconds in addition to the time that the received bytes earn.
  let grace: Double
  private let enforced = Atomic<Bool>(false)

  /// - Parameter grace: seconds in addition to the time that the received bytes earn.
  public init(bytesPerSecond: Double = 2_000, grace: Double = 20) {
    self.bytesPerSecond = bytesPerSecond
    self.grace = grace
  }

  /// True while the network has spare capacity.
  public var isEnforced: Bool {
    get { enforced.load(ordering: .relaxed) }
    set { enforced.store(newValue, ordering: .relaxed) }
  }
}
