public import FeedModel
import Foundation
import GRDB

// How feeds fare, without reading them all: what failed, what comes next.

extension FeedCache {
  /// Returns feeds whose last attempt failed, newest failure first, without those whose host is in
  /// back-off.
  public func failingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try database.read { db in
      try FeedRows.all(
        db,
        """
        WHERE x.failureKind <> ? AND f.removedAt IS NULL
        ORDER BY x.checkedAt DESC, f.id LIMIT ?
        """, [RefreshFailure.Kind.rateLimited.rawValue, limit])
    }
  }

  /// Returns scheduled feeds, the next one first, without paused and gone ones.
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
