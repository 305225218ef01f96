import GRDB

/// Which article of a story stands for the others, before and after some of them were hidden.
struct StoryRoles: Codable {
  /// An article and what it is a copy of; 0: it is shown itself.
  private var before: [Int64: Int64]
  private var after: [Int64: Int64]

  /// The stories of several feeds that these articles belong to.
  static func of(_ articles: [Int64], _ db: Database) throws -> [StoryRoles] {
    guard !articles.isEmpty else { return [] }
    return try Deduplication.stories(articles, db).stories.map { story in
      StoryRoles(before: try roles(story.copies.map(\.id), db), after: [:])
    }
  }

  /// Those whose roles are others now.
  static func changed(_ stories: [StoryRoles], _ db: Database) throws -> [StoryRoles] {
    try stories.compactMap { story in
      let after = try roles(Array(story.before.keys), db)
      return after == story.before ? nil : StoryRoles(before: story.before, after: after)
    }
  }

  private static func roles(_ articles: [Int64], _ db: Database) throws -> [Int64: Int64] {
    Dictionary(
      try db.all(
        "SELECT articleID, ifnull(duplicateOf, 0) AS original FROM articleStatus WHERE articleID IN (SELECT value FROM json_each(?))",
        [SQLText.json(articles)]
      ) { ($0["articleID"] as Int64, $0["original"] as Int64) }, uniquingKeysWith: { a, _ in a })
  }

  /// Only where the story has the same articles as then.
  func apply(isUndo: Bool, _ db: Database) throws {
    let wanted = isUndo ? before : after
    guard let first = wanted.keys.min(),
      Set(try Deduplication.together([first], db)) == Set(wanted.keys)
    else { return }
    for (article, original) in wanted.sorted(by: { $0.key < $1.key }) {
      let duplicateOf: Int64? = original == 0 ? nil : original
      try db.run(
        "UPDATE articleStatus SET duplicateOf = ?1 WHERE articleID = ?2 AND duplicateOf IS NOT ?1",
        [duplicateOf, article])
    }
  }
}
