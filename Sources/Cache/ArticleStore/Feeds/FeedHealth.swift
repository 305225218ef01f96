public import Foundation
import GRDB

// Queries for failing, upcoming and silent feeds.

extension FeedCache {
  /// Lists the newest failure first, without feeds whose host is in back-off.
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

extension FeedCache {
  /// Returns feeds whose newest article is older than a date, with that article's date, the longest
  /// silent first. Feeds without an article come last; those added since the date are left out, as
  /// are paused feeds.
  public func silentFeeds(since date: Date) throws(StoreError) -> [(feed: Feed, newest: Date?)] {
    try database.read { db in
      let found: [(id: Int64, newest: Date?)] = try db.all(
        """
        SELECT * FROM (
          SELECT f.id, (SELECT max(s.sortDate) FROM articleStatus s INDEXED BY list_all_feed
            WHERE s.isHidden = 0 AND s.feedID = f.id) AS newest,
            f.addedAt
          FROM feed f WHERE f.removedAt IS NULL AND f.isPaused = 0 AND f.isLocal = 0 AND f.isList = 0)
        WHERE ifnull(newest, addedAt) < ?1 ORDER BY newest IS NULL, newest, id
        """, [date.milliseconds]
      ) { ($0["id"], $0.date("newest")) }
      let feeds = Dictionary(
        first: try FeedRows.all(db, "WHERE f.removedAt IS NULL", []).map { ($0.id.rawValue, $0) })
      return found.compactMap { id, newest in feeds[id].map { ($0, newest) } }
    }
  }
}
