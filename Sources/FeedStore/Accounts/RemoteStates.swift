public import FeedModel
public import Foundation
import GRDB

// Articles of accounts: the server's states become ours, except where ours are on their way to it.

/// The articles of an account that have a state (unread or starred), by the server's names.
public struct RemoteNames: Sendable {
  /// What the list says about articles that it does not name.
  enum Coverage: Sendable {
    /// Those do not have the state.
    case all
    /// Nothing: the walk over the server's pages broke off.
    case listed
    /// These do not have the state; nothing about others.
    case asked(Set<String>)
  }

  /// The newest first.
  public var names: [String]
  let coverage: Coverage
  /// Whether articles that are not listed do not have the state.
  public var isComplete: Bool {
    if case .all = coverage { true } else { false }
  }

  /// - Parameter isComplete: false: the walk over the server's pages broke off. What is not listed
  ///   may be there all the same.
  public init(_ names: [String], isComplete: Bool) {
    self.names = names
    coverage = isComplete ? .all : .listed
  }

  /// - Parameter asked: the articles that the server answered about; those not in `names` do not
  ///   have the state.
  public init(_ names: [String], among asked: Set<String>) {
    self.names = names
    coverage = .asked(asked)
  }
}

/// What a list says of single articles.
struct RemoteMembers: Sendable {
  /// The server's names of those that it names.
  let listed: Set<String>
  private let coverage: RemoteNames.Coverage

  init(_ list: RemoteNames) { (listed, coverage) = (Set(list.names), list.coverage) }

  /// Whether the article is in the list; nil if the list does not tell.
  func has(_ name: String) -> Bool? {
    if listed.contains(name) { return true }
    switch coverage {
    case .all: return false
    case .listed: return nil
    case .asked(let names): return names.contains(name) ? false : nil
    }
  }
}

/// An article as an account's server has it, cleaned.
public struct RemoteArticle: Sendable {
  /// Its `id` is the server's name.
  public var item: ParsedItem
  /// The server's name of its feed.
  public var feed: String
  /// As the server has it now.
  public var isRead: Bool
  /// As the server has it now.
  public var isStarred: Bool
  /// The server's labels of it, the folders of its feed perhaps among them.
  public var labels: [String]

  /// - Parameter item: cleaned; its `id` is the server's name of the article.
  public init(
    item: ParsedItem, feed: String, isRead: Bool, isStarred: Bool, labels: [String] = []
  ) {
    self.item = item
    self.feed = feed
    self.isRead = isRead
    self.isStarred = isStarred
    self.labels = labels
  }
}

extension AccountCache {
  /// Articles that change in one transaction: the user's keys come between.
  static let statesAtOnce = 500

  /// Those of the names that are unknown here, in the order given. What was deleted here is known.
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

  /// Feeds of an account that somebody has asked to refresh by themselves since its last sync, or
  /// whose subscription began anew, by the server's names: for them older articles are fetched too.
  public func requestedFeeds(of account: AccountID) throws(StoreError) -> [String] {
    try database.read { db in
      try db.values(
        """
        SELECT DISTINCT r.remoteID FROM remoteFeed r JOIN account c ON c.id = r.accountID
          LEFT JOIN refreshRequest q ON q.scope = 'feed:' || r.feedID
        WHERE r.accountID = ? AND r.remoteID IS NOT NULL
          AND (r.renewal = \(Renewal.expected) OR q.requestedAt >= ifnull(c.syncedAt, 0))
        """, [account.rawValue]
      )
    }
  }

