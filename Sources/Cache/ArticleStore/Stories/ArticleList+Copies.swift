import CacheCore
package import GRDB

/// A list shows a story of several feeds once: the earliest copy in the feeds of the list.
extension ArticleList {
  /// Returns the condition that some feeds have an earlier copy of a duplicate's story.
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

  /// Returns true if an earlier copy of a duplicate's story is in the feeds.
  package static func isRepeated(
    _ article: Int64, of original: Int64, in feeds: Set<Int64>, _ db: Database
  ) throws -> Bool {
    let others: [Int64] = try db.values(
      """
      SELECT feedID FROM articleStatus WHERE articleID = ?1
      UNION ALL SELECT feedID FROM articleStatus INDEXED BY status_duplicates
        WHERE duplicateOf = ?1 AND articleID < ?2 AND isHidden = 0
      """, [original, article])
    return others.contains(where: feeds.contains)
  }
}
