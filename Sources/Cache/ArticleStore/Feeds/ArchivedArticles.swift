package import GRDB

/// Reasons for which articles stay after unsubscribing. An article may have several.
public enum ArchiveReason: Sendable, CaseIterable {
  case starred, later, tagged, noted, downloaded

  /// Returns the condition that the reason applies to an article.
  /// - Parameter article: an SQL expression of the article's key.
  fileprivate func condition(_ article: String) -> String {
    switch self {
    case .starred:
      """
      EXISTS (SELECT 1 FROM articleStatus k WHERE k.articleID = \(article) AND k.isStarred = 1)
      """
    case .later: "\(article) IN (SELECT articleID FROM articleStatus WHERE laterAt IS NOT NULL)"
    case .tagged: "EXISTS (SELECT 1 FROM articleTag k WHERE k.articleID = \(article))"
    case .noted: "EXISTS (SELECT 1 FROM articleNote k WHERE k.articleID = \(article))"
    case .downloaded:
      """
      EXISTS (SELECT 1 FROM download k WHERE k.articleID = \(article)
        AND (k.isWaiting = 1 OR k.path IS NOT NULL))
      """
    }
  }
}

extension StateCache {
  /// Counts the articles that unsubscribing from these feeds keeps: starred, for later, tagged,
  /// with a note, or with a downloaded file. They stay listed, also in `SmartFeed.archived`.
  public func archived(of feeds: [FeedID]) throws(StoreError) -> [ArchiveReason: Int] {
    try database.read { db in
      try ArchiveReason.allCases.reduce(into: [:]) { counts, reason in
        counts[reason] = try db.value(
          """
          SELECT count(*) FROM articleStatus s INDEXED BY list_all_feed
          WHERE s.isHidden = 0 AND s.feedID IN (SELECT value FROM json_each(?))
            AND \(reason.condition("s.articleID"))
          """, [SQLText.json(feeds.map(\.rawValue))])
      }
    }
  }
}

/// Articles that outlive their subscription.
package enum ArchivedArticles {
  /// Returns the condition that an `ArchiveReason` applies to an article, or that the user has
  /// snoozed it.
  static func condition(_ article: String) -> String {
    "(" + ArchiveReason.allCases.map { $0.condition(article) }.joined(separator: " OR ")
      + " OR EXISTS (SELECT 1 FROM snooze k WHERE k.articleID = \(article) AND k.reason = 0))"
  }

  /// Returns the condition that a row of `article` belongs to a subscription or outlives its own.
  package static func isListed(article: String, feed: String) -> String {
    """
    (\(feed).removedAt IS NULL OR EXISTS (SELECT 1 FROM articleStatus k
      WHERE k.articleID = \(article).id AND k.isHidden & \(HiddenReason.unsubscribed) = 0))
    """
  }

  /// Shows articles that were hidden with their removed feeds and now have a reason to stay.
  /// - Returns: the articles that are listed again.
  package static func showArchived(_ articles: [Int64], _ db: Database) throws -> [Int64] {
    let hidden: [Int64] = try db.values(
      """
      SELECT articleID FROM articleStatus WHERE articleID IN (SELECT value FROM json_each(?))
        AND isHidden & ? <> 0 AND \(condition("articleStatus.articleID"))
      """, [SQLText.json(articles), HiddenReason.unsubscribed])
    return try Hiding.hide(hidden, false, for: HiddenReason.unsubscribed, db)
  }

  /// Returns the removed feeds that have listed articles.
  package static func feeds(_ db: Database) throws -> [Int64] {
    try db.values(
      """
      SELECT f.id FROM feed f JOIN feedCounter c ON c.feedID = f.id
      WHERE f.removedAt IS NOT NULL AND c.total > 0 ORDER BY f.id
      """)
  }
}
