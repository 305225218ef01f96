package import Foundation
package import GRDB

// Older posts of feeds, requested by a screen, fetched by the engine page by page.

/// Requests for older posts of feeds.
public struct OlderPostCache<Side: CacheSide>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

/// A page that the engine is to fetch.
public struct OlderPostsTask: WorkTask, Equatable {
  public var feed: FeedID
  /// The address of the page; `nil` if the document of the feed names it.
  public var next: String?
  /// The address of the page, or of the document.
  public var url: String
  /// The referrers of the address, with the pages read so far.
  public var referrers: AddressReferrers
  /// Hash of the last page; `nil` before the first.
  public var bodyHash: String?
  package var id: Int64 { feed.rawValue }
}

extension OlderPostCache where Side == ReaderCache {
  /// Milliseconds for which the end of a feed's pages is remembered.
  private static var memory: Int64 { Duration.days(1).milliseconds }

  /// Requests the next pages of older posts. At most `OlderPosts.mostPages` wait at a time. If the
  /// last page was read within a day, nothing is requested.
  /// - Returns: `nil` if the feed was removed.
  public func request(_ feed: FeedID, pages: Int) async throws(StoreError) -> OlderPosts? {
    let (id, now, most) = (feed.rawValue, database.now.milliseconds, OlderPosts.mostPages)
    return try await database.write(.user) { db in
      try db.run(
        """
        DELETE FROM olderPages WHERE feedID = ?1 AND (isEnded = 1 AND abs(?2 - askedAt) > ?3
          OR feedURL IS NOT (SELECT url FROM feed WHERE id = ?1))
        """, [id, now, Self.memory])
      try db.run(
        """
        INSERT INTO olderPages (feedID, askedAt, wanted, feedURL)
        SELECT id, ?2, min(?3, ?4), url FROM feed WHERE id = ?1 AND removedAt IS NULL
        ON CONFLICT (feedID) DO UPDATE SET askedAt = ?2, wanted = min(wanted + ?3, ?4),
          added = iif(wanted = 0, 0, added), \(FailureColumns.cleared)
        WHERE isEnded = 0
        """, [id, now, max(1, pages), most])
      return try OlderPostRows.find(feed, db)
    }
  }

  /// Keeps the pages that were fetched.
  public func cancel(_ feed: FeedID) async throws(StoreError) {
    try await database.run(
      .user, "UPDATE olderPages SET wanted = 0 WHERE feedID = ?", [feed.rawValue])
  }

  public func request(of feed: FeedID) throws(StoreError) -> OlderPosts? {
    try database.read { db in try OlderPostRows.find(feed, db) }
  }
}

extension OlderPostCache: WorkFacet where Side == EngineCache {
  package static var table: WorkTable<OlderPostsTask> {
    WorkTable(
      """
      SELECT p.feedID, p.url, coalesce(p.url, f.url) AS page, p.pages, p.bodyHash,
        \(FetchRows.referrers)
      """,
      from: "olderPages p JOIN feed f ON f.id = p.feedID",
      waiting: "p.wanted > 0 AND p.feedURL = f.url AND f.removedAt IS NULL",
      queue: "ORDER BY p.askedAt, p.feedID", key: "p.feedID", name: SQLText.feedName
    ) { row in
      OlderPostsTask(
        feed: row.id("feedID"), next: row["url"], url: row["page"],
        referrers: FetchRows.referrers(row, pages: "pages"), bodyHash: row["bodyHash"])
    }
  }

  /// Number of addresses that are remembered to notice a page that was read before.
  private static var mostAddresses: Int { 300 }

