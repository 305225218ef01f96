package import Foundation
package import GRDB

// Deletion of articles. Deleted articles are hidden at first, and removed when the journal no
// longer has the entry.

extension StateCache {
  /// Deletes articles with their duplicates in other feeds. Undo is possible while the journal has
  /// the entry. The articles do not return while their feeds list them. Returns the number deleted.
  @discardableResult
  public func delete(_ ids: [ArticleID]) async throws(StoreError) -> Int {
    guard !ids.isEmpty else { return 0 }
    return try await database.write(.user) { db, now in
      let all = try Deduplication.together(ids.map(\.rawValue), db)
      let deleted = try Deletion.hide(all, at: now, db)
      try Journal.add(
        db, .delete, [RowImages("isHidden", of: deleted, 0, HiddenReason.deleted)],
        subject: Journal.title(of: deleted, db), at: now)
      return deleted.count
    }
  }
}

package enum Deletion {
  /// Hides articles and returns those that were not deleted before.
  package static func hide(_ ids: [Int64], at now: Date, _ db: Database) throws -> [Int64] {
    let deleted = try Hiding.hide(ids, for: HiddenReason.deleted, db)
    try Tombstones.bury(deleted, at: now, db)
    return deleted
  }

  package static func show(_ ids: [Int64], _ db: Database) throws {
    try Hiding.hide(ids, false, for: HiddenReason.deleted, db)
    try db.run(
      """
      DELETE FROM tombstone WHERE (feedID, identity) IN (SELECT feedID, identity FROM article
        WHERE id IN (SELECT value FROM json_each(?)))
      """, [SQLText.json(ids)])
  }
}

/// Rows that keep a deleted item from returning.
package enum Tombstones {
  /// Milliseconds for which a tombstone is kept after its feed stopped listing the item, because
  /// some feeds omit items temporarily.
  static let gracePeriod = Duration.days(7).milliseconds
  /// Milliseconds between two updates of `listedAt`.
  private static let grain = Duration.days(1).milliseconds

  package static func bury(_ articles: [Int64], at now: Date, _ db: Database) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO tombstone (feedID, identity, at, listedAt, likeness)
      SELECT a.feedID, a.identity, ?1, ?1,
        weir_likeness(a.link, a.title, ifnull(b.publishedAt, b.updatedAt))
      FROM article a LEFT JOIN articleBody b ON b.articleID = a.id
      WHERE a.id IN (SELECT value FROM json_each(?2))
      """, [now.milliseconds, SQLText.json(articles)])
  }

  /// Records which tombstones of a feed its document still lists, and deletes those that were not
  /// listed for a week. Tombstones of articles that the user can still restore stay.
  static func update(_ feed: Int64, listed: Set<Int64>, at now: Int64, _ db: Database) throws {
    let old: [Int64] = try db.values(
      "SELECT identity FROM tombstone WHERE feedID = ? AND listedAt < ?", [feed, now - grain])
    guard !old.isEmpty else { return }
    try db.run(
      """
      UPDATE tombstone SET listedAt = ? WHERE feedID = ?
        AND identity IN (SELECT value FROM json_each(?))
      """, [now, feed, SQLText.json(old.filter(listed.contains))])
    try db.run(
      """
      DELETE FROM tombstone WHERE feedID = ?1 AND listedAt < ?2 AND NOT EXISTS
        (SELECT 1 FROM article WHERE feedID = ?1 AND identity = tombstone.identity)
      """, [feed, now - gracePeriod])
  }
}
