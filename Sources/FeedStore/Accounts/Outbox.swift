public import FeedModel
public import Foundation
import GRDB

/// How much waits to be sent to an account's server.
public struct OutboxCounts: Sendable, Equatable {
  /// Not tried yet.
  public var pending: Int
  /// Tried; tried again when its time comes.
  public var failed: Int
  /// Set aside: the server will not have it.
  public var refused: Int
  public var waiting: Int { pending + failed }

  public init(pending: Int = 0, failed: Int = 0, refused: Int = 0) {
    self.pending = pending
    self.failed = failed
    self.refused = refused
  }
}

/// One change that the server does not have yet.
public struct OutboxEntry: Sendable, Identifiable, Equatable {
  public enum State: Sendable { case pending, failed, refused }
  public enum Change: Sendable, Equatable {
    case read(Bool)
    case starred(Bool)
    case subscribed(Bool)
    case renamed(String)
    /// Into the folder of this name; empty: out of every folder.
    case moved(String)
  }
  public var id: Int64
  public var account: AccountID
  public var change: Change
  public var state: State
  /// Of the article or feed; its key where it is known here no more.
  public var title: String
  public var article: ArticleID?
  public var feed: FeedID?
  public var attempts: Int
  /// Not before then; nil: at the next opportunity.
  public var nextTry: Date?
  public var changedAt: Date
  /// Why it failed or was refused: words of a server or program, plain text, else the raw value of an
  /// `AccountFailure.Kind` or a `RefreshFailure.Kind`.
  public var detail: String?
}

extension FeedStore {
  /// What is still to be sent to an account's server, or to all (nil), the oldest first.
  public func outbox(of account: AccountID?, limit: Int) throws(StoreError) -> [OutboxEntry] {
    try read { db in
      try db.all(
        """
        SELECT o.seq, o.accountID, o.item, o.key, o.want, o.state, o.attempts, o.nextTry,
          o.changedAt, o.detail, a.id, a.title, f.id, \(SQLText.feedName)
        FROM outbox o
          LEFT JOIN remoteArticle r ON r.accountID = o.accountID AND r.remoteID = o.item
            AND o.key IN ('read', 'starred')
          LEFT JOIN article a ON a.id = r.articleID
          LEFT JOIN feed f ON f.id = CASE WHEN o.key IN ('read', 'starred') THEN a.feedID
            ELSE CAST(o.item AS INTEGER) END
        WHERE o.state <> ? AND (?2 IS NULL OR o.accountID = ?2) ORDER BY o.seq LIMIT ?3
        """, [OutboxRows.confirmed, account?.rawValue, limit]
      ) { row -> OutboxEntry? in
        guard let change = OutboxRows.change(key: row[3], want: row[4]) else { return nil }
        let attempts: Int = row[6]
        let next: Int64 = row[7]
        return OutboxEntry(
          id: row[0], account: AccountID(rawValue: row[1]), change: change,
          state: row[5] as Int == OutboxRows.refused ? .refused : attempts > 0 ? .failed : .pending,
          title: row[11] as String? ?? row[13] as String? ?? row[2],
          article: (row[10] as Int64?).map(ArticleID.init(rawValue:)),
          feed: (row[12] as Int64?).map(FeedID.init(rawValue:)), attempts: attempts,
          nextTry: next > 0 ? Date(milliseconds: next) : nil, changedAt: Date(milliseconds: row[8]),
          detail: row[9])
      }.compactMap { $0 }
    }
  }

  /// Sends these as if they had never failed, at the next opportunity.
  public func retryOutbox(_ ids: [Int64]) async throws(StoreError) {
    try await write(.user) { db in
      for id in ids {
        try db.run(
          """
          UPDATE outbox SET state = 0, attempts = 0, nextTry = 0, detail = NULL
          WHERE seq = ? AND state <> ?
          """, [id, OutboxRows.confirmed])
      }
    }
  }

  /// Gives these up: the next pull brings back what the server has.
  public func discardOutbox(_ ids: [Int64]) async throws(StoreError) {
    try await write(.user) { db in
      for id in ids { try OutboxRows.giveUp(id, db) }
    }
  }
}

/// The outbox's rows, as those write them who change what a server is to know. All of it happens in the
/// transaction of the change itself.
enum OutboxRows {
  /// `outbox.state`.
  static let pending = 0
  static let confirmed = 1
  static let refused = 2

  static func counts(_ account: Int64, _ db: Database) throws -> OutboxCounts {
    try db.first(
      """
      SELECT total(state = 0 AND attempts = 0), total(state = 0 AND attempts > 0),
        total(state = 2) FROM outbox WHERE accountID = ?
      """, [account]
    ) { row in
      OutboxCounts(pending: row.count(0), failed: row.count(1), refused: row.count(2))
    } ?? OutboxCounts()
  }

  static func change(key: String, want: String) -> OutboxEntry.Change? {
    switch key {
    case "read": .read(want == "1")
    case "starred": .starred(want == "1")
    case "subscribed": .subscribed(want == "1")
    case "title": .renamed(want)
    case "folder": .moved(want)
    default: nil
    }
  }

