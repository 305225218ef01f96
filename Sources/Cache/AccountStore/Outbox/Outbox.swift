public import Foundation
import GRDB

/// A change that the server does not have yet.
public struct OutboxEntry: Sendable, Identifiable, Equatable {
  /// See `OutboxCounts`.
  public enum State: String, Sendable { case pending, failed, refused }
  /// The state that the server is to get.
  public enum Change: Sendable, Equatable {
    case marked(Mark, Bool)
    case tagged(String, Bool)
    case subscribed(Bool)
    case renamed(String)
    /// The folder's name; empty for no folder.
    case moved(String)
    case folderRenamed(String)
    /// The folder is removed; its feeds are in no folder.
    case folderRemoved
  }
  /// Key of the change; a smaller one is older.
  public var id: Int64
  public var account: AccountID
  public var change: Change
  public var state: State
  /// Title of the article or feed; its key if it is gone.
  public var title: String
  /// The changed article; `nil` for other changes, or if the article is gone.
  public var article: ArticleID?
  /// The article's feed, or the feed itself; `nil` for a folder or a feed that is gone.
  public var feed: FeedID?
  public var attempts: Int
  /// Time of the next attempt; `nil` for the next opportunity.
  public var nextTry: Date?
  public var changedAt: Date
  /// Plain text of a server or program, or the raw value of an `AccountFailure.Kind` or a
  /// `RefreshFailure.Kind`.
  public var detail: String?
}

extension AccountCache {
  /// Returns changes to be sent to an account's server, or to all if `account` is `nil`, oldest
  /// first.
  public func outbox(of account: AccountID?, limit: Int) throws(StoreError) -> [OutboxEntry] {
    try database.all(
      """
      SELECT o.seq, o.accountID, o.item, o.key, o.want, o.state, o.attempts, o.nextTry,
        o.changedAt, o.detail, a.id AS articleID, a.title, f.id AS feedID,
        \(SQLText.feedName) AS feedName
      FROM outbox o
        LEFT JOIN remoteArticle r ON r.accountID = o.accountID AND r.remoteID = o.item
          AND \(OutboxRows.isOfArticle("o.key"))
        LEFT JOIN article a ON a.id = r.articleID
        LEFT JOIN feed f ON f.id = CASE WHEN \(OutboxRows.isOfArticle("o.key")) THEN a.feedID
          WHEN o.key <> 'label' THEN CAST(o.item AS INTEGER) END
      WHERE o.state <> ? AND (?2 IS NULL OR o.accountID = ?2) ORDER BY o.seq LIMIT ?3
      """, [OutboxRows.confirmed, account?.rawValue, limit]
    ) { row -> OutboxEntry? in
      guard let change = OutboxRows.change(key: row["key"], want: row["want"]) else { return nil }
      let attempts: Int = row["attempts"]
      let next: Int64 = row["nextTry"]
      return OutboxEntry(
        id: row["seq"], account: row.id("accountID"), change: change,
        state: row["state"] as Int == OutboxRows.refused
          ? .refused : row["detail"] as String? == nil ? .pending : .failed,
        title: row["title"] as String? ?? row["feedName"] as String? ?? row["item"],
        article: row.id("articleID"),
        feed: row.id("feedID"), attempts: attempts,
        nextTry: next > 0 ? Date(milliseconds: next) : nil,
        changedAt: Date(milliseconds: row["changedAt"]),
        detail: row["detail"])
    }.compactMap { $0 }
  }

  /// Retries changes at the next opportunity, as if they had never failed.
  public func retryOutbox(_ ids: [Int64]) async throws(StoreError) {
    try await database.run(
      .user,
      """
      UPDATE outbox SET state = \(OutboxRows.pending), attempts = min(attempts, 1), nextTry = 0,
        detail = NULL
      WHERE seq IN (SELECT value FROM json_each(?)) AND state <> \(OutboxRows.confirmed)
      """, [SQLText.json(ids)])
  }

  /// Discards changes. Their articles get the state back that they had before; the next pull
  /// restores the server's state.
  public func discardOutbox(_ ids: [Int64]) async throws(StoreError) {
    try await database.write(.user) { db in
      for id in ids { try OutboxRows.giveUp(id, db) }
    }
  }
}

/// Rows of the outbox. They are written in the transaction of the change itself.
enum OutboxRows {
  /// `outbox.state`.
  static let pending = 0
  static let confirmed = 1
  static let refused = 2

  /// Returns the condition for changes of articles, as opposed to feeds and folders.
  static func isOfArticle(_ key: String = "key") -> String {
    "(\(key) IN ('read', 'starred') OR \(key) GLOB 'tag:*')"
  }

