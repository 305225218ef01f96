public import FeedModel
import Foundation
import GRDB

// How feeds fare, without reading them all: what failed, what comes next.

extension FeedStore {
  /// Feeds whose last attempt failed, the newest failure first.
  public func failingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try read { db in
      try FeedRows.all(
        db,
        """
        WHERE x.failureKind IS NOT NULL AND f.removedAt IS NULL
        ORDER BY x.checkedAt DESC, f.id LIMIT ?
        """, [limit])
    }
  }

  /// Feeds that wait for their time, the next one first; without paused and gone ones.
  public func upcomingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try read { db in
      try FeedRows.all(
        db,
        """
        WHERE x.nextCheckAt IS NOT NULL AND \(FetchRows.isScheduled)
        ORDER BY x.nextCheckAt, f.id LIMIT ?
        """, [limit])
    }
  }

  /// Gives a feed another address; it is due at once. Articles and states stay.
  /// `.alreadySubscribed` where another subscription has that address.
  public func setAddress(_ feed: FeedID, _ url: String) async throws(StoreError) {
    let now = options.now().milliseconds
    try await write(.user) { db in
      let other = try db.first("SELECT id FROM feed WHERE url = ? AND removedAt IS NULL", [url]) {
        FeedID(rawValue: $0[0])
      }
      if let other {
        if other == feed { return }
        throw StoreError.alreadySubscribed(other)
      }
      guard
        try db.run(
          "UPDATE feed SET url = ? WHERE id = ? AND removedAt IS NULL", [url, feed.rawValue]) > 0
      else { throw StoreError.notFound }
      try FetchRows.forgetAddress(of: feed, db, at: now)
    }
  }
}
