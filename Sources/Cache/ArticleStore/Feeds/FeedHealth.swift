public import Foundation
import GRDB

// Queries for failing, upcoming and silent feeds.

extension FeedCache {
  /// Lists the newest failure first, without feeds whose host is in back-off.
  public func failingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try database.feeds(
      "WHERE x.failureKind <> ? AND f.removedAt IS NULL ORDER BY x.checkedAt DESC, f.id LIMIT ?",
      [RefreshFailure.Kind.rateLimited.rawValue, limit])
  }

  /// Returns scheduled feeds, the next one first, without paused and gone ones.
  public func upcomingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try database.feeds(
      """
      WHERE x.nextCheckAt IS NOT NULL AND \(FetchRows.isScheduled)
      ORDER BY x.nextCheckAt, f.id LIMIT ?
      """, [limit])
  }

  /// Returns feeds whose newest article is older than a date, with that article's date, the longest
  /// silent first. Feeds without an article come last; those added since the date are left out, as
  /// are paused feeds.
  public func silentFeeds(since date: Date) throws(StoreError) -> [(feed: Feed, newest: Date?)] {
    let newest = try latestArticles()
    return try database.feeds(
      """
      WHERE f.removedAt IS NULL AND f.isPaused = 0 AND f.isLocal = 0 AND f.isList = 0
        AND (f.addedAt < ? OR c.total > 0) ORDER BY f.id
      """, [date.milliseconds]
    ).map { (feed: $0, newest: newest[$0.id]) }
      .filter { $0.newest.map { $0 < date } ?? true }
      .sorted { $0.newest ?? .distantFuture < $1.newest ?? .distantFuture }
  }
}
