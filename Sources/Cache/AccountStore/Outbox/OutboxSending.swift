public import Foundation
import GRDB

extension AccountSyncCache {
  /// Milliseconds without a change after which changes are sent, and the longest such delay.
  private static var debounce: Int64 { Duration.seconds(2).milliseconds }
  private static var longestDebounce: Int64 { Duration.seconds(10).milliseconds }
  /// Longest back-off of a server in seconds. A later end was computed by a clock that was set
  /// back.
  private static var longestPause: Double { Double.days(7) }

  /// Returns every account with its due times. While its server is in back-off, an account is due
  /// only for one attempt that the user requested.
  public func accountWork() throws(StoreError) -> [AccountWork] {
    let latest = database.now.addingTimeInterval(Self.longestPause)
    let now = database.now.milliseconds
    return try database.read { db in
      try AccountRows.all(db, "ORDER BY id").map { account in
        let state = account.state
        let pause =
          state.isRequested
          ? .distantPast : state.pausedUntil.flatMap { $0 <= latest ? $0 : nil } ?? .distantPast
        let times: (pushAt: Int64?, pullAt: Int64?, heldUntil: Int64?)? = try db.first(
          """
          SELECT max(min(iif(heldUntil <= ?1, nextTry, NULL)), min(max(iif(heldUntil <= ?1,
              changedAt, NULL)) + ?2, min(iif(heldUntil <= ?1, changedAt, NULL)) + ?3)) AS pushAt,
            (SELECT ifnull(requestedAt, nextSyncAt) FROM account WHERE id = ?4) AS pullAt,
            min(iif(heldUntil > ?1, heldUntil, NULL)) AS heldUntil
          FROM outbox WHERE accountID = ?4 AND state = \(OutboxRows.pending)
          """, [now, Self.debounce, Self.longestDebounce, account.id.rawValue]
        ) { ($0["pushAt"] as Int64?, $0["pullAt"] as Int64?, $0["heldUntil"] as Int64?) }
        func moment(_ milliseconds: Int64?) -> Date? {
          milliseconds.map { max(Date(milliseconds: $0), pause) }
        }
        return AccountWork(
          account: account, pushAt: moment(times?.pushAt), pullAt: moment(times?.pullAt),
          heldUntil: moment(times?.heldUntil))
      }
    }
  }

  /// Returns the articles with changes that may be sent: those that arrived last, their number, and
  /// the `seq` of the newest change.
  /// - Parameters:
  ///   - limit: the maximum number of articles that are returned.
  ///   - now: as in `outboxBatch`.
  public func dueArticles(
    of account: AccountID, limit: Int, at now: Date?
  ) throws(StoreError) -> (newest: [KnownArticle], count: Int, last: Int64) {
    let time = database.now.milliseconds
    return try database.read { db in
      let ids: [Int64] = try db.values(
        """
        SELECT DISTINCT r.articleID FROM outbox o
          JOIN remoteArticle r ON r.accountID = o.accountID AND r.remoteID = o.item
        WHERE o.accountID = ? AND o.state = \(OutboxRows.pending) AND o.nextTry <= ?
          AND \(OutboxRows.isOfArticle("o.key"))
        ORDER BY r.articleID DESC
        """, [account.rawValue, now?.milliseconds ?? .max])
      return (
        try AccountRows.known(Array(ids.prefix(limit)), of: account.rawValue, db, at: time),
        ids.count, try db.value("SELECT max(seq) FROM outbox") ?? 0
      )
    }
  }

