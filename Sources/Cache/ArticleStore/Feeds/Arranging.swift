import Foundation
package import GRDB

// Names, places and settings of feeds and folders. Each call is one entry of the journal.

extension FeedCache {
  /// Sets all settings of a feed. With a new address, articles stay and the feed is due at once.
  /// Throws `.alreadySubscribed` if another feed has the address, `.accountsAddress` if only a
  /// server can change it, and `.accountsFolder` like `move`.
  public func edit(_ feed: FeedID, _ edit: FeedEdit) async throws(StoreError) {
    try await arrange(.editFeed, feed: feed) { transaction in
      let db = transaction.db
      let url = edit.url.trimmingCharacters(in: .whitespacesAndNewlines)
      if try Self.mayMove(feed, to: url, db) {
        try db.run(
          "UPDATE feed SET url = ?, importedFrom = NULL WHERE id = ?", [url, feed.rawValue])
        try FetchRows.forgetAddress(of: feed, db, at: transaction.at)
      }
      let title = edit.title?.trimmingCharacters(in: .whitespacesAndNewlines)
      try db.run(
        "UPDATE feed SET userTitle = ?, isPaused = ?, priority = ? WHERE id = ?",
        [
          title?.isEmpty == true ? nil : title, edit.isPaused, edit.priority.rawValue,
          feed.rawValue,
        ])
      try OptionRows.set(edit.options, of: feed.rawValue, db)
      try db.run(
        "UPDATE maintenanceTask SET doneAt = 0, position = 0 WHERE task = ?",
        [MaintenanceTask.retention.rawValue])
      try Self.place(feed, path: edit.folder, transaction)
      try transaction.participants.recorder?.migrate(
        [feed.rawValue], isWanted: false, in: transaction)
    }
  }

  /// Treats the address of a feed as one that the user entered: it may get credentials, and lead
  /// into a private network. The feed is due at once.
  public func confirmAddress(_ feed: FeedID) async throws(StoreError) {
    try await database.change { transaction in
      let isNews = try transaction.db.run(
        "UPDATE feed SET importedFrom = NULL WHERE id = ? AND importedFrom IS NOT NULL",
        [feed.rawValue])
      guard isNews > 0 else { return }
      try FetchRows.forgetAddress(of: feed, transaction.db, at: transaction.at)
    }
  }

  /// Returns the settings of a feed that `edit` sets.
  public func settings(of id: FeedID) throws(StoreError) -> FeedEdit {
    guard let feed = try self.feed(id) else { throw .notFound }
    var edit = FeedEdit(
      title: feed.userTitle, url: feed.url, folder: try subscriptions().path(of: feed.folder),
      isPaused: feed.isPaused, options: try options(of: id).own)
    edit.priority = feed.priority
    return edit
  }

  public func edit(
    _ feed: FeedID, _ change: @Sendable (inout FeedEdit) -> Void
  ) async throws(StoreError) {
    var edit = try settings(of: feed)
    change(&edit)
    try await self.edit(feed, edit)
  }

  /// Applies the address of a permanent redirect. Articles and states stay, as do validators, which
  /// are stored with the address that gave them; the feed is due at once. Throws
  /// `.alreadySubscribed` if another subscription has the address.
  public func useMovedAddress(_ feed: FeedID) async throws(StoreError) {
    try await arrange(.editFeed, feed: feed) { transaction in
      let (db, now) = (transaction.db, transaction.now)
      guard
        let url: String = try db.value(
          "SELECT movedTo FROM feedFetch WHERE feedID = ?", [feed.rawValue])
      else { throw StoreError.notFound }
      if try Self.mayMove(feed, to: url, db) { _ = try FetchRows.move(feed.rawValue, to: url, db) }
      // The back-off stays if the host of the new address asked for it; the detail names that host.
      try db.run(
        """
        UPDATE feedFetch SET movedTo = NULL, movedSince = NULL, nextCheckAt = ?1,
          nextCheckReason = NULL, isGone = 0, notBefore = iif(failureDetail = ?3, notBefore, NULL)
        WHERE feedID = ?2
        """, [now.milliseconds, feed.rawValue, WebAddress(url).host])
    }
  }

