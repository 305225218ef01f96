import CacheCore
import FeedModel
package import GRDB

/// Articles that the user marked unread by hand. Marking a list, a part of a list or passed rows
/// read leaves them unread; so do rules. An article that the user marks read individually is no
/// longer kept unread.
package enum KeptUnread {
  /// Adds articles that the user marked unread.
  static func add(_ ids: [Int64], _ db: Database) throws {
    for id in ids { try db.run("INSERT OR IGNORE INTO keptUnread (articleID) VALUES (?)", [id]) }
  }

  /// Removes articles that became read, however that happened.
  static func remove(_ ids: [Int64], _ db: Database) throws {
    guard !ids.isEmpty else { return }
    let kept = try all(db)
    guard !kept.isEmpty else { return }
    for id in ids where kept.contains(id) {
      try db.run("DELETE FROM keptUnread WHERE articleID = ?", [id])
    }
  }

  /// Returns articles without those that are kept unread, in the same order.
  package static func removing(from ids: [Int64], _ db: Database) throws -> [Int64] {
    let kept = try all(db)
    return kept.isEmpty ? ids : ids.filter { !kept.contains($0) }
  }

  private static func all(_ db: Database) throws -> Set<Int64> {
    Set(try db.all("SELECT articleID FROM keptUnread") { $0["articleID"] as Int64 })
  }
}
