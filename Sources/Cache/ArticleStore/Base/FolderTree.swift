package import GRDB

/// Feeds of a folder and of the folders within it.
package enum FolderTree {
  /// - Parameter isListed: true to leave out snoozed feeds.
  package static func feeds(
    of folder: FolderID, isListed: Bool = false, _ db: Database
  ) throws -> [Int64] {
    // UNION ends the recursion if a folder contains itself; UNION ALL would not.
    try db.values(
      """
      WITH RECURSIVE tree(id) AS (
        SELECT ? UNION SELECT folder.id FROM folder JOIN tree ON folder.parentID = tree.id)
      SELECT feed.id FROM feed JOIN tree ON feed.folderID = tree.id
      WHERE feed.removedAt IS NULL AND (feed.asleepUntil IS NULL OR NOT ?) ORDER BY feed.id
      """, [folder.rawValue, isListed]
    )
  }

  /// Returns the feeds whose articles may be in Unread: feeds that are not snoozed, and not kept
  /// apart by their own listing or that of an enclosing folder. Removed feeds are included if
  /// articles of them are kept. Returns `nil` for all feeds.
  static func feedsExceptApart(_ db: Database) throws -> [Int64]? {
    guard
      try db.exists(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM feed WHERE listing = ?1 OR asleepUntil IS NOT NULL)
          OR EXISTS (SELECT 1 FROM folder WHERE listing = ?1)
        """, [FeedListing.apart.rawValue])
    else { return nil }
    return try db.values(
      """
      \(listed)
      SELECT id FROM feed WHERE listing <> ?1 AND asleepUntil IS NULL
        AND (removedAt IS NULL
          OR (SELECT c.total FROM feedCounter c WHERE c.feedID = feed.id) > 0)
        AND ifnull(folderID, 0) NOT IN (SELECT id FROM listed) ORDER BY id
      """, [FeedListing.apart.rawValue, nil, nil])
  }

  /// Returns the subscribed feeds that are not snoozed and have a listing, either themselves or
  /// because an enclosing folder has it.
  /// - Parameter folder: if given, only the listings of folders within this folder count.
  static func feeds(
    listed listing: FeedListing, below folder: FolderID? = nil, _ db: Database
  ) throws -> [Int64] {
    let inside = try folder.map { SQLText.json(try folders(of: $0, db)) }
    return try db.values(
      """
      \(listed)
      SELECT id FROM feed WHERE removedAt IS NULL AND asleepUntil IS NULL
        AND (listing = ?1 OR folderID IN (SELECT id FROM listed)) ORDER BY id
      """, [listing.rawValue, inside, folder?.rawValue])
  }

  /// The folders with listing ?1, and all folders within them. If ?2 is not NULL, only the listings
  /// of folders inside folder ?3 count; ?2 then has the keys of folder ?3 and of the folders inside
  /// it.
  private static let listed = """
    WITH RECURSIVE listed(id) AS (
      SELECT id FROM folder WHERE listing = ?1
        AND (?2 IS NULL OR id <> ?3 AND id IN (SELECT value FROM json_each(?2)))
      UNION SELECT folder.id FROM folder JOIN listed ON folder.parentID = listed.id)
    """
}

/// Articles of important feeds.
enum ImportantArticles {
  /// Removes unread articles of important feeds, and their duplicates. Removes none if the scope is
  /// a single feed or the list Important. In the scope of a folder, only listings of feeds and
  /// folders within it count.
  static func removing(
    from ids: [Int64], in scope: ArticleQuery.Scope, _ db: Database
  ) throws -> [Int64] {
    let feeds: [Int64]
    switch scope {
    case .feed, .smart(.important): return ids
    case .folder(let folder): feeds = try FolderTree.feeds(listed: .important, below: folder, db)
    default: feeds = try FolderTree.feeds(listed: .important, db)
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
  /// Former title; `nil` if the folder is new.
  package var old: String?
  /// New title; `nil` if the folder was removed.
  package var new: String?
}
