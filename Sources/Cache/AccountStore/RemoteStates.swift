public import Foundation
import GRDB

// Articles of accounts. Local states follow the server's, except for states with unsent changes.

/// The articles of an account that have a state (unread or starred), by the server's IDs.
public struct RemoteNames: Sendable {
  /// The server's IDs, newest first.
  public var names: [String]
  /// True if articles that are not listed do not have the state; `false` if the walk over the
  /// server's pages was interrupted.
  public let isComplete: Bool

  public init(_ names: [String], isComplete: Bool) {
    (self.names, self.isComplete) = (names, isComplete)
  }
}

/// The meaning of a list for single articles.
struct RemoteMembers: Sendable {
  let listed: Set<String>
  private let isComplete: Bool

  init(_ list: RemoteNames) { (listed, isComplete) = (Set(list.names), list.isComplete) }

  /// Returns true if the article is in the list; `nil` if the list does not cover it.
  func has(_ name: String) -> Bool? { listed.contains(name) ? true : isComplete ? false : nil }
}

extension AccountSyncCache {
  /// Number of articles changed in one transaction; the user's writes run between transactions.
  static let statesAtOnce = 500

  /// Returns the IDs that the cache does not have, in the given order. Deleted articles are known.
  public func unknown(_ names: [String], of account: AccountID) throws(StoreError) -> [String] {
    try database.read { db in
      let here: Set<String> = Set(
        try db.values(
          "SELECT remoteID FROM remoteArticle WHERE accountID = ?", [account.rawValue]
        ))
      let dead: Set<Int64> = Set(
        try db.values(
          """
          SELECT t.identity FROM tombstone t JOIN remoteFeed r ON r.feedID = t.feedID
          WHERE r.accountID = ?
          """, [account.rawValue]
        ))
      return names.filter { name in
        !here.contains(name) && (dead.isEmpty || !dead.contains(Fingerprint.identity(name)))
      }
    }
  }

  /// Returns the server's IDs of feeds that were requested by name since the last sync, or whose
  /// subscription began again. Their older articles are fetched too.
  public func requestedFeeds(of account: AccountID) throws(StoreError) -> [String] {
    try database.read { db in
      try db.values(
        """
        SELECT DISTINCT r.remoteID FROM remoteFeed r JOIN account c ON c.id = r.accountID
          LEFT JOIN refreshRequest q ON q.scope = 'feed:' || r.feedID
        WHERE r.accountID = ? AND r.remoteID IS NOT NULL
          AND (r.renewal = \(ArticleMigration.expected) OR q.requestedAt >= ifnull(c.syncedAt, 0))
        """, [account.rawValue]
      )
    }
  }

  /// Applies the server's states to known articles, except where the outbox has a change. A
  /// confirmed change leaves the outbox when the server shows it; `OutboxRows.verify` decides about
  /// others after `OutboxRows.grace`.
  /// - Parameter began: the start of fetching the lists.
  /// - Returns: the number of changed articles.
  @discardableResult
  public func applyStates(
    of account: AccountID, unread: RemoteNames, starred: RemoteNames, began: Date
  ) async throws(StoreError) -> Int {
    var changed = 0
    for (state, list) in [(ArticleMark.read, unread), (.starred, starred)] {
      let update = StateUpdate(
        account: account.rawValue, state: state, members: RemoteMembers(list))
      try await database.write(.user) { db in try update.verify(db, began: began) }
      let different = try database.read { db in try update.differences(db) }
      var rest = different[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(Self.statesAtOnce))
        rest = rest.dropFirst(some.count)
        changed += try await database.write(.engine) { db in try update.apply(some, db) }
      }
    }
    return changed
  }

  /// Stores articles of an account: new ones with the server's state, known ones with their new
  /// text.
  /// - Returns: the new articles.
  public func storeArticles(
    _ articles: [RemoteArticle], of account: AccountID
  ) async throws(StoreError) -> [ArticleID] {
    return try await database.change(.engine) { transaction in
      let handlers = try transaction.arrivalHandlers()
      var added: [ArticleID] = []
      var sent: [ArticleMark: [Int64]] = [:]
      // Lists order articles with equal dates by arrival.
      for article in articles.reversed() {
        if let id = try RemoteArticles.store(
          article, account.rawValue, handlers, &sent, transaction)
        {
          added.append(id)
        }
      }
      try LaterTag.applyAll(account.rawValue, transaction.db, at: transaction.at)
      try AccountRows.noteSentAgain(
        sent.map { .marks($0, true, $1) }, to: account.rawValue, transaction.db,
        at: transaction.now)
      return added
    }
  }
}

/// A state of an account's articles, read or starred, as its server lists it.
struct StateUpdate: Sendable {
  let account: Int64
  let state: ArticleMark
  /// The unread or the starred articles.
  let members: RemoteMembers

  /// Returns the state at the server; `nil` if the list does not cover the article.
  func value(_ name: String) -> Bool? {
    members.has(name).map { state == .read ? !$0 : $0 }
  }

  /// Deletes confirmed changes that the server shows, and unsent changes that it shows already.
  func verify(_ db: Database, began: Date) throws {
    let unsent: [(seq: Int64, item: String, want: String)] = try db.all(
      """
      SELECT seq, item, want FROM outbox WHERE accountID = ? AND key = ?
        AND changedAt <= ? AND \(OutboxRows.isUnsent)
      """, [account, state.key, began.milliseconds]
    ) { ($0["seq"], $0["item"], $0["want"]) }
    for row in unsent where value(row.item) == (row.want == "1") {
      try db.run("DELETE FROM outbox WHERE seq = ?", [row.seq])
    }
    let rows = try OutboxRows.confirmedChanges(
      "key = ?", state.key, of: account, began: began, db)
    let results = rows.compactMap { row in
      value(row.item).map { (change: row.change, isShown: $0 == row.isSet) }
    }
    try OutboxRows.verify(results, began: began, db)
  }

