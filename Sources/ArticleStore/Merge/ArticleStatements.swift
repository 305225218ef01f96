import CacheCore
import GRDB

/// Statements that a merge runs for each article.
package struct ArticleStatements {
  /// `feedID`, `identity` → `id`, `fingerprint`.
  let known: DirectStatement
  let twins: DirectStatement
  /// `feedID`, `identity` → a row if the item was deleted and must not return.
  let buried: DirectStatement
  let body: DirectStatement
  let newBody: DirectStatement
  /// Insertions of 1, 2, 4, … rows.
  private let articles: [DirectStatement]
  private let statuses: [DirectStatement]

  // Statements for many rows at once. Each run opens its table and indexes anew, and before one
  // with triggers changes some eight pages of 16 kB, SQLite copies them.
  private static let insertArticles = insertions(
    """
    article (feedID, identity, fingerprint, title, author, url, firstSeenAt, hasEnclosure, link,
      words)
    """, columns: 10)
  private static let insertStatuses = insertions(
    "articleStatus (articleID, feedID, sortDate, isRead, isStarred, duplicateOf)", columns: 6)

  private static func insertions(_ target: String, columns: Int) -> [String] {
    let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
    return (0...5).map { power in
      "INSERT INTO \(target) VALUES "
        + Array(repeating: row, count: 1 << power).joined(separator: ", ")
    }
  }

  /// Returns the statement that inserts the most articles at once, and their number.
  func articles(atMost count: Int) -> (count: Int, statement: DirectStatement) {
    Self.largest(of: articles, count)
  }

  /// Returns the statement that inserts the most statuses at once, and their number.
  func statuses(atMost count: Int) -> (count: Int, statement: DirectStatement) {
    Self.largest(of: statuses, count)
  }

  private static func largest(
    of insertions: [DirectStatement], _ count: Int
  ) -> (count: Int, statement: DirectStatement) {
    var power = 0
    while power + 1 < insertions.count, 2 << power <= count { power += 1 }
    return (1 << power, insertions[power])
  }

  init(_ db: Database) throws {
    known = try DirectStatement(
      "SELECT id, fingerprint FROM article WHERE feedID = ? AND identity = ?", db)
    twins = try Deduplication.twins(db)
    buried = try DirectStatement(
      "SELECT 1 FROM tombstone WHERE feedID = ? AND identity = ?", db)
    body = try BodyColumn.update(db)
    newBody = try BodyColumn.insertion(db)
    articles = try Self.insertArticles.map { try DirectStatement($0, db) }
    statuses = try Self.insertStatuses.map { try DirectStatement($0, db) }
  }
}
