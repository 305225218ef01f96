import Synchronization

/// The minimum rate of an answer while the network has spare capacity, so that slowness is the
/// server's fault. It counts only while `isEnforced` is set. Shared by a group of transfers.
/// Thread-safe.
public final class MinimumRate: Sendable {
  /// B/s, averaged from the answer's first byte.
  let bytesPerSecond: Double
  /// Seconds beyond the time that the bytes earn.
  let grace: Double
  private let enforced = Atomic<Bool>(false)

  /// - Parameter grace: seconds beyond the time that the bytes earn.
  public init(bytesPerSecond: Double = 2_000, grace: Double = 20) {
    self.bytesPerSecond = bytesPerSecond
    self.grace = grace
  }

  /// Whether the network has spare capacity now.
  public var isEnforced: Bool {
    get { enforced.load(ordering: .relaxed) }
    set { enforced.store(newValue, ordering: .relaxed) }
  }
}
