import Foundation
package import GRDB

/// Deduplication: mixed lists show a story of several feeds once.
package enum Deduplication {
  /// Largest number of articles with one link for which the link identifies a story.
  private static let mostTwins = 16

  /// An article that has copies.
  struct Original {
    var id: Int64
    var isRead: Bool
    var isStarred: Bool
  }

  /// A story that several feeds contain.
  package struct Story {
    package struct Copy {
      package var id: Int64
      /// Account of the feed; `nil` for a local feed.
      package var account: Int64?
      package var isHidden: Bool
    }
    /// All copies, including the first.
    package var copies: [Copy]
    /// The copies among the requested articles.
    var chosen: Set<Int64>
  }

  /// Finds the article that a new article of this feed with this link would duplicate. Returns
  /// `nil` if a feed uses the link for several articles, so that it does not identify a story.
  static func original(
    of link: Int64, feed: Int64, for article: Int64 = 0, _ twins: DirectStatement
  ) throws -> Original? {
    guard Link.isStory(link) else { return nil }
    var feeds: [Int64] = [feed]
    var original: Original?
    var isAmbiguous = false
    try twins.bind(link, at: 1)
    try twins.bind(article, at: 2)
    try twins.forEachRow { row in
      if feeds.contains(row.integer(1)) { isAmbiguous = true }
      feeds.append(row.integer(1))
      if row.isNull(4), row.integer(5) == 0, original == nil {
        original = Original(
          id: row.integer(0), isRead: row.integer(2) != 0, isStarred: row.integer(3) != 0)
      }
    }
    return isAmbiguous || feeds.count > mostTwins ? nil : original
  }

  /// Returns the statement that selects the articles with a link, except one article.
  package static func twins(_ db: Database) throws -> DirectStatement {
    try DirectStatement(
      """
      SELECT a.id, a.feedID, s.isRead, s.isStarred, s.duplicateOf, s.isHidden
      FROM article a JOIN articleStatus s ON s.articleID = a.id
      WHERE a.link = ? AND a.id <> ? LIMIT \(mostTwins)
      """, db)
  }

  /// Gives a new copy its own state: no marks, or those of the original if it has the same account.
  static func separate(_ copy: Int64, from original: Original, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO ownStatus (articleID, isRead, isStarred)
      SELECT ?1, iif(isSame, isRead, 0), iif(isSame, isStarred, 0) FROM (
        SELECT ifnull(o.isRead, s.isRead) AS isRead, ifnull(o.isStarred, s.isStarred) AS isStarred,
          f.accountID IS (SELECT f.accountID FROM articleStatus s JOIN feed f ON f.id = s.feedID
            WHERE s.articleID = ?1) AS isSame
        FROM articleStatus s JOIN feed f ON f.id = s.feedID
          LEFT JOIN ownStatus o ON o.articleID = s.articleID
        WHERE s.articleID = ?2)
      """, [copy, original.id])
    try db.run(
      """
      DELETE FROM ownStatus WHERE articleID = ?1 AND (isRead, isStarred) =
        (SELECT isRead, isStarred FROM articleStatus WHERE articleID = ?1)
      """, [copy])
  }

  /// Makes articles that lists show again copies of a story that has arrived from another feed. A
  /// mark of one copy is shown on all, but servers get no change.
  package static func rejoin(_ articles: [Int64], _ db: Database) throws {
    let twins = try twins(db)
    for id in articles {
      let alone: (feed: Int64, link: Int64)? = try db.first(
        """
        SELECT a.feedID, a.link FROM article a JOIN articleStatus s ON s.articleID = a.id
        WHERE a.id = ? AND s.isHidden = 0 AND s.duplicateOf IS NULL AND a.link IS NOT NULL
        """, [id]
      ) { ($0["feedID"], $0["link"]) }
      guard let alone, let original = try original(of: alone.link, feed: alone.feed, for: id, twins)
      else { continue }
      try db.run(
        "UPDATE articleStatus SET duplicateOf = ?1 WHERE articleID = ?2 OR duplicateOf = ?2",
        [original.id, id])
      for state in [ArticleMark.read, .starred] {
        let writer = try StatusWriter(state, db)
        let copies: [(id: Int64, isSet: Bool)] = try db.all(
          "SELECT articleID, \(state.rawValue) AS isSet FROM articleStatus WHERE articleID = ?1 OR duplicateOf = ?1",
          [original.id]
        ) { ($0["articleID"], $0["isSet"]) }
        guard copies.contains(where: \.isSet) else { continue }
        try StatusRows.note(copies.map(\.id).filter { try writer.show($0, true) }, db)
      }
    }
  }

  /// Separates an article whose link has changed from its story, and joins it to another.
  static func refold(_ article: Int64, _ db: Database) throws {
    // The copies of the article get a new first one, as after its deletion.
    try db.run(
      """
      UPDATE articleStatus SET duplicateOf = nullif((SELECT articleID FROM articleStatus
          WHERE duplicateOf = ?1 ORDER BY isHidden <> 0, articleID LIMIT 1), articleID)
        WHERE duplicateOf = ?1
      """, [article])
    try db.run(
      "UPDATE articleStatus SET duplicateOf = NULL WHERE articleID = ? AND duplicateOf IS NOT NULL",
      [article])
    try StatusWriter.showOwn(article, db)
    try rejoin([article], db)
  }

  /// Returns the articles with all copies of their stories, ascending.
  package static func together(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    let (alone, stories) = try stories(ids, db)
    return (alone + stories.flatMap { $0.copies.map(\.id) }).sorted()
  }

  /// Separates articles without copies from stories with copies.
  package static func stories(_ ids: [Int64], _ db: Database) throws -> (
    alone: [Int64], stories: [Story]
  ) {
    let hasCopies = try db.exists(
      "SELECT 1 FROM articleStatus WHERE duplicateOf IS NOT NULL LIMIT 1")
    guard hasCopies else { return (ids, []) }
    var alone: [Int64] = []
    var stories: [Int64: Story] = [:]
    for id in ids {
      let first: Int64 =
        try db.value(
          "SELECT ifnull(duplicateOf, articleID) FROM articleStatus WHERE articleID = ?", [id]
        ) ?? id
      if stories[first] != nil {
        stories[first]?.chosen.insert(id)
        continue
      }
      let copies = try db.all(
        """
        SELECT s.articleID, f.accountID, s.isHidden FROM articleStatus s JOIN feed f ON f.id = s.feedID
        WHERE s.articleID = ?1 OR s.duplicateOf = ?1
        """, [first]
      ) {
        Story.Copy(
          id: $0["articleID"], account: $0["accountID"] as Int64?,
          isHidden: $0["isHidden"] as Int64 != 0)
      }
      if copies.count < 2 {
        alone.append(id)
      } else {
        stories[first] = Story(copies: copies, chosen: [id])
      }
    }
    return (alone, stories.keys.sorted().compactMap { stories[$0] })
  }
}

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