  static func counts(_ account: Int64, _ db: Database) throws -> OutboxCounts {
    try db.first(
      """
      SELECT total(state = \(OutboxRows.pending) AND detail IS NULL) AS pending,
        total(state = \(OutboxRows.pending) AND detail IS NOT NULL) AS failed,
          total(state = \(OutboxRows.refused)) AS refused,
        min(CASE WHEN state = \(OutboxRows.pending) THEN max(nextTry, heldUntil) END) AS nextTry
      FROM outbox WHERE accountID = ?
      """, [account]
    ) { row in
      let next: Int64? = row["nextTry"]
      return OutboxCounts(
        pending: row.count("pending"), failed: row.count("failed"), refused: row.count("refused"),
        nextTry: next.flatMap { $0 > 0 ? Date(milliseconds: $0) : nil })
    } ?? OutboxCounts()
  }

  /// The marks that servers have. What is kept for later they know by a tag, if at all.
  static let marks = [Mark.read, .starred]

  private static func mark(_ key: String) -> Mark? { marks.first { $0.words.with == key } }

  static func change(key: String, want: String) -> OutboxEntry.Change? {
    switch key {
    case "subscribed": .subscribed(want == "1")
    case "title": .renamed(want)
    case "folder": .moved(want)
    case "label": want.isEmpty ? .folderRemoved : .folderRenamed(want)
    default:
      mark(key).map { .marked($0, want == "1") } ?? tag(key).map { .tagged($0, want == "1") }
    }
  }

  private static let tagPrefix = "tag:"

  static func key(ofTag tag: String) -> String { tagPrefix + tag }

  static func tag(_ key: String) -> String? {
    key.hasPrefix(tagPrefix) ? String(key.dropFirst(tagPrefix.count)) : nil
  }