  /// Returns the oldest change that may be sent and similar ones, up to `limit`; `nil` if there are
  /// none. Changes that failed before come last, so that they do not delay others. Stars and
  /// subscriptions come before read marks, of which there may be thousands. For Fever servers,
  /// which accept one star at a time and may toggle it, stars come last.
  /// - Parameters:
  ///   - now: excludes changes whose time has not come; `nil` includes them.
  ///   - last: excludes newer changes, by `seq`.
  ///   - excluded: changes to leave out, by `seq`.
  public func outboxBatch(
    of account: AccountID, limit: Int, at now: Date?, upTo last: Int64 = .max,
    excluding excluded: [Int64] = []
  ) throws(StoreError) -> OutboxBatch? {
    let due = """
      accountID = ?1 AND state = \(OutboxRows.pending) AND nextTry <= ?2
      AND heldUntil <= \(database.now.milliseconds)
      AND seq <= \(last) AND seq NOT IN (SELECT value FROM json_each(?3))
      """
    let arguments: StatementArguments = [
      account.rawValue, now?.milliseconds ?? .max, SQLText.json(excluded),
    ]
    return try database.read { db in
      let isFever =
        try db.value("SELECT kind = 'fever' FROM account WHERE id = ?", [account.rawValue]) ?? false
      // The changes of one subscription depend on each other, so if one has failed, all come last.
      let first: (row: OutboxBatch.Row, key: String, want: String, hasFailed: Bool)? = try db.first(
        """
        SELECT seq, item, key, want, attempts, detail IS NOT NULL AS hasFailed,
          CASE WHEN \(OutboxRows.isOfArticle()) THEN iif(detail IS NULL, 0, attempts) ELSE
            (SELECT max(s.attempts) FROM outbox s WHERE s.accountID = outbox.accountID
              AND s.item = outbox.item AND NOT \(OutboxRows.isOfArticle("s.key"))) END AS failures
        FROM outbox WHERE \(due)
        ORDER BY failures > 0, key = '\(isFever ? "starred" : "read")', failures, seq LIMIT 1
        """, arguments
      ) { (OutboxBatch.Row($0), $0["key"], $0["want"], $0["hasFailed"]) }
      guard let first, let change = OutboxRows.change(key: first.key, want: first.want) else {
        return nil
      }
      var batch = OutboxBatch(change: change, rows: [first.row])
      switch change {
      case .marked: break
      case .tagged(let tag, let isSet):
        batch.change = .tagged(try LabelRows.label(of: tag, account.rawValue, db), isSet)
      case .folderRenamed, .folderRemoved: return batch
      case .subscribed, .renamed, .moved:
        batch.feed =
          try OutboxFeed.all("f.id = ?", [Int64(first.row.item)], db).first ?? OutboxFeed(url: "")
        return batch
      }
      batch.rows = try db.all(
        """
        SELECT seq, item, attempts FROM outbox
        WHERE \(due) AND key = ?4 AND want = ?5 AND (detail IS NOT NULL) = ?6
        ORDER BY attempts, seq LIMIT ?7
        """, arguments + [first.key, first.want, first.hasFailed, limit], OutboxBatch.Row.init)
      return batch
    }
  }

  /// Counts an attempt to send changes: until an answer is stored, it is unknown whether the server
  /// accepted them, even after a crash.
  /// - Returns: the changes that are still wanted.
  public func noteSending(_ seqs: [Int64]) async throws(StoreError) -> Set<Int64> {
    try await database.write(.engine) { db in
      Set(
        try db.values(
          """
          UPDATE outbox SET attempts = attempts + 1
          WHERE seq IN (SELECT value FROM json_each(?)) AND state = \(OutboxRows.pending)
          RETURNING seq
          """, [SQLText.json(seqs)]))
    }
  }

  /// Confirms changes that the server has accepted in one request. They stay until a pull shows
  /// them; a newer change has another `seq` and stays.
  public func confirmOutbox(_ seqs: [Int64]) async throws(StoreError) {
    try await database.write(.user) { db, now in
      let subscriptions: [(account: Int64, feed: Int64, isNew: Bool)] = try db.all(
        """
        SELECT accountID, CAST(item AS INTEGER) AS feed, want = '1' AS isNew FROM outbox
        WHERE seq IN (SELECT value FROM json_each(?))
          AND state = \(OutboxRows.pending) AND key = 'subscribed'
        """, [SQLText.json(seqs)]
      ) { ($0["accountID"], $0["feed"], $0["isNew"]) }
      for (account, feed, isNew) in subscriptions {
        if isNew {
          // The server has fetched the new feed by now.
          try AccountRows.request("id = ?", [account], db, at: now.milliseconds)
        } else {
          try MigratedArticles.forgetNames(of: feed, db)
        }
      }
      // Another request may have been confirmed in the same millisecond.
      let other: Int64? = try db.value(
        "SELECT min(confirmedAt) FROM outbox WHERE confirmedAt BETWEEN ?1 - 1000 AND ?1",
        [now.milliseconds])
      _ = try db.run(
        """
        UPDATE outbox SET state = \(OutboxRows.confirmed), confirmedAt = ?1,
          attempts = 0, nextTry = 0, detail = CASE detail WHEN ?3 THEN ?3 END
        WHERE seq IN (SELECT value FROM json_each(?2)) AND state = \(OutboxRows.pending)
        """,
        [other.map { $0 - 1 } ?? now.milliseconds, SQLText.json(seqs), FailureDetail.notKept.code])
    }
  }

