import FeedModel
import FeedStore

/// Brings changes of the cache to the screen of the feeds. While it is out of view it is not
/// updated: a sync changes its counts many times a second.
final class FeedUpdates {
  private let feeds: FeedsScreen
  /// Changes of the cache that have not reached the feeds yet.
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

  /// Like `catchUp`, in the background: no key waits for the read.
  /// - Parameter isNeeded: asked again before each further read.
  func catchUpInBackground(while isNeeded: @escaping () -> Bool) {
    guard isNeeded(), beingRead.isEmpty, !unseen.isEmpty else { return }
    (beingRead, unseen) = (unseen, [])
    feeds.readInBackground(beingRead) { [weak self] in
      self?.beingRead = []
      self?.catchUpInBackground(while: isNeeded)
    }
  }
}
