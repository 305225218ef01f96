import CacheCore
package import GRDB

/// Writes the states that only rules and snoozes change.
package enum RuledOut {
  /// Hides articles and returns those that were not hidden for this reason before.
  package static func hide(
    _ ids: [Int64], _ db: Database, reason: Int64 = HiddenReason.rule
  ) throws -> [Int64] {
    try ids.filter { id in
      try db.run(
        "UPDATE articleStatus SET isHidden = isHidden | ?1 WHERE articleID = ?2 AND isHidden & ?1 = 0",
        [reason, id]) > 0
    }
  }

  package static func show(
    _ ids: [Int64], _ db: Database, reason: Int64 = HiddenReason.rule
  ) throws {
    for id in ids {
      try db.run(
        "UPDATE articleStatus SET isHidden = isHidden & ~?1 WHERE articleID = ?2 AND isHidden & ?1 <> 0",
        [reason, id])
    }
    try Deduplication.rejoin(ids, db)
  }

  package static func addScore(_ number: Int64, to id: Int64, _ db: Database) throws {
    try db.run("UPDATE articleStatus SET score = score + ? WHERE articleID = ?", [number, id])
  }
}
