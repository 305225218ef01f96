import FeedModel
package import FeedStore

/// Events that the application handles for the screens and their services.
package protocol ReaderEvents: AnyObject {
  /// Called when a write has ended, successfully or not.
  func written()
  /// Called when a background read has ended, successfully or not.
  func readEnded()
  /// Called when the result of a background read must be drawn as soon as keys pause.
  func readApplied()
  func changed(_ change: StoreChange)
  func carryOut(_ command: Command)
}

/// Weak references to the application and the window, which own the screens.
package final class ReaderLinks {
  package weak var events: (any ReaderEvents)?
  package weak var window: (any Window)?
}
