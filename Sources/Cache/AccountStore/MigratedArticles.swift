import Foundation
import GRDB

// A feed is subscribed to again at a server if an unsubscription was undone after it was sent, or
// if a local feed was moved to an account. The server then gives its articles new IDs. Known
// articles are matched by their links and keep their states.

/// Values of `remoteFeed.renewal`: the progress of matching known articles with a server's new IDs.
enum ArticleMigration {
  /// Articles have the server's IDs.
  static let none = 0
  /// The server is to list the feed's articles, so that known articles get their IDs.
  static let expected = 1
  /// The server has listed the feed's articles again.
  static let done = 2
}

enum MigratedArticles {
  /// Largest number of articles of one page that are compared.
  private static let mostCandidates = 16

  /// Removes the server's IDs of a feed and of its articles, because the subscription has ended or
  /// has another ID. Articles and tombstones get other identities, as the server may give those IDs
  /// to other articles.
  static func forgetNames(of feed: Int64, _ db: Database) throws {
    try forgetNames("SELECT id FROM article WHERE feedID = ?1", feed, db)
    try db.run(
      "UPDATE OR REPLACE tombstone SET identity = likeness WHERE feedID = ? AND likeness <> 0",
      [feed])
    try db.run(
      """
      UPDATE remoteFeed SET remoteID = NULL, renewal = \(ArticleMigration.expected)
      WHERE feedID = ?
      """, [feed])
  }

  /// - Parameter articles: an SQL query with the parameter `?1`.
  static func forgetNames(_ articles: String, _ parameter: Int64, _ db: Database) throws {
    // Queued tags are sent again under the new IDs.
    try db.run(
      """
      UPDATE articleTag SET isRemote = 1 WHERE articleID IN (\(articles)) AND EXISTS
        (SELECT 1 FROM remoteArticle r JOIN outbox o ON o.accountID = r.accountID
          AND o.item = r.remoteID AND o.key = 'tag:' || articleTag.tag COLLATE NOCASE
        WHERE r.articleID = articleTag.articleID AND o.want = '1')
      """, [parameter])
    try db.run(
      """
      DELETE FROM outbox WHERE \(OutboxRows.isOfArticle()) AND (accountID, item) IN
        (SELECT accountID, remoteID FROM remoteArticle WHERE articleID IN (\(articles)))
      """, [parameter])
    try db.run(
      """
      UPDATE article SET identity = random()
      WHERE id IN (\(articles)) AND id IN (SELECT articleID FROM remoteArticle)
      """, [parameter])
    try db.run("DELETE FROM remoteArticle WHERE articleID IN (\(articles))", [parameter])
  }

  /// Gives a known article its new ID at the server, and queues the states of the article that the
  /// server does not have.
  /// - Parameter sent: gets the queued states.
  /// - Returns: `false` if no known article is the same.
  static func rename(
    _ article: RemoteArticle, _ arrival: Merge.Arrival, _ feed: Int64, _ account: Int64,
    _ sent: inout [Mark: [Int64]], _ transaction: Transaction
  ) throws -> Bool {
    let db = transaction.db
    guard let match = try match(article, arrival, feed, isNameless: true, db) else {
      // Gives the tombstone of a deleted article the new ID, so that the article stays deleted.
      return try db.run(
        """
        UPDATE OR REPLACE tombstone SET identity = ?1 WHERE (feedID, identity) IN
          (SELECT feedID, identity FROM tombstone WHERE feedID = ?2 AND likeness = ?3 LIMIT 1)
        """, [arrival.identity, feed, arrival.similarityHash]) > 0
    }
    try ArticleIdentity.rename(match, to: arrival.identity, itemID: article.item.id, db)
    try db.run(
      "INSERT INTO remoteArticle (articleID, accountID, remoteID) VALUES (?, ?, ?)",
      [match, account, article.item.id])
    for (state, isAtServer) in [(Mark.read, article.isRead), (.starred, article.isStarred)] {
      let isOwn =
        try db.value("SELECT \(state.rawValue) FROM articleStatus WHERE articleID = ?", [match])
        ?? false
      if isOwn, !isAtServer {
        _ = try OutboxRecorder().mark(state, true, [match], in: transaction)
        sent[state, default: []].append(match)
      } else if !isOwn, isAtServer {
        try Marks.note(Marks.write(state, true, [match], db).flatMap(\.keys), db)
      }
    }
    var tags = TagRows(transaction)
    try tags.renew(match, labels: article.labels, account)
    try LaterTag.give(to: [match], of: account, transaction)
    return true
  }

  /// Finds the stored article that a server sends again by its link.
  /// - Parameter isNameless: true for an article without an ID of the server.
  static func match(
    _ article: RemoteArticle, _ arrival: Merge.Arrival, _ feed: Int64, isNameless: Bool,
    _ db: Database
  ) throws -> Int64? {
    let date = article.item.datePublished?.milliseconds
    let matches: [(id: Int64, isLike: Bool)] = try db.all(
      """
      SELECT a.id, a.title, b.publishedAt FROM article a JOIN articleBody b ON b.articleID = a.id
      WHERE a.link = ? AND a.feedID = ?
        AND (NOT ? OR NOT EXISTS (SELECT 1 FROM remoteArticle r WHERE r.articleID = a.id))
      ORDER BY a.id LIMIT ?
      """, [arrival.link, feed, isNameless, mostCandidates]
    ) { row in
      (
        row["id"],
        row["title"] as String == arrival.title
          || date != nil && row["publishedAt"] as Int64? == date
      )
    }
    return matches.count == 1 ? matches[0].id : matches.first(where: \.isLike)?.id
  }
}

extension TagRows {
  /// Applies the tags that an article has at a server that gave it a new ID, and queues those that
  /// it had under its former ID.
  mutating func renew(_ article: Int64, labels: [String], _ account: Int64) throws {
    let former: [String] = try db.values(
      "SELECT tag FROM articleTag WHERE articleID = ? AND isRemote", [article])
    let shown = try LabelRows.give(article, labels: labels, account, db)
    for tag in former where !shown.contains(where: { $0.lowercased() == tag.lowercased() }) {
      try record(tag, true, of: article, isRemote: true)
    }
  }
}
