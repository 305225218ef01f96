public import Foundation
import GRDB

// Feeds of accounts. Local subscriptions follow the server's, except for those with unsent changes.

/// A feed with starred articles whose subscription ended at its server.
public struct EndedSubscription: Sendable, Equatable {
  public var name: String
  public var starred: Int
}

extension AccountSyncCache {
  /// Applies the server's subscriptions: adds new ones, hides those that the server no longer
  /// lists, and follows names, folders and order, except where the outbox has a change. The end of
  /// subscriptions with starred articles becomes a journal entry; undoing it subscribes again.
  /// - Parameters:
  ///   - moved: the server's IDs of known feeds that have another address.
  ///   - isArranged: true if the user arranged the list at the server.
  ///   - began: the start of fetching the list.
  /// - Returns: ended subscriptions with starred articles, and the reason of a refused one.
  @discardableResult
  public func applySubscriptions(
    _ list: [RemoteFeed], moved: Set<String> = [], isArranged: Bool = false, of account: AccountID,
    began: Date
  ) async throws(StoreError) -> (ended: [EndedSubscription], refusal: StoreError.Detail?) {
    try await database.change { transaction in
      try SubscriptionUpdate(transaction: transaction, account: account.rawValue, began: began)
        .apply(list, moved, isArranged: isArranged)
    }
  }
}

private struct SubscriptionUpdate {
  let transaction: Transaction
  let account: Int64
  let began: Date
  private var db: Database { transaction.db }
  private var now: Date { transaction.now }

  func apply(
    _ list: [RemoteFeed], _ moved: Set<String>, isArranged: Bool
  ) throws -> (ended: [EndedSubscription], refusal: StoreError.Detail?) {
    let list = try renamed(list)
    let serverOrder = try ServerOrder(db, of: account)
    try verify(list)
    let folders: [Int64] = try db.values(
      """
      SELECT DISTINCT d.id FROM folder d JOIN account c ON c.folderID = d.parentID
        JOIN feed f ON f.folderID = d.id
      WHERE c.id = ? AND f.removedAt IS NULL
      """, [account])
    let known = try OutboxFeed.all("r.accountID = ?", [account], db)
    let byName = Dictionary(first: known.compactMap { feed in feed.remoteID.map { ($0, feed) } })
    let byURL = Dictionary(
      first: known.sorted { !$0.isRemoved && $1.isRemoved }.map { ($0.url, $0) })
    // A subscription is its address. Its ID counts only if the server shows no address, or if its
    // articles have shown that it has moved.
    let pairs = list.map { remote in
      let named = remote.url == nil || moved.contains(remote.id) ? byName[remote.id] : nil
      return (remote: remote, feed: named ?? remote.url.flatMap { byURL[$0] })
    }
    for (remote, feed) in pairs {
      if let other = byName[remote.id], other.feed != feed?.feed {
        try MigratedArticles.forgetNames(of: other.feed, db)
      }
      if let feed, let name = feed.remoteID, name != remote.id {
        try MigratedArticles.forgetNames(of: feed.feed, db)
      }
    }
    var seen: Set<Int64> = []
    var order: [Int64] = []
    let refusal = try db.writeAccepted(pairs[...]) { pairs in
      var (all, new) = (seen, order)
      for (remote, feed) in pairs {
        if let feed {
          guard all.insert(feed.feed).inserted else { continue }
          try update(feed, remote)
          new.append(feed.feed)
        } else if let feed = try add(remote), all.insert(feed).inserted {
          new.append(feed)
        }
      }
      (seen, order) = (all, new)
    }
    // A feed of which a value is refused has not ended.
    seen.formUnion(pairs.compactMap(\.feed?.feed))
    let ended = try remove(
      known.filter {
        !$0.isRemoved && !seen.contains($0.feed) && !$0.isEndingOrNew
      }.map(\.feed))
    // Removes folders whose last feed was moved by the server. Removed feeds that can still be
    // restored return to the account's folder.
    for folder in folders where try !FolderTree.isInUse(folder, db) {
      try FolderTree.dissolve(folder, into: try AccountRows.accountFolder(account, db), db)
    }
    try serverOrder.apply(order, isArranged: isArranged)
    let unsent = try OutboxRows.recordArrangement(db, at: now.milliseconds, isPull: true)
    return (ended, refusal ?? unsent)
  }

