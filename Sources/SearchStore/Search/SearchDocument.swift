import ArticleStore
import CacheCore
import FeedModel
import Foundation
import GRDB

/// The indexed text of an article.
struct SearchDocument {
  var title: String
  var author: String
  /// Plain text as UTF-8.
  var body: [UInt8]
  var tags: [String]

  /// Bytes of HTML that are indexed; text after them is not found.
  static let longestBody = 262_144

  /// Reads a row of `searchDocument` or `searchStale`.
  init(_ row: Row, _ plainText: (String) -> [UInt8]) {
    title = row["title"] ?? ""
    author = row["author"] ?? ""
    tags = StringList.strings(row["tags"])
    let html: String = row["html"] ?? ""
    body = plainText(ItemText.cut(html, Self.longestBody))
  }

  /// Returns the text of an article; `nil` if there is no such article.
  static func find(
    _ id: Int64, _ db: Database, _ plainText: (String) -> [UInt8]
  ) throws -> SearchDocument? {
    try db.first(
      "SELECT title, author, tags, html FROM searchDocument WHERE articleID = ?", [id]
    ) { SearchDocument($0, plainText) }
  }

  /// Runs a statement of the index, with the article's key at 1 and its columns from 2 on.
  func run(_ statement: DirectStatement, _ id: Int64) throws {
    let body = SearchText.distinct(body)
    try statement.bind(id, at: 1)
    try statement.bind(SearchText.distinct(title), at: 2)
    try statement.bind(SearchText.distinct(author), at: 3)
    try statement.bind(SearchText.distinct(tags.joined(separator: "\n")), at: 5)
    try statement.run(with: body, at: 4)
  }
}
