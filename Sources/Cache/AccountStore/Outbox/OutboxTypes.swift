public import Foundation
import GRDB

/// Numbers of changes for an account's server.
public struct OutboxCounts: Sendable, Equatable {
  public var pending: Int
  public var failed: Int
  /// Changes that the server rejected for good.
  public var refused: Int
  /// Time of the next attempt; `nil` if nothing waits or it is due as soon as possible.
  public var nextTry: Date?
  public var waiting: Int { pending + failed }

  public init(pending: Int = 0, failed: Int = 0, refused: Int = 0, nextTry: Date? = nil) {
    (self.pending, self.failed, self.refused, self.nextTry) = (pending, failed, refused, nextTry)
  }
}

/// Due times of an account.
public struct AccountWork: Sendable, Equatable {
  public var account: Account
  /// Time to send changes; `nil` if there are none.
  public var pushAt: Date?
  /// Time to fetch the server's state; `nil` if only on request.
  public var pullAt: Date?
  /// The time at which the first change that waits for a possible undo may be sent; `nil` if none
  /// waits.
  public var heldUntil: Date?
}

/// Changes that can be sent in one request.
public struct OutboxBatch: Sendable, Equatable {
  /// A change of one article, feed or folder.
  public struct Row: Sendable, Equatable {
    public var seq: Int64
    /// Server's ID of an article, key of a feed, or name of a folder.
    public var item: String
    /// If there were any, the server may have accepted the change or an earlier one.
    public var attempts: Int

    init(_ row: GRDB.Row) { (seq, item, attempts) = (row["seq"], row["item"], row["attempts"]) }
  }
  /// The change of all rows; a tag has the server's name of its label.
  public var change: OutboxEntry.Change
  /// The feed of a change of a subscription.
  public var feed: OutboxFeed?
  /// Rows with the fewest attempts first, then the oldest first. A change of a subscription or
  /// folder has one row.
  public var rows: [Row]
}

/// A feed of an account, here and at its server.
public struct OutboxFeed: Sendable, Equatable {
  var feed: Int64 = 0
  var account: Int64 = 0
  var isRemoved: Bool = false
  /// Server's ID; `nil` if unknown.
  public var remoteID: String?
  public var url: String
  /// The user's name for the feed, if any.
  public var title: String?
  /// Name of the folder; empty for none.
  public var folder: String = ""
  var remoteTitle: String = ""
  public var remoteFolder: String = ""
  /// The name and folder in the outbox; `nil` without a change.
  var wantedTitle: String?
  var wantedFolder: String?
  /// True if the outbox has the subscription or its end.
  var isEndingOrNew: Bool = false

  var knownFolder: String { wantedFolder ?? remoteFolder }
  var hasOtherFolder: Bool { folder != knownFolder }
  var hasOtherTitle: Bool {
    title.map { !RemoteTitle.areSame($0, wantedTitle ?? remoteTitle) } ?? false
  }

  /// - Parameter condition: a condition of `feed f` and `remoteFeed r`.
  static func all(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> [OutboxFeed] {
    func wanted(_ key: String) -> String {
      """
      SELECT want FROM outbox
      WHERE accountID = c.id AND item = CAST(f.id AS TEXT) AND key = '\(key)'
      """
    }
    return try db.all(
      """
      SELECT f.id, c.id AS account, f.removedAt IS NOT NULL AS isRemoved, r.remoteID, f.url,
        nullif(trim(f.userTitle), '') AS userTitle,
        CASE WHEN f.folderID IS NULL OR f.folderID = c.folderID THEN '' ELSE d.title END AS folder,
        r.title AS remoteTitle, r.folder AS remoteFolder, (\(wanted("title"))) AS wantedTitle,
        (\(wanted("folder"))) AS wantedFolder, EXISTS (\(wanted("subscribed"))) AS isEndingOrNew
      FROM remoteFeed r JOIN feed f ON f.id = r.feedID JOIN account c ON c.id = r.accountID
        LEFT JOIN folder d ON d.id = f.folderID
      WHERE \(condition)
      """, arguments
    ) {
      OutboxFeed(
        feed: $0["id"], account: $0["account"], isRemoved: $0["isRemoved"],
        remoteID: $0["remoteID"] as String?, url: $0["url"], title: $0["userTitle"] as String?,
        folder: $0["folder"], remoteTitle: $0["remoteTitle"], remoteFolder: $0["remoteFolder"],
        wantedTitle: $0["wantedTitle"] as String?, wantedFolder: $0["wantedFolder"] as String?,
        isEndingOrNew: $0["isEndingOrNew"])
    }
  }
}

/// The outcome of a run of an account's operations.
public struct AccountOutcome: Sendable {
  /// Start of the run, which fulfils earlier requests; `.distantPast` if it fulfils none.
  public var began: Date
  /// True if the server's whole state was fetched.
  public var hasPulled: Bool
  /// Failure to store; `nil` clears the stored one.
  public var failure: AccountFailure?
  /// Time of the next sync; `nil` if the account is synced only on request.
  public var nextSyncAt: Date?
  /// End of the back-off; `nil` if the server accepts requests.
  public var pausedUntil: Date?

