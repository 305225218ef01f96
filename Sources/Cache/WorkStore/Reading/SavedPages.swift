import Foundation
import GRDB

/// A web page that the user saved.
public struct SavedPage: Sendable, Equatable {
  public var article: ArticleID
  /// The title of the article, or the address until the page is fetched.
  public var title: String
  /// False if the cache already had an article with this link, which is then flagged for later.
  public var isNew: Bool
}

extension PlanCache {
  /// Saves web pages for later, and requests their texts. A page that leads to a listed article is
  /// not added again: that article is kept for later.
  ///
  /// New pages are articles of a feed without an address on the network, which is created when it
  /// is first needed. It is not exported, no server gets it, and its articles never expire.
  /// - Parameters:
  ///   - addresses: http or https; others are skipped. User names and passwords are removed.
  ///   - name: the name of the feed, if it is created.
  ///   - isLink: true if a document named the addresses, which then reach no private network.
  public func save(
    _ addresses: [String], in name: String, isLink: Bool = false
  ) async throws(StoreError) -> [SavedPage] {
    let addresses = addresses.map(WebAddress.withoutUserInfo).filter { WebAddress($0).isHTTP }
    return try await database.change { transaction in
      let pages = try addresses.map {
        try SavedPages.save($0, id: (isLink ? "link:" : "") + $0, in: name, transaction)
      }
      let added = pages.filter(\.isNew).map(\.article.rawValue)
      // Undo deletes the pages that were added.
      _ = try Marks.record(
        .later, true, pages.map(\.article.rawValue),
        adding: [RowImages("isHidden", of: added, HiddenReason.deleted, 0)], transaction)
      try FullTextRows.ask(forPages: added, isWanted: true, at: transaction.now, transaction.db)
      return pages
    }
  }
}

private enum SavedPages {
  static func save(
    _ address: String, id: String, in name: String, _ transaction: Transaction
  ) throws -> SavedPage {
    let db = transaction.db
    let item = ParsedItem(id: id, url: address, title: address)
    let arrival = Merge.Arrival(
      item, Fingerprint.identity(id), item.fingerprint, firstSeen: transaction.at)
    if Link.isIdentifying(arrival.link), let known = try listed("a.link = ?", [arrival.link], db) {
      return known
    }
    var subscriber = Subscriber(transaction)
    let feed = try subscriber.subscribe(
      OutlineEntry(url: FeedRows.savedPages, title: name), folder: nil
    ).feed
    let place: StatementArguments = [feed.rawValue, arrival.identity]
    let isSame = "a.feedID = ? AND a.identity = ?"
    if let known = try listed(isSame, place, db) { return known }
    let deleted: Int64? = try db.value("SELECT a.id FROM article a WHERE \(isSame)", place)
    if let deleted {
      try Deletion.show([deleted], db)
    } else {
      try db.run("DELETE FROM tombstone AS a WHERE \(isSame)", place)
      let merge = try Merge(adding: feed, transaction)
      _ = try merge.insert(arrival, item, firstSeen: transaction.at)
    }
    guard var page = try listed(isSame, place, db) else { throw StoreError.notFound }
    page.isNew = true
    return page
  }

  private static func listed(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> SavedPage? {
    try db.first(
      """
      SELECT a.id, a.title FROM article a JOIN articleStatus s ON s.articleID = a.id
      WHERE \(condition) AND s.isHidden = 0 ORDER BY s.duplicateOf IS NOT NULL, a.id LIMIT 1
      """, arguments
    ) { SavedPage(article: $0.id("id"), title: $0["title"], isNew: false) }
  }
}
