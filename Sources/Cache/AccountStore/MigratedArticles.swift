import Foundation
import GRDB

// A subscription begins again at a server if an unsubscription was undone after it was sent, or if
// a local feed was moved to an account. The server then gives its articles new IDs. Known articles
// are found by the pages that they link to, and keep their states.

/// `remoteFeed.renewal`.
enum Renewal {
  /// Articles have the server's IDs.
  static let none = 0
  /// The server is to list the feed's articles, so that known articles get their IDs.
  static let expected = 1
  /// The server has listed the feed's articles.
  static let done = 2
}

enum RenewedArticles {
  /// Largest number of articles of one page that are compared.
  private static let mostTwins = 16

  /// Removes the server's IDs of a feed's articles after the subscription has ended.
  static func forgetNames(of feed: Int64, _ db: Database) throws {
    let articles = "SELECT id FROM article WHERE feedID = ?1"
    // Queued tags are sent again under the new IDs.
    try db.run(
      """
      UPDATE articleTag SET isRemote = 1 WHERE articleID IN (\(articles)) AND EXISTS
        (SELECT 1 FROM remoteArticle r JOIN outbox o ON o.accountID = r.accountID
          AND o.item = r.remoteID AND o.key = 'tag:' || articleTag.tag COLLATE NOCASE
        WHERE r.articleID = articleTag.articleID AND o.want = '1')
      """, [feed])
    try db.run(
      """
      DELETE FROM outbox WHERE \(OutboxRows.isOfArticle()) AND (accountID, item) IN
        (SELECT accountID, remoteID FROM remoteArticle WHERE articleID IN (\(articles)))
      """, [feed])
    try db.run("DELETE FROM remoteArticle WHERE articleID IN (\(articles))", [feed])
    try db.run("UPDATE remoteFeed SET renewal = \(Renewal.expected) WHERE feedID = ?", [feed])
  }

  /// Gives a known article its new ID at the server, and queues the states of the article that the
  /// user has set.
  /// - Returns: `false` if no known article is the same.
  static func rename(
    _ article: RemoteArticle, _ arrival: Merge.Arrival, _ feed: Int64, _ account: Int64,
    _ transaction: Transaction
  ) throws -> Bool {
    let (db, now) = (transaction.db, transaction.now)
    let date = article.item.datePublished?.milliseconds
    guard let twin = try twin(of: arrival, date, feed, db) else {
      return try renameTombstone(arrival, feed, db)
    }
    try Renaming.rename(twin, to: arrival.identity, itemID: article.item.id, db)
    try db.run(
      "INSERT INTO remoteArticle (articleID, accountID, remoteID) VALUES (?, ?, ?)",
      [twin, account, article.item.id])
    let takesServer = try AccountRows.rebuild(account, db) == .takingServer
    for (state, isAtServer) in [
      (ArticleMark.read, article.isRead), (.starred, article.isStarred),
    ] {
      let isOwn = try StatusWriter(state, db).own(twin)
      if takesServer, isOwn != isAtServer {
        try StatusRows.note(try StatusRows.accept(state, isAtServer, [twin], db), db)
      } else if isOwn, !isAtServer {
        try OutboxRows.record(state, true, [twin], db, at: now)
      } else if !isOwn, isAtServer {
        try StatusRows.note(try StatusRows.accept(state, true, [twin], db), db)
      }
    }
    var tags = TagRows(transaction)
    try tags.renew(twin, labels: article.labels, account)
    try LaterTag.give(to: [twin], of: account, transaction)
    return true
  }

  /// Returns true if a new article was marked read at the server before the subscription ended, but
  /// was never fetched. Deletes the record of it.
  static func wasRead(_ arrival: Merge.Arrival, _ feed: Int64, _ db: Database) throws -> Bool {
    try db.run(
      "DELETE FROM unfetchedRead WHERE feedID = ? AND link = ?", [feed, arrival.link]) > 0
  }

  /// Finds the stored copy of an article among those without an ID of the server: by its former ID,
  /// or else by the page that it links to.
  private static func twin(
    of arrival: Merge.Arrival, _ date: Int64?, _ feed: Int64, _ db: Database
  ) throws -> Int64? {
    let isNameless = "NOT EXISTS (SELECT 1 FROM remoteArticle r WHERE r.articleID = a.id)"
    let same: Int64? = try db.value(
      "SELECT a.id FROM article a WHERE a.feedID = ? AND a.identity = ? AND \(isNameless)",
      [feed, arrival.identity]
    )
    if let same { return same }
    let twins: [(id: Int64, isLike: Bool)] = try db.all(
      """
      SELECT a.id, a.title, b.publishedAt FROM article a JOIN articleBody b ON b.articleID = a.id
      WHERE a.link = ? AND a.feedID = ? AND \(isNameless) ORDER BY a.id LIMIT ?
      """, [arrival.link, feed, mostTwins]
    ) { row in
      (
        row["id"],
        row["title"] as String == arrival.title
          || date != nil && row["publishedAt"] as Int64? == date
      )
    }
    return twins.count == 1 ? twins[0].id : twins.first(where: \.isLike)?.id
  }

  /// Gives the tombstone of a deleted article the new ID, so that the article stays deleted.
  private static func renameTombstone(
    _ arrival: Merge.Arrival, _ feed: Int64, _ db: Database
  ) throws -> Bool {
    let likeness = Link.likeness(arrival.link, title: arrival.title)
    return try db.run(
      """
      UPDATE OR REPLACE tombstone SET identity = ?1 WHERE (feedID, identity) IN
        (SELECT feedID, identity FROM tombstone WHERE feedID = ?2 AND likeness = ?3 LIMIT 1)
      """, [arrival.identity, feed, likeness]) > 0
  }
}