  /// Takes over the server's states of the articles that are here. What is in the outbox stays as
  /// the user has it. A confirmed change leaves the outbox once the server shows it. What the
  /// server shows otherwise after `OutboxRows.grace` is decided by `OutboxRows.verify`.
  /// - Parameters:
  ///   - mayToggle: whether the server may remove a state that it is asked to set again.
  ///   - began: when the lists began to be fetched.
  /// - Returns: how many articles changed.
  @discardableResult
  public func takeStates(
    of account: AccountID, unread: RemoteNames, starred: RemoteNames, mayToggle: Bool = false,
    began: Date
  ) async throws(StoreError) -> Int {
    var changed = 0
    for (state, list) in [(StatusRows.State.read, unread), (.starred, starred)] {
      let taker = StateTaker(
        account: account.rawValue, state: state, members: RemoteMembers(list),
        mayToggle: mayToggle)
      try await database.write(.user) { db in try taker.verify(db, began: began) }
      let different = try database.read { db in try taker.differences(db) }
      var rest = different[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(Self.statesAtOnce))
        rest = rest.dropFirst(some.count)
        changed += try await database.write(.engine) { db in try taker.take(some, db) }
      }
    }
    return changed
  }

  /// Takes articles of an account: new ones with the server's state, known ones with their new
  /// text.
  /// - Returns: the new ones.
  public func takeArticles(
    _ articles: [RemoteArticle], of account: AccountID
  ) async throws(StoreError) -> [ArticleID] {
    let configured = database.options.feedOptions
    return try await database.write(.engine) { [database] db, now in
      let judge = try database.judge(db)
      var added: [ArticleID] = []
      // Lists are in the order of arrival where dates are equal.
      for article in articles.reversed() {
        if let id = try RemoteArticles.take(
          article, account.rawValue, judge, configured: configured, db, at: now)
        {
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
  /// Those that are unread, or starred.
  let members: RemoteMembers
  let mayToggle: Bool

  /// What the server has; nil if the list does not tell.
  func value(_ name: String) -> Bool? {
    members.has(name).map { state == .read ? !$0 : $0 }
  }

  /// Looks whether the server shows what it has confirmed, and drops changes that were not sent
  /// and that the server shows already.
  func verify(_ db: Database, began: Date) throws {
    let unsent: [(seq: Int64, item: String, want: String)] = try db.all(
      """
      SELECT seq, item, want FROM outbox WHERE accountID = ? AND key = ?
        AND known IS NOT NULL AND changedAt <= ? AND \(OutboxRows.isUnsent)
      """, [account, state.key, began.milliseconds]
    ) { ($0["seq"], $0["item"], $0["want"]) }
    for row in unsent where value(row.item) == (row.want == "1") {
      try db.run("DELETE FROM outbox WHERE seq = ?", [row.seq])
    }
    let rows: [(change: ConfirmedChange, item: String, want: String)] =
      try db.all(
        """
        SELECT seq, confirmedAt, request, known IS NOT NULL AS isNew, item, want FROM outbox
        WHERE accountID = ? AND key = ? AND state = \(OutboxRows.confirmed) AND confirmedAt <= ?
        """, [account, state.key, began.milliseconds]
      ) {
        (
          ConfirmedChange(
            seq: $0["seq"], confirmedAt: $0["confirmedAt"], request: $0["request"] as Int64?,
            isNew: $0["isNew"]),
          $0["item"], $0["want"]
        )
      }
    let results = rows.compactMap { row in
      value(row.item).map { (change: row.change, isShown: $0 == (row.want == "1")) }
    }
    try OutboxRows.verify(results, of: account, mayToggle: mayToggle, began: began, db)
  }

  /// Articles that are otherwise here, without those in the outbox.
  func differences(_ db: Database) throws -> [Int64] {
    let rows: [Int64?] = try db.all(
      """
      SELECT r.articleID, r.remoteID, ifnull(w.\(state.rawValue), s.\(state.rawValue)) AS isSet
      FROM remoteArticle r JOIN articleStatus s ON s.articleID = r.articleID
        JOIN feed f ON f.id = s.feedID LEFT JOIN ownStatus w ON w.articleID = r.articleID
      WHERE r.accountID = ?1 AND \(Self.isFree)
        -- What the server has ended, or is not known to have again, its lists say nothing about.
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

  /// A key may have been pressed since the differences were read.
  func take(_ articles: [Int64], _ db: Database) throws -> Int {
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
      changed += try StatusRows.accept(state, value, ids, db)
    }
    try StatusRows.note(changed, db)
    return changed.count
  }
}

/// A change that the server has confirmed and no pull has shown yet.
struct ConfirmedChange {
  /// A request is known by when it was confirmed and by its first change.
  struct Request: Hashable {
    var confirmedAt: Int64
    var first: Int64?
  }
  var seq: Int64
  var confirmedAt: Int64
  var request: Int64?
  /// The server is known to have had the other state: where it shows this one, it has kept it.
  var isNew = false
}

extension OutboxRows {
  /// Milliseconds that a server may take to show a change that it has confirmed.
  static let grace = Duration.minutes(1).milliseconds

  /// Settles a confirmed change of a subscription by what the server shows. What it shows otherwise
  /// after its time is a newer change.
  /// - Parameter began: when the server began to be asked.
  static func verify(
    _ change: ConfirmedChange, isShown: Bool, began: Date, _ db: Database
  ) throws {
    if isShown {
      try db.run("DELETE FROM outbox WHERE seq = ?", [change.seq])
    } else if began.milliseconds - change.confirmedAt >= grace {
      try giveUp(change.seq, db)
    }
  }

  /// Settles confirmed changes of articles by what the server shows. A change that it does not show
  /// after its time was made anew elsewhere if others of the same request are shown. Otherwise the
  /// server did not keep the change: it is sent once more, after a look at the present state, and
  /// then set aside.
  /// - Parameters:
  ///   - mayToggle: the server may have removed the state instead; from then on its states are
  ///     fetched before changes are sent.
  ///   - began: when the server began to be asked.
  static func verify(
    _ results: [(change: ConfirmedChange, isShown: Bool)], of account: Int64, mayToggle: Bool,
    began: Date, _ db: Database
  ) throws {
    for result in results where result.isShown {
      try db.run("DELETE FROM outbox WHERE seq = ?", [result.change.seq])
    }
    let requests = results.filter { $0.isShown && $0.change.isNew }.map {
      ConfirmedChange.Request(confirmedAt: $0.change.confirmedAt, first: $0.change.request)
    }
    for request in Set(requests) {
      try db.run(
        """
        UPDATE outbox SET isBesideShown = 1
        WHERE accountID = ? AND state = \(confirmed) AND confirmedAt = ? AND request = ?
        """, [account, request.confirmedAt, request.first])
    }
    for result in results
    where !result.isShown && began.milliseconds - result.change.confirmedAt >= grace {
      try handleUnshown(result.change.seq, of: account, mayToggle: mayToggle, db)
    }
  }

  private static func handleUnshown(
    _ seq: Int64, of account: Int64, mayToggle: Bool, _ db: Database
  ) throws {
    let row: (isRepeated: Bool, isBesideShown: Bool, readsFirst: Bool)? = try db.first(
      """
      SELECT o.repeats > 0 AS isRepeated, o.isBesideShown, a.readsFirst
      FROM outbox o JOIN account a ON a.id = o.accountID WHERE o.seq = ?
      """, [seq]
    ) { ($0["isRepeated"], $0["isBesideShown"], $0["readsFirst"]) }
    guard let row else { return }
    if row.isBesideShown, !mayToggle || row.readsFirst {
      try giveUp(seq, db)
    } else if row.isRepeated {
      try db.run(
        "UPDATE outbox SET state = \(refused), detail = ? WHERE seq = ?",
        [FailureDetail.notKept.code, seq])
    } else {
      try db.run(
        """
        UPDATE outbox SET state = \(pending), confirmedAt = NULL, checkedAt = NULL,
          isUnanswered = 1, repeats = 1 WHERE seq = ?
        """, [seq])
      if mayToggle { try db.run("UPDATE account SET readsFirst = 1 WHERE id = ?", [account]) }
    }
  }
}

private enum RemoteArticles {
  /// Nil if it is here already, was deleted here, or its feed is not followed.
  static func take(
    _ article: RemoteArticle, _ account: Int64, _ judge: RuleJudge,
    configured: (String) -> FeedOptions, _ db: Database, at now: Date
  ) throws -> ArticleID? {
    let name = article.item.id
    let subscription: (feed: Int64, isRenewed: Bool)? = try db.first(
      """
      SELECT r.feedID, r.renewal <> \(Renewal.none) AS isRenewed FROM remoteFeed r
        JOIN feed f ON f.id = r.feedID
      WHERE r.accountID = ? AND r.remoteID = ? AND f.removedAt IS NULL
      """, [account, article.feed]
    ) { ($0["feedID"], $0["isRenewed"]) }
    guard let (feed, isRenewed) = subscription else { return nil }
    let merge = try Merge(
      db: db,
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
        try judge.judge([known.id], of: feed, isNew: false)
      }
      return nil
    }
    let arrival = Merge.Arrival(
      article.item, Fingerprint.identity(name), fingerprint, firstSeen: now.milliseconds)
    if isRenewed, try RenewedArticles.take(article, arrival, feed, account, db, at: now) {
      return nil
    }
    let wasRead = try isRenewed && RenewedArticles.wasRead(arrival, feed, db)
    guard let id = try merge.insert(arrival, article.item, firstSeen: now.milliseconds) else {
      return nil
    }
    try db.run(
      "INSERT INTO remoteArticle (articleID, accountID, remoteID) VALUES (?, ?, ?)",
      [id.rawValue, account, name])
    try settle(.read, article.isRead, id.rawValue, name, account, db)
    try settle(.starred, article.isStarred, id.rawValue, name, account, db)
    if wasRead, !article.isRead {
      _ = try StatusRows.set(.read, true, [id.rawValue], db, at: now)
    }
    try LabelRows.settle(id.rawValue, name, labels: article.labels, account, db)
    try FullTextRows.ask(for: [id], of: feed, at: now, configured: configured, db)
    // Known by its name at the server now: what a rule marks is sent there.
    try judge.judge([id.rawValue], of: feed, isNew: true)
    return id
  }

  /// A story that another feed has brought may be shown as read or starred already, which the
  /// server does not hear of; and the outbox may know of this article although it had been cleared
  /// away here.
  private static func settle(
    _ state: StatusRows.State, _ server: Bool, _ id: Int64, _ name: String, _ account: Int64,
    _ db: Database
  ) throws {
    let wanted: String? = try db.value(
      "SELECT want FROM outbox WHERE accountID = ? AND item = ? AND key = ?",
      [account, name, state.key]
    )
    let value = wanted.map { $0 == "1" } ?? server
    let shown = try StatusRows.accept(state, value, [id], db, isNew: true)
    // Of its copies; it has just arrived itself.
    try StatusRows.note(shown.filter { $0 != id }, db)
  }
}
