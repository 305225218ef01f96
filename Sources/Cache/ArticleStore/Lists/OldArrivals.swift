import GRDB

/// Unread articles that a feed brought as new although they are older than its newest known one.
/// This happens if a feed changes the ids of its items.
public struct OldArrivals: Sendable {
  public let feed: FeedID
  public let feedName: String
  /// Newest first.
  public let hits: SearchHits
}

extension ArticleCache {
  /// The number of old arrivals up to which a feed is not reported.
  private static var mostOld: Int { 10 }

  /// Returns the feeds that have brought more than ten old articles since `known` arrived, with
  /// these articles. Only the newest 10,000 arrivals are examined for such feeds. Feeds of accounts
  /// are left out: their servers send older articles on request.
  public func oldArrivals(after known: ArticleID) throws(StoreError) -> [OldArrivals] {
    try database.read { db in
      let feeds: [(id: Int64, name: String)] = try db.all(
        """
        SELECT f.id, \(SQLText.feedName) AS name FROM feed f
        WHERE f.accountID IS NULL AND f.isLocal = 0 AND f.removedAt IS NULL AND f.id IN
          (SELECT s.feedID FROM (SELECT feedID, isRead, isHidden FROM articleStatus
            WHERE articleID > ? ORDER BY articleID DESC LIMIT ?) s
          WHERE s.isRead = 0 AND s.isHidden = 0)
        ORDER BY f.id
        """, [known.rawValue, Self.mostArrivals]
      ) { ($0["id"], $0["name"]) }
      return try feeds.compactMap { feed in
        let keys = try db.all(
          """
          SELECT sortDate, articleID FROM articleStatus INDEXED BY list_unread_feed
          WHERE isHidden = 0 AND isRead = 0 AND feedID = ?1 AND articleID > ?2 AND sortDate <
            (SELECT sortDate FROM articleStatus INDEXED BY list_all_feed
            WHERE isHidden = 0 AND feedID = ?1 AND articleID <= ?2 ORDER BY sortDate DESC LIMIT 1)
          ORDER BY sortDate DESC, articleID DESC LIMIT ?3
          """, [feed.id, known.rawValue, Self.mostArrivals], ListKey.init)
        guard keys.count > Self.mostOld else { return nil }
        return OldArrivals(
          feed: FeedID(rawValue: feed.id), feedName: feed.name, hits: SearchHits(keys: keys))
      }
    }
  }
}