  /// Queues a change, which replaces an earlier one and waits until its account's back-off ends.
  static func put(
    account: Int64, item: String, key: String, want: String, attempts: Int = 0,
    heldUntil: Int64 = 0, at now: Int64, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO outbox
        (accountID, item, key, want, changedAt, attempts, heldUntil, nextTry)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, \(wait))
      """, [account, item, key, want, now, attempts, heldUntil])
  }

  /// Removes a change. Resets what the server does not have: a name or a folder, which
  /// `recordArrangement` would queue again, or the state of an article, which would count as a mark
  /// that the server has lost.
  static func giveUp(_ seq: Int64, _ db: Database) throws {
    let row: (account: Int64, item: String, key: String, want: String)? = try db.first(
      "DELETE FROM outbox WHERE seq = ? RETURNING accountID, item, key, want", [seq]
    ) { ($0["accountID"], $0["item"], $0["key"], $0["want"]) }
    guard let row else { return }
    if let mark = mark(row.key) {
      let article: [Int64] = try db.values(
        "SELECT articleID FROM remoteArticle WHERE accountID = ? AND remoteID = ?",
        [row.account, row.item])
      return try Marks.note(Marks.write(mark, row.want == "0", article, db).flatMap(\.keys), db)
    }
    guard ["title", "folder"].contains(row.key), let feed = Int64(row.item) else { return }
    let known: String? = try db.value(
      "SELECT folder FROM remoteFeed WHERE feedID = ? AND accountID = ?", [feed, row.account])
    guard let known else { return }
    if row.key == "title" {
      try db.run("UPDATE feed SET userTitle = NULL WHERE id = ?", [feed])
    } else {
      try AccountRows.place(feed, in: known, of: row.account, db)
    }
  }

  /// Ends the wait of changes that are to be retried later, because the user requested it or the
  /// server answers again.
  /// - Parameter condition: the SQL condition that selects the accounts.
  static func release(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
    try db.run(
      """
      UPDATE outbox SET nextTry = 0 WHERE state = \(OutboxRows.pending) AND nextTry > 0
        AND accountID IN
        (SELECT id FROM account WHERE \(condition))
      """, arguments)
  }

  /// The time until which an account waits after a failure of its server; 0 if it does not wait.
  /// Read marks and stars show this time, because only subscriptions and tags are postponed one by
  /// one.
  private static let wait = """
    ifnull((SELECT max(nextTry) FROM outbox
      WHERE accountID = ?1 AND state = \(OutboxRows.pending) AND key IN ('read', 'starred')), 0)
    """

  /// The condition for articles `remoteArticle r` of `feed f` without a change with the key ?2 for
  /// the account ?1. The server's lists omit feeds with ended or unconfirmed subscriptions.
  static let isSettled = """
    f.removedAt IS NULL AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.accountID = ?1
      AND (o.item = r.remoteID AND o.key = ?2 COLLATE NOCASE
        OR o.item = CAST(f.id AS TEXT) AND o.key = 'subscribed'))
    """

  /// The condition for changes whose opposite is the state that the last pull showed.
  static let isUnsent = "state = \(pending) AND attempts = 0"

  /// Queues names and folders of feeds that differ from those of their servers; called after every
  /// change of the arrangement. Throws `.fixedSubscriptions` if the account's protocol cannot
  /// change them.
  /// - Parameters:
  ///   - titles: renamed folders, which are renamed as a whole at the server.
  ///   - isPull: true if the server has just listed its subscriptions. Names and folders that its
  ///     protocol cannot change are then taken from the server, and a refused value throws nothing.
  /// - Returns: the reason of a value that SQLite refuses.
  @discardableResult
  static func recordArrangement(
    _ db: Database, renamed titles: [FolderTitles] = [], at now: Int64, isPull: Bool = false
  ) throws -> StoreError.Detail? {
    for title in titles { try record(title, db, at: now) }
    let feeds = try OutboxFeed.all("f.removedAt IS NULL AND r.remoteID IS NOT NULL", [], db)
      .filter { $0.hasOtherTitle || $0.hasOtherFolder }
    let refusal = try db.writeAccepted(feeds[...]) {
      for feed in $0 { try record(feed, db, at: now, isPull: isPull) }
    }
    if let refusal, !isPull { throw StoreError.refusedValue(detail: refusal) }
    // Queues the removal of folders whose feeds have been moved out of them.
    for title in titles where title.new == nil {
      guard let old = title.old, let account = try account(ofFolder: title.parent, db),
        try FolderTree.named(old, in: title.parent, db) == nil,
        try db.exists(
          "SELECT 1 FROM remoteFeed WHERE accountID = ? AND folder = ? LIMIT 1", [account, old])
      else { continue }
      try put(account: account, item: old, key: "label", want: "", at: now, db)
    }
    return refusal
  }

  /// Returns the account with this folder if its protocol can change folders.
  private static func account(ofFolder folder: Int64?, _ db: Database) throws -> Int64? {
    try db.value("SELECT id FROM account WHERE folderID = ? AND kind <> 'fever'", [folder])
  }

  private static func record(_ titles: FolderTitles, _ db: Database, at now: Int64) throws {
    guard let account = try account(ofFolder: titles.parent, db) else { return }
    if let new = titles.new, titles.old == nil {
      // The folder is back, so its removal is no longer sent.
      try db.run(
        """
        DELETE FROM outbox WHERE accountID = ? AND item = ? AND key = 'label' AND want = ''
          AND state = \(OutboxRows.pending)
        """, [account, new])
    }
    // Reads the current title, because another folder may have taken the wanted title.
    let new: String? = try db.value("SELECT title FROM folder WHERE id = ?", [titles.folder])
    guard let old = titles.old, let new, new != old,
      try db.run(
        "UPDATE remoteFeed SET folder = ? WHERE accountID = ? AND folder = ?", [new, account, old])
        > 0
    else { return }
    try put(account: account, item: old, key: "label", want: new, at: now, db)
  }

  private static func record(
    _ feed: OutboxFeed, _ db: Database, at now: Int64, isPull: Bool
  ) throws {
    let fever: String? = try db.value(
      "SELECT title FROM account WHERE id = ? AND kind = 'fever'", [feed.account])
    if let fever {
      guard isPull else { throw StoreError.fixedSubscriptions(account: fever) }
      if feed.hasOtherTitle {
        try db.run("UPDATE feed SET userTitle = NULL WHERE id = ?", [feed.feed])
      }
      return try AccountRows.place(feed.feed, in: feed.knownFolder, of: feed.account, db)
    }
    let item = String(feed.feed)
    if let title = feed.title, feed.hasOtherTitle {
      try put(account: feed.account, item: item, key: "title", want: title, at: now, db)
    }
    if feed.hasOtherFolder {
      try put(account: feed.account, item: item, key: "folder", want: feed.folder, at: now, db)
    }
  }
}

package struct OutboxRecorder: ChangeRecorder, MarkParticipant {
  package init() {}

  /// Queues a state of articles for their servers. A change back to the server's state cancels an
  /// unsent one.
  package func mark(
    _ mark: Mark, _ isSet: Bool, _ articles: [Int64], in transaction: Transaction
  ) throws -> [RowImages] {
    let (db, now) = (transaction.db, transaction.at)
    guard OutboxRows.marks.contains(mark), !articles.isEmpty,
      try db.exists("SELECT 1 FROM remoteArticle LIMIT 1")
    else { return [] }
    let arguments: StatementArguments = [
      SQLText.json(articles), mark.words.with, isSet ? "1" : "0",
    ]
    try db.run(
      """
      INSERT OR REPLACE INTO outbox (accountID, item, key, want, changedAt, nextTry, attempts)
      SELECT r.accountID, r.remoteID, ?2, ?3, ?4, ifnull(w.nextTry, 0),
        o.seq IS NOT NULL AND NOT (\(OutboxRows.isUnsent))
      FROM json_each(?1) j JOIN remoteArticle r ON r.articleID = j.value
        LEFT JOIN outbox o ON o.accountID = r.accountID AND o.item = r.remoteID AND o.key = ?2
        LEFT JOIN (SELECT accountID, max(nextTry) AS nextTry FROM outbox
          WHERE state = \(OutboxRows.pending) AND key IN ('read', 'starred')
          GROUP BY accountID) w ON w.accountID = r.accountID
      WHERE o.seq IS NULL OR o.want = ?3 OR NOT (\(OutboxRows.isUnsent))
      ORDER BY j.key
      """, arguments + [now])
    try db.run(
      """
      DELETE FROM outbox WHERE key = ?2 AND want <> ?3 AND \(OutboxRows.isUnsent)
        AND (accountID, item) IN (SELECT r.accountID, r.remoteID
          FROM json_each(?1) j JOIN remoteArticle r ON r.articleID = j.value)
      """, arguments)
    return []
  }

  package func record(
    feed: Int64, isSubscribed: Bool, heldUntil: Int64 = 0, in transaction: Transaction
  ) throws {
    let (db, now) = (transaction.db, transaction.at)
    let account: (id: Int64, isFever: Bool, title: String, hasFeed: Bool)? = try db.first(
      """
      SELECT a.id, a.kind = 'fever' AS isFever, a.title, r.remoteID IS NOT NULL AS hasFeed
      FROM remoteFeed r JOIN account a ON a.id = r.accountID WHERE r.feedID = ?
      """, [feed]
    ) { ($0["id"], $0["isFever"], $0["title"], $0["hasFeed"]) }
    guard let account else { return }
    if account.isFever { throw StoreError.fixedSubscriptions(account: account.title) }
    if isSubscribed, account.hasFeed {
      let withdrawn = try db.run(
        """
        DELETE FROM outbox WHERE accountID = ? AND item = ? AND key = 'subscribed' AND want = '0'
          AND state = \(OutboxRows.pending) AND heldUntil > ?
        """, [account.id, String(feed), now])
      if withdrawn > 0 { return }
    }
    try OutboxRows.put(
      account: account.id, item: String(feed), key: "subscribed", want: isSubscribed ? "1" : "0",
      heldUntil: heldUntil, at: now, db)
  }

  package func recordArrangement(renamed titles: [FolderTitles], in transaction: Transaction) throws
  {
    try OutboxRows.recordArrangement(transaction.db, renamed: titles, at: transaction.at)
  }

  /// Queues the change of a tag, or returns the reason why no server gets it.
  package func record(
    tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool, in transaction: Transaction
  ) throws -> LocalTags? {
    let (db, now) = (transaction.db, transaction.at)
    let place: (account: Int64, item: String, title: String, isFever: Bool, refuses: Bool)? =
      try db.first(
        """
        SELECT r.accountID, r.remoteID, a.title, a.kind = 'fever' AS isFever, a.refusesTags
        FROM remoteArticle r JOIN account a ON a.id = r.accountID WHERE r.articleID = ?
        """, [article]
      ) { ($0["accountID"], $0["remoteID"], $0["title"], $0["isFever"], $0["refusesTags"]) }
    guard let place else { return nil }
    try LaterTag.apply(tag, isSet, to: [article], of: place.account, db, at: now)
    let reason: LocalTags.Reason? =
      if place.isFever {
        .fever
      } else if place.refuses {
        .server
      } else if try LabelRows.isFolder(tag, place.account, db) {
        .folder(tag)
      } else {
        nil
      }
    if let reason { return isSet ? LocalTags(account: place.title, reason: reason) : nil }
    let key = OutboxRows.key(ofTag: tag)
    // Tags that differ in case only are one tag here, but two keys.
    let before: (isRefused: Bool, isUnsent: Bool, isSet: Bool)? = try db.first(
      """
      DELETE FROM outbox WHERE accountID = ? AND item = ? AND key = ? COLLATE NOCASE
      RETURNING state = \(OutboxRows.refused) AS isRefused, \(OutboxRows.isUnsent) AS isUnsent, want = '1' AS isSet
      """, [place.account, place.item, key]
    ) { ($0["isRefused"], $0["isUnsent"], $0["isSet"]) }
    if let before, before.isUnsent, before.isSet != isSet {
      try db.run(
        "UPDATE articleTag SET isRemote = 1 WHERE articleID = ? AND tag = ?", [article, tag])
      return nil
    }
    let isThere = isRemote || before.map { !$0.isRefused } ?? false
    guard isSet || isThere else { return nil }
    try OutboxRows.put(
      account: place.account, item: place.item, key: key, want: isSet ? "1" : "0",
      attempts: before.map { $0.isUnsent ? 0 : 1 } ?? 0, at: now, db)
    return nil
  }
}
