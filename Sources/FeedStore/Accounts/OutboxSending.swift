public import FeedModel
public import Foundation
import GRDB

// The outbox as the engine empties it.

/// When an account wants something of the engine.
public struct AccountWork: Sendable, Equatable {
  public var account: Account
  /// When what waits in the outbox is to be sent; nil: nothing does.
  public var pushAt: Date?
  /// When the server's state is to be fetched; nil: not by itself.
  public var pullAt: Date?
}

/// Changes that can go in one request.
public struct OutboxBatch: Sendable, Equatable {
  public struct Row: Sendable, Equatable {
    public var seq: Int64
    /// The server's name of the article.
    public var item: String
    /// How often it was tried in vain.
    public var attempts: Int
  }
  public enum Content: Sendable, Equatable {
    case read(Bool)
    case starred(Bool)
    /// One row, about this feed.
    case subscription(OutboxEntry.Change, OutboxFeed)
  }
  public var content: Content
  public var rows: [Row]
}

/// A feed whose subscription is to change at its account's server.
public struct OutboxFeed: Sendable, Equatable {
  /// The server's name of it; nil where that is not known here.
  public var remoteID: String?
  public var url: String
  /// The user's own name for it.
  public var title: String?
  /// Its folder's name; empty: none.
  public var folder: String
  /// The folder that the server has it in.
  public var remoteFolder: String

  public init(
    remoteID: String? = nil, url: String, title: String? = nil, folder: String = "",
    remoteFolder: String = ""
  ) {
    self.remoteID = remoteID
    self.url = url
    self.title = title
    self.folder = folder
    self.remoteFolder = remoteFolder
  }
}

/// What a run of an account's operations came to, for its row.
public struct AccountOutcome: Sendable {
  public var began: Date
  /// The server's state is here as a whole.
  public var hasPulled: Bool
  public var failure: AccountFailure?
  /// When the server is asked next by itself; nil: not before somebody wants it.
  public var nextSyncAt: Date?

  public init(began: Date, hasPulled: Bool, failure: AccountFailure?, nextSyncAt: Date?) {
    self.began = began
    self.hasPulled = hasPulled
    self.failure = failure
    self.nextSyncAt = nextSyncAt
  }
}

extension FeedStore {
  /// Milliseconds without another key after which changes are sent, and the most that a busy keyboard
  /// may put it off.
  private static let debounce: Int64 = 2_000
  private static let longestDebounce: Int64 = 10_000
  /// Seconds that a server may want to be left alone; what lies further off was reckoned by a clock that has
  /// been set back since.
  private static let longestPause = 7 * 86_400.0

  /// Every account with the times at which it is due. A server that has named the time itself is neither
  /// sent anything before then nor asked, whoever wants it.
  public func accountWork() throws(StoreError) -> [AccountWork] {
    let latest = options.now().addingTimeInterval(Self.longestPause)
    return try read { db in
      try AccountRows.all(db, "ORDER BY id").map { account in
        let named = account.state.failure?.kind == .busy ? account.state.nextSyncAt : nil
        let pause = named.flatMap { $0 <= latest ? $0 : nil } ?? .distantPast
        let pushAt: Int64? =
          try db.first(
            """
            SELECT max(min(nextTry), min(max(changedAt) + ?, min(changedAt) + ?)) FROM outbox
            WHERE accountID = ? AND state = 0
            """, [Self.debounce, Self.longestDebounce, account.id.rawValue]
          ) { $0[0] as Int64? } ?? nil
        let pullAt: Int64? =
          try db.first(
            "SELECT ifnull(requestedAt, nextSyncAt) FROM account WHERE id = ?",
            [account.id.rawValue]
          ) { $0[0] as Int64? } ?? nil
        return AccountWork(
          account: account, pushAt: pushAt.map { max(Date(milliseconds: $0), pause) },
          pullAt: pullAt.map { max(Date(milliseconds: $0), pause) })
      }
    }
  }

  /// What may be sent now: the oldest change and those that are alike, up to `limit`, stars and
  /// subscriptions before the marks of what is read, of which there may be thousands. Nil: none.
  /// - Parameter now: changes whose time has not come wait; nil: they go too.
  public func outboxBatch(
    of account: AccountID, limit: Int, at now: Date?
  ) throws(StoreError) -> OutboxBatch? {
    let due = "accountID = ? AND state = 0 AND nextTry <= ?"
    let moment = now?.milliseconds ?? .max
    return try read { db in
      let first: (seq: Int64, item: String, key: String, want: String, attempts: Int)? =
        try db.first(
          "SELECT seq, item, key, want, attempts FROM outbox WHERE \(due) "
            + "ORDER BY key = 'read', seq LIMIT 1",
          [account.rawValue, moment]
        ) { ($0[0], $0[1], $0[2], $0[3], $0[4]) }
      guard let first, let change = OutboxRows.change(key: first.key, want: first.want) else {
        return nil
      }
      let content: OutboxBatch.Content
      switch change {
      case .read(let value): content = .read(value)
      case .starred(let value): content = .starred(value)
      case .subscribed, .renamed, .moved:
        let feed = try Self.outboxFeed(Int64(first.item) ?? 0, db)
        return OutboxBatch(
          content: .subscription(change, feed ?? OutboxFeed(url: "")),
          rows: [OutboxBatch.Row(seq: first.seq, item: first.item, attempts: first.attempts)])
      }
      let rows = try db.all(
        """
        SELECT seq, item, attempts FROM outbox WHERE \(due) AND key = ? AND want = ?
        ORDER BY seq LIMIT ?
        """, [account.rawValue, moment, first.key, first.want, limit]
      ) { OutboxBatch.Row(seq: $0[0], item: $0[1], attempts: $0[2]) }
      return OutboxBatch(content: content, rows: rows)
    }
  }

