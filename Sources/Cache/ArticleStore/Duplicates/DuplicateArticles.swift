public import Foundation
package import GRDB

extension ArticleCache {
  /// Returns the duplicates of an article in other feeds, in the order of arrival. Lists of several
  /// feeds show only one of them.
  public func duplicates(of article: ArticleID) throws(StoreError) -> [ArticleRow] {
    try database.read { db in
      let ids: [Int64] = try db.values(
        """
        SELECT articleID FROM articleStatus WHERE isHidden = 0 AND articleID <> ?1 AND
          articleID = (SELECT duplicateOf FROM articleStatus WHERE articleID = ?1)
        UNION SELECT articleID FROM articleStatus INDEXED BY status_duplicates
          WHERE isHidden = 0 AND articleID <> ?1 AND duplicateOf =
            (SELECT ifnull(duplicateOf, articleID) FROM articleStatus WHERE articleID = ?1)
        ORDER BY 1
        """, [article.rawValue])
      return try ids.compactMap { try ArticleList.row($0, db) }
    }
  }

  public func revisionCount(of article: ArticleID) throws(StoreError) -> Int {
    try database.read { db in
      try db.value(
        "SELECT count(*) FROM articleRevision WHERE articleID = ?", [article.rawValue]) ?? 0
    }
  }

  /// The most articles of one change that a person may have read; larger changes marked lists.
  private static let mostAtOnce = 16

  /// Returns the articles read last with the times, newest first, from the journal, which has 30
  /// days. Lists that were marked read as a whole are left out.
  public func recentlyRead(limit: Int = 200) throws(StoreError) -> [(row: ArticleRow, at: Date)] {
    try database.read { db in
      let entries = try Row.fetchCursor(
        db,
        sql: """
          SELECT at, images FROM journal
          WHERE kind IN (?, ?) AND isUndone = 0 AND count <= ? ORDER BY id DESC
          """,
        arguments: [
          JournalEntry.Kind.open.rawValue, JournalEntry.Kind.markRead.rawValue, Self.mostAtOnce,
        ])
      var found: [(row: ArticleRow, at: Date)] = []
      var known: Set<Int64> = []
      while found.count < limit, let entry = try entries.next() {
        let at: Int64 = entry["at"]
        for id in Journal.articles(entry) where known.insert(id).inserted {
          // Skips articles that are unread again, deleted, or of a removed feed.
          guard let row = try ArticleList.row(id, db), row.status.isRead,
            try db.exists(
              "SELECT 1 FROM articleStatus WHERE articleID = ? AND isHidden = 0", [id])
          else { continue }
          found.append((row, Date(milliseconds: at)))
        }
      }
      return found
    }
  }
}

/// A list of several feeds shows one article of each group of duplicates: the earliest in the feeds
/// of the list.
extension ArticleList {
  /// Returns the condition that an earlier article of a duplicate's group is in some feeds.
  /// - Parameter feeds: the SQL parameter with the keys of the feeds, used twice.
  package static func isRepeated(_ row: String, in feeds: String) -> String {
    """
    (EXISTS (SELECT 1 FROM articleStatus o WHERE o.articleID = \(row).duplicateOf
      AND o.feedID IN (SELECT value FROM json_each(\(feeds))))
    OR EXISTS (SELECT 1 FROM articleStatus o INDEXED BY status_duplicates
      WHERE o.duplicateOf = \(row).duplicateOf AND o.articleID < \(row).articleID
        AND o.isHidden = 0 AND o.feedID IN (SELECT value FROM json_each(\(feeds)))))
    """
  }

  package static func isRepeated(
    _ article: Int64, of canonical: Int64, in feeds: Set<Int64>, _ db: Database
  ) throws -> Bool {
    let others: [Int64] = try db.values(
      """
      SELECT feedID FROM articleStatus WHERE articleID = ?1
      UNION ALL SELECT feedID FROM articleStatus INDEXED BY status_duplicates
        WHERE duplicateOf = ?1 AND articleID < ?2 AND isHidden = 0
      """, [canonical, article])
    return others.contains(where: feeds.contains)
  }
}