  /// Returns articles whose state differs, without those in the outbox.
  func differences(_ db: Database) throws -> [Int64] {
    let rows: [Int64?] = try db.all(
      """
      SELECT r.articleID, r.remoteID, s.\(state.rawValue) AS isSet
      FROM remoteArticle r JOIN articleStatus s ON s.articleID = r.articleID
        JOIN feed f ON f.id = s.feedID
      WHERE r.accountID = ?1 AND \(Self.isFree)
        -- The server's lists omit feeds with ended or unconfirmed subscriptions.
        AND f.removedAt IS NULL AND NOT EXISTS (SELECT 1 FROM outbox u
          WHERE u.accountID = ?1 AND u.key = 'subscribed' AND u.item = CAST(f.id AS TEXT))
      """, [account, state.key]
    ) { row in
      guard let value = value(row["remoteID"]), value != (row["isSet"] as Bool) else { return nil }
      return row["articleID"] as Int64
    }
    return rows.compactMap { $0 }
  }

  private static let isFree = """
    NOT EXISTS (SELECT 1 FROM outbox o
      WHERE o.accountID = ?1 AND o.item = r.remoteID AND o.key = ?2)
    """

  /// Applies the server's states, unless the outbox has got a change since.
  func apply(_ articles: [Int64], _ db: Database) throws -> Int {
    var byValue: [Bool: [Int64]] = [:]
    for article in articles {
      let name: String? = try db.value(
        "SELECT r.remoteID FROM remoteArticle r WHERE r.accountID = ?1 AND \(Self.isFree) "
          + "AND r.articleID = ?3", [account, state.key, article]
      )
      if let name, let value = value(name) { byValue[value, default: []].append(article) }
    }
    var changed: [Int64] = []
    for (value, ids) in byValue {
      changed += try StatusRows.write(state, value, ids, db)
    }
    try StatusRows.note(changed, db)
    return changed.count
  }
}

private enum RemoteArticles {
  /// Stores an article. Returns `nil` if it is known, was deleted here, or has no followed feed.
  /// - Parameter sent: gets the marks of known articles that the server has lost.
  static func store(
    _ article: RemoteArticle, _ account: Int64, _ handlers: [ArrivalHandler],
    _ sent: inout [ArticleMark: [Int64]], _ transaction: Transaction
  ) throws -> ArticleID? {
    let (db, now) = (transaction.db, transaction.now)
    let name = article.item.id
    let subscription: (feed: Int64, isMigrated: Bool)? = try db.first(
      """
      SELECT r.feedID, r.renewal <> \(ArticleMigration.none) AS isRenewed FROM remoteFeed r
        JOIN feed f ON f.id = r.feedID
      WHERE r.accountID = ? AND r.remoteID = ? AND f.removedAt IS NULL
      """, [account, article.feed]
    ) { ($0["feedID"], $0["isRenewed"]) }
    guard let (feed, isMigrated) = subscription else { return nil }
    let merge = try Merge(
      transaction,
      result: RefreshResult(feed: FeedID(rawValue: feed), at: now, outcome: .unchanged),
      maximumNew: .max)
    let fingerprint = Fingerprint.content(article.item)
    let known: (id: Int64, fingerprint: Int64)? = try db.first(
      """
      SELECT a.id, a.fingerprint FROM remoteArticle r JOIN article a ON a.id = r.articleID
      WHERE r.accountID = ? AND r.remoteID = ?
      """, [account, name]
    ) { ($0["id"], $0["fingerprint"]) }
    if let known {
      if known.fingerprint != fingerprint {
        try merge.update(known.id, article.item, fingerprint)
        let arrivals = Arrivals(feed: feed, updated: [known.id], at: now)
        for handle in handlers { try handle(arrivals) }
      }
      return nil
    }
    let arrival = Merge.Arrival(
      article.item, Fingerprint.identity(name), fingerprint, firstSeen: now.milliseconds)
    if isMigrated,
      try MigratedArticles.rename(article, arrival, feed, account, &sent, transaction)
    {
      return nil
    }
    guard let id = try merge.insert(arrival, article.item, firstSeen: now.milliseconds) else {
      return nil
    }
    try db.run(
      "INSERT INTO remoteArticle (articleID, accountID, remoteID) VALUES (?, ?, ?)",
      [id.rawValue, account, name])
    try setInitial(.read, article.isRead, id.rawValue, name, account, db)
    try setInitial(.starred, article.isStarred, id.rawValue, name, account, db)
    try LabelRows.setInitial(id.rawValue, name, labels: article.labels, account, db)
    // The article now has its ID at the server, so marks by rules are sent there.
    let arrivals = Arrivals(feed: feed, added: [id.rawValue], at: now)
    for handle in handlers { try handle(arrivals) }
    return id
  }

  /// Sets the state of a new article: the state in the outbox, or else the server's. The outbox may
  /// have a change from before the article was removed here.
  private static func setInitial(
    _ state: ArticleMark, _ server: Bool, _ id: Int64, _ name: String, _ account: Int64,
    _ db: Database
  ) throws {
    let wanted: String? = try db.value(
      "SELECT want FROM outbox WHERE accountID = ? AND item = ? AND key = ?",
      [account, name, state.key]
    )
    let value = wanted.map { $0 == "1" } ?? server
    _ = try StatusRows.write(state, value, [id], db)
  }
}
