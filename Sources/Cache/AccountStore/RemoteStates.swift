public import Foundation
import GRDB

// Articles of accounts. Local states follow the server's, except for states with unsent changes.

/// The articles of an account that have a state (unread or starred), by the server's IDs.
public struct RemoteNames: Sendable {
  /// The server's IDs, newest first.
  public let names: [String]
  /// The same IDs.
  public let listed: Set<String>
  /// True if articles that are not listed do not have the state; `false` if the walk over the
  /// server's pages was interrupted.
  public let isComplete: Bool

  public init(_ names: [String], isComplete: Bool) {
    (self.names, listed, self.isComplete) = (names, Set(names), isComplete)
  }

  /// Returns true if the article is in the list; `nil` if the list does not cover it.
  public func has(_ name: String) -> Bool? {
    listed.contains(name) ? true : isComplete ? false : nil
  }
}

extension AccountSyncCache {
  /// Number of articles changed in one transaction; the user's writes run between transactions.
  static var statesAtOnce: Int { 500 }

  /// Returns the IDs that the cache does not have, in the given order. Deleted articles are known.
  public func unknown(_ names: [String], of account: AccountID) throws(StoreError) -> [String] {
    try database.read { db in
      let here: Set<String> = Set(
        try db.values("SELECT remoteID FROM remoteArticle WHERE accountID = ?", [account.rawValue]))
      let dead: Set<Int64> = Set(
        try db.values(
          """
          SELECT t.identity FROM tombstone t JOIN remoteFeed r ON r.feedID = t.feedID
          WHERE r.accountID = ?
          """, [account.rawValue]))
      return names.filter { name in
        !here.contains(name) && (dead.isEmpty || !dead.contains(Fingerprint.identity(name)))
      }
    }
  }

  /// Returns the server's IDs of feeds that were requested by name since the last sync, or whose
  /// subscription began again. Their older articles are fetched too.
  public func requestedFeeds(of account: AccountID) throws(StoreError) -> [String] {
    try database.values(
      """
      SELECT remoteID FROM remoteFeed WHERE accountID = ?1 AND remoteID IS NOT NULL
        AND (renewal = \(ArticleMigration.expected) OR feedID IN (
          SELECT iif(json_valid(scope), scope ->> '$.feed._0', NULL) FROM refreshRequest
          WHERE requestedAt >= ifnull((SELECT syncedAt FROM account WHERE id = ?1), 0)))
      """, [account.rawValue])
  }

  /// Applies the server's states to known articles, except where the outbox has a change. A
  /// confirmed change leaves the outbox when the server shows it; `OutboxRows.verify` decides about
  /// others after `OutboxRows.grace`.
  /// - Parameter began: the start of fetching the lists.
  public func applyStates(
    of account: AccountID, unread: RemoteNames, starred: RemoteNames, began: Date
  ) async throws(StoreError) {
    for (state, list) in [(Mark.read, unread), (.starred, starred)] {
      let update = StateUpdate(account: account.rawValue, state: state, members: list)
      try await database.write(.user) { db in try update.verify(db, began: began) }
      let different = try database.read { db in try update.differences(db).values.flatMap { $0 } }
      _ = try await inSteps(different) { try update.apply($0, $1) }
    }
  }

  /// Applies differences in steps; the user's writes run between them.
  /// - Returns: see `Database.writeAccepted`.
  func inSteps<Item: Sendable>(
    _ items: [Item], _ apply: @escaping @Sendable ([Item], Database) throws -> Void
  ) async throws(StoreError) -> StoreError.Detail? {
    var refusal: StoreError.Detail?
    for start in stride(from: 0, to: items.count, by: Self.statesAtOnce) {
      let some = items[start...].prefix(Self.statesAtOnce)
      let refused = try await database.write(.engine) { db in
        try db.writeAccepted(some) { try apply(Array($0), db) }
      }
      refusal = refusal ?? refused
    }
    return refusal
  }