  /// Removes feeds that the server no longer lists. A server that was rebuilt gets them again.
  private func remove(_ feeds: [Int64]) throws -> [EndedSubscription] {
    let isRebuilt = try db.exists(
      """
      SELECT 1 FROM account
      WHERE id = ? AND kind <> 'fever' AND rebuiltAt >= ifnull(syncedAt, 0)
      """, [account])
    if isRebuilt {
      for feed in feeds {
        try OutboxRecorder().record(feed: feed, isSubscribed: true, in: transaction)
      }
      return []
    }
    let starred: [(feed: Int64, ended: EndedSubscription)] = try db.all(
      """
      SELECT f.id, \(SQLText.feedName) AS name, count(*) AS starred
      FROM feed f JOIN articleStatus s ON s.feedID = f.id
      WHERE f.id IN (SELECT value FROM json_each(?))
        AND s.isStarred = 1 AND s.isHidden = 0
      GROUP BY f.id
      """, [SQLText.json(feeds)]
    ) { ($0["id"], EndedSubscription(name: $0["name"], starred: $0["starred"])) }
    for feed in feeds {
      try FeedRemoval.remove(feed, transaction)
      try MigratedArticles.forgetNames(of: feed, db)
    }
    // Fever cannot subscribe, so the entry could not be undone.
    let title: String? = try db.value(
      "SELECT title FROM account WHERE id = ? AND kind <> 'fever'", [account])
    if let title {
      try Journal.add(
        db, .listDropped, [.removal(of: starred.map(\.feed), at: now)], subject: title, at: now)
    }
    return starred.map(\.ended)
  }

  /// Applies pending changes of folders to the list.
  private func renamed(_ list: [RemoteFeed]) throws -> [RemoteFeed] {
    try db.run(
      """
      DELETE FROM outbox WHERE accountID = ? AND key = 'label'
        AND state = \(OutboxRows.confirmed) AND confirmedAt <= ?
      """, [account, began.milliseconds])
    let names: [(old: String, new: String)] = try db.all(
      """
      SELECT item, want FROM outbox
      WHERE accountID = ? AND key = 'label' AND state <> \(OutboxRows.refused) ORDER BY seq
      """, [account]
    ) { ($0["item"], $0["want"]) }
    guard !names.isEmpty else { return list }
    return list.map { feed in
      var feed = feed
      for name in names {
        feed.folders = feed.folders.map { $0 == name.old ? name.new : $0 }.filter { !$0.isEmpty }
      }
      return feed
    }
  }

  private func add(_ remote: RemoteFeed) throws -> Int64? {
    guard let url = remote.url else { return nil }
    var subscriber = Subscriber(transaction)
    let label = remote.folders.first ?? ""
    let (feed, _) = try subscriber.add(
      OutlineEntry(url: url, homePageURL: remote.homePageURL),
      folder: try AccountRows.folder(label, of: account, db), account: account)
    try db.run("UPDATE feed SET title = ? WHERE id = ?", [remote.title, feed.rawValue])
    try db.run(
      "UPDATE remoteFeed SET remoteID = ?, title = ?, folder = ? WHERE feedID = ?",
      [remote.id, remote.title, label, feed.rawValue])
    return feed.rawValue
  }

