public import FeedModel
public import Foundation
import GRDB

// Articles of accounts: the server's states become ours, except where ours are on their way to it.

/// A list of an account's articles, by the server's names.
public struct RemoteNames: Sendable {
  /// The newest first.
  public var names: [String]
  /// False: the walk over the server's pages broke off. What is not listed may be there all the same.
  public var isComplete: Bool

  public init(_ names: [String], isComplete: Bool) {
    self.names = names
    self.isComplete = isComplete
  }
}

/// An article as an account's server has it, cleaned.
public struct RemoteArticle: Sendable {
  /// Its `id` is the server's name.
  public var item: ParsedItem
  /// The server's name of its feed.
  public var feed: String
  public var isRead: Bool
  public var isStarred: Bool

  public init(item: ParsedItem, feed: String, isRead: Bool, isStarred: Bool) {
    self.item = item
    self.feed = feed
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

extension FeedStore {
  /// Milliseconds after which a server that has said yes is to show it.
  private static let patience: Int64 = 600_000
  /// Articles that change in one transaction: the user's keys come between.
  private static let statesAtOnce = 500

  /// Those of the names that are unknown here, in the order given. What was deleted here is known.
  public func unknown(_ names: [String], of account: AccountID) throws(StoreError) -> [String] {
    try read { db in
      let here = Set(
        try db.all(
          "SELECT remoteID FROM remoteArticle WHERE accountID = ?", [account.rawValue]
        ) { $0[0] as String })
      let dead = Set(
        try db.all(
          """
          SELECT t.identity FROM tombstone t JOIN remoteFeed r ON r.feedID = t.feedID
          WHERE r.accountID = ?
          """, [account.rawValue]
        ) { $0[0] as Int64 })
      return names.filter { name in
        !here.contains(name) && (dead.isEmpty || !dead.contains(Fingerprint.identity(name)))
      }
    }
  }

  /// Feeds of an account that somebody has asked to refresh by themselves since its last sync, by the
  /// server's names: for them older articles are fetched too.
  public func requestedFeeds(of account: AccountID) throws(StoreError) -> [String] {
    try read { db in
      try db.all(
        """
        SELECT DISTINCT r.remoteID FROM remoteFeed r JOIN account c ON c.id = r.accountID
          JOIN refreshRequest q ON q.scope = 'feed:' || r.feedID
        WHERE r.accountID = ? AND r.remoteID IS NOT NULL
          AND q.requestedAt >= ifnull(c.syncedAt, 0)
        """, [account.rawValue]
      ) { $0[0] }
    }
  }

  /// Takes over the server's states of the articles that are here. What is in the outbox stays as the
  /// user has it; what the server had said yes to and shows leaves the outbox.
  /// - Parameter began: when the lists began to be fetched.
  /// - Returns: how many articles changed.
  @discardableResult
  public func takeStates(
    of account: AccountID, unread: RemoteNames, starred: RemoteNames, began: Date
  ) async throws(StoreError) -> Int {
    var changed = 0
    for (state, list) in [(StatusRows.State.read, unread), (.starred, starred)] {
      let taker = StateTaker(account: account.rawValue, state: state, list: list)
      let now = options.now()
      try await write(.user) { db in
        try taker.verify(db, at: now, began: began, patience: Self.patience)
      }
      let different = try read { db in try taker.differences(db) }
      var rest = different[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(Self.statesAtOnce))
        rest = rest.dropFirst(some.count)
        changed += try await write(.engine) { db in try taker.take(some, db, at: now) }
      }
    }
    return changed
  }

  /// Takes articles of an account: new ones with the server's state, known ones with their new text.
  /// - Returns: the new ones.
  public func takeArticles(
    _ articles: [RemoteArticle], of account: AccountID
  ) async throws(StoreError) -> [ArticleID] {
    let now = options.now()
    return try await write(.engine) { db in
      var added: [ArticleID] = []
      // Lists are in the order of arrival where dates are equal.
      for article in articles.reversed() {
        if let id = try RemoteArticles.take(article, account.rawValue, db, at: now) {
          added.append(id)
        }
      }
      return added
    }
  }
}

/// One of the two states of an account's articles, as its server lists it.
private struct StateTaker: Sendable {
  let account: Int64
  let state: StatusRows.State
  /// The server's names of those that are unread, or starred.
  private let listed: Set<String>
  private let isComplete: Bool

  init(account: Int64, state: StatusRows.State, list: RemoteNames) {
    self.account = account
    self.state = state
    listed = Set(list.names)
    isComplete = list.isComplete
  }

  /// What the server has; nil where the list does not tell.
  func value(_ name: String) -> Bool? {
    let isListed = listed.contains(name)
    guard isListed || isComplete else { return nil }
    return state == .read ? !isListed : isListed
  }

  /// Rows that the server has said yes to: shown, they go; not shown, they wait, are sent once more, and
  /// then the server is right.
  func verify(_ db: Database, at now: Date, began: Date, patience: Int64) throws {
    let rows: [(seq: Int64, item: String, want: String, confirmedAt: Int64, isRepeat: Bool)] =
      try db.all(
        """
        SELECT seq, item, want, confirmedAt, isRepeat FROM outbox
        WHERE accountID = ? AND key = ? AND state = 1
        """, [account, state.key]
      ) { ($0[0], $0[1], $0[2], $0[3], $0[4]) }
    for row in rows where row.confirmedAt <= began.milliseconds {
      guard let value = value(row.item) else { continue }
      try OutboxRows.verify(
        row.seq, isShown: value == (row.want == "1"),
        isOverdue: now.milliseconds - row.confirmedAt >= patience, isRepeat: row.isRepeat, db)
    }
  }

