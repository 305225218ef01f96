package import GRDB

/// Feeds of a folder and of the folders within it.
package enum FolderTree {
  /// - Parameter isListed: true to leave out snoozed feeds.
  package static func feeds(
    of folder: FolderID, isListed: Bool = false, _ db: Database
  ) throws -> [Int64] {
    try db.values(
      """
      SELECT id FROM feed WHERE folderID IN (SELECT value FROM json_each(?))
        AND removedAt IS NULL AND (asleepUntil IS NULL OR NOT ?) ORDER BY id
      """, [SQLText.json(folders(of: folder, db)), isListed])
  }

  /// Returns the feeds whose articles may be in Unread: feeds that are neither snoozed nor quiet.
  /// Removed feeds are included if articles of them are kept. Returns `nil` for all feeds.
  static func feedsExceptQuiet(_ db: Database) throws -> [Int64]? {
    guard
      try db.exists(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM feed WHERE priority = ?1 OR asleepUntil IS NOT NULL)
          OR EXISTS (SELECT 1 FROM folder WHERE priority = ?1)
        """, [FeedPriority.quiet.rawValue])
    else { return nil }
    return try db.values(
      """
      \(tree)
      SELECT id FROM feed LEFT JOIN tree ON tree.folder = folderID
      WHERE asleepUntil IS NULL AND iif(priority = 0, ifnull(inherited, 0), priority) <> ?1
        AND (removedAt IS NULL
          OR (SELECT c.total FROM feedCounter c WHERE c.feedID = feed.id) > 0) ORDER BY id
      """, [FeedPriority.quiet.rawValue, nil])
  }

  /// Returns the subscribed feeds that are not snoozed and have a priority, by themselves or from
  /// the nearest folder with one.
  /// - Parameter folder: if given, only feeds within it; its own priority does not count.
  static func feeds(
    of priority: FeedPriority, below folder: FolderID? = nil, _ db: Database
  ) throws -> [Int64] {
    try db.values(
      """
      \(tree)
      SELECT id FROM feed LEFT JOIN tree ON tree.folder = folderID
      WHERE removedAt IS NULL AND asleepUntil IS NULL AND (?2 IS NULL OR folder IS NOT NULL)
        AND iif(priority = 0, ifnull(inherited, 0), priority) = ?1 ORDER BY id
      """, [priority.rawValue, folder?.rawValue])
  }

  /// The folders with their priorities, own or inherited. If ?2 is not NULL, only folder ?2, which
  /// counts as normal, and the folders within it.
  private static let tree = """
    WITH RECURSIVE tree(folder, inherited) AS (
      SELECT id, iif(?2 IS NULL, priority, 0) FROM folder
      WHERE iif(?2 IS NULL, parentID IS NULL, id = ?2)
      UNION SELECT d.id, iif(d.priority = 0, tree.inherited, d.priority)
      FROM folder d JOIN tree ON d.parentID = tree.folder)
    """
}

/// Articles that stay unread when a list is marked read.
enum SparedArticles {
  /// Removes unread articles of high priority, and their duplicates. Removes none if the scope is a
  /// single feed or the list of high priority. In the scope of a folder, its own priority does not
  /// count.
  static func removing(
    from ids: [Int64], in scope: ArticleQuery.Scope, _ db: Database
  ) throws -> [Int64] {
    let feeds: [Int64]
    switch scope {
    case .feed, .smart(.high): return ids
    case .folder(let folder): feeds = try FolderTree.feeds(of: .high, below: folder, db)
    default: feeds = try FolderTree.feeds(of: .high, db)
    }
    guard !feeds.isEmpty else { return ids }
    let duplicates: [Int64] = try db.values(
      """
      WITH own(id, story) AS (
        SELECT articleID, ifnull(duplicateOf, articleID)
        FROM articleStatus INDEXED BY list_unread_feed WHERE isHidden = 0 AND isRead = 0
          AND feedID IN (SELECT value FROM json_each(?)))
      SELECT id FROM own UNION SELECT story FROM own
      UNION SELECT c.articleID FROM own
        JOIN articleStatus c INDEXED BY status_duplicates ON c.duplicateOf = own.story
      """, [SQLText.json(feeds)])
    let left = Set(duplicates)
    return ids.filter { !left.contains($0) }
  }
}

/// The title of a folder before and after a change.
package struct FolderTitles {
  package var folder: Int64
  /// The enclosing folder before the change.
  package var parent: Int64?
  package var old: String?
  /// New title; `nil` if the folder was removed.
  package var new: String?
}
