import FeedModel
import GRDB

/// Articles of accounts whose states no row of the outbox was about.
struct UnsentStates: Codable {
  var read: [Int64] = []
  var starred: [Int64] = []
  var tags: [Tag] = []

  struct Tag: Codable {
    var article: Int64
    var tag: String
  }
}

// Marks of rules on their way to the servers of accounts, and back where they are undone before
// they were sent.
extension OutboxRows {
  /// Those of the articles, with their copies, that the outbox knows nothing of.
  static func without(
    _ read: [Int64], _ starred: [Int64], _ db: Database
  ) throws -> UnsentStates {
    guard !read.isEmpty || !starred.isEmpty,
      try db.exists("SELECT 1 FROM remoteArticle LIMIT 1")
    else { return UnsentStates() }
    func unsent(_ ids: [Int64], _ state: StatusRows.State) throws -> [Int64] {
      guard !ids.isEmpty else { return [] }
      return try db.values(
        """
        SELECT r.articleID FROM json_each(?) i CROSS JOIN remoteArticle r ON r.articleID = i.value
        WHERE NOT EXISTS (SELECT 1 FROM outbox o
          WHERE o.accountID = r.accountID AND o.item = r.remoteID AND o.key = ?)
        """, [SQLText.json(try Deduplication.together(ids, db)), state.key])
    }
    return UnsentStates(read: try unsent(read, .read), starred: try unsent(starred, .starred))
  }

  /// Whether the outbox knows nothing of a tag of an account's article.
  static func isWithout(_ tag: String, of article: Int64, _ db: Database) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM remoteArticle r WHERE r.articleID = ? AND NOT EXISTS (SELECT 1 FROM outbox o
        WHERE o.accountID = r.accountID AND o.item = r.remoteID AND o.key = ? COLLATE NOCASE)
      """, [article, key(ofTag: tag)])
  }

  /// The rows about these that were never sent, as account, item and key.
  static func pending(
    _ states: UnsentStates, _ db: Database
  ) throws -> [(account: Int64, item: String, key: String)] {
    var rows: [(account: Int64, item: String, key: String)] = []
    for (ids, state) in [(states.read, StatusRows.State.read), (states.starred, .starred)]
    where !ids.isEmpty {
      rows += try db.all(
        """
        SELECT o.accountID, o.item, o.key
        FROM json_each(?) i CROSS JOIN remoteArticle r ON r.articleID = i.value
          JOIN outbox o ON o.accountID = r.accountID AND o.item = r.remoteID
        WHERE o.key = ? AND o.state = \(pending) AND o.attempts = 0 AND o.isUnanswered = 0
          AND o.want = '1'
        """, [SQLText.json(ids), state.key]
      ) { ($0["accountID"], $0["item"], $0["key"]) }
    }
    for tag in states.tags {
      rows += try db.all(
        """
        SELECT o.accountID, o.item, o.key FROM remoteArticle r
          JOIN outbox o ON o.accountID = r.accountID AND o.item = r.remoteID
        WHERE r.articleID = ? AND o.key = ? COLLATE NOCASE AND o.state = \(pending)
          AND o.attempts = 0 AND o.isUnanswered = 0 AND o.want = '1'
        """, [tag.article, key(ofTag: tag.tag)]
      ) { ($0["accountID"], $0["item"], $0["key"]) }
    }
    return rows
  }

  static func withdraw(
    _ rows: [(account: Int64, item: String, key: String)], _ db: Database
  ) throws {
    for row in rows {
      try db.run(
        "DELETE FROM outbox WHERE accountID = ? AND item = ? AND key = ? AND want = '0'",
        [row.account, row.item, row.key])
    }
  }
}
