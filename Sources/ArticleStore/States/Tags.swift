public import CacheCore
public import FeedModel
import Foundation
import GRDB

// The user's data about an article: tags, and the position where reading stopped.

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

  /// Returns the position where reading of an article stopped; `nil` for its beginning.
  public func readingPosition(_ article: ArticleID) throws(StoreError) -> ReadingPosition? {
    try database.read { db in
      try db.first(
        "SELECT block, share FROM readingPosition WHERE articleID = ?", [article.rawValue]
      ) { ReadingPosition(block: $0["block"], share: $0["share"]) }
    }
  }

  /// Stores the position where reading of an article stopped; `nil` for its beginning.
  public func setReadingPosition(
    _ article: ArticleID, _ position: ReadingPosition?
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard let position else {
        try db.run("DELETE FROM readingPosition WHERE articleID = ?", [article.rawValue])
        return
      }
      try db.run(
        """
        INSERT OR REPLACE INTO readingPosition (articleID, block, share)
        SELECT id, ?, ? FROM article WHERE id = ?
        """, [position.block, position.share, article.rawValue])
    }
  }
}

/// A place in an article's text that is the same at every width.
public struct ReadingPosition: Sendable, Equatable {
  /// Index of the layout's block; -1 is the head.
  public var block: Int
  /// Share of the block above the top of the screen, 0..<1.
  public var share: Double
  public init(block: Int, share: Double) {
    self.block = block
    self.share = share
  }
}