  /// Stores a page, unless the request was cancelled. Its articles are new only to the cache: they
  /// are read, and no rule, program, download or arrival counts them. Articles of the feed that the
  /// cache has, or that the user deleted, are left as they are.
  public func finish(_ feed: FeedID, _ outcome: OlderPostsOutcome) async throws(StoreError) {
    let most = database.options.maximumNewArticles
    try await database.change(.engine) { transaction in
      let (db, id) = (transaction.db, feed.rawValue)
      let pages: [String]? = try db.first(
        "SELECT pages FROM olderPages WHERE feedID = ? AND wanted > 0", [id]
      ) { StringList.strings($0["pages"]) }
      guard let pages else { return }
      var failure: RefreshFailure?
      switch outcome {
      case .page(let page):
        let (added, refusal) = try OlderPostRows.insert(
          page.items, of: feed, transaction, most: most)
        let known = pages + page.addresses
        let next = ItemText.address(page.next)
        try db.run(
          """
          UPDATE olderPages SET wanted = iif(?1 IS NULL, 0, wanted - 1), url = ?1,
            isEnded = ?1 IS NULL, pages = ?2, bodyHash = ?3, added = added + ?4, oldestAt = ?5
          WHERE feedID = ?6
          """,
          [
            next, StringList.text(known.suffix(Self.mostAddresses)), page.bodyHash, added,
            page.items.compactMap { $0.datePublished ?? $0.dateModified }.min()?.milliseconds, id,
          ])
        failure = refusal.map {
          .init(kind: .storage, detail: $0.failure.code, since: transaction.now)
        }
      case .ended:
        try db.run("UPDATE olderPages SET wanted = 0, isEnded = 1 WHERE feedID = ?", [id])
      case .failed(let reason, let page):
        failure = reason
        // The next request begins with this page, unless its host is in back-off.
        try db.run(
          "UPDATE olderPages SET wanted = 0, url = ifnull(url, ?) WHERE feedID = ?",
          [ItemText.address(page), id])
      }
      if let failure {
        try FailureColumns.add(
          failure, since: transaction.at, to: "olderPages", where: "feedID", id, db)
      }
    }
  }
}

package enum OlderPostRows {
  /// Milliseconds for which retention spares older posts after they were fetched.
  private static let spared = Duration.days(30).milliseconds

  package static func removeOld(_ db: Database, at now: Date) throws {
    try db.run("DELETE FROM olderPost WHERE fetchedAt < ?", [now.milliseconds - spared])
  }

  static func find(_ feed: FeedID, _ db: Database) throws -> OlderPosts? {
    try db.first("SELECT * FROM olderPages WHERE feedID = ?", [feed.rawValue]) { row in
      let (wanted, added) = (row["wanted"] as Int, row["added"] as Int)
      let state: OlderPosts.State =
        if wanted > 0 {
          .waiting
        } else if let failure = FetchRows.failure(row) {
          .failed(failure)
        } else if row["isEnded"] {
          .ended(added)
        } else {
          .found(added, oldest: row.date("oldestAt"))
        }
      return OlderPosts(feed: feed, state: state, pages: wanted)
    }
  }

  /// Inserts the items that the feed does not have yet. Returns their number, and the reason of one
  /// that SQLite refuses.
  fileprivate static func insert(
    _ items: [ParsedItem], of feed: FeedID, _ transaction: Transaction, most: Int
  ) throws -> (added: Int, refusal: StoreError.Detail?) {
    let db = transaction.db
    let merge = try Merge(adding: feed, transaction)
    let found = try ArticleIdentity(
      of: Array(items.prefix(most)), feed: feed.rawValue, firstSeen: transaction.at,
      merge.statements, db
    ).new.filter { arrival in
      // The first document may list the post under another id.
      try !db.exists(
        """
        SELECT 1 FROM article a JOIN articleBody b ON b.articleID = a.id
        WHERE a.link = ? AND a.feedID = ? AND a.title = ? AND ifnull(b.publishedAt, b.updatedAt) IS ?
        """, [arrival.link, feed.rawValue, arrival.title, arrival.date])
    }
    let handlers = try transaction.arrivalHandlers(ofOlderPosts: true)
    var added = 0
    let refusal = try db.writeAccepted(found.reversed()[...]) { found in
      let articles = try merge.insert(
        Array(found), of: items, firstSeen: transaction.at, mayBeBuried: false)
      let arrivals = Arrivals(
        feed: feed.rawValue, added: articles.map(\.rawValue), at: transaction.now)
      for article in arrivals.added {
        try db.run("UPDATE articleStatus SET isRead = 1 WHERE articleID = ?", [article])
        try db.run(
          "INSERT INTO olderPost (articleID, fetchedAt) VALUES (?, ?)", [article, transaction.at])
      }
      for handle in handlers { try handle(arrivals) }
      added += articles.count
    }
    return (added, refusal)
  }
}
