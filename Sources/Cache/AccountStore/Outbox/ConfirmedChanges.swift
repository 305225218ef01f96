import Foundation
import GRDB

// Changes that a server has confirmed are deleted once it shows them, and sent again otherwise.

/// A change that the server has confirmed and no pull has shown yet.
struct ConfirmedChange {
  var seq: Int64
  /// Identifies the request.
  var confirmedAt: Int64
}

extension OutboxRows {
  /// Returns the confirmed changes of articles, with the state that each of them wanted.
  /// - Parameters:
  ///   - condition: the SQL condition that selects a key.
  ///   - began: the start of the request to the server.
  static func confirmedChanges(
    _ condition: String, _ key: String, of account: Int64, began: Date, _ db: Database
  ) throws -> [(change: ConfirmedChange, item: String, isSet: Bool)] {
    try db.all(
      """
      SELECT seq, confirmedAt, item, want = '1' AS isSet FROM outbox
      WHERE accountID = ? AND \(condition) AND state = \(confirmed) AND confirmedAt <= ?
      """, [account, key, began.milliseconds]
    ) {
      (
        ConfirmedChange(seq: $0["seq"], confirmedAt: $0["confirmedAt"]), $0["item"], $0["isSet"]
      )
    }
  }

  /// Milliseconds that a server may take to show a confirmed change.
  static let grace = Duration.minutes(1).milliseconds

  /// Deletes a confirmed change of a subscription if the server shows it. Also deletes the change
  /// if the server shows another state after `grace`, because a newer change was then made
  /// elsewhere.
  /// - Parameter began: the start of the request to the server.
  static func verify(
    _ change: ConfirmedChange, isShown: Bool, began: Date, _ db: Database
  ) throws {
    if isShown {
      try db.run("DELETE FROM outbox WHERE seq = ?", [change.seq])
    } else if began.milliseconds - change.confirmedAt >= grace {
      try giveUp(change.seq, db)
    }
  }

  /// Queues confirmed changes again, which the server has lost.
  static func sendAgain(_ condition: String, of account: Int64, _ db: Database) throws {
    try db.run(
      """
      UPDATE outbox SET state = \(pending), confirmedAt = NULL, attempts = 1
      WHERE accountID = ? AND state = \(confirmed) AND \(condition)
      """, [account])
  }

  /// Deletes confirmed changes of articles if the server shows them. If it shows only others of the
  /// same request, the state was changed elsewhere. Otherwise the server did not keep the change:
  /// after `grace` it is sent once more, and marked as refused if that fails too.
  /// - Parameter began: the start of the request to the server.
  static func verify(
    _ results: [(change: ConfirmedChange, isShown: Bool)], began: Date, _ db: Database
  ) throws {
    let shown = Set(results.filter(\.isShown).map(\.change.confirmedAt))
    for (change, isShown) in results {
      if isShown {
        try db.run("DELETE FROM outbox WHERE seq = ?", [change.seq])
      } else if shown.contains(change.confirmedAt) {
        try giveUp(change.seq, db)
      } else if began.milliseconds - change.confirmedAt >= grace {
        try db.run(
          """
          UPDATE outbox SET state = iif(detail = ?1, \(refused), \(pending)), confirmedAt = NULL,
            attempts = 1, detail = ?1 WHERE seq = ?2
          """, [FailureDetail.notKept.code, change.seq])
      }
    }
  }
}
