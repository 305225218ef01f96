import Foundation
import GRDB

/// Translates conditions of a query into parts of a statement over `articleStatus s`.
struct SearchResolver {
  typealias SQL = (sql: String, values: [any DatabaseValueConvertible])

  let db: Database

  /// Returns the condition of a term; always true if the term is about the text.
  func sql(_ term: SearchTerm) throws -> SQL {
    switch term {
    case .words, .pattern: ("1", [])
    case .feed(let name): feeds(try feeds(named: name))
    case .folder(let name):
      feeds(
        try all("SELECT id, title AS name, '' AS address FROM folder", holding: name)
          .flatMap { try FolderTree.feeds(of: FolderID(rawValue: $0), db) })
    case .tag(let name): try tag(name)
    case .state(.unread): ("s.isRead = 0", [])
    case .state(.read): ("s.isRead = 1", [])
    case .state(.starred): ("s.isStarred = 1", [])
    case .state(.later): ("s.laterAt IS NOT NULL", [])
    case .state(.duplicate): ("s.duplicateOf IS NOT NULL", [])
    case .state(.snoozed): ("s.articleID IN (SELECT articleID FROM snooze)", [])
    case .has(let content): has(content)
    case .language(let code):
      (
        """
        EXISTS (SELECT 1 FROM articleBody b JOIN feed f ON f.id = s.feedID
          WHERE b.articleID = s.articleID AND \(Self.isWritten("ifnull(b.language, f.language)")))
        """, [code, code + "-"]
      )
    case .minutes(let comparison, let speed):
      (
        """
        (SELECT iif(a.words = 0, 0, max(1, (a.words + ?1 / 2) / ?1)) FROM article a
          WHERE a.id = s.articleID) \(comparison.sign.rawValue) ?
        """.replacing("?1", with: String(speed)), [comparison.number]
      )
    case .before(let date): ("s.sortDate < ?", [date])
    case .after(let date): ("s.sortDate >= ?", [date])
    }
  }

  private static func isWritten(_ language: String) -> String {
    "(lower(\(language)) = ? OR instr(lower(\(language)), ?) = 1)"
  }

  private func has(_ content: SearchQuery.Content) -> SQL {
    let file = """
      EXISTS (SELECT 1 FROM article a JOIN enclosure e ON e.articleID = a.id
        WHERE a.id = s.articleID AND a.hasEnclosure = 1 AND instr(lower(e.mimeType), ?) = 1)
      """
    switch content {
    case .audio: return (file, ["audio/"])
    case .video: return (file, ["video/"])
    case .picture:
      return (
        """
        (\(file) OR EXISTS (SELECT 1 FROM articleBody b WHERE b.articleID = s.articleID
          AND (b.imageURL IS NOT NULL OR instr(b.html, ?) > 0)))
        """, ["image/", JudgedArticle.pictureMark]
      )
    case .discussion:
      return (
        """
        EXISTS (SELECT 1 FROM articleBody b
          WHERE b.articleID = s.articleID AND b.commentsURL IS NOT NULL)
        """, []
      )
    }
  }

  private func feeds(_ ids: [Int64]) -> SQL {
    ("s.feedID IN (SELECT value FROM json_each(?))", [SQLText.json(ids)])
  }

  private func feeds(named name: String) throws -> [Int64] {
    try all(
      """
      SELECT f.id, \(SQLText.feedName) AS name, f.url AS address FROM feed f
      WHERE f.removedAt IS NULL
      """, holding: name)
  }

  /// Returns the keys of rows whose name or address contains the text, without regard to case.
  private func all(_ sql: String, holding wanted: String) throws -> [Int64] {
    try db.all(sql) { row -> Int64? in
      let (name, address): (String, String) = (row["name"], row["address"])
      return name.lowercased().contains(wanted) || address.lowercased().contains(wanted)
        ? row["id"] : nil
    }.compactMap { $0 }
  }

  /// Matches the user's tags of articles and feeds, and the publishers' categories, also of
  /// articles that are not indexed yet.
  private func tag(_ name: String) throws -> SQL {
    let wanted = name.lowercased()
    let tagged = try db.all("SELECT id, tags FROM feed WHERE tags IS NOT NULL") { row -> Int64? in
      StringList.strings(row["tags"]).contains { $0.lowercased() == wanted } ? row["id"] : nil
    }.compactMap { $0 }
    let labels = try db.all("SELECT DISTINCT tag FROM articleTag") { row -> String in row["tag"] }
      .filter { $0.lowercased() == wanted }
    let ofFeed = feeds(tagged)
    var parts = [
      ofFeed.sql,
      """
      s.articleID IN
        (SELECT articleID FROM articleTag WHERE tag IN (SELECT value FROM json_each(?)))
      """,
    ]
    var values = ofFeed.values + [StringList.text(labels) ?? "[]"]
    if let pattern = SearchPattern(name, in: .anywhere, isPrefix: false) {
      parts.append("s.articleID IN (SELECT rowid FROM searchIndex WHERE searchIndex MATCH ?)")
      values.append("{tags} : \(pattern.expression)")
      let unindexed = try unindexed(pattern)
      if !unindexed.isEmpty {
        parts.append("s.articleID IN (SELECT value FROM json_each(?))")
        values.append(SQLText.json(unindexed))
      }
    }
    return ("(" + parts.joined(separator: " OR ") + ")", values)
  }

  /// Number of newest articles beyond the index whose categories are searched.
  private static let mostUnindexed = 500

  private func unindexed(_ pattern: SearchPattern) throws -> [Int64] {
    try db.all(
      """
      SELECT articleID, tags FROM articleBody WHERE articleID > ? AND tags IS NOT NULL
      ORDER BY articleID DESC LIMIT \(Self.mostUnindexed)
      """, [try SearchIndex.doneTo(db)]
    ) { row -> Int64? in
      let text = SearchText(StringList.strings(row["tags"]).joined(separator: "\n"))
      return pattern.hasWords(in: text) ? row["articleID"] : nil
    }.compactMap { $0 }
  }
}
