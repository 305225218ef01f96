public import FeedModel
import Foundation
import GRDB

// How feeds fare, without reading them all: what failed, what comes next.

extension ReaderCache {
  /// Feeds whose last attempt failed, the newest failure first.
  public func failingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try database.read { db in
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
    try database.read { db in
      try FeedRows.all(
        db,
        """
        WHERE x.nextCheckAt IS NOT NULL AND \(FetchRows.isScheduled)
        ORDER BY x.nextCheckAt, f.id LIMIT ?
        """, [limit])
    }
  }
}
