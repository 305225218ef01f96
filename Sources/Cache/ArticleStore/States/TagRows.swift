import CacheCore
import FeedModel
package import GRDB

/// Changes tags of articles.
package struct TagRows {
  /// Longest tag in characters.
  private static let longest = 64

  private let transaction: Transaction
  package var db: Database { transaction.db }
  /// Reasons why some tags are not sent.
  private(set) var local: Set<LocalTags> = []

  package init(_ transaction: Transaction) { self.transaction = transaction }

  /// Replaces white space by `-` and cuts the tag to 64 characters.
  package static func tidied(_ tag: String) -> String {
    String(tag.split(whereSeparator: \.isWhitespace).joined(separator: "-").prefix(longest))
  }

  /// Returns the tag in the spelling of the first article that has it.
  package static func known(_ tag: String, _ db: Database) throws -> String {
    try db.value("SELECT tag FROM articleTag WHERE tag = ? LIMIT 1", [tag]) ?? tag
  }

  /// Adds a tag to an article or removes it. The change is queued for a server that has the tag or
  /// is to get it; a tag that was never sent is removed without a request.
  /// - Returns: the tag as it is spelled; `nil` if nothing has changed.
  package mutating func set(_ tag: String, _ isSet: Bool, of article: Int64) throws -> String? {
    guard isSet else {
      let row: (tag: String, isRemote: Bool)? = try db.first(
        "DELETE FROM articleTag WHERE articleID = ? AND tag = ? RETURNING tag, isRemote",
        [article, tag]
      ) { ($0["tag"], $0["isRemote"]) }
      guard let row else { return nil }
      try record(row.tag, false, of: article, isRemote: row.isRemote)
      return row.tag
    }
    let written = try db.run(
      "INSERT OR IGNORE INTO articleTag (articleID, tag) SELECT id, ? FROM article WHERE id = ?",
      [tag, article])
    guard written > 0 else { return nil }
    try record(tag, true, of: article, isRemote: false)
    return tag
  }

  /// Queues a tag for the server of the article's account.
  package mutating func record(
    _ tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool
  ) throws {
    let reason = try transaction.participants.recorder?.record(
      tag: tag, isSet, of: article, isRemote: isRemote, in: transaction)
    if let reason { local.insert(reason) }
  }
}