  /// What takes the place of an earlier row waits as long as its account has to.
  static func put(
    account: Int64, item: String, key: String, want: String, at now: Int64, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO outbox (accountID, item, key, want, changedAt, nextTry)
      VALUES (?1, ?2, ?3, ?4, ?5, \(wait))
      """, [account, item, key, want, now])
  }

  /// Takes a row away, and with it a name or a folder that the server does not keep: as long as ours were
  /// others, `recordArrangement` would put it again.
  static func giveUp(_ seq: Int64, _ db: Database) throws {
    let row: (account: Int64, item: String, key: String)? = try db.first(
      "SELECT accountID, item, key FROM outbox WHERE seq = ?", [seq]
    ) { ($0[0], $0[1], $0[2]) }
    guard let row else { return }
    try db.run("DELETE FROM outbox WHERE seq = ?", [seq])
    guard ["title", "folder"].contains(row.key), let feed = Int64(row.item) else { return }
    let known: String? = try db.first(
      "SELECT folder FROM remoteFeed WHERE feedID = ? AND accountID = ?", [feed, row.account]
    ) { $0[0] }
    guard let known else { return }
    if row.key == "title" {
      try db.run("UPDATE feed SET userTitle = NULL WHERE id = ?", [feed])
    } else {
      try AccountRows.place(feed, in: known, of: row.account, db)
    }
  }

  /// What waits for a later try need not wait longer: somebody wants it, or the server answers again.
  /// Unless the server has named the time itself.
  /// - Parameter condition: which accounts.
  static func release(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws {
    try db.run(
      """
      UPDATE outbox SET nextTry = 0 WHERE state = 0 AND nextTry > 0 AND accountID IN
        (SELECT id FROM account WHERE failureKind IS NOT 'busy' AND \(condition))
      """, arguments)
  }

  private static let wait =
    "ifnull((SELECT max(nextTry) FROM outbox WHERE accountID = ?1 AND state = 0), 0)"

  /// These articles have another state now, which their servers are to have too.
  static func record(
    _ state: StatusRows.State, _ value: Bool, _ articles: [Int64], _ db: Database, at now: Date
  ) throws {
    guard !articles.isEmpty,
      try db.first("SELECT 1 FROM remoteArticle LIMIT 1", [], { _ in true }) != nil
    else { return }
    let waits = Dictionary(
      try db.all("SELECT accountID, max(nextTry) FROM outbox WHERE state = 0 GROUP BY accountID") {
        ($0[0] as Int64, $0[1] as Int64)
      }, uniquingKeysWith: { first, _ in first })
    let names = try db.cachedStatement(
      sql: "SELECT accountID, remoteID FROM remoteArticle WHERE articleID = ?")
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO outbox (accountID, item, key, want, changedAt, nextTry)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
    let (key, want) = (state.key, value ? "1" : "0")
    for article in articles {
      guard let row = try Row.fetchOne(names, arguments: [article]) else { continue }
      let (account, name): (Int64, String) = (row[0], row[1])
      try insert.execute(arguments: [
        account, name, key, want, now.milliseconds, waits[account] ?? 0,
      ])
    }
  }

  /// The subscription is wanted from now on, or no more.
  static func record(feed: Int64, isSubscribed: Bool, _ db: Database, at now: Int64) throws {
    let account: Int64? = try db.first(
      "SELECT accountID FROM remoteFeed WHERE feedID = ?", [feed]
    ) { $0[0] }
    guard let account else { return }
    try put(
      account: account, item: String(feed), key: "subscribed", want: isSubscribed ? "1" : "0",
      at: now, db)
  }

  /// Names and folders that the user has given to feeds of accounts, and their servers have not: called
  /// at the end of whatever arranges feeds.
  static func recordArrangement(_ db: Database, at now: Int64) throws {
    let feeds: [(Int64, Int64, String?, String, String, String)] = try db.all(
      """
      SELECT f.id, r.accountID, nullif(trim(f.userTitle), ''),
        CASE WHEN f.folderID IS NULL OR f.folderID = c.folderID THEN '' ELSE d.title END,
        ifnull((SELECT want FROM outbox o WHERE o.accountID = r.accountID
          AND o.item = CAST(f.id AS TEXT) AND o.key = 'title'), r.title),
        ifnull((SELECT want FROM outbox o WHERE o.accountID = r.accountID
          AND o.item = CAST(f.id AS TEXT) AND o.key = 'folder'), r.folder)
      FROM remoteFeed r JOIN feed f ON f.id = r.feedID JOIN account c ON c.id = r.accountID
        LEFT JOIN folder d ON d.id = f.folderID
      WHERE f.removedAt IS NULL AND r.remoteID IS NOT NULL
      """
    ) { ($0[0], $0[1], $0[2] as String?, $0[3], $0[4], $0[5]) }
    for (feed, account, title, folder, knownTitle, knownFolder) in feeds {
      let item = String(feed)
      if let title, !RemoteTitle.areSame(title, knownTitle) {
        try put(account: account, item: item, key: "title", want: title, at: now, db)
      }
      if folder != knownFolder {
        try put(account: account, item: item, key: "folder", want: folder, at: now, db)
      }
    }
  }
}

/// Titles as servers give them back.
enum RemoteTitle {
  /// FreshRSS gives full-width forms of what means something in HTML: a title that comes back so is the
  /// one that was sent.
  static func areSame(_ a: String, _ b: String) -> Bool { plain(a) == plain(b) }

  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          "＆＜＞＂＇".unicodeScalars.contains(scalar)
            ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
        }))
  }
}

extension StatusRows.State {
  /// The outbox's word for it.
  var key: String {
    switch self {
    case .read: "read"
    case .starred: "starred"
    }
  }
}
