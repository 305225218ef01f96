import Foundation
package import GRDB

extension StateCache {
  /// Adds tags to articles and removes others. Case does not matter; white space becomes `-`. The
  /// changes are queued for the servers of accounts.
  /// - Returns: the reasons why some added tags are not sent to a server.
  @discardableResult
  public func changeTags(
    of articles: [ArticleID], adding: [String], removing: [String]
  ) async throws(StoreError) -> Set<LocalTags> {
    let adding = adding.map(TagRows.tidied).filter { !$0.isEmpty }
    let removing = removing.map(TagRows.tidied)
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      var rows = TagRows(transaction)
      var images: [RowImages] = []
      for (tag, isSet) in removing.map({ ($0, false) }) + adding.map({ ($0, true) }) {
        images += try rows.set(articles.map { ($0.rawValue, tag) }, isSet)
      }
      let subject = try Journal.title(of: images.flatMap(\.keys), db)
      try Journal.add(db, .tag, images, subject: subject, at: now)
      return rows.local
    }
  }

  /// Returns the tags that all of these articles have, in alphabetical order.
  public func tags(of articles: [ArticleID]) throws(StoreError) -> [String] {
    try database.values(
      """
      SELECT tag FROM articleTag WHERE articleID IN (SELECT value FROM json_each(?))
      GROUP BY tag HAVING count(*) = ? ORDER BY tag
      """, [SQLText.json(articles.map(\.rawValue)), articles.count])
  }

  /// Returns the user's tags of articles, and the names of the authors. Names without a comma need
  /// no text to be read.
  public func labels(
    of articles: [ArticleID]
  ) throws(StoreError) -> [ArticleID: (tags: [String], authors: [String])] {
    try database.read { db in
      try db.dictionary(
        """
        SELECT a.id, iif(instr(a.author, ', '),
            (SELECT authors FROM articleBody WHERE articleID = a.id),
            json_array(a.author, '')) AS authors,
          (SELECT json_group_array(tag) FROM
            (SELECT tag FROM articleTag WHERE articleID = a.id ORDER BY tag)) AS tags
        FROM json_each(?) i CROSS JOIN article a ON a.id = i.value
        """, [SQLText.json(articles.map(\.rawValue))]
      ) { row in
        let authors = StringList.authors(row["authors"]).compactMap(\.name)
        let tags = StringList.strings(row["tags"])
        return (row.id("id"), (tags: tags, authors: authors))
      }
    }
  }
}

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

  /// Adds tags to articles, as they are spelled already, or removes them.
  package mutating func set(
    _ tags: [(article: Int64, tag: String)], _ isSet: Bool
  ) throws -> [RowImages] {
    var changed: [String: [Int64]] = [:]
    for (article, tag) in tags {
      if let tag = try set(Self.known(tag, db), isSet, of: article) {
        changed[tag, default: []].append(article)
      }
    }
    return changed.map { .tag($0.key, isSet, $0.value) }
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
