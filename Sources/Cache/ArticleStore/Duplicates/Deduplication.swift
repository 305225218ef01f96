import Foundation
package import GRDB

/// Finds duplicates: articles of several feeds with the same link, of which mixed lists show one.
package enum Deduplication {
  /// The largest number of articles with one link for which the link identifies an article.
  private static let mostCandidates = 16

  /// The article that lists show for a group of duplicates.
  struct Canonical {
    var id: Int64
    var isRead: Bool
    var isStarred: Bool
  }

  /// An article and its duplicates.
  package struct Group {
    package struct Member {
      package var id: Int64
      /// Account of the feed; `nil` for a local feed.
      package var account: Int64?
      package var isHidden: Bool
    }
    /// All articles of the group, including the canonical one.
    package var articles: [Member]
    /// The requested ones among them.
    var chosen: Set<Int64>
  }

  /// Returns the canonical article for a new article of this feed with this link. Returns `nil` if
  /// there is none, or if a feed uses the link for several articles, so that it does not identify
  /// an article.
  static func canonical(
    of link: Int64, feed: Int64, for article: Int64 = 0, _ candidates: DirectStatement
  ) throws -> Canonical? {
    guard Link.isIdentifying(link) else { return nil }
    var feeds: [Int64] = [feed]
    var canonical: Canonical?
    var isAmbiguous = false
    try candidates.bind(link, at: 1)
    try candidates.bind(article, at: 2)
    try candidates.forEachRow { row in
      if feeds.contains(row.integer(1)) { isAmbiguous = true }
      feeds.append(row.integer(1))
      if row.isNull(4), row.integer(5) == 0, canonical == nil {
        canonical = Canonical(
          id: row.integer(0), isRead: row.integer(2) != 0, isStarred: row.integer(3) != 0)
      }
    }
    return isAmbiguous || feeds.count > mostCandidates ? nil : canonical
  }

  /// Returns the statement that selects the articles with a link, except one article.
  package static func candidates(_ db: Database) throws -> DirectStatement {
    try DirectStatement(
      """
      SELECT a.id, a.feedID, s.isRead, s.isStarred, s.duplicateOf, s.isHidden
      FROM article a JOIN articleStatus s ON s.articleID = a.id
      WHERE a.link = ? AND a.id <> ? LIMIT \(mostCandidates)
      """, db)
  }

  /// Gives a new duplicate a state of its own: no marks, or the marks of the canonical article if
  /// both belong to the same account.
  static func separate(_ duplicate: Int64, from canonical: Canonical, _ db: Database) throws {
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
      """, [duplicate, canonical.id])
    try db.run(
      """
      DELETE FROM ownStatus WHERE articleID = ?1 AND (isRead, isStarred) =
        (SELECT isRead, isStarred FROM articleStatus WHERE articleID = ?1)
      """, [duplicate])
  }

  /// Makes articles that lists show again duplicates of an article that has arrived from another
  /// feed. A mark of one article is shown on all articles of the group, but no change is sent to
  /// servers.
  package static func rejoin(_ articles: [Int64], _ db: Database) throws {
    let candidates = try candidates(db)
    for id in articles {
      let alone: (feed: Int64, link: Int64)? = try db.first(
        """
        SELECT a.feedID, a.link FROM article a JOIN articleStatus s ON s.articleID = a.id
        WHERE a.id = ? AND s.isHidden = 0 AND s.duplicateOf IS NULL AND a.link IS NOT NULL
        """, [id]
      ) { ($0["feedID"], $0["link"]) }
      guard let alone,
        let canonical = try canonical(of: alone.link, feed: alone.feed, for: id, candidates)
      else { continue }
      try db.run(
        "UPDATE articleStatus SET duplicateOf = ?1 WHERE articleID = ?2 OR duplicateOf = ?2",
        [canonical.id, id])
      for state in [ArticleMark.read, .starred] {
        let writer = try StatusWriter(state, db)
        let duplicates: [(id: Int64, isSet: Bool)] = try db.all(
          "SELECT articleID, \(state.rawValue) AS isSet FROM articleStatus WHERE articleID = ?1 OR duplicateOf = ?1",
          [canonical.id]
        ) { ($0["articleID"], $0["isSet"]) }
        guard duplicates.contains(where: \.isSet) else { continue }
        try StatusRows.note(duplicates.map(\.id).filter { try writer.show($0, true) }, db)
      }
    }
  }

  /// Moves an article whose link has changed to another group of duplicates.
  static func regroup(_ article: Int64, _ db: Database) throws {
    // The remaining articles get a new canonical article, as after a deletion.
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

  /// Returns the articles with all their duplicates, ascending.
  package static func together(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    let (alone, groups) = try groups(ids, db)
    return (alone + groups.flatMap { $0.articles.map(\.id) }).sorted()
  }

  /// Splits articles into those without duplicates and groups of duplicates.
  package static func groups(_ ids: [Int64], _ db: Database) throws -> (
    alone: [Int64], groups: [Group]
  ) {
    let hasDuplicates = try db.exists(
      "SELECT 1 FROM articleStatus WHERE duplicateOf IS NOT NULL LIMIT 1")
    guard hasDuplicates else { return (ids, []) }
    var alone: [Int64] = []
    var groups: [Int64: Group] = [:]
    for id in ids {
      let first: Int64 =
        try db.value(
          "SELECT ifnull(duplicateOf, articleID) FROM articleStatus WHERE articleID = ?", [id]
        ) ?? id
      if groups[first] != nil {
        groups[first]?.chosen.insert(id)
        continue
      }
      let articles = try db.all(
        """
        SELECT s.articleID, f.accountID, s.isHidden FROM articleStatus s JOIN feed f ON f.id = s.feedID
        WHERE s.articleID = ?1 OR s.duplicateOf = ?1
        """, [first]
      ) {
        Group.Member(
          id: $0["articleID"], account: $0["accountID"] as Int64?,
          isHidden: $0["isHidden"] as Int64 != 0)
      }
      if articles.count < 2 {
        alone.append(id)
      } else {
        groups[first] = Group(articles: articles, chosen: [id])
      }
    }
    return (alone, groups.keys.sorted().compactMap { groups[$0] })
  }
}

/// The roles of articles in their groups of duplicates. The role of a duplicate is the key of the
/// canonical article, which lists show; the role of a canonical article is 0.
package enum DuplicateRoles {
  /// Returns the roles of all articles in the groups of the given articles.
  package static func roles(of articles: [Int64], _ db: Database) throws -> [Int64: Int64] {
    guard !articles.isEmpty else { return [:] }
    let groups = try Deduplication.groups(articles, db).groups
    return try current(groups.flatMap { $0.articles.map(\.id) }, db)
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

  /// Writes the roles of groups that still have the same articles.
  package static func write(_ roles: [Int64: Int64], _ db: Database) throws {
    for (first, members) in Dictionary(grouping: roles, by: { $1 == 0 ? $0 : $1 }) {
      let articles = Set(members.map(\.key))
      guard Set(try Deduplication.together([first], db)) == articles else { continue }
      for (article, canonical) in members.sorted(by: { $0.key < $1.key }) {
        try db.run(
          "UPDATE articleStatus SET duplicateOf = nullif(?1, 0) WHERE articleID = ?2",
          [canonical, article])
      }
    }
  }
}
