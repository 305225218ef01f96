package import GRDB

// Base scores of articles: the score of the feed plus those of the folders that enclose it.

extension FeedCache {
  /// Sets the base score of a feed's articles, and adds the difference to the scores of existing
  /// articles. Throws `.notFound` if there is no such feed.
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
}

extension FolderCache {
  /// Sets the base score of all feeds in a folder and in folders within it, as for one feed.
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

/// Base scores for one transaction. Caches the scores of folders, which their feeds share.
package final class FolderScores {
  private let db: Database
  private var known: [Int64: Int64] = [:]

  package init(_ db: Database) { self.db = db }

  package func base(of feed: Int64) throws -> Int64 {
    let row: (own: Int64, folder: Int64?)? = try db.first(
      "SELECT score, folderID FROM feed WHERE id = ?", [feed]
    ) { ($0["score"], $0["folderID"] as Int64?) }
    return try row.map { try $0.own + around($0.folder) } ?? 0
  }

  /// Returns the sum of the scores of a folder and its enclosing folders; 0 for the top level.
  func around(_ folder: Int64?) throws -> Int64 {
    guard let folder else { return 0 }
    if let sum = known[folder] { return sum }
    // UNION ends the recursion if a folder contains itself; UNION ALL would not.
    let sum: Int64 =
      try db.value(
        """
        WITH RECURSIVE around (id, parentID, score) AS (
          SELECT id, parentID, score FROM folder WHERE id = ?
          UNION SELECT d.id, d.parentID, d.score FROM folder d JOIN around ON d.id = around.parentID)
        SELECT sum(score) FROM around
        """, [folder]) ?? 0
    known[folder] = sum
    return sum
  }
}
