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

  /// The columns of `searchDocument` and `searchStale` that `init` reads, after the article's key.
  static let columns = "articleID, title, author, tags, html"

  /// Reads a row of `columns`.
  init(_ row: DirectStatement.Columns, _ plainText: (String) -> [UInt8]) {
    title = row.text(1)
    author = row.text(2)
    tags = StringList.strings(row.text(3))
    body = plainText(ItemText.cut(row.text(4), Self.longestBody))
  }

  /// Runs a statement of the index, with the article's key at 1 and its columns from 2 on.
  func run(_ statement: DirectStatement, _ id: Int64) throws {
    let body = SearchText.distinct(body)
    try statement.bind(id, at: 1)
    try statement.bind(SearchText.distinct(title.utf8), at: 2)
    try statement.bind(SearchText.distinct(author.utf8), at: 3)
    try statement.bind(SearchText.distinct(tags.joined(separator: "\n").utf8), at: 5)
    try statement.run(with: body, at: 4)
  }
}
