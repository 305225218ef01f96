import Synchronization

/// Something that happened, seen from any thread.
final class Flag: Sendable {
  private let raised = Atomic(false)
  var isRaised: Bool { raised.load(ordering: .acquiring) }
  /// True the first time.
  @discardableResult
  func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
