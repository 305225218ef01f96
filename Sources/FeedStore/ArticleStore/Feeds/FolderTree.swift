import FeedModel
import GRDB

/// Feeds of a folder and of the folders within it.
enum FolderTree {
  static func feeds(of folder: FolderID, _ db: Database) throws -> [Int64] {
    // UNION, not UNION ALL: a folder in itself must not loop.
    try db.values(
      """
      WITH RECURSIVE tree(id) AS (
        SELECT ? UNION SELECT folder.id FROM folder JOIN tree ON folder.parentID = tree.id)
      SELECT feed.id FROM feed JOIN tree ON feed.folderID = tree.id
      WHERE feed.removedAt IS NULL ORDER BY feed.id
      """, [folder.rawValue]
    )
  }
}
