import CacheCore
import FeedModel
package import GRDB

// Rows that a list keeps although they no longer match.
extension ArticleList {
  /// Returns the rows of `keeping` that belong to the list without its filter.
  package func keptKeys(_ db: Database) throws -> [ListKey] {
    guard !keeping.isEmpty, hits == nil else { return [] }
    var sql = Conditions(index: nil, needle: needle)
    sql.add("s.isHidden = 0")
    sql.add("s.articleID = ?", Int64(0))
    if let tag { sql.add(SQLText.hasTag, tag) }
    if later { sql.add("s.laterAt IS NOT NULL") }
    if let since { sql.add("s.sortDate >= ?", since) }
    if let asOf { sql.add(Self.isInTime, asOf) }
    if unread && starred {
      sql.add("NOT (s.isRead = 0 AND s.isStarred = 1)")
    } else {
      sql.add(unread ? "s.isRead = 1" : "s.isStarred = 0")
    }
    let wanted: Set<Int64>? =
      switch feeds {
      case .all: nil
      case .one(let feed): [feed]
      case .several(let feeds): Set(feeds)
      }
    let text =
      "SELECT s.sortDate, s.articleID, s.feedID \(sql.from) WHERE \(sql.conditions)"
    var arguments = sql.allValues
    return try keeping.compactMap { id in
      arguments[0] = id
      return try db.first(text, StatementArguments(arguments)) { row in
        wanted?.contains(row["feedID"]) ?? true ? ListKey(row) : nil
      } ?? nil
    }
  }
}