  /// Returns false if the feed has the address already.
  private static func mayMove(_ feed: FeedID, to url: String, _ db: Database) throws -> Bool {
    let (old, account) =
      try db.first("SELECT url, accountID FROM feed WHERE id = ?", [feed.rawValue]) {
        ($0["url"] as String?, $0["accountID"] as Int64?)
      } ?? (nil, nil)
    guard url != old else { return false }
    guard !url.isEmpty else { throw StoreError.notFound }
    guard account == nil else { throw StoreError.accountsAddress }
    if let other = try Subscriber.known(url, account: account, db) {
      throw StoreError.alreadySubscribed(FeedID(rawValue: other))
    }
    return true
  }

  public func setPriority(_ feed: FeedID, _ priority: FeedPriority) async throws(StoreError) {
    try await arrange(.editFeed, feed: feed) { transaction in
      try transaction.db.run(
        "UPDATE feed SET priority = ? WHERE id = ?", [priority.rawValue, feed.rawValue])
    }
  }

  /// Moves a feed into the folder with this path of titles, which is created if missing; an empty
  /// path is the top level.
  /// - Parameter isMigrated: if the folder belongs to an account, subscribes to a local feed at the
  ///   server and makes it the account's. Its articles and states stay, and undo is not possible.
  ///   If `false`, throws `.accountsFolder`.
  public func move(
    _ feed: FeedID, toFolder path: [String], isMigrated: Bool = false
  ) async throws(StoreError) {
    try await arrange(.moveFeed, feed: feed, isUndoable: !isMigrated) { transaction in
      try Self.place(feed, path: path, transaction)
      try transaction.participants.recorder?.migrate(
        [feed.rawValue], isWanted: isMigrated, in: transaction)
    }
  }

  private static func place(_ feed: FeedID, path: [String], _ transaction: Transaction) throws {
    var subscriber = Subscriber(transaction)
    let folder = try subscriber.folder(path: path)
    let old: Int64? = try transaction.db.value(
      "SELECT folderID FROM feed WHERE id = ?", [feed.rawValue])
    if old != folder { try FolderTree.move(feed.rawValue, to: folder, transaction.db) }
  }

  /// Moves a feed by this many places among the feeds of its folder; stops at the ends.
  public func reorder(_ feed: FeedID, by steps: Int) async throws(StoreError) {
    try await arrange(.reorder, feed: feed) { transaction in
      try FolderTree.reorder(
        "feed", "folderID", "AND removedAt IS NULL", feed.rawValue, steps, transaction.db)
    }
  }
}

extension FolderCache {
  /// Sets the priority of those feeds and folders in a folder that have none of their own.
  public func setPriority(_ folder: FolderID, _ priority: FeedPriority) async throws(StoreError) {
    try await arrange(.editFolder, folder: folder) { transaction in
      try transaction.db.run(
        "UPDATE folder SET priority = ? WHERE id = ?", [priority.rawValue, folder.rawValue])
    }
  }

  /// Moves a folder by this many places among its sibling folders; stops at the ends.
  public func reorder(_ folder: FolderID, by steps: Int) async throws(StoreError) {
    try await arrange(.reorder, folder: folder) { transaction in
      try FolderTree.reorder("folder", "parentID", "", folder.rawValue, steps, transaction.db)
    }
  }

  /// Throws `.folderExists` if a sibling has the title.
  public func rename(_ folder: FolderID, to title: String) async throws(StoreError) {
    let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    try await arrange(.renameFolder, folder: folder) { transaction in
      let db = transaction.db
      guard !title.isEmpty else { return }
      let parent = try FolderTree.parent(of: folder.rawValue, db)
      try FolderTree.requireFree(title, in: parent, except: folder.rawValue, db)
      try db.run("UPDATE folder SET title = ? WHERE id = ?", [title, folder.rawValue])
    }
  }

