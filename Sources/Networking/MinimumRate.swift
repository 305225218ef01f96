import Synchronization

/// The rate that an answer must keep while the network could carry more than it does: a slow answer
/// is then the server's doing. Whoever measures the network sets `isEnforced`; other time does not
/// count. Shared by the transfers of a group. Thread-safe.
public final class MinimumRate: Sendable {
  /// Bytes a second, averaged from the first byte of the answer.
  let bytesPerSecond: Double
  /// Seconds that every answer gets beyond the time that its bytes earn.
  let grace: Double
  private let enforced = Atomic<Bool>(false)

  /// - Parameter grace: seconds that an answer gets beyond the time that its bytes earn.
  public init(bytesPerSecond: Double = 2_000, grace: Double = 20) {
    self.bytesPerSecond = bytesPerSecond
    self.grace = grace
  }

  /// Whether the network has capacity to spare at this moment.
  public var isEnforced: Bool {
    get { enforced.load(ordering: .relaxed) }
    set { enforced.store(newValue, ordering: .relaxed) }
  }
}
