public import FeedModel
import GRDB

// What the articles of a feed begin with: the score of the feed and of the folders around it.

extension ReaderCache {
  /// What each article of a feed begins with, and those that are here change by the difference.
  /// `.notFound` where there is no such feed.
  public func setBaseScore(_ feed: FeedID, _ score: Int) async throws(StoreError) {
    try await database.write(.user) { db in
      let old: Int64? = try db.value(
        "SELECT score FROM feed WHERE id = ? AND removedAt IS NULL", [feed.rawValue])
      guard let old else { throw StoreError.notFound }
      try db.run(
        "UPDATE feed SET score = ? WHERE id = ?", [BaseScores.bounded(score), feed.rawValue])
      try BaseScores.add(BaseScores.bounded(score) - old, to: [feed.rawValue], db)
    }
  }

  /// The same for all feeds in a folder, those of the folders in it included.
  public func setBaseScore(ofFolder folder: FolderID, _ score: Int) async throws(StoreError) {
    try await database.write(.user) { db in
      let old: Int64? = try db.value("SELECT score FROM folder WHERE id = ?", [folder.rawValue])
      guard let old else { throw StoreError.notFound }
      try db.run(
        "UPDATE folder SET score = ? WHERE id = ?", [BaseScores.bounded(score), folder.rawValue])
      try BaseScores.add(
        BaseScores.bounded(score) - old, to: FolderTree.feeds(of: folder, db), db)
    }
  }
}

enum BaseScores {
  static func bounded(_ score: Int) -> Int64 {
    Int64(max(RuleAction.scores.lowerBound, min(RuleAction.scores.upperBound, score)))
  }

  /// What an article of a feed begins with.
  static func of(_ feed: Int64, _ db: Database) throws -> Int64 {
    // UNION, not UNION ALL: a folder in itself must not loop.
    try db.value(
      """
      WITH RECURSIVE around (id, parentID, score) AS (
        SELECT d.id, d.parentID, d.score FROM folder d JOIN feed f ON f.folderID = d.id
          WHERE f.id = ?1
        UNION SELECT d.id, d.parentID, d.score FROM folder d JOIN around ON d.id = around.parentID)
      SELECT score + ifnull((SELECT sum(score) FROM around), 0) FROM feed WHERE id = ?1
      """, [feed]) ?? 0
  }

  fileprivate static func add(_ number: Int64, to feeds: [Int64], _ db: Database) throws {
    guard number != 0 else { return }
    for feed in feeds {
      try db.run(
        """
        UPDATE articleStatus SET score = score + ?1
        WHERE articleID IN (SELECT id FROM article WHERE feedID = ?2)
        """, [number, feed])
    }
  }
}
