public import Foundation
import GRDB

extension ArticleCache {
  /// Returns the duplicates of an article in other feeds, in the order of arrival. Lists of several
  /// feeds show only one of them.
  public func duplicates(of article: ArticleID) throws(StoreError) -> [ArticleRow] {
    try database.read { db in
      let ids: [Int64] = try db.values(
        """
        SELECT articleID FROM articleStatus WHERE isHidden = 0 AND articleID <> ?1 AND
          articleID = (SELECT duplicateOf FROM articleStatus WHERE articleID = ?1)
        UNION SELECT articleID FROM articleStatus INDEXED BY status_duplicates
          WHERE isHidden = 0 AND articleID <> ?1 AND duplicateOf =
            (SELECT ifnull(duplicateOf, articleID) FROM articleStatus WHERE articleID = ?1)
        ORDER BY 1
        """, [article.rawValue])
      return try ids.compactMap { try ArticleList.row($0, db) }
    }
  }

  public func revisionCount(of article: ArticleID) throws(StoreError) -> Int {
    try database.value(
      "SELECT count(*) FROM articleRevision WHERE articleID = ?", [article.rawValue]) ?? 0
  }

  /// The most articles of one change that a person may have read; larger changes marked lists.
  private static var mostAtOnce: Int { 16 }

  /// Returns the articles read last with the times, newest first, from the journal, which has 30
  /// days. Lists that were marked read as a whole are left out.
  public func recentlyRead(limit: Int = 200) throws(StoreError) -> [(row: ArticleRow, at: Date)] {
    try database.read { db in
      let entries = try Row.fetchCursor(
        db,
        sql: """
          SELECT at, images FROM journal
          WHERE kind IN (?, ?) AND isUndone = 0 AND count <= ? ORDER BY id DESC
          """,
        arguments: [
          JournalEntry.Kind.open.rawValue, JournalEntry.Kind.markRead.rawValue, Self.mostAtOnce,
        ])
      var found: [(row: ArticleRow, at: Date)] = []
      var known: Set<Int64> = []
      while found.count < limit, let entry = try entries.next() {
        let at: Int64 = entry["at"]
        for id in Journal.articles(entry) where known.insert(id).inserted {
          // Skips articles that are unread again, deleted, or of a removed feed.
          guard let row = try ArticleList.row(id, db), row.status.isRead,
            try db.exists("SELECT 1 FROM articleStatus WHERE articleID = ? AND isHidden = 0", [id])
          else { continue }
          found.append((row, Date(milliseconds: at)))
        }
      }
      return found
    }
  }
}

/// A list of several feeds shows each story once, by the canonical article or else the earliest one
/// in the feeds of the list. A list of marked articles shows the earliest that has the mark.
extension ArticleList {
  /// True for a list of articles with a mark that their duplicates may lack.
  var hasSign: Bool { starred || later || tag != nil }

  /// The condition that a duplicate `o` has the mark, with its value.
  private var sign: (condition: String, values: [any DatabaseValueConvertible]) {
    let marks =
      (starred ? " AND o.isStarred = 1" : "") + (later ? " AND o.laterAt IS NOT NULL" : "")
    guard let tag else { return (marks, []) }
    return (
      marks
        + " AND EXISTS (SELECT 1 FROM articleTag w WHERE w.articleID = o.articleID AND w.tag = ?)",
      [tag]
    )
  }

  /// The condition on the duplicates `o` of a row `s` before it.
  private static let isBefore = """
    o.isHidden = 0 AND (o.articleID = s.duplicateOf
      OR o.duplicateOf = s.duplicateOf AND o.articleID < s.articleID)
    """

  /// Leaves out articles whose story an earlier article of the list tells.
  package func hideDuplicates(_ sql: inout Conditions) {
    switch feeds {
    case .one: break
    case .all where !hasSign: sql.add("s.duplicateOf IS NULL")
    default:
      sql.add("(s.duplicateOf IS NULL OR NOT \(repeated.condition))", values: repeated.values)
    }
  }

  private var repeated: (condition: String, values: [any DatabaseValueConvertible]) {
    var (condition, values) = sign
    if case .several(let feeds) = feeds {
      condition += " AND o.feedID IN (SELECT value FROM json_each(?))"
      values.append(SQLText.json(feeds))
    }
    return ("EXISTS (SELECT 1 FROM articleStatus o WHERE \(Self.isBefore)\(condition))", values)
  }

  func isRepeated(_ article: Int64, in feeds: Set<Int64>, _ db: Database) throws -> Bool {
    let others: [Int64] = try db.values(
      """
      SELECT o.feedID FROM articleStatus s JOIN articleStatus o ON \(Self.isBefore)
      WHERE s.articleID = ?\(sign.condition)
      """, StatementArguments([article] + sign.values))
    return others.contains(where: feeds.contains)
  }

  /// Counts articles of the list whose story an earlier one tells.
  func repeatedCount(_ db: Database) throws -> Int {
    let (condition, values) = repeated
    return try db.value(
      """
      SELECT count(*) FROM articleStatus s
        INDEXED BY \(starred ? "list_starred" : "list_duplicates")
      WHERE s.isHidden = 0 AND s.duplicateOf IS NOT NULL\(starred ? " AND s.isStarred = 1" : "")
        \(unread ? "AND s.isRead = 0" : "") \(inFeeds) AND \(condition)
      """, StatementArguments((inFeeds.isEmpty ? [] : values.suffix(1)) + values)) ?? 0
  }

  private var inFeeds: String {
    if case .several = feeds { "AND s.feedID IN (SELECT value FROM json_each(?))" } else { "" }
  }

  /// Returns the unread articles in the feeds of a list of several feeds that have duplicates. The
  /// list does not show them if it shows a duplicate, which may be read.
  func unreadDuplicates(_ db: Database) throws -> [Int64] {
    guard hits == nil, needle == nil, !hasSign else { return [] }
    if case .one = feeds { return [] }
    let feedList = inFeeds.isEmpty ? [] : [SQLText.json(rangeFeeds.compactMap(\.self))]
    return try db.values(
      """
      SELECT s.articleID FROM articleStatus s INDEXED BY list_duplicates
      WHERE s.isHidden = 0 AND s.duplicateOf IS NOT NULL AND s.isRead = 0 \(inFeeds)
        AND s.sortDate >= ? AND s.articleID <= ?
      """, StatementArguments(feedList) + [since ?? Int64.min, asOf ?? Int64.max])
  }
}