  private func update(_ feed: OutboxFeed, _ remote: RemoteFeed) throws {
    if feed.isRemoved {
      // The subscription ended here, which the server does not know yet.
      if feed.isEndingOrNew { return }
      guard try FeedRemoval.restore(feed.feed, transaction, tellsServer: false) else { return }
    }
    let label =
      remote.folders.contains(feed.remoteFolder) ? feed.remoteFolder : remote.folders.first ?? ""
    try db.run(
      """
      UPDATE feed
      SET url = ifnull(?1, url), title = ?2, homePageURL = ifnull(?3, homePageURL)
      WHERE id = ?4 AND (url <> ifnull(?1, url) OR title <> ?2
        OR homePageURL IS NOT ifnull(?3, homePageURL))
      """, [remote.url, remote.title, remote.homePageURL, feed.feed])
    // `recordArrangement` sends the name and the folder that a new subscription has here.
    let isFirst = feed.remoteID != remote.id
    if !isFirst, feed.wantedTitle == nil,
      !RemoteTitle.areSame(remote.title, feed.remoteTitle),
      let own = feed.title, !RemoteTitle.areSame(own, remote.title)
    {
      try db.run("UPDATE feed SET userTitle = NULL WHERE id = ?", [feed.feed])
    }
    if !isFirst, feed.wantedFolder == nil, label != feed.remoteFolder, label != feed.folder {
      try AccountRows.place(feed.feed, in: label, of: account, db)
    }
    try db.run(
      """
      UPDATE remoteFeed SET remoteID = ?1, title = ?2, folder = ?3
      WHERE feedID = ?4 AND (remoteID IS NOT ?1 OR title <> ?2 OR folder <> ?3)
      """, [remote.id, remote.title, label, feed.feed])
  }

  private func verify(_ list: [RemoteFeed]) throws {
    let feeds = Dictionary(
      first: try OutboxFeed.all("r.accountID = ?", [account], db).map { (String($0.feed), $0) })
    for key in ["subscribed", "title", "folder"] {
      for row in try OutboxRows.confirmedChanges(key, of: account, began: began, db) {
        guard let feed = feeds[row.item] else { continue }
        let remote = list.first { $0.url == feed.url } ?? list.first { $0.id == feed.remoteID }
        let isShown =
          switch key {
          case "subscribed": (remote != nil) == row.isSet
          case "title": remote.map { RemoteTitle.areSame($0.title, row.want) } ?? true
          default:
            remote.map { row.want.isEmpty ? $0.folders.isEmpty : $0.folders.contains(row.want) }
              ?? true
          }
        if !isShown, let remote, remote.id != feed.remoteID, key != "subscribed" {
          // The server was set up again after the change: it gave the feed another ID.
          try OutboxRows.sendAgain("seq = \(row.seq)", of: account, db)
        } else {
          try OutboxRows.verify([(row, isShown)], isOfArticles: false, began: began, db)
        }
      }
    }
  }
}

extension AccountRows {
  /// Returns the folder of this name in the account's folder; the account's folder itself for an
  /// empty name.
  static func folder(_ label: String, of account: Int64, _ db: Database) throws -> Int64 {
    let accountFolder = try accountFolder(account, db)
    guard !label.isEmpty else { return accountFolder }
    if let known = try FolderTree.named(label, in: accountFolder, db) { return known }
    return try FolderTree.add(label, in: accountFolder, db)
  }

  /// Moves a feed to the end of the folder that it has at its server.
  static func place(_ feed: Int64, in label: String, of account: Int64, _ db: Database) throws {
    let folder = try folder(label, of: account, db)
    guard try !db.exists("SELECT 1 FROM feed WHERE id = ? AND folderID = ?", [feed, folder]) else {
      return
    }
    try FolderTree.move(feed, to: folder, db)
  }
}

enum RemoteTitle {
  /// Compares titles that servers return. FreshRSS returns full-width forms of characters that have
  /// a meaning in HTML; such a title equals the one that was sent.
  static func areSame(_ a: String, _ b: String) -> Bool { plain(a) == plain(b) }

  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          "＆＜＞＂＇？＼／，；".unicodeScalars.contains(scalar)
            ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
        }))
  }
}
