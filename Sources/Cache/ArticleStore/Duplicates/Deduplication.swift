import Foundation
package import GRDB

/// Finds duplicates: articles of several feeds about one story, of which mixed lists show one. Each
/// has a state of its own.
package enum Deduplication {
  /// The largest number of articles with one link for which the link identifies an article.
  private static let mostCandidates = 16

  /// Returns an article of another feed that an article of this feed duplicates. Returns `nil` if
  /// there is none, or if a feed uses the link for several articles, so that it identifies none.
  /// - Parameter text: the HTML of the article.
  static func other(
    of link: Int64, title: String, feed: Int64, except article: Int64 = 0,
    _ candidates: DirectStatement, _ db: Database, text: () -> String
  ) throws -> Int64? {
    guard Link.isIdentifying(link) else { return nil }
    var feeds: [Int64] = [feed]
    var found: [Int64] = []
    var isAmbiguous = false
    try candidates.bind(link, at: 1)
    try candidates.bind(article, at: 2)
    try candidates.forEachRow { row in
      if feeds.contains(row.integer(1)) { isAmbiguous = true }
      feeds.append(row.integer(1))
      found.append(row.integer(0))
    }
    guard !isAmbiguous, feeds.count <= mostCandidates else { return nil }
    return try found.first { candidate in
      guard let other = try Self.text(of: candidate, db) else { return false }
      return DuplicateComparison.areAlike(titles: title, other.title)
        || DuplicateComparison.areAlike(texts: text(), other.html)
    }
  }

  static func text(of id: Int64, _ db: Database) throws -> (title: String, html: String)? {
    try db.first(
      """
      SELECT a.title, b.html FROM article a JOIN articleBody b ON b.articleID = a.id WHERE a.id = ?
      """, [id]
    ) { ($0["title"], $0["html"]) }
  }

  /// Returns the statement that selects the articles with a link, except one article.
  package static func candidates(_ db: Database) throws -> DirectStatement {
    try DirectStatement(
      "SELECT id, feedID FROM article WHERE link = ? AND id <> ? LIMIT \(mostCandidates)", db)
  }

  /// Adds an article to the group of another one.
  static func join(_ article: Int64, to other: Int64, _ db: Database) throws {
    let canonical: Int64? = try db.value(
      "SELECT ifnull(duplicateOf, articleID) FROM articleStatus WHERE articleID = ?", [other])
    guard let canonical else { return }
    try db.run(
      "UPDATE articleStatus SET duplicateOf = ? WHERE articleID = ?", [canonical, article])
    try db.run(Schema.chooseCanonical(of: "?1"), [canonical])
  }

  /// Moves an article whose link has changed to another group.
  static func regroup(_ article: Int64, _ db: Database) throws {
    // The remaining articles get a new canonical article, as after a deletion.
    try db.run(
      """
      UPDATE articleStatus SET duplicateOf = nullif((SELECT articleID FROM articleStatus
          WHERE duplicateOf = ?1 ORDER BY isHidden <> 0, articleID LIMIT 1), articleID)
        WHERE duplicateOf = ?1
      """, [article])
    try db.run(
      "UPDATE articleStatus SET duplicateOf = NULL WHERE articleID = ? AND duplicateOf IS NOT NULL",
      [article])
    let row: (feed: Int64, link: Int64, title: String, html: String)? = try db.first(
      """
      SELECT a.feedID, a.link, a.title, b.html FROM article a
        JOIN articleBody b ON b.articleID = a.id WHERE a.id = ? AND a.link IS NOT NULL
      """, [article]
    ) { ($0["feedID"], $0["link"], $0["title"], $0["html"]) }
    guard let row else { return }
    let other = try other(
      of: row.link, title: row.title, feed: row.feed, except: article, candidates(db), db
    ) { row.html }
    if let other { try join(article, to: other, db) }
  }

  /// Returns the articles with all their duplicates, ascending.
  /// - Parameter isSubscribed: true to leave out duplicates of removed feeds.
  package static func together(
    _ ids: [Int64], isSubscribed: Bool = false, _ db: Database
  ) throws -> [Int64] {
    let hasDuplicates = try db.exists(
      "SELECT 1 FROM articleStatus WHERE duplicateOf IS NOT NULL LIMIT 1")
    guard hasDuplicates else { return ids.sorted() }
    return try db.values(
      """
      WITH chosen(id) AS (SELECT ifnull(duplicateOf, articleID) FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?)))
      SELECT id FROM chosen UNION SELECT c.articleID FROM chosen
        JOIN articleStatus c INDEXED BY status_duplicates ON c.duplicateOf = chosen.id
        WHERE c.isHidden & ? = 0
      """, [SQLText.json(ids), isSubscribed ? HiddenReason.unsubscribed : 0]
    ).sorted()
  }
}
