import Synchronization

/// Something that happened, seen from any thread.
final class Occurrence: Sendable {
  private let raised = Atomic(false)
  var hasHappened: Bool { raised.load(ordering: .acquiring) }
  /// True the first time.
  @discardableResult
  func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
