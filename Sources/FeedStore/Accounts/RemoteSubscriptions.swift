public import FeedModel
public import Foundation
import GRDB

// Feeds of accounts: the server's subscriptions become ours, except where ours are on their way to it.

/// A subscription as an account's server has it, cleaned.
public struct RemoteFeed: Sendable, Equatable {
  /// The server's name of it.
  public var name: String
  public var title: String
  /// Nil where the server does not say it, or says none that may be opened.
  public var url: String?
  public var homePageURL: String?
  /// Most servers know at most one.
  public var folders: [String]

  public init(
    name: String, title: String, url: String?, homePageURL: String? = nil, folders: [String] = []
  ) {
    self.name = name
    self.title = title
    self.url = url
    self.homePageURL = homePageURL
    self.folders = folders
  }
}

extension FeedStore {
  /// Takes over the server's subscriptions: new ones come, those that the server has no more go out of
  /// sight, names and folders follow. What is in the outbox stays as the user has it.
  /// - Parameter began: when the list began to be fetched.
  public func takeSubscriptions(
    _ list: [RemoteFeed], of account: AccountID, began: Date
  ) async throws(StoreError) {
    let now = options.now()
    try await write(.user) { db in
      try SubscriptionTaker(db: db, account: account.rawValue, now: now, began: began).take(list)
    }
  }
}

private struct SubscriptionTaker {
  let db: Database
  let account: Int64
  let now: Date
  let began: Date

  /// Milliseconds after which a server that has said yes is to show it.
  private static let patience: Int64 = 600_000

  /// A feed of the account as it is here.
  private struct Known {
    var feed: Int64
    var name: String?
    var url: String
    var isRemoved: Bool
    var userTitle: String?
    /// Of its folder here; "" in the branch itself.
    var folder: String
    var remoteTitle: String
    var remoteFolder: String
    /// What of it the outbox speaks of.
    var pending: Set<String>
  }

  func take(_ list: [RemoteFeed]) throws {
    try verify(list)
    let known = try self.known()
    let byName = Dictionary(
      known.compactMap { feed in feed.name.map { ($0, feed) } }, uniquingKeysWith: { a, _ in a })
    let byURL = Dictionary(
      known.sorted { !$0.isRemoved && $1.isRemoved }.map { ($0.url, $0) },
      uniquingKeysWith: { a, _ in a })
    var seen: Set<Int64> = []
    for remote in list {
      let feed = byName[remote.name] ?? remote.url.flatMap { byURL[$0] }
      if let feed, seen.insert(feed.feed).inserted {
        try update(feed, remote)
      } else if byName[remote.name] == nil {
        try add(remote)
      }
    }
    for feed in known
    where !feed.isRemoved && !seen.contains(feed.feed) && !feed.pending.contains("subscribed") {
      _ = try FeedRemoval.remove(feed.feed, db, at: now, tellsServer: false)
    }
    try OutboxRows.recordArrangement(db, at: now.milliseconds)
  }

  private func known() throws -> [Known] {
    try db.all(
      """
      SELECT f.id, r.remoteID, f.url, f.removedAt IS NOT NULL, nullif(trim(f.userTitle), ''),
        CASE WHEN f.folderID IS NULL OR f.folderID = c.folderID THEN '' ELSE d.title END,
        r.title, r.folder, (SELECT json_group_array(o.key) FROM outbox o
          WHERE o.accountID = r.accountID AND o.item = CAST(f.id AS TEXT))
      FROM remoteFeed r JOIN feed f ON f.id = r.feedID JOIN account c ON c.id = r.accountID
        LEFT JOIN folder d ON d.id = f.folderID
      WHERE r.accountID = ?
      """, [account]
    ) { row in
      Known(
        feed: row[0], name: row[1] as String?, url: row[2], isRemoved: row[3],
        userTitle: row[4] as String?, folder: row[5], remoteTitle: row[6], remoteFolder: row[7],
        pending: Set(StringList.strings(row[8])))
    }
  }

  private func add(_ remote: RemoteFeed) throws {
    guard let url = remote.url else { return }
    var subscriber = Subscriber(db: db, now: now.milliseconds)
    let label = remote.folders.first ?? ""
    let (feed, _) = try subscriber.add(
      OutlineEntry(url: url, homePageURL: remote.homePageURL),
      folder: try AccountRows.folder(label, of: account, db), account: account)
    try db.run("UPDATE feed SET title = ? WHERE id = ?", [remote.title, feed.rawValue])
    try db.run(
      "UPDATE OR IGNORE remoteFeed SET remoteID = ?, title = ?, folder = ? WHERE feedID = ?",
      [remote.name, remote.title, label, feed.rawValue])
  }

