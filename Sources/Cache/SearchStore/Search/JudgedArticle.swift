import Foundation
import GRDB

/// The properties of a feed that conditions examine.
struct JudgedFeed {
  let id: Int64
  /// Name in lower case.
  private let name: String
  private let address: String
  /// Titles of the enclosing folders, in lower case.
  let folders: [String]
  /// Tags in lower case.
  let tags: [String]
  let language: String?

  static func find(_ id: Int64, _ db: Database) throws -> JudgedFeed? {
    let folders: [String] = try db.values(
      """
      WITH RECURSIVE around (id, parentID, title) AS (
        SELECT d.id, d.parentID, d.title FROM folder d JOIN feed f ON f.folderID = d.id
          WHERE f.id = ?
        UNION SELECT d.id, d.parentID, d.title FROM folder d JOIN around ON d.id = around.parentID)
      SELECT title FROM around
      """, [id])
    return try db.first(
      """
      SELECT \(SQLText.feedName) AS name, f.url, f.tags, f.language FROM feed f WHERE f.id = ?
      """, [id]
    ) { row in
      JudgedFeed(
        id: id, name: (row["name"] as String).lowercased(),
        address: (row["url"] as String).lowercased(), folders: folders.map { $0.lowercased() },
        tags: StringList.strings(row["tags"]).map { $0.lowercased() }, language: row["language"])
    }
  }

  /// - Parameter text: lower case.
  func isNamed(_ text: String) -> Bool { name.contains(text) || address.contains(text) }
}

/// An article for conditions: its row, and other parts on demand.
final class JudgedArticle {
  /// Start of a picture in the text of an article.
  static let pictureMark = "<img "

  let columns: JudgedColumns
  let feed: JudgedFeed
  let text: SearchedText
  private let db: Database
  private var mimeTypes: [String]?

  private init(
    _ row: Row, _ feed: JudgedFeed, _ db: Database, _ plainText: @escaping (String) -> [UInt8]
  ) {
    let columns = JudgedColumns(row)
    (self.columns, self.feed, self.db) = (columns, feed, db)
    text = SearchedText(
      title: columns.title, author: columns.author ?? "", tags: StringList.strings(columns.tags),
      html: { try SearchedText.html(of: columns.id, db) }, plainText: plainText)
  }

  /// Returns articles of one feed, in the order of their keys.
  static func find(
    _ ids: [Int64], of feed: JudgedFeed, _ db: Database, _ plainText: @escaping (String) -> [UInt8]
  ) throws -> [JudgedArticle] {
    try db.all(
      """
      SELECT \(JudgedColumns.names)
      FROM json_each(?) i CROSS JOIN article a ON a.id = i.value
        CROSS JOIN articleBody b ON b.articleID = a.id
        CROSS JOIN articleStatus s ON s.articleID = a.id
      ORDER BY i.key
      """, [SQLText.json(ids)]
    ) { JudgedArticle($0, feed, db, plainText) }
  }

  func has(_ content: SearchQuery.Content) throws -> Bool {
    switch content {
    case .audio: try hasFile("audio/")
    case .video: try hasFile("video/")
    case .picture:
      try columns.hasPicture || hasFile("image/")
        || db.exists(
          "SELECT 1 FROM articleBody WHERE articleID = ? AND instr(html, ?) > 0",
          [columns.id, Self.pictureMark])
    case .discussion: columns.hasDiscussion
    }
  }

  private func hasFile(_ type: String) throws -> Bool {
    guard columns.hasEnclosure else { return false }
    let types: [String] =
      try mimeTypes
      ?? db.values("SELECT lower(mimeType) FROM enclosure WHERE articleID = ?", [columns.id])
    mimeTypes = types
    return types.contains { $0.hasPrefix(type) }
  }

  /// - Parameter code: lower case.
  func isWritten(in code: String) -> Bool {
    guard let language = (columns.language ?? feed.language)?.lowercased() else { return false }
    return language == code || language.hasPrefix(code + "-")
  }

  func hasTag(_ name: String) throws -> Bool {
    if feed.tags.contains(name.lowercased()) { return true }
    if let pattern = SearchPattern(name, in: .anywhere, isPrefix: false),
      pattern.hasWords(in: text.tagWords)
    {
      return true
    }
    return try db.exists(
      "SELECT 1 FROM articleTag WHERE articleID = ? AND tag = ?", [columns.id, name])
  }
}
