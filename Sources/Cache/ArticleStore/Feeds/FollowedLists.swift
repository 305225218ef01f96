import Foundation
import GRDB

// Followed lists of feeds. A list is a row of `feed`, and is fetched, edited and removed like a
// feed. `listFeed` holds the feeds that each list had at its last fetch.

extension FeedCache {
  /// Subscribes to a feed, or follows a list or the headlines of a page, in a folder with this path
  /// of titles. Returns true for headlines that took the place of others, see `followHeadlines`.
  /// - Parameter mayBeOwn: accepts a feed of a file or program, see `subscribe`.
  public func add(
    _ candidate: FeedCandidate, in path: [String], mayBeOwn: Bool = false
  ) async throws(StoreError) -> (feed: FeedID, isRepaired: Bool) {
    let url = candidate.url
    if candidate.kind == .list {
      let name = candidate.title ?? HiddenSecrets.name(of: url)
      return (try await followList(url: url, name: name, in: path), false)
    }
    let folders = FolderCache(database: database)
    let folder = path.isEmpty ? nil : try await folders.folder(path: path)
    if candidate.kind == .headlines { return try await followHeadlines(url: url, folder: folder) }
    let feed = try await subscribe(url: url, title: nil, folder: folder, mayBeOwn: mayBeOwn)
    return (feed, false)
  }

  /// Follows a list of feeds. Each fetch subscribes to its new feeds in a folder with its name.
  /// - Parameters:
  ///   - name: the name of the folder, and of the list until it is fetched.
  ///   - path: the folders that enclose that folder.
  /// - Throws: `.alreadySubscribed` if the address is known; `.accountsFolder` if the folder
  ///   belongs to an account, whose server would have to subscribe.
  public func followList(
    url: String, name: String, in path: [String] = []
  ) async throws(StoreError) -> FeedID {
    guard WebAddress(url).isHTTP else { throw .notAllowed }
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      var subscriber = Subscriber(transaction)
      let folder = try subscriber.folder(path: path + [name])
      if let account = try FolderTree.account(of: folder, db) {
        throw StoreError.accountsFolder(AccountID(rawValue: account))
      }
      let (feed, isNew) = try subscriber.subscribe(
        OutlineEntry(url: url, isList: true), folder: folder)
      guard isNew else { throw StoreError.alreadySubscribed(feed) }
      // If the list was followed before, its feeds are subscribed to again.
      try db.run("DELETE FROM listFeed WHERE listID = ?", [feed.rawValue])
      try FetchRows.forgetAddress(of: feed, db, at: now.milliseconds)
      try db.run(
        "UPDATE feed SET title = ? WHERE id = ? AND title = ''",
        [ItemText.cut(name, ItemText.Limit.title), feed.rawValue])
      return feed
    }
  }

  /// Follows the headlines of a page. If the page has a feed whose headlines are no longer found,
  /// that feed gets the new place and keeps its articles.
  /// - Throws: `.alreadySubscribed` if the address is known.
  public func followHeadlines(
    url: String, folder: FolderID?
  ) async throws(StoreError) -> (feed: FeedID, isRepaired: Bool) {
    guard let address = HeadlinesAddress(url) else { throw .notAllowed }
    let changed = try database.feeds(
      "WHERE x.failureKind = ? AND f.removedAt IS NULL ORDER BY f.id",
      [RefreshFailure.Kind.pageChanged.rawValue]
    ).first { HeadlinesAddress($0.url)?.page == address.page }?.id
    guard let changed else {
      return (try await subscribe(url: url, title: nil, folder: folder), false)
    }
    try await edit(changed) { $0.url = url }
    return (changed, true)
  }
}

/// Applies an answer of a followed list to the subscriptions.
struct ListUpdate {
  private typealias Member = (id: Int64, feed: Int64?, isAdded: Bool, folder: Int64?)

  private let list: Int64
  private let transaction: Transaction
  private var db: Database { transaction.db }
  private var now: Date { transaction.now }
  private(set) var change: ListChange
  /// Titles of the folders that enclose the list, outermost first.
  private var path: [String] = []
  private var members: [String: Member] = [:]

  /// Greatest depth of folders; deeper ones are merged.
  private static let deepest = 8

  init(list: Int64, title: String, _ transaction: Transaction) throws {
    (self.list, self.transaction) = (list, transaction)
    let db = transaction.db
    let row: (name: String, folder: Int64?)? = try db.first(
      "SELECT \(SQLText.feedName) AS name, f.folderID FROM feed f WHERE f.id = ?", [list]
    ) { ($0["name"], $0["folderID"] as Int64?) }
    change = ListChange(list: row?.name ?? title)
    var folder = row?.folder
    while let id = folder, path.count < 64 {
      path.insert(try db.value("SELECT title FROM folder WHERE id = ?", [id]) ?? "", at: 0)
      folder = try FolderTree.parent(of: id, db)
    }
    members = try db.dictionary(
      "SELECT id, url, feedID, isAdded, folderID FROM listFeed WHERE listID = ?", [list]
    ) { ($0["url"], ($0["id"], $0["feedID"], $0["isAdded"], $0["folderID"])) }
  }

