import Synchronization

final class Occurrence: Sendable {
  private let raised = Atomic(false)
  var hasHappened: Bool { raised.load(ordering: .acquiring) }
  /// True the first time.
  @discardableResult
  func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
