package import GRDB

/// Statements that a merge runs for each article.
package struct ArticleStatements {
  /// `feedID`, `identity` → `id`, `fingerprint`.
  let known: DirectStatement
  let candidates: DirectStatement
  let article: DirectStatement
  let newArticle: DirectStatement
  let body: DirectStatement
  let newBody: DirectStatement
  /// Insertions of 1, 2, 4, … rows.
  private let statuses: [DirectStatement]

  /// Statements for many rows at once. Before a statement that may be undone alone (because it has
  /// triggers and a row may be refused), SQLite copies each page that it changes, about eight of
  /// 16 kB. `OR FAIL` and a foreign key that is checked at the end of the transaction spare that: a
  /// refused row throws, and the whole transaction is undone.
  private static let insertStatuses = (0...5).map { power in
    """
    INSERT OR FAIL INTO articleStatus (articleID, feedID, sortDate) VALUES
    """ + " " + Array(repeating: "(?, ?, ?)", count: 1 << power).joined(separator: ", ")
  }

  /// Returns the statement that inserts the most statuses at once, and their number.
  func statuses(atMost count: Int) -> (count: Int, statement: DirectStatement) {
    var power = 0
    while power + 1 < statuses.count, 2 << power <= count { power += 1 }
    return (1 << power, statuses[power])
  }

  package init(_ db: Database) throws {
    known = try DirectStatement(
      "SELECT id, fingerprint FROM article WHERE feedID = ? AND identity = ?", db)
    candidates = try Deduplication.candidates(db)
    article = try DirectStatement(ArticleColumns.update, db)
    newArticle = try DirectStatement(ArticleColumns.insertion, db)
    body = try DirectStatement(BodyColumns.update, db)
    newBody = try DirectStatement(BodyColumns.insertion, db)
    statuses = try Self.insertStatuses.map { try DirectStatement($0, db) }
  }
}