  private static func outboxFeed(_ feed: Int64, _ db: Database) throws -> OutboxFeed? {
    try db.first(
      """
      SELECT r.remoteID, f.url, nullif(trim(f.userTitle), ''),
        CASE WHEN f.folderID IS NULL OR f.folderID = c.folderID THEN '' ELSE d.title END, r.folder
      FROM remoteFeed r JOIN feed f ON f.id = r.feedID JOIN account c ON c.id = r.accountID
        LEFT JOIN folder d ON d.id = f.folderID
      WHERE f.id = ?
      """, [feed]
    ) {
      OutboxFeed(
        remoteID: $0[0] as String?, url: $0[1], title: $0[2] as String?, folder: $0[3],
        remoteFolder: $0[4])
    }
  }

  /// The server has taken these. They stay until a pull shows it; what was changed again meanwhile goes
  /// by another `seq` and is not touched.
  public func confirmOutbox(_ seqs: [Int64]) async throws(StoreError) {
    let now = options.now().milliseconds
    try await write(.user) { db in
      for seq in seqs {
        try db.run(
          """
          UPDATE outbox SET state = 1, confirmedAt = ?, attempts = 0, nextTry = 0, detail = NULL
          WHERE seq = ? AND state = 0
          """, [now, seq])
      }
    }
  }

  /// These could not be sent; nothing else of the account is tried before then either.
  public func failOutbox(
    _ seqs: [Int64], of account: AccountID, detail: String?, until: Date
  ) async throws(StoreError) {
    try await write(.engine) { db in
      for seq in seqs {
        try db.run(
          "UPDATE outbox SET attempts = attempts + 1, detail = ? WHERE seq = ? AND state = 0",
          [detail.map { ItemText.cut($0, ItemText.Limit.label) }, seq])
      }
      try db.run(
        "UPDATE outbox SET nextTry = max(nextTry, ?) WHERE accountID = ? AND state = 0",
        [until.milliseconds, account.rawValue])
    }
  }

  /// The server will not have this one: set aside, where the user sees it.
  public func refuseOutbox(_ seq: Int64, detail: String) async throws(StoreError) {
    try await write(.user) { db in
      _ = try db.run(
        """
        UPDATE outbox SET state = 2, attempts = attempts + 1, detail = ? WHERE seq = ? AND state = 0
        """, [ItemText.cut(detail, ItemText.Limit.label), seq])
    }
  }

  /// Whether anything of any account is still to be sent.
  public func hasOutbox() throws(StoreError) -> Bool {
    try read { db in
      try db.first("SELECT 1 FROM outbox WHERE state = 0 LIMIT 1") { _ in true } ?? false
    }
  }

  // MARK: The account's row

  /// Marks an account as being synced, for the screens; for as long as this store is open.
  public func beginAccountSync(_ id: AccountID) async throws(StoreError) {
    let owner = owner.text
    try await write(.engine) { db in
      _ = try db.run("UPDATE account SET syncOwner = ? WHERE id = ?", [owner, id.rawValue])
    }
  }

  /// Writes what came of it. A request that was made since it began stays.
  public func endAccountSync(_ id: AccountID, _ outcome: AccountOutcome) async throws(StoreError) {
    try await write(.engine) { db in
      try db.run(
        """
        UPDATE account SET syncOwner = NULL, nextSyncAt = ?1,
          requestedAt = CASE WHEN requestedAt > ?2 THEN requestedAt END
        WHERE id = ?3
        """,
        [outcome.nextSyncAt?.milliseconds, outcome.began.milliseconds, id.rawValue])
      if outcome.hasPulled {
        try db.run(
          "UPDATE account SET syncedAt = ? WHERE id = ?",
          [outcome.began.milliseconds, id.rawValue])
        try OutboxRows.release("id = ?", [id.rawValue], db)
      }
      guard let failure = outcome.failure else {
        try db.run(
          """
          UPDATE account SET failureKind = NULL, failureStatus = NULL, failureDetail = NULL,
            failureSince = NULL, failureCount = 0 WHERE id = ?
          """, [id.rawValue])
        return
      }
      try db.run(
        """
        UPDATE account SET failureKind = ?, failureStatus = ?, failureDetail = ?,
          failureSince = ifnull(failureSince, ?), failureCount = failureCount + 1
        WHERE id = ?
        """,
        [
          failure.kind.rawValue, failure.status,
          failure.detail.map { ItemText.cut($0, ItemText.Limit.label) },
          failure.since.milliseconds, id.rawValue,
        ])
    }
  }
}
