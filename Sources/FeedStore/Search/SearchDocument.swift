import FeedModel
import Foundation
import GRDB

/// An article's text as it is indexed and looked through.
struct SearchDocument {
  var title: String
  var author: String
  /// Plain text.
  var body: String
  var tags: [String]

  /// Bytes of HTML that are looked at; what stands further down is not found.
  static let longestBody = 262_144

  /// Of a row of `searchDocument` or `searchStale`.
  init(_ row: Row, _ plainText: (String) -> String) {
    title = row["title"] ?? ""
    author = row["author"] ?? ""
    tags = StringList.strings(row["tags"])
    let html: String = row["html"] ?? ""
    body = plainText(ItemText.cut(html, Self.longestBody))
  }

  /// Nil where there is no such article.
  static func find(
    _ id: Int64, _ db: Database, _ plainText: (String) -> String
  ) throws -> SearchDocument? {
    try db.first(
      "SELECT title, author, tags, html FROM searchDocument WHERE articleID = ?", [id]
    ) { SearchDocument($0, plainText) }
  }

  /// In the order of the index's columns.
  var columns: StatementArguments {
    [
      SearchText(title).text, SearchText(author).text, SearchText(body).text,
      SearchText(tags.joined(separator: "\n")).text,
    ]
  }
}