  private func update(_ feed: Known, _ remote: RemoteFeed) throws {
    if feed.isRemoved {
      // Ended here, and the server has not heard yet.
      if feed.pending.contains("subscribed") { return }
      guard try FeedRemoval.restore(feed.feed, db, at: now, tellsServer: false) else { return }
    }
    let label =
      remote.folders.contains(feed.remoteFolder) ? feed.remoteFolder : remote.folders.first ?? ""
    try db.run(
      """
      UPDATE OR IGNORE feed
      SET url = ifnull(?1, url), title = ?2, homePageURL = ifnull(?3, homePageURL)
      WHERE id = ?4 AND (url <> ifnull(?1, url) OR title <> ?2
        OR homePageURL IS NOT ifnull(?3, homePageURL))
      """, [remote.url, remote.title, remote.homePageURL, feed.feed])
    // What the user called it when subscribing here is sent by the arrangement.
    let isFirst = feed.name == nil
    if !isFirst, !feed.pending.contains("title"), remote.title != feed.remoteTitle,
      let own = feed.userTitle, !RemoteTitle.areSame(own, remote.title)
    {
      try db.run("UPDATE feed SET userTitle = NULL WHERE id = ?", [feed.feed])
    }
    if !isFirst, !feed.pending.contains("folder"), label != feed.remoteFolder, label != feed.folder
    {
      try AccountRows.place(feed.feed, in: label, of: account, db)
    }
    try db.run(
      """
      UPDATE OR IGNORE remoteFeed SET remoteID = ?1, title = ?2, folder = ?3
      WHERE feedID = ?4 AND (remoteID IS NOT ?1 OR title <> ?2 OR folder <> ?3)
      """, [remote.name, remote.title, label, feed.feed])
  }

  private func verify(_ list: [RemoteFeed]) throws {
    let rows:
      [(
        seq: Int64, change: OutboxEntry.Change?, confirmedAt: Int64, isRepeat: Bool, url: String,
        name: String?
      )] = try db.all(
        """
        SELECT o.seq, o.key, o.want, o.confirmedAt, o.isRepeat, f.url, r.remoteID
        FROM outbox o JOIN feed f ON f.id = CAST(o.item AS INTEGER)
          JOIN remoteFeed r ON r.feedID = f.id
        WHERE o.accountID = ? AND o.key IN ('subscribed', 'title', 'folder') AND o.state = 1
        """, [account]
      ) {
        (
          $0[0], OutboxRows.change(key: $0[1], want: $0[2]), $0[3], $0[4], $0[5], $0[6] as String?
        )
      }
    for row in rows where row.confirmedAt <= began.milliseconds {
      let remote = list.first { $0.name == row.name } ?? list.first { $0.url == row.url }
      let isShown =
        switch row.change {
        case .subscribed(let isWanted): (remote != nil) == isWanted
        case .renamed(let title): remote.map { RemoteTitle.areSame($0.title, title) } ?? true
        case .moved(let folder):
          remote.map { folder.isEmpty ? $0.folders.isEmpty : $0.folders.contains(folder) } ?? true
        case .read, .starred, nil: true
        }
      try OutboxRows.verify(
        row.seq, isShown: isShown,
        isOverdue: now.milliseconds - row.confirmedAt >= Self.patience, isRepeat: row.isRepeat, db)
    }
  }
}

extension AccountRows {
  /// The folder of this name in the account's branch; the branch itself for none.
  static func folder(_ label: String, of account: Int64, _ db: Database) throws -> Int64 {
    let branch = try branch(account, db)
    guard !label.isEmpty else { return branch }
    if let known = try FolderTree.named(label, in: branch, db) { return known }
    try db.run(
      """
      INSERT INTO folder (parentID, title, position) VALUES (?1, ?2,
        (SELECT ifnull(max(position), -1) + 1 FROM folder WHERE parentID IS ?1))
      """, [branch, label])
    return db.lastInsertedRowID
  }

  /// Puts a feed behind the others of the folder that its server has it in.
  static func place(_ feed: Int64, in label: String, of account: Int64, _ db: Database) throws {
    try db.run(
      """
      UPDATE feed SET folderID = ?1, position =
        (SELECT ifnull(max(position), -1) + 1 FROM feed WHERE folderID IS ?1)
      WHERE id = ?2 AND folderID IS NOT ?1
      """, [try folder(label, of: account, db), feed])
  }
}
