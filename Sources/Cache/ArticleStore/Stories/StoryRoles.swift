import CacheCore
package import GRDB

/// The roles of articles in their stories: for each article, the article of which it is a copy, or
/// 0 if lists show the article itself.
package enum StoryRoles {
  /// Returns the roles of all copies of the stories to which articles belong.
  package static func roles(of articles: [Int64], _ db: Database) throws -> [Int64: Int64] {
    guard !articles.isEmpty else { return [:] }
    let stories = try Deduplication.stories(articles, db).stories
    return try current(stories.flatMap { $0.copies.map(\.id) }, db)
  }

  package static func changes(since before: [Int64: Int64], _ db: Database) throws -> [RowImages] {
    let after = try current(Array(before.keys), db)
    return before.compactMap { article, old in
      guard let new = after[article], new != old else { return nil }
      return RowImages("duplicateOf", of: [article], old == 0 ? nil : old, new == 0 ? nil : new)
    }
  }

  private static func current(_ articles: [Int64], _ db: Database) throws -> [Int64: Int64] {
    guard !articles.isEmpty else { return [:] }
    return Dictionary(
      try db.all(
        """
        SELECT articleID, ifnull(duplicateOf, 0) AS original FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?))
        """, [SQLText.json(articles)]
      ) { ($0["articleID"] as Int64, $0["original"] as Int64) }, uniquingKeysWith: { a, _ in a })
  }

  /// Writes the roles of stories that still have the same articles.
  package static func write(_ roles: [Int64: Int64], _ db: Database) throws {
    for (first, members) in Dictionary(grouping: roles, by: { $1 == 0 ? $0 : $1 }) {
      let articles = Set(members.map(\.key))
      guard Set(try Deduplication.together([first], db)) == articles else { continue }
      for (article, original) in members.sorted(by: { $0.key < $1.key }) {
        try db.run(
          "UPDATE articleStatus SET duplicateOf = nullif(?1, 0) WHERE articleID = ?2",
          [original, article])
      }
    }
  }
}
