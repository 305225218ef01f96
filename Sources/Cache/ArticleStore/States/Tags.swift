public import CacheCore
public import FeedModel
import Foundation
import GRDB

// The user's tags of articles.

extension StateCache {
  /// Adds tags to articles and removes others. Case does not matter; white space becomes `-`. The
  /// changes are queued for the servers of accounts.
  /// - Returns: the reasons why some added tags are not sent to a server.
  @discardableResult
  public func changeTags(
    of articles: [ArticleID], adding: [String], removing: [String]
  ) async throws(StoreError) -> Set<LocalTags> {
    let adding = adding.map(TagRows.tidied).filter { !$0.isEmpty }
    let removing = removing.map(TagRows.tidied)
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      let adding = try adding.map { try TagRows.known($0, db) }
      var rows = TagRows(transaction)
      var images: [RowImages] = []
      for (tag, isSet) in removing.map({ ($0, false) }) + adding.map({ ($0, true) }) {
        var changed: [String: [Int64]] = [:]
        for id in articles.map(\.rawValue) {
          if let tag = try rows.set(tag, isSet, of: id) { changed[tag, default: []].append(id) }
        }
        images += changed.map { .tag($0.key, isSet, $0.value) }
      }
      let touched = Set(images.flatMap(\.keys))
      let subject =
        touched.count == 1 ? try touched.first.flatMap { try StatusRows.title($0, db) } : nil
      try Journal.add(db, .tag, images, subject: subject, at: now)
      return rows.local
    }
  }

  /// Returns the tags that all of these articles have, in alphabetical order.
  public func tags(of articles: [ArticleID]) throws(StoreError) -> [String] {
    try database.read { db in
      try db.values(
        """
        SELECT tag FROM articleTag WHERE articleID IN (SELECT value FROM json_each(?))
        GROUP BY tag HAVING count(*) = ? ORDER BY tag
        """, [SQLText.json(articles.map(\.rawValue)), articles.count]
      )
    }
  }
}