  /// Moves a folder to a parent with this path, which is created if missing; an empty path is the
  /// top level. Throws `.folderExists` if the title is taken there, and `.notFound` if the folder
  /// would contain itself.
  /// - Parameter isMigrated: applies to the local feeds in the folder; see `move` of a feed.
  public func move(
    _ folder: FolderID, toFolder path: [String], isMigrated: Bool = false
  ) async throws(StoreError) {
    try await arrange(.moveFolder, folder: folder, isUndoable: !isMigrated) { transaction in
      let db = transaction.db
      var subscriber = Subscriber(transaction)
      let target = try subscriber.folder(path: path)
      if let target, try FolderTree.folders(of: folder, db).contains(target) {
        throw StoreError.notFound
      }
      let title = try db.value("SELECT title FROM folder WHERE id = ?", [folder.rawValue]) ?? ""
      try FolderTree.requireFree(title, in: target, except: folder.rawValue, db)
      try db.run(
        """
        UPDATE folder SET parentID = ?1, position =
          (SELECT ifnull(max(position), -1) + 1 FROM folder WHERE parentID IS ?1) WHERE id = ?2
        """, [target, folder.rawValue])
      try transaction.participants.recorder?.migrate(
        FolderTree.feeds(of: folder, db), isWanted: isMigrated, in: transaction)
    }
  }

  /// Removes a folder and moves its content to the enclosing folder. No feed is unsubscribed.
  public func delete(_ folder: FolderID) async throws(StoreError) {
    try await arrange(.deleteFolder, folder: folder) { transaction in
      let parent = try FolderTree.parent(of: folder.rawValue, transaction.db)
      try FolderTree.dissolve(folder.rawValue, into: parent, transaction.db)
    }
  }
}

extension CacheFacet {
  // MARK: Journal entries

  /// - Parameter feed: the changed feed; `nil` if a folder is changed.
  fileprivate func arrange(
    _ kind: JournalEntry.Kind, feed: FeedID? = nil, folder: FolderID? = nil,
    isUndoable: Bool = true, _ body: @escaping @Sendable (Transaction) throws -> Void
  ) async throws(StoreError) {
    let subject =
      feed == nil
      ? "SELECT title FROM folder WHERE id = ?"
      : "SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ? AND f.removedAt IS NULL"
    try await database.change { transaction in
      let db = transaction.db
      guard let name: String = try db.value(subject, [feed?.rawValue ?? folder?.rawValue]) else {
        throw StoreError.notFound
      }
      let images = try RowImages.recorded(["folder", "feed"], db) { try body(transaction) }
      try transaction.participants.recorder?.recordArrangement(
        renamed: FolderTitles.changed(by: images), in: transaction)
      guard isUndoable else { return }
      try Journal.add(db, kind, images, count: 1, subject: name, at: transaction.now)
    }
  }
}

extension FolderTree {
  fileprivate static func reorder(
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

/// Settings of a feed.
public struct FeedEdit: Sendable, Equatable {
  /// The user's name for the feed; blank or `nil` for the feed's own name.
  public var title: String?
  public var url: String
  /// Titles of the enclosing folders, outermost first.
  public var folder: [String]
  /// A paused feed is refreshed only if the user requests it by name.
  public var isPaused: Bool
  public var priority = FeedPriority.normal
  public var options: FeedOptions

  public init(
    title: String?, url: String, folder: [String], isPaused: Bool, retention: Retention? = nil,
    options: FeedOptions = FeedOptions()
  ) {
    (self.options, self.title, self.url) = (options, title, url)
    (self.folder, self.isPaused) = (folder, isPaused)
    if let retention { self.options.retention = retention }
  }
}
