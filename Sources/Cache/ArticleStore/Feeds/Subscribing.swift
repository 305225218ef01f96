import Foundation
package import GRDB

// The user's operations on feeds and folders. Each call is one transaction.

extension FeedCache {
  /// Subscribes to a feed; throws `.alreadySubscribed` if the address is known. A new feed is due
  /// at once. A feed that was unsubscribed and is still stored returns with its articles,
  /// their states, its name and, if `folder` is `nil`, its folder.
  /// - Parameter mayBeOwn: accepts an address of a file or program (`LocalSource`), which only the
  ///   user may give, and allows the program on this machine. If `false`, it throws `.notAllowed`.
  @discardableResult
  public func subscribe(
    url: String, title: String?, folder: FolderID?, mayBeOwn: Bool = false
  ) async throws(StoreError) -> FeedID {
    if mayBeOwn {
      try database.allowedPrograms.allow([AllowedPrograms.command(of: url)].compactMap(\.self))
    }
    return try await database.change { transaction in
      guard mayBeOwn || !LocalSource.claims(url) else { throw StoreError.notAllowed }
      var subscriber = Subscriber(transaction)
      let (feed, isNew) = try subscriber.subscribe(
        OutlineEntry(url: url, title: title), folder: folder?.rawValue)
      guard isNew else { throw StoreError.alreadySubscribed(feed) }
      return feed
    }
  }

  /// Subscribes to many feeds and creates their folders. Known addresses are not changed, and
  /// entries of one address are joined (`OutlineEntry.joined`). Without
  /// `mayBeOwn`, addresses of files and programs (`LocalSource`) are skipped and request options
  /// are ignored (`FeedOptions.withoutRequests`).
  /// - Parameters:
  ///   - list: the address of the list of these feeds, if others may have written the list.
  ///     Requests for its feeds then reach no private network and get no credentials.
  ///   - isUndoable: true if the call adds a journal entry.
  public func subscribe(
    _ entries: [OutlineEntry], mayBeOwn: Bool = false, from list: String? = nil,
    isUndoable: Bool = false
  ) async throws(StoreError) -> (added: [FeedID], known: Int) {
    if mayBeOwn {
      try database.allowedPrograms.allow(entries.compactMap { AllowedPrograms.command(of: $0.url) })
    }
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      var subscriber = Subscriber(transaction)
      try subscriber.loadRemoved()
      var added: [FeedID] = []
      var known = 0
      let addAll = {
        for entry in OutlineEntry.joined(entries) where mayBeOwn || !LocalSource.claims(entry.url) {
          let folder = try subscriber.folder(path: entry.folder)
          var entry = entry
          if !mayBeOwn { entry.options = entry.options.withoutRequests }
          let (feed, isNew) = try subscriber.subscribe(entry, folder: folder)
          if isNew, list != nil {
            try db.run("UPDATE feed SET importedFrom = ? WHERE id = ?", [list, feed.rawValue])
          }
          for (depth, priority) in entry.folderPriorities.enumerated()
          where isNew && priority != .normal {
            let folder = try subscriber.folder(path: Array(entry.folder.prefix(depth + 1)))
            try db.run("UPDATE folder SET priority = ? WHERE id = ?", [priority.rawValue, folder])
          }
          if isNew { added.append(feed) } else { known += 1 }
        }
      }
      guard isUndoable else {
        try addAll()
        return (added, known)
      }
      let images = try RowImages.recorded(["folder", "feed"], db, addAll)
      if !added.isEmpty {
        try Journal.add(db, .subscribe, images, count: added.count, subject: nil, at: now)
      }
      return (added, known)
    }
  }

  /// Unsubscribes from feeds. Undo restores them with all articles while the journal has the entry.
  /// - Parameter holdsBack: true if an account's server gets the change half a minute later, and
  ///   not at all if the user undoes it by then. `false` sends it at the next opportunity.
  public func unsubscribe(_ feeds: [FeedID], holdsBack: Bool = true) async throws(StoreError) {
    try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      var removed: [Int64] = []
      var name: String?
      for feed in Set(feeds).sorted() {
        name = try FeedRows.all(
          db, "WHERE f.id = ? AND f.removedAt IS NULL", [feed.rawValue]
        ).first?.name
        let wait = holdsBack ? FeedRemoval.grace : .zero
        if try FeedRemoval.remove(feed.rawValue, heldFor: wait, transaction) {
          removed.append(feed.rawValue)
        }
      }
      try Journal.add(
        db, .unsubscribe, [.removal(of: removed, at: now)],
        subject: removed.count == 1 ? name : nil, at: now)
    }
  }
}

extension FolderCache {
  /// Creates the folders of this path of titles if missing; returns `nil` for an empty path.
  public func folder(path: [String]) async throws(StoreError) -> FolderID? {
    return try await database.change { transaction in
      var subscriber = Subscriber(transaction)
      return try subscriber.folder(path: path).map(FolderID.init(rawValue:))
    }
  }

