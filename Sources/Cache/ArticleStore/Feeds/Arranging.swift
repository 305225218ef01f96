import Foundation
import GRDB

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