  /// - Returns: the reason of a feed that SQLite refuses, which is left out.
  mutating func run(_ entries: [OutlineEntry]) throws -> StoreError.Detail? {
    var added: [Int64] = []
    var refusal: StoreError.Detail?
    var named: Set<String> = []
    let new = OutlineEntry.joined(entries).filter {
      named.insert($0.url).inserted && members[$0.url] == nil
    }
    let images = try RowImages.recorded(["folder", "feed"], db) {
      refusal = try db.writeAccepted(new[...]) { entries in
        var (update, subscriber) = (self, Subscriber(transaction))
        let feeds = try entries.compactMap { try update.add($0, &subscriber) }
        self = update
        added += feeds
      }
    }
    if !added.isEmpty {
      try Journal.add(db, .listAdded, images, count: added.count, subject: change.list, at: now)
      try RequestProgress.extend(db, waitingFor: list, by: added)
    }
    var dropped: [Int64] = []
    for (url, member) in members.sorted(by: { $0.value.id < $1.value.id }) {
      guard !named.contains(url) else { continue }
      if let feed = try drop(member) { dropped.append(feed) }
    }
    try Journal.add(
      db, .listDropped, [.removal(of: dropped, at: now)], subject: change.list, at: now)
    return refusal
  }

  /// Adds a feed that the list names for the first time. Returns `nil` if the user or another list
  /// has subscribed to the feed already.
  private mutating func add(_ entry: OutlineEntry, _ subscriber: inout Subscriber) throws -> Int64?
  {
    let known: Int64? = try db.value(
      "SELECT id FROM feed WHERE url = ? AND removedAt IS NULL LIMIT 1", [entry.url])
    if let known {
      try note(entry.url, known, isAdded: false, folder: nil)
      return nil
    }
    let folder = try subscriber.folder(path: path + entry.folder.prefix(Self.deepest))
    // A list sets names and folders, but not settings and tags, which are the user's.
    let plain = OutlineEntry(url: entry.url, homePageURL: entry.homePageURL)
    let (feed, _) = try subscriber.add(plain, folder: folder, account: nil)
    let title = ItemText.cut(entry.title ?? "", ItemText.Limit.title)
    try db.run("UPDATE feed SET title = ? WHERE id = ? AND title = ''", [title, feed.rawValue])
    try note(entry.url, feed.rawValue, isAdded: true, folder: folder)
    change.added.append(entry.title ?? HiddenSecrets.name(of: entry.url))
    return feed.rawValue
  }

  private func note(_ url: String, _ feed: Int64, isAdded: Bool, folder: Int64?) throws {
    try db.run(
      "INSERT INTO listFeed (listID, url, feedID, isAdded, folderID) VALUES (?, ?, ?, ?, ?)",
      [list, url, feed, isAdded, folder])
  }

  /// Unsubscribes from a feed that the list no longer names, unless there is a reason to keep it.
  /// - Returns: the removed feed; `nil` if it stays.
  private mutating func drop(_ member: Member) throws -> Int64? {
    try db.run("DELETE FROM listFeed WHERE id = ?", [member.id])
    let name: String? = try db.value(
      "SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ? AND f.removedAt IS NULL",
      [member.feed])
    guard member.isAdded, let feed = member.feed, let name else { return nil }
    // If another list names the feed, that list is recorded as the one that added it.
    let others = try db.run(
      """
      UPDATE listFeed SET isAdded = 1, folderID = ? WHERE id =
        (SELECT m.id FROM listFeed m JOIN feed l ON l.id = m.listID
          WHERE m.feedID = ? AND l.removedAt IS NULL ORDER BY m.id LIMIT 1)
      """, [member.folder, feed])
    guard others == 0 else { return nil }
    if let reason = try reasonToKeep(feed, member) {
      change.kept.append((name, reason))
      return nil
    }
    guard try FeedRemoval.remove(feed, transaction) else { return nil }
    change.dropped.append(name)
    return feed
  }

  private func reasonToKeep(_ feed: Int64, _ member: Member) throws -> ListChange.Reason? {
    let hasArticles = try db.exists(
      "SELECT 1 FROM article a WHERE a.feedID = ? AND \(ArchivedArticles.condition("a.id")) LIMIT 1",
      [feed])
    if hasArticles { return .articles }
    let isAsAdded: Bool? = try db.value(
      """
      SELECT coalesce(f.userTitle, \(OptionRows.columns)) IS NULL AND f.isPaused = 0
        AND f.priority = 0 AND f.folderID IS ?2 AND f.accountID IS NULL FROM feed f WHERE f.id = ?1
      """, [feed, member.folder])
    return isAsAdded == true ? nil : .settings
  }
}