  /// Expands or collapses a folder in the tree, without a journal entry.
  public func setExpanded(_ folder: FolderID, _ isExpanded: Bool) async throws(StoreError) {
    try await database.run(
      .engine,
      "UPDATE folder SET isExpanded = ?1 WHERE id = ?2 AND isExpanded <> ?1",
      [isExpanded, folder.rawValue])
  }
}

/// Adds feeds and folders. Caches the folders, which many entries share.
package struct Subscriber {
  private let transaction: Transaction
  private var db: Database { transaction.db }
  private var now: Int64 { transaction.at }
  private var folders: [[String]: Int64] = [:]
  /// Next free position in each folder; key 0 is the top level.
  private var positions: [Int64: Int] = [:]
  /// Addresses of removed feeds, if they were read at once.
  private var removedURLs: Set<String>?

  package init(_ transaction: Transaction) { self.transaction = transaction }

  /// Reads the addresses of removed feeds, because no index has them. No feed may be removed while
  /// entries are added.
  package mutating func loadRemoved() throws {
    let urls: [String] = try db.values("SELECT url FROM feed WHERE removedAt IS NOT NULL")
    removedURLs = Set(urls)
  }

  package static func known(_ url: String, account: Int64? = nil, _ db: Database) throws -> Int64? {
    try db.value(
      "SELECT id FROM feed WHERE url = ? AND accountID IS ? AND removedAt IS NULL", [url, account])
  }

  /// Subscribes to a feed. In an account's folder, queues the subscription for the server.
  package mutating func subscribe(
    _ entry: OutlineEntry, folder: Int64?
  ) throws -> (feed: FeedID, isNew: Bool) {
    let isLocal = entry.isList || !FeedRows.isOnline(entry.url)
    let account = isLocal ? nil : try FolderTree.account(of: folder, db)
    let (feed, isNew) = try add(entry, folder: folder, account: account, keepsFolder: true)
    if isNew, account != nil {
      try transaction.participants.recorder?.record(
        feed: feed.rawValue, isSubscribed: true, heldUntil: 0, in: transaction)
    }
    return (feed, isNew)
  }

  /// - Parameters:
  ///   - account: the feed's account; `nil` if Weir refreshes the feed itself.
  ///   - keepsFolder: true if a removed feed returns to its folder unless another one is given.
  package mutating func add(
    _ entry: OutlineEntry, folder: Int64?, account: Int64?, keepsFolder: Bool = false
  ) throws -> (feed: FeedID, isNew: Bool) {
    let url = entry.url.trimmingCharacters(in: .whitespacesAndNewlines)
    if let known = try Self.known(url, account: account, db) {
      return (FeedID(rawValue: known), false)
    }
    let title = entry.title.flatMap { $0.isEmpty ? nil : $0 }
    if let (removed, former) = try removedFeed(url, account: account) {
      try FeedRemoval.restore(removed, transaction, tellsServer: false)
      let isFree = try keepsFolder && FolderTree.account(of: former, db) == nil
      let folder = folder ?? (isFree ? former : nil)
      let position = try nextPosition(in: folder)
      try db.run(
        """
        UPDATE feed SET userTitle = ifnull(nullif(?, title), userTitle), folderID = ?,
          position = ?, isList = ?, importedFrom = NULL
        WHERE id = ?
        """, [title, folder, position, entry.isList, removed])
      try db.run(
        "UPDATE feedFetch SET nextCheckAt = ?, nextCheckReason = NULL, isGone = 0 WHERE feedID = ?",
        [FeedRows.isLocal(url) ? nil : now, removed])
      return (FeedID(rawValue: removed), true)
    }
    let position = try nextPosition(in: folder)
    try db.run(
      """
      INSERT INTO feed (url, userTitle, homePageURL, tags, folderID, position, isLocal, addedAt,
        accountID, isList, priority)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        url, title, entry.homePageURL, StringList.text(entry.tags), folder, position,
        FeedRows.isLocal(url), now, account,
        entry.isList, entry.priority.rawValue,
      ])
    // The trigger inserts into other tables; SQLite then restores the key of this statement.
    let feed = db.lastInsertedRowID
    if let account {
      try db.run("INSERT INTO remoteFeed (feedID, accountID) VALUES (?, ?)", [feed, account])
    }
    if !entry.options.isEmpty { try OptionRows.set(entry.options, of: feed, db) }
    return (FeedID(rawValue: feed), true)
  }

  /// Returns the most recently removed feed with this address, and its folder.
  private func removedFeed(_ url: String, account: Int64?) throws -> (id: Int64, folder: Int64?)? {
    guard removedURLs?.contains(url) ?? true else { return nil }
    return try db.first(
      """
      SELECT id, folderID FROM feed WHERE url = ? AND accountID IS ? AND removedAt IS NOT NULL
      ORDER BY removedAt DESC LIMIT 1
      """, [url, account]
    ) { ($0["id"], $0["folderID"] as Int64?) }
  }

  private mutating func nextPosition(in folder: Int64?) throws -> Int {
    let key = folder ?? 0
    let position: Int
    if let known = positions[key] {
      position = known
    } else {
      position =
        try db.value("SELECT ifnull(max(position), -1) + 1 FROM feed WHERE folderID IS ?", [folder])
        ?? 0
    }
    positions[key] = position + 1
    return position
  }

  package mutating func folder(path: [String]) throws -> Int64? {
    let path = path.filter { !$0.isEmpty }
    guard let title = path.last else { return nil }
    if let known = folders[path] { return known }
    let parent = try folder(path: path.dropLast())
    let id = try FolderTree.named(title, in: parent, db) ?? FolderTree.add(title, in: parent, db)
    folders[path] = id
    return id
  }
}

/// Removes feeds. Their rows stay, hidden from every list, while they can be restored. Articles
/// with a reason to be kept stay listed.
package enum FeedRemoval {
  /// The time for which a change waits for a possible undo.
  static let grace = Duration.seconds(30)

  /// Removes a subscription; returns `false` if there was none.
  /// - Parameter wait: the time after which an account's server gets the change, unless it is
  ///   undone by then; `nil` if the server is not to get it.
  @discardableResult
  package static func remove(
    _ feed: Int64, heldFor wait: Duration? = nil, _ transaction: Transaction
  ) throws -> Bool {
    let (db, now) = (transaction.db, transaction.now)
    guard
      try db.run(
        "UPDATE feed SET removedAt = ? WHERE id = ? AND removedAt IS NULL",
        [now.milliseconds, feed]) > 0
    else { return false }
    try hide(feed, db)
    try RequestProgress.withdraw(db, feed: feed, at: now)
    guard let wait else { return true }
    try transaction.participants.recorder?.record(
      feed: feed, isSubscribed: false,
      heldUntil: wait > .zero ? transaction.at + wait.milliseconds : 0,
      in: transaction)
    return true
  }

  /// Hides the articles of a feed from every list.
  /// - Parameter keepsArchived: true to list those that outlive it.
  package static func hide(_ feed: Int64, _ db: Database, keepsArchived: Bool = true) throws {
    let isKept = keepsArchived ? ArchivedArticles.condition("articleStatus.articleID") : "0"
    try db.run(
      """
      UPDATE articleStatus SET isHidden = iif(\(isKept), isHidden & ~?1, isHidden | ?1)
      WHERE articleID IN (\(articles))
      """, [HiddenReason.unsubscribed, feed])
  }

  /// Restores a removed feed. Returns `false` if it is subscribed, was purged, has no account any
  /// more, or if another subscription has its address.
  /// - Parameter tellsServer: true if the subscription is queued for the account's server.
  @discardableResult
  package static func restore(
    _ feed: Int64, _ transaction: Transaction, tellsServer: Bool = true
  ) throws -> Bool {
    let db = transaction.db
    guard
      try db.run(
        """
        UPDATE OR IGNORE feed SET removedAt = NULL WHERE id = ? AND removedAt IS NOT NULL
          AND (accountID IS NULL OR accountID IN (SELECT id FROM account))
        """, [feed]) > 0
    else { return false }
    try db.run(
      "UPDATE articleStatus SET isHidden = isHidden & ~?1 WHERE articleID IN (\(articles))",
      [HiddenReason.unsubscribed, feed])
    if tellsServer {
      try transaction.participants.recorder?.record(
        feed: feed, isSubscribed: true, heldUntil: 0, in: transaction)
    }
    return true
  }

  /// Number of articles that one step deletes: a body may be large, and other rows depend on it.
  private static let purgedAtOnce = 100

  /// The condition that a removed `feed f` has rows to purge: some of its articles are not kept, or
  /// it has no articles, so that the feed itself can be purged.
  package static let isPurgeable = """
    (EXISTS (SELECT 1 FROM article a WHERE a.feedID = f.id AND NOT \(isKept))
      OR NOT EXISTS (SELECT 1 FROM article a WHERE a.feedID = f.id))
    """
  private static let isKept = """
    EXISTS (SELECT 1 FROM articleStatus s WHERE s.articleID = a.id
      AND s.isHidden & \(HiddenReason.unsubscribed | HiddenReason.deleted) = 0
      AND (s.isKeptUnread = 1 OR \(ArchivedArticles.condition("a.id"))))
    """

  /// Deletes some articles of a removed feed permanently, then the feed, unless articles of it are
  /// kept.
  /// - Returns: `false` if nothing more is to be purged.
  package static func purge(_ feed: Int64, _ db: Database) throws -> Bool {
    let deleted = try db.run(
      """
      DELETE FROM article WHERE id IN
        (SELECT a.id FROM article a WHERE a.feedID = ? AND NOT \(isKept) LIMIT ?)
      """, [feed, purgedAtOnce])
    guard deleted == 0 else { return true }
    return try db.run(
      "DELETE FROM feed AS f WHERE id = ? AND removedAt IS NOT NULL AND \(isPurgeable)", [feed]) > 0
  }

  /// Uses the index that also has hidden articles.
  private static let articles = "SELECT id FROM article WHERE feedID = ?2"
}
