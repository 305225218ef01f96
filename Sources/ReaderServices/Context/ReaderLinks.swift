import FeedModel
package import FeedStore

/// Events that the screens and their services leave to the application.
package protocol ReaderEvents: AnyObject {
  /// A write has ended, successfully or not.
  func written()
  /// A background read has ended, successfully or not.
  func readEnded()
  /// Data that was read in the background is to be drawn when keys pause.
  func readApplied()
  func changed(_ change: StoreChange)
  func carryOut(_ command: Command)
}

/// The application and the window, which own the screens and are not owned by them.
package final class ReaderLinks {
  package weak var events: (any ReaderEvents)?
  package weak var window: (any Window)?
}
