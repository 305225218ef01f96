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

  static func reorder(
    _ table: String, _ parent: String, _ condition: String, _ id: Int64, _ steps: Int,
    _ db: Database
  ) throws {
    var ids: [Int64] = try db.values(
      """
      SELECT id FROM \(table) WHERE \(parent) IS (SELECT \(parent) FROM \(table) WHERE id = ?)
        \(condition) ORDER BY position, id
      """, [id])
    guard let place = ids.firstIndex(of: id) else { return }
    let (sum, overflows) = place.addingReportingOverflow(steps)
    ids.remove(at: place)
    ids.insert(id, at: overflows ? (steps < 0 ? 0 : ids.count) : min(max(0, sum), ids.count))
    for (position, id) in ids.enumerated() {
      try db.run(
        "UPDATE \(table) SET position = ?1 WHERE id = ?2 AND position <> ?1", [position, id])
    }
  }

  /// Returns the account whose folder contains a folder.
  package static func account(of folder: Int64?, _ db: Database) throws -> Int64? {
    guard let folder else { return nil }
    return try db.value(
      """
      WITH RECURSIVE up(id, parentID) AS (
        SELECT id, parentID FROM folder WHERE id = ?
        UNION SELECT f.id, f.parentID FROM folder f JOIN up ON f.id = up.parentID)
      SELECT a.id FROM account a JOIN up ON a.folderID = up.id LIMIT 1
      """, [folder])
  }

  package static func parent(of folder: Int64, _ db: Database) throws -> Int64? {
    try db.value("SELECT parentID FROM folder WHERE id = ?", [folder])
  }

  /// Returns the folder and all folders within it.
  package static func folders(of folder: FolderID, _ db: Database) throws -> [Int64] {
    // UNION ends the recursion if a folder contains itself; UNION ALL would not.
    try db.values(
      """
      WITH RECURSIVE tree(id) AS (
        SELECT ? UNION SELECT folder.id FROM folder JOIN tree ON folder.parentID = tree.id)
      SELECT id FROM tree
      """, [folder.rawValue])
  }

  package static func named(_ title: String, in parent: Int64?, _ db: Database) throws -> Int64? {
    try db.value(
      "SELECT id FROM folder WHERE ifnull(parentID, 0) = ifnull(?, 0) AND title = ?",
      [parent, title])
  }

  static func requireFree(
    _ title: String, in parent: Int64?, except folder: Int64, _ db: Database
  ) throws {
    if let other = try named(title, in: parent, db), other != folder {
      throw StoreError.folderExists
    }
  }

  /// Adds a folder after those beside it.
  package static func add(_ title: String, in parent: Int64?, _ db: Database) throws -> Int64 {
    try db.run(
      """
      INSERT INTO folder (parentID, title, position) VALUES (?1, ?2,
        (SELECT ifnull(max(position), -1) + 1 FROM folder WHERE parentID IS ?1))
      """, [parent, title])
    return db.lastInsertedRowID
  }

  /// Moves a feed to the end of a folder.
  package static func move(_ feed: Int64, to folder: Int64?, _ db: Database) throws {
    try db.run(
      """
      UPDATE feed SET folderID = ?1, position =
        (SELECT ifnull(max(position), -1) + 1 FROM feed WHERE folderID IS ?1) WHERE id = ?2
      """, [folder, feed])
  }

  /// Returns true for a folder with a subscribed feed or a folder in it.
  package static func isInUse(_ folder: Int64, _ db: Database) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM folder d WHERE d.id = ?1
        AND (EXISTS (SELECT 1 FROM feed WHERE folderID = ?1 AND removedAt IS NULL)
          OR EXISTS (SELECT 1 FROM folder WHERE parentID = ?1))
      """, [folder])
  }

  /// Deletes the folders below a folder that have no subscribed feed.
  package static func removeEmpty(in folder: Int64, _ db: Database) throws {
    let children: [Int64] = try db.values("SELECT id FROM folder WHERE parentID = ?", [folder])
    for child in children {
      try removeEmpty(in: child, db)
      if try !isInUse(child, db) { try dissolve(child, into: folder, db) }
    }
  }

  /// Deletes a folder and moves its content into another one, merging folders of the same title.
  package static func dissolve(_ folder: Int64, into parent: Int64?, _ db: Database) throws {
    try db.run("UPDATE feed SET folderID = ? WHERE folderID = ?", [parent, folder])
    let children = try db.all("SELECT id, title FROM folder WHERE parentID = ?", [folder]) {
      ($0["id"] as Int64, $0["title"] as String)
    }
    for (child, title) in children {
      if let other = try named(title, in: parent, db), other != folder {
        try dissolve(child, into: other, db)
      } else {
        // Frees the title of the folder that is being deleted.
        try db.run(
          "UPDATE folder SET title = title || char(0) WHERE id = ? AND title = ?", [folder, title])
        try db.run("UPDATE folder SET parentID = ? WHERE id = ?", [parent, child])
      }
    }
    try db.run("DELETE FROM folder WHERE id = ?", [folder])
  }
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