  public init(
    began: Date = .distantPast, hasPulled: Bool = false, failure: AccountFailure?,
    nextSyncAt: Date?, pausedUntil: Date? = nil
  ) {
    (self.began, self.hasPulled, self.failure) = (began, hasPulled, failure)
    (self.nextSyncAt, self.pausedUntil) = (nextSyncAt, pausedUntil)
  }
}

/// A change that the server has confirmed and no pull has shown yet. It is deleted once the server
/// shows it, and sent again otherwise.
struct ConfirmedChange {
  var seq: Int64
  /// Identifies the request.
  var confirmedAt: Int64
  var item: String
  var want: String
  var isSet: Bool { want == "1" }
}

extension OutboxRows {
  /// Returns the confirmed changes of a state of articles, or of a field of subscriptions.
  /// - Parameter began: the start of the request to the server.
  static func confirmedChanges(
    _ key: String, of account: Int64, began: Date, _ db: Database
  ) throws -> [ConfirmedChange] {
    // Tags that differ in case only are one tag here.
    try db.all(
      """
      SELECT seq, confirmedAt, item, want FROM outbox
      WHERE accountID = ? AND key = ? COLLATE NOCASE AND state = \(confirmed) AND confirmedAt <= ?
      """, [account, key, began.milliseconds]
    ) {
      ConfirmedChange(
        seq: $0["seq"], confirmedAt: $0["confirmedAt"], item: $0["item"], want: $0["want"])
    }
  }

  /// Milliseconds that a server may take to show a confirmed change.
  static let grace = Duration.minutes(1).milliseconds

  /// Queues confirmed changes again, which the server has lost.
  static func sendAgain(_ condition: String, of account: Int64, _ db: Database) throws {
    try db.run(
      """
      UPDATE outbox SET state = \(pending), confirmedAt = NULL, attempts = 1
      WHERE accountID = ? AND state = \(confirmed) AND \(condition)
      """, [account])
  }

  /// Deletes confirmed changes that the server shows. If it shows only others of the same request,
  /// the state was changed elsewhere. Otherwise the server did not keep the change: after `grace` a
  /// change of an article is sent once more, and marked as refused if that fails too; one of a
  /// subscription is dropped.
  /// - Parameter began: the start of the request to the server.
  static func verify(
    _ results: [(ConfirmedChange, isShown: Bool)], isOfArticles: Bool = true, began: Date,
    _ db: Database
  ) throws {
    let shown = Set(results.filter(\.isShown).map(\.0.confirmedAt))
    for (change, isShown) in results {
      if isShown {
        try db.run("DELETE FROM outbox WHERE seq = ?", [change.seq])
        continue
      }
      let isLate = began.milliseconds - change.confirmedAt >= grace
      if shown.contains(change.confirmedAt) || isLate && !isOfArticles {
        try giveUp(change.seq, db)
      } else if isLate {
        try db.run(
          """
          UPDATE outbox SET state = iif(detail = ?1, \(refused), \(pending)), confirmedAt = NULL,
            attempts = 1, detail = ?1 WHERE seq = ?2
          """, [FailureDetail.notKept.code, change.seq])
      }
    }
  }
}
