import Foundation
import GRDB

// Changes that a server has confirmed are deleted once it shows them, and sent again otherwise.

/// A change that the server has confirmed and no pull has shown yet.
struct ConfirmedChange {
  /// A request, identified by its confirmation and its first change.
  struct Request: Hashable {
    var confirmedAt: Int64
    var first: Int64?
  }
  var seq: Int64
  var confirmedAt: Int64
  var request: Int64?
  /// True if the server had the opposite state before the change. Only then does the new state
  /// prove that the server kept the change.
  var isNew = false
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
      SELECT seq, confirmedAt, request, known IS NOT NULL AS isNew, item, want = '1' AS isSet
      FROM outbox
      WHERE accountID = ? AND \(condition) AND state = \(confirmed) AND confirmedAt <= ?
      """, [account, key, began.milliseconds]
    ) {
      (
        ConfirmedChange(
          seq: $0["seq"], confirmedAt: $0["confirmedAt"], request: $0["request"] as Int64?,
          isNew: $0["isNew"]),
        $0["item"], $0["isSet"]
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

  /// Deletes confirmed changes of articles if the server shows them. If it does not show a change
  /// after `grace` but shows others of the same request, the state was changed elsewhere. Otherwise
  /// the server did not keep the change: after the current state is fetched, the change is sent
  /// once more, and marked as refused if that fails too.
  /// - Parameters:
  ///   - mayToggle: true if the server may have removed the state instead. Then its states are
  ///     fetched before changes are sent.
  ///   - began: the start of the request to the server.
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
    let row: (isRepeated: Bool, isBesideShown: Bool, isReadFirst: Bool)? = try db.first(
      """
      SELECT repeats > 0 AS isRepeated, isBesideShown, isReadFirst FROM outbox WHERE seq = ?
      """, [seq]
    ) { ($0["isRepeated"], $0["isBesideShown"], $0["isReadFirst"]) }
    guard let row else { return }
    if row.isBesideShown, !mayToggle || row.isReadFirst {
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
