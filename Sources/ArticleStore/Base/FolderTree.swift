import CacheCore
package import FeedModel
package import GRDB

/// Feeds of a folder and of the folders within it.
package enum FolderTree {
  package static func feeds(of folder: FolderID, _ db: Database) throws -> [Int64] {
    // UNION ends the recursion if a folder contains itself; UNION ALL would not.
    try db.values(
      """
      WITH RECURSIVE tree(id) AS (
        SELECT ? UNION SELECT folder.id FROM folder JOIN tree ON folder.parentID = tree.id)
      SELECT feed.id FROM feed JOIN tree ON feed.folderID = tree.id
      WHERE feed.removedAt IS NULL ORDER BY feed.id
      """, [folder.rawValue]
    )
  }

  /// Returns the feeds with articles in Unread: those that are not kept apart, directly or by a
  /// folder, and removed ones of which articles are kept. `nil` if nothing is kept apart.
  static func feedsExceptApart(_ db: Database) throws -> [Int64]? {
    guard
      try db.exists(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM feed WHERE isApart = 1)
          OR EXISTS (SELECT 1 FROM folder WHERE isApart = 1)
        """)
    else { return nil }
    return try db.values(
      """
      WITH RECURSIVE apart(id) AS (
        SELECT id FROM folder WHERE isApart = 1
        UNION SELECT folder.id FROM folder JOIN apart ON folder.parentID = apart.id)
      SELECT id FROM feed WHERE isApart = 0
        AND (removedAt IS NULL
          OR (SELECT c.total FROM feedCounter c WHERE c.feedID = feed.id) > 0)
        AND ifnull(folderID, 0) NOT IN (SELECT id FROM apart) ORDER BY id
      """)
  }
}

/// The title of a folder before and after a change.
package struct FolderTitles {
  package var folder: Int64
  /// The enclosing folder before the change.
  package var parent: Int64?
  /// Former title; `nil` if the folder is new.
  package var old: String?
  /// New title; `nil` if the folder was removed.
  package var new: String?
}
