public import Foundation
import GRDB

// A server that was set up again gives other IDs to the same articles, or the same IDs to other
// articles. Articles and subscriptions are identified by their addresses, and an ID is compared
// with them before it is used.

/// An article of an account as stored here, for a comparison with the server's article of that ID.
public struct KnownArticle: Sendable, Equatable {
  public var remoteID: String
  public var feed: String?
  public var isRead: Bool
  public var isStarred: Bool
  /// True if every server still has it, because it is starred or arrived in the last 30 days.
  /// Miniflux deletes read articles after 60 days.
  public var isLasting: Bool
  var link: Int64
  var title: String
  var publishedAt: Int64?

  /// Returns true if the server's sanitised article has the same address, or the same title and
  /// date.
  public func isSame(as article: RemoteArticle) -> Bool {
    let other = Merge.Arrival(article.item, 0, article.item.fingerprint, firstSeen: .zero)
    return other.link == link
      || other.title == title && article.item.datePublished?.milliseconds == publishedAt
  }
}

extension AccountSyncCache {
  /// Milliseconds for which pulls must get empty lists before the lists are accepted.
  private static var emptyTime: Int64 { Duration.minutes(1).milliseconds }
  /// The maximum number of articles of each kind in a sample.
  private static var mostAlike: Int { 5 }

  /// Returns articles whose state would change, the newest first, and some of subscriptions that
  /// have another address. If there are any, if an address has another ID, title or folder, or if
  /// the lists name no known article, also returns the newest of all.
  /// - Parameter limit: the maximum number of articles.
  /// - Returns: the articles, the IDs of known subscriptions that have another address in the list,
  ///   and true if there are known subscriptions.
  public func sample(
    of account: AccountID, _ feeds: [RemoteFeed], unread: RemoteNames, starred: RemoteNames,
    limit: Int
  ) throws(StoreError) -> (articles: [KnownArticle], moved: Set<String>, hasFeeds: Bool) {
    let urls = Dictionary(first: feeds.map { ($0.id, $0.url) })
    return try database.read { db in
      let known = try OutboxFeed.all(
        "r.accountID = ? AND f.removedAt IS NULL", [account.rawValue], db
      ).filter { !$0.isEndingOrNew }
      let moved = known.filter { feed in
        feed.remoteID.flatMap { urls[$0] ?? nil }.map { $0 != feed.url } ?? false
      }
      var ids = try moved.prefix(Self.mostAlike).flatMap { feed in
        try db.values(
          """
          SELECT a.id FROM article a JOIN remoteArticle r ON r.articleID = a.id
          WHERE a.feedID = ? ORDER BY a.id DESC LIMIT ?
          """, [feed.feed, Self.mostAlike]
        ) as [Int64]
      }
      // Articles of a subscription that has ended at the server are gone there.
      let addresses = Set(feeds.compactMap(\.url))
      let listed = SQLText.json(
        known.filter { addresses.contains($0.url) || $0.remoteID.flatMap { urls[$0] } != nil }
          .map(\.feed))
      let changed = try [(Mark.read, unread), (.starred, starred)].flatMap {
        try StateUpdate(account: account.rawValue, state: $0, members: $1).differences(db)
          .values.flatMap { $0 }
      }
      ids += try db.values(
        """
        SELECT id FROM article WHERE id IN (SELECT value FROM json_each(?))
          AND feedID IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?
        """, [SQLText.json(changed), listed, max(0, limit - Self.mostAlike - ids.count)])
      let all = unread.listed.union(starred.listed)
      let isUnknown =
        try ids.isEmpty && !all.isEmpty
        && !db.exists(
          """
          SELECT 1 FROM remoteArticle WHERE accountID = ?
            AND remoteID IN (SELECT value FROM json_each(?)) LIMIT 1
          """, [account.rawValue, SQLText.json(Array(all))])
      // A server that was set up again may list the same IDs as unread for other articles.
      let remote = Dictionary(
        first: feeds.map { ($0.url ?? $0.id, [$0.id, $0.title, $0.folders.first ?? ""]) })
      let isArranged = known.contains { feed in
        guard let name = feed.remoteID, let shown = remote[feed.url] ?? remote[name] else {
          return false
        }
        return shown != [name, feed.remoteTitle, feed.remoteFolder]
      }
      if !ids.isEmpty || isUnknown || isArranged {
        ids += try db.values(
          """
          SELECT a.id FROM article a JOIN remoteArticle r ON r.articleID = a.id
          WHERE r.accountID = ? AND a.feedID IN (SELECT value FROM json_each(?))
          ORDER BY a.id DESC LIMIT ?
          """, [account.rawValue, listed, Self.mostAlike])
      }
      return (
        try AccountRows.known(ids, of: account.rawValue, db, at: database.now.milliseconds),
        Set(moved.compactMap(\.remoteID)), !known.isEmpty
      )
    }
  }

