import GRDB

// A server that was restored from a backup has lost marks that it had accepted. The journal has the
// marks made here. Those that are no longer in the outbox had reached the server.

extension AccountSyncCache {
  /// Queues the marks that a server has lost.
  public func sendLostMarks(
    of account: AccountID, unread: RemoteNames, starred: RemoteNames
  ) async throws(StoreError) {
    let marks = try database.read { db in
      try SentMark.all(of: account.rawValue, .read, unread, db)
        + SentMark.all(of: account.rawValue, .starred, starred, db)
    }
    guard SentMark.beginning(of: marks) != nil else { return }
    try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      try db.run(
        "UPDATE account SET rebuiltAt = ? WHERE id = ?", [now.milliseconds, account.rawValue])
      let lost = marks.filter { $0.isLost == true }
      let images = try OutboxRows.marks.flatMap { state in
        try [true, false].map { value in
          let articles = lost.filter { ($0.state, $0.value) == (state, value) }.map(\.article)
          _ = try OutboxRecorder().mark(state, value, articles, in: transaction)
          return RowImages.marks(state, value, articles)
        }
      }
      try AccountRows.noteSentAgain(images, to: account.rawValue, db, at: now)
    }
  }
}

/// A mark made here that had reached the server.
private struct SentMark {
  var article: Int64
  var state: Mark
  var value: Bool
  var at: Int64
  var arrivedAt: Int64
  /// True if the server's list contradicts the mark; `nil` if the list does not cover it.
  var isLost: Bool?

  /// Smallest number of lost marks. Fewer differences are changes made elsewhere.
  private static let fewest = 10

  /// Returns the time of the first mark of a run of lost marks: the server contradicts at least
  /// four fifths of the marks made since then on articles that had arrived before. `nil` if there
  /// is none.
  static func beginning(of marks: [SentMark]) -> Int64? {
    let marks = marks.filter { $0.isLost != nil }
    let lost = marks.filter { $0.isLost == true }
    guard lost.count >= fewest else { return nil }
    return Set(lost.map(\.at)).sorted().first { begin in
      let made = marks.filter { $0.at >= begin && $0.arrivedAt <= begin }
      let gone = made.count { $0.isLost == true }
      return gone >= fewest && gone * 5 >= made.count * 4
    }
  }

  static func all(
    of account: Int64, _ state: Mark, _ members: RemoteNames, _ db: Database
  ) throws -> [SentMark] {
    let made = try made(state, db)
    return try db.all(
      """
      SELECT r.articleID, r.remoteID, a.firstSeenAt, s.\(state.rawValue) AS isSet
      FROM remoteArticle r JOIN article a ON a.id = r.articleID
        JOIN articleStatus s ON s.articleID = a.id JOIN feed f ON f.id = a.feedID
      WHERE r.accountID = ?1 AND r.articleID IN (SELECT value FROM json_each(?3))
        AND \(OutboxRows.isSettled)
      """, [account, state.words.with, SQLText.json(Array(made.keys))]
    ) { row -> SentMark? in
      let article: Int64 = row["articleID"]
      guard let mark = made[article], (row["isSet"] as Bool) == mark.value else { return nil }
      let isListed = members.has(row["remoteID"])
      return SentMark(
        article: article, state: state, value: mark.value, at: mark.at,
        arrivedAt: row["firstSeenAt"],
        isLost: isListed.map { (state == .read ? !$0 : $0) != mark.value })
    }.compactMap { $0 }
  }

  /// Returns the last mark of each article in the journal.
  private static func made(
    _ state: Mark, _ db: Database
  ) throws -> [Int64: (value: Bool, at: Int64)] {
    let entries: [(at: Int64, images: [RowImages])] = try db.all(
      """
      SELECT at, images FROM journal WHERE isUndone = 0 AND kind IN \(Journal.marks)
      ORDER BY id DESC
      """
    ) { ($0["at"], Journal.images($0)) }
    var made: [Int64: (value: Bool, at: Int64)] = [:]
    for (at, images) in entries {
      for image in images {
        guard let value = image.after?[state.rawValue] else { continue }
        for article in image.keys where made[article] == nil { made[article] = (value == "1", at) }
      }
    }
    return made
  }
}
