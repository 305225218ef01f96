import FeedModel
import FeedStore

/// Passes changes of the cache to the feeds screen. While the screen is hidden, it is not updated,
/// since a sync changes its counts many times per second.
final class FeedUpdates {
  private let feeds: FeedsScreen
  /// Changes of the cache that were not passed to the feeds yet.
  private var unseen: StoreChange = []
  /// Changes whose feeds are being read in the background.
  private var beingRead: StoreChange = []

  init(feeds: FeedsScreen) { self.feeds = feeds }

  func add(_ change: StoreChange) { unseen.formUnion(change) }

  /// Reads the feeds again if something has changed since the last read.
  func catchUp() {
    let change = unseen.union(beingRead)
    guard !change.isEmpty else { return }
    (unseen, beingRead) = ([], [])
    feeds.modelUpdated(change)
  }

  /// Catches up in the background, so that no key waits for the read.
  /// - Parameter isNeeded: called again before each further read.
  func catchUpInBackground(while isNeeded: @escaping () -> Bool) {
    guard isNeeded(), beingRead.isEmpty, !unseen.isEmpty else { return }
    (beingRead, unseen) = (unseen, [])
    feeds.readInBackground(beingRead) { [weak self] in
      self?.beingRead = []
      self?.catchUpInBackground(while: isNeeded)
    }
  }
}