  /// No other change of the account is tried before `until`.
  public func failOutbox(
    _ seqs: [Int64], of account: AccountID, detail: String, until: Date
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      try db.run(
        """
        UPDATE outbox SET attempts = max(attempts, 1), detail = ?1
        WHERE seq IN (SELECT value FROM json_each(?2)) AND state = \(OutboxRows.pending)
        """, [ItemText.label(detail), SQLText.json(seqs)])
      try db.run(
        """
        UPDATE outbox SET nextTry = max(nextTry, ?)
        WHERE accountID = ? AND state = \(OutboxRows.pending)
        """, [until.milliseconds, account.rawValue])
    }
  }

  /// Postpones a change that the server could not process while it accepts others, or marks it as
  /// refused by the server, so that the user sees it.
  /// - Parameter wait: the time until the next attempt; `nil` for a refused change.
  public func setAside(_ seq: Int64, detail: String, by wait: Duration?) async throws(StoreError) {
    let next = wait.map { database.now.milliseconds + $0.milliseconds }
    try await database.run(
      .user,
      """
      UPDATE outbox SET detail = ?1, nextTry = ifnull(?2, nextTry),
        state = iif(?2 IS NULL, \(OutboxRows.refused), state)
      WHERE seq = ?3 AND state = \(OutboxRows.pending)
      """, [ItemText.label(detail), next, seq])
  }

  /// Releases changes that wait for a possible undo, because the program ends.
  public func endHolding() async throws(StoreError) {
    try await database.run(.user, "UPDATE outbox SET heldUntil = 0 WHERE heldUntil > 0")
  }

  public func hasOutbox() throws(StoreError) -> Bool {
    try database.exists("SELECT 1 FROM outbox WHERE state = \(OutboxRows.pending) LIMIT 1")
  }

  // MARK: The account's row

  /// Marks an account as being synchronised, for the screens, until this store closes.
  public func beginAccountSync(_ id: AccountID) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.run(
      .engine, "UPDATE account SET syncOwner = ? WHERE id = ?", [owner, id.rawValue])
  }

  /// A request made since the run began stays.
  public func endAccountSync(_ id: AccountID, _ outcome: AccountOutcome) async throws(StoreError) {
    try await database.write(.engine) { db in
      try db.run(
        """
        UPDATE account SET syncOwner = NULL, nextSyncAt = ?1, pausedUntil = ?2,
          requestedAt = CASE WHEN requestedAt > ?3 THEN requestedAt END,
          syncedAt = iif(?5, ?3, syncedAt), emptySince = iif(?5, NULL, emptySince)
        WHERE id = ?4
        """,
        [
          outcome.nextSyncAt?.milliseconds, outcome.pausedUntil?.milliseconds,
          outcome.began.milliseconds, id.rawValue, outcome.hasPulled,
        ])
      if outcome.hasPulled {
        try OutboxRows.release("id = ?", [id.rawValue], db)
        try db.run(
          """
          UPDATE remoteFeed SET renewal = \(ArticleMigration.done)
          WHERE accountID = ? AND renewal = \(ArticleMigration.expected) AND remoteID IS NOT NULL
          """, [id.rawValue])
      }
      guard let failure = outcome.failure else {
        try db.run("UPDATE account SET \(FailureColumns.cleared) WHERE id = ?", [id.rawValue])
        return
      }
      try FailureColumns.add(
        failure, since: failure.since.milliseconds, to: "account", id.rawValue, db)
    }
  }
}
