import Foundation
import GRDB

// Changes that a server has confirmed are deleted once it shows them, and sent again otherwise.

/// A change that the server has confirmed and no pull has shown yet.
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