  /// Stores articles of an account: new ones with the server's state, known ones with their new
  /// text.
  /// - Parameter ending: the feed of these articles if its subscription is about to end. Known ones
  ///   then get their marks at the server, and only marked ones are added, without rules.
  /// - Returns: the new articles, and the reason of one that SQLite refuses.
  public func storeArticles(
    _ articles: [RemoteArticle], of account: AccountID, ending: Int64? = nil
  ) async throws(StoreError) -> (added: [ArticleID], refusal: StoreError.Detail?) {
    return try await database.change(.engine) { transaction in
      let handlers = try transaction.arrivalHandlers(ofOlderPosts: ending != nil)
      var added: [ArticleID] = []
      var sent: [Mark: [Int64]] = [:]
      // Lists order articles with equal dates by arrival.
      let wanted = articles.reversed().filter { ending == nil || $0.isRead || $0.isStarred }
      let refusal = try transaction.db.writeAccepted(wanted[...]) { articles in
        var marks = sent
        let ids = try articles.compactMap {
          try RemoteArticles.store($0, account.rawValue, ending, handlers, &marks, transaction)
        }
        added += ids
        sent = marks
      }
      if let ending { try FeedRemoval.hide(ending, transaction.db) }
      try LaterTag.applyAll(account.rawValue, transaction.db, at: transaction.at)
      try AccountRows.noteSentAgain(
        sent.map { .marks($0, true, $1) }, to: account.rawValue, transaction.db,
        at: transaction.now)
      return (added, refusal)
    }
  }
}

/// A state of an account's articles, read or starred, as its server lists it.
struct StateUpdate: Sendable {
  let account: Int64
  let state: Mark
  /// The unread or the starred articles.
  let members: RemoteNames

  /// Returns the state at the server; `nil` if the list does not cover the article.
  func value(_ name: String) -> Bool? { members.has(name).map { state == .read ? !$0 : $0 } }

  /// Deletes confirmed changes that the server shows, and unsent changes that it shows already.
  func verify(_ db: Database, began: Date) throws {
    let unsent: [(seq: Int64, item: String, want: String)] = try db.all(
      """
      SELECT seq, item, want FROM outbox WHERE accountID = ? AND key = ?
        AND changedAt <= ? AND \(OutboxRows.isUnsent)
      """, [account, state.words.with, began.milliseconds]
    ) { ($0["seq"], $0["item"], $0["want"]) }
    for row in unsent where value(row.item) == (row.want == "1") {
      try db.run("DELETE FROM outbox WHERE seq = ?", [row.seq])
    }
    let rows = try OutboxRows.confirmedChanges(state.words.with, of: account, began: began, db)
    let results = rows.compactMap { row in value(row.item).map { (row, isShown: $0 == row.isSet) } }
    try OutboxRows.verify(results, began: began, db)
  }

  /// Returns articles whose state differs, without those in the outbox, by the server's state.
  /// - Parameter some: the only articles that are compared; `nil` for all.
  func differences(_ db: Database, among some: [Int64]? = nil) throws -> [Bool: [Int64]] {
    var different: [Bool: [Int64]] = [:]
    var arguments: StatementArguments = [account, state.words.with]
    if let some { arguments += [SQLText.json(some)] }
    let rows: [(article: Int64, name: String, isSet: Bool)] = try db.all(
      """
      SELECT r.articleID, r.remoteID, s.\(state.rawValue) AS isSet
      FROM remoteArticle r JOIN articleStatus s ON s.articleID = r.articleID
        JOIN feed f ON f.id = s.feedID
      WHERE r.accountID = ?1 AND \(OutboxRows.isSettled)
        \(some == nil ? "" : "AND r.articleID IN (SELECT value FROM json_each(?3))")
      """, arguments
    ) { ($0["articleID"], $0["remoteID"], $0["isSet"]) }
    for row in rows {
      if let value = value(row.name), value != row.isSet {
        different[value, default: []].append(row.article)
      }
    }
    return different
  }