  /// - Returns: true if pulls have got empty lists for at least `emptyTime`.
  public func noteEmptyLists(of account: AccountID, began: Date) async throws(StoreError) -> Bool {
    try await database.write(.engine) { db in
      try db.value(
        """
        UPDATE account SET emptySince = ifnull(emptySince, ?1) WHERE id = ?2
        RETURNING ?1 - emptySince >= ?3
        """, [began.milliseconds, account.rawValue, Self.emptyTime]) ?? false
    }
  }

  /// Removes all of the server's IDs, because it gave them to others. The next pull finds
  /// subscriptions and articles by their addresses, and sends the states that the server lacks.
  public func noteRebuilt(_ account: AccountID) async throws(StoreError) {
    try await database.write(.user) { db, now in
      let feeds: [Int64] = try db.values(
        "SELECT feedID FROM remoteFeed WHERE accountID = ?", [account.rawValue])
      for feed in feeds { try MigratedArticles.forgetNames(of: feed, db) }
      // Changes of subscriptions, which the server may have lost.
      try OutboxRows.sendAgain("1", of: account.rawValue, db)
      try db.run(
        """
        DELETE FROM outbox WHERE accountID = ? AND key IN ('title', 'folder') AND item IN
          (SELECT CAST(id AS TEXT) FROM feed WHERE removedAt IS NOT NULL)
        """, [account.rawValue])
      try db.run(
        "UPDATE account SET rebuiltAt = ? WHERE id = ?", [now.milliseconds, account.rawValue])
    }
  }

  /// Removes the IDs of articles that the server has lost, so that it can give the IDs to others.
  public func forget(_ names: [String], of account: AccountID) async throws(StoreError) {
    guard !names.isEmpty else { return }
    try await database.write(.engine) { db in
      let articles: [Int64] = try db.values(
        """
        SELECT articleID FROM remoteArticle
        WHERE accountID = ? AND remoteID IN (SELECT value FROM json_each(?))
        """, [account.rawValue, SQLText.json(names)])
      for article in articles {
        try MigratedArticles.forgetNames("SELECT ?1", article, db)
        try db.run(
          """
          UPDATE remoteFeed SET renewal = \(ArticleMigration.done)
          WHERE renewal = \(ArticleMigration.none)
            AND feedID = (SELECT feedID FROM article WHERE id = ?)
          """, [article])
      }
    }
  }

  /// Records whether the states that a server returns with articles contradict its lists.
  public func noteItemStates(of account: AccountID, areWrong: Bool) async throws(StoreError) {
    try await database.run(
      .engine,
      "UPDATE account SET hasWrongItemStates = ?1 WHERE id = ?2 AND hasWrongItemStates <> ?1",
      [areWrong, account.rawValue])
  }
}

extension AccountRows {
  /// Milliseconds for which every server keeps an article.
  private static let lastingTime = Duration.days(30).milliseconds

  /// Returns articles by their keys, each once.
  static func known(
    _ ids: [Int64], of account: Int64, _ db: Database, at now: Int64
  ) throws -> [KnownArticle] {
    var seen: Set<Int64> = []
    return try ids.filter { seen.insert($0).inserted }.compactMap { id in
      try db.first(
        """
        SELECT r.remoteID, f.remoteID AS feed, a.link, a.title, b.publishedAt,
          s.isStarred OR a.firstSeenAt >= ? AS isLasting, s.isRead, s.isStarred
        FROM remoteArticle r JOIN article a ON a.id = r.articleID
          JOIN articleBody b ON b.articleID = a.id JOIN articleStatus s ON s.articleID = a.id
          JOIN remoteFeed f ON f.feedID = a.feedID
        WHERE r.articleID = ? AND r.accountID = ?
        """, [now - lastingTime, id, account]
      ) {
        KnownArticle(
          remoteID: $0["remoteID"], feed: $0["feed"] as String?, isRead: $0["isRead"],
          isStarred: $0["isStarred"], isLasting: $0["isLasting"], link: $0["link"] as Int64? ?? 0,
          title: $0["title"], publishedAt: $0["publishedAt"] as Int64?)
      }
    }
  }

  /// Records marks that are sent to a server that has lost them, in one journal entry for each time
  /// that it lost marks. Undoing the entry takes over the states of the server.
  static func noteSentAgain(
    _ images: [RowImages], to account: Int64, _ db: Database, at now: Date
  ) throws {
    let lost: (title: String, at: Int64)? = try db.first(
      "SELECT title, rebuiltAt FROM account WHERE id = ? AND rebuiltAt >= ?",
      [account, now.milliseconds - Duration.days(1).milliseconds]
    ) { ($0["title"], $0["rebuiltAt"]) }
    guard !images.isEmpty, let lost else { return }
    let earlier = try db.first(
      """
      DELETE FROM journal WHERE kind = ? AND subject = ? AND at >= ? AND NOT isUndone
      RETURNING images
      """, [JournalEntry.Kind.sendAgain.rawValue, lost.title, lost.at], Journal.images)
    try Journal.add(db, .sendAgain, (earlier ?? []) + images, subject: lost.title, at: now)
  }
}