  /// Articles that are otherwise here, without those in the outbox.
  func differences(_ db: Database) throws -> [Int64] {
    let rows: [Int64?] = try db.all(
      """
      SELECT r.articleID, r.remoteID, s.\(state.rawValue)
      FROM remoteArticle r JOIN articleStatus s ON s.articleID = r.articleID
      WHERE r.accountID = ?1 AND \(Self.isFree)
      """, [account, state.key]
    ) { row in
      guard let value = value(row[1]), value != (row[2] as Bool) else { return nil }
      return row[0] as Int64
    }
    return rows.compactMap { $0 }
  }

  private static let isFree = """
    NOT EXISTS (SELECT 1 FROM outbox o
      WHERE o.accountID = ?1 AND o.item = r.remoteID AND o.key = ?2)
    """

  /// A key may have been pressed since the differences were looked for.
  func take(_ articles: [Int64], _ db: Database, at now: Date) throws -> Int {
    var byValue: [Bool: [Int64]] = [:]
    for article in articles {
      let name: String? = try db.first(
        "SELECT r.remoteID FROM remoteArticle r WHERE r.accountID = ?1 AND \(Self.isFree) "
          + "AND r.articleID = ?3", [account, state.key, article]
      ) { $0[0] }
      if let name, let value = value(name) { byValue[value, default: []].append(article) }
    }
    var changed: [Int64] = []
    for (value, ids) in byValue {
      changed += try StatusRows.set(state, value, ids, db, at: now, known: Set(ids))
    }
    try StatusRows.note(changed, db)
    return changed.count
  }
}

extension OutboxRows {
  /// What a pull says of a change that the server has said yes to.
  static func verify(
    _ seq: Int64, isShown: Bool, isOverdue: Bool, isRepeat: Bool, _ db: Database
  ) throws {
    if isShown {
      try db.run("DELETE FROM outbox WHERE seq = ? AND state = 1", [seq])
    } else if isOverdue, isRepeat {
      try giveUp(seq, db)
    } else if isOverdue {
      try db.run(
        """
        UPDATE outbox SET state = 0, isRepeat = 1, attempts = 0, nextTry = 0, confirmedAt = NULL
        WHERE seq = ? AND state = 1
        """, [seq])
    }
  }
}

private enum RemoteArticles {
  /// Nil where it is here already, was deleted here, or its feed is not followed.
  static func take(
    _ article: RemoteArticle, _ account: Int64, _ db: Database, at now: Date
  ) throws -> ArticleID? {
    let name = article.item.id
    let feed: Int64? = try db.first(
      """
      SELECT r.feedID FROM remoteFeed r JOIN feed f ON f.id = r.feedID
      WHERE r.accountID = ? AND r.remoteID = ? AND f.removedAt IS NULL
      """, [account, article.feed]
    ) { $0[0] }
    guard let feed else { return nil }
    let merge = Merge(
      db: db,
      result: RefreshResult(feed: FeedID(rawValue: feed), at: now, outcome: .unchanged),
      maximumNew: .max)
    let fingerprint = Fingerprint.content(article.item)
    let known: (id: Int64, fingerprint: Int64)? = try db.first(
      """
      SELECT a.id, a.fingerprint FROM remoteArticle r JOIN article a ON a.id = r.articleID
      WHERE r.accountID = ? AND r.remoteID = ?
      """, [account, name]
    ) { ($0[0], $0[1]) }
    if let known {
      if known.fingerprint != fingerprint {
        try merge.update(known.id, article.item, fingerprint)
      }
      return nil
    }
    let arrival = Merge.Arrival(
      article.item, Fingerprint.identity(name), fingerprint, firstSeen: now.milliseconds)
    guard let id = try merge.insert(arrival, firstSeen: now.milliseconds) else { return nil }
    try db.run(
      "INSERT INTO remoteArticle (articleID, accountID, remoteID) VALUES (?, ?, ?)",
      [id.rawValue, account, name])
    try settle(.read, article.isRead, id.rawValue, name, account, db, at: now)
    try settle(.starred, article.isStarred, id.rawValue, name, account, db, at: now)
    try FullTextRows.ask(for: [id], of: feed, at: now, db)
    return id
  }

  /// A story that another feed has brought may have been read or starred there; and the outbox may know
  /// of this article although it had been cleared away here.
  private static func settle(
    _ state: StatusRows.State, _ server: Bool, _ id: Int64, _ name: String, _ account: Int64,
    _ db: Database, at now: Date
  ) throws {
    let inherited: Bool =
      try db.first(
        "SELECT \(state.rawValue) FROM articleStatus WHERE articleID = ?", [id]
      ) { $0[0] } ?? false
    let wanted: String? = try db.first(
      "SELECT want FROM outbox WHERE accountID = ? AND item = ? AND key = ?",
      [account, name, state.key]
    ) { $0[0] }
    if wanted != nil || server {
      let value = wanted.map { $0 == "1" } ?? true
      let changed = try StatusRows.set(state, value, [id], db, at: now, known: [id])
      // Of its copies; it has just arrived itself.
      try StatusRows.note(changed.filter { $0 != id }, db)
    } else if inherited {
      try OutboxRows.record(state, true, [id], db, at: now)
    }
  }
}