  /// Applies the server's states, unless the outbox has got a change since.
  func apply(_ articles: [Int64], _ db: Database) throws {
    let changed = try differences(db, among: articles).flatMap { value, ids in
      try Marks.write(state, value, ids, db).flatMap(\.keys)
    }
    try Marks.note(changed, db)
  }
}

private enum RemoteArticles {
  /// Stores an article. Returns `nil` if it is known, was deleted here, or has no followed feed.
  /// - Parameters:
  ///   - ending: a feed whose subscription is about to end.
  ///   - sent: gets the marks of known articles that the server has lost.
  static func store(
    _ article: RemoteArticle, _ account: Int64, _ ending: Int64?, _ handlers: [ArrivalHandler],
    _ sent: inout [Mark: [Int64]], _ transaction: Transaction
  ) throws -> ArticleID? {
    let (db, now) = (transaction.db, transaction.now)
    let name = article.item.id
    let subscription: (feed: Int64, isMigrated: Bool)? = try db.first(
      """
      SELECT r.feedID, r.renewal <> \(ArticleMigration.none) AS isRenewed FROM remoteFeed r
        JOIN feed f ON f.id = r.feedID
      WHERE r.accountID = ? AND r.remoteID = ? AND (f.removedAt IS NULL OR f.id = ?)
      """, [account, article.feed, ending]
    ) { ($0["feedID"], $0["isRenewed"]) }
    guard let (feed, isMigrated) = subscription else { return nil }
    let merge = try Merge(adding: FeedID(rawValue: feed), transaction)
    let fingerprint = article.item.fingerprint
    let known: (id: Int64, fingerprint: Int64)? = try db.first(
      """
      SELECT a.id, a.fingerprint FROM remoteArticle r JOIN article a ON a.id = r.articleID
      WHERE r.accountID = ? AND r.remoteID = ?
      """, [account, name]
    ) { ($0["id"], $0["fingerprint"]) }
    let arrival = Merge.Arrival(
      article.item, Fingerprint.identity(name), fingerprint, firstSeen: now.milliseconds)
    // A server that was set up again may have given the ID to another article.
    if ending != nil,
      let same = try MigratedArticles.match(article, arrival, feed, isNameless: false, db)
    {
      try setStates(article, same, isNew: false, account, db)
      return nil
    }
    if let known {
      if ending == nil, known.fingerprint != fingerprint {
        try merge.update(known.id, article.item, fingerprint)
        let arrivals = Arrivals(feed: feed, updated: [known.id], at: now)
        for handle in handlers { try handle(arrivals) }
      }
      return nil
    }
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
    try setStates(article, id.rawValue, isNew: true, account, db)
    // The article now has its ID at the server, so marks by rules are sent there.
    let arrivals = Arrivals(feed: feed, added: [id.rawValue], at: now)
    for handle in handlers { try handle(arrivals) }
    return id
  }

  /// Adds the server's marks and tags to an article, except for changes in the outbox. A new one
  /// gets those too: they may be from before the article was removed here.
  private static func setStates(
    _ article: RemoteArticle, _ id: Int64, isNew: Bool, _ account: Int64, _ db: Database
  ) throws {
    let wanted: [String: Bool] = try db.dictionary(
      "SELECT key, want = '1' AS isSet FROM outbox WHERE accountID = ? AND item = ?",
      [account, article.item.id]
    ) { ($0["key"], $0["isSet"]) }
    for (state, value) in [(Mark.read, article.isRead), (.starred, article.isStarred)] {
      let own = wanted[state.words.with]
      guard isNew || value && own == nil else { continue }
      let images = try Marks.write(state, own ?? value, [id], db)
      if !isNew { try Marks.note(images.flatMap(\.keys), db) }
    }
    try LabelRows.give(id, labels: article.labels, account, db)
    for (key, isSet) in wanted where isNew {
      guard let tag = OutboxRows.tag(key) else { continue }
      try db.run(
        isSet
          ? "INSERT OR IGNORE INTO articleTag (articleID, tag) VALUES (?, ?)"
          : "DELETE FROM articleTag WHERE articleID = ? AND tag = ?", [id, tag])
    }
  }
}
