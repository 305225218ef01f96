import FeedModel
import Foundation
import GRDB

/// What two articles have in common that mean the same: the page that they lead to.
enum Link {
  /// Of the canonical address: an even number. Where several items may share an address (a front page,
  /// none at all) of the title with it, or of everything that the item says: an odd number.
  static func hash(url: String?, title: String, fingerprint: Int64) -> Int64 {
    guard let url else { return Fingerprint.identity("\(fingerprint)\n\(title)") | 1 }
    if let canonical = WebAddress(url).canonical { return Fingerprint.identity(canonical) & ~1 }
    return Fingerprint.identity(url + "\n" + title) | 1
  }

  /// Whether the link is that of a page of its own, which different feeds may lead to.
  static func isStory(_ link: Int64) -> Bool { link & 1 == 0 }

  /// Address and title in one, for what remains of a deleted article.
  static func likeness(_ link: Int64, title: String) -> Int64 {
    Int64(bitPattern: Fingerprint.hash(title, seed: UInt64(bitPattern: link)))
  }

  /// For migrations: `weir_link(url, title, fingerprint)`.
  static let function = DatabaseFunction("weir_link", argumentCount: 3, pure: true) { values in
    hash(
      url: String.fromDatabaseValue(values[0]),
      title: String.fromDatabaseValue(values[1]) ?? "",
      fingerprint: Int64.fromDatabaseValue(values[2]) ?? 0)
  }

  /// For tombstones: `weir_likeness(link, title)`.
  static let likenessFunction = DatabaseFunction(
    "weir_likeness", argumentCount: 2, pure: true
  ) { values in
    likeness(
      Int64.fromDatabaseValue(values[0]) ?? 0, title: String.fromDatabaseValue(values[1]) ?? "")
  }
}

/// Folding: a story that several feeds bring stands once in mixed lists.
enum Folding {
  /// How many articles with one link are looked at; a link that so many share is no story.
  private static let mostTwins = 16

  /// The article that a new one of this feed would be a copy of, with its state. Nil where there is
  /// none, or where a feed uses the link for more than one article: then it does not tell stories
  /// apart.
  static func original(
    of link: Int64, feed: Int64, for article: Int64 = 0, _ db: Database
  ) throws -> (id: Int64, isRead: Bool, isStarred: Bool)? {
    guard Link.isStory(link) else { return nil }
    var feeds: Set<Int64> = [feed]
    var original: (id: Int64, isRead: Bool, isStarred: Bool)?
    var isAmbiguous = false
    let twins: [Void] = try db.all(
      """
      SELECT a.id, a.feedID, s.isRead, s.isStarred, s.copyOf, s.isHidden
      FROM article a JOIN articleStatus s ON s.articleID = a.id
      WHERE a.link = ? AND a.id <> ? LIMIT ?
      """, [link, article, mostTwins]
    ) { row in
      if !feeds.insert(row[1]).inserted { isAmbiguous = true }
      if row[4] as Int64? == nil, row[5] as Int64 == 0, original == nil {
        original = (row[0], row[2], row[3])
      }
    }
    return isAmbiguous || twins.count == mostTwins ? nil : original
  }

  /// Articles came back into the lists: where their story has come from another feed meanwhile, they
  /// become its copies. What was done to one of them then counts for all, at their servers too.
  static func rejoin(_ articles: [Int64], _ db: Database, at now: Date) throws {
    for id in articles {
      let alone: (feed: Int64, link: Int64)? = try db.first(
        """
        SELECT a.feedID, a.link FROM article a JOIN articleStatus s ON s.articleID = a.id
        WHERE a.id = ? AND s.isHidden = 0 AND s.copyOf IS NULL AND a.link IS NOT NULL
        """, [id]
      ) { ($0[0], $0[1]) }
      guard let alone, let original = try original(of: alone.link, feed: alone.feed, for: id, db)
      else { continue }
      try db.run(
        "UPDATE articleStatus SET copyOf = ?1 WHERE articleID = ?2 OR copyOf = ?2",
        [original.id, id])
      for state in [StatusRows.State.read, .starred] {
        let isAnywhere: Bool? = try db.first(
          """
          SELECT 1 FROM articleStatus WHERE (articleID = ?1 OR copyOf = ?1) AND \(state.rawValue) = 1
          """, [original.id]
        ) { _ in true }
        guard isAnywhere == true else { continue }
        let changed = try StatusRows.set(state, true, [original.id], db, at: now)
        try StatusRows.note(changed, db)
      }
    }
  }

  /// An article leads elsewhere from now on: it is no copy of what it was, and may be one of another.
  static func refold(_ article: Int64, _ db: Database, at now: Date) throws {
    // Its own copies get a new first, as where it goes.
    try db.run(
      """
      UPDATE articleStatus SET copyOf = nullif((SELECT articleID FROM articleStatus
          WHERE copyOf = ?1 ORDER BY isHidden <> 0, articleID LIMIT 1), articleID)
        WHERE copyOf = ?1
      """, [article])
    try db.run(
      "UPDATE articleStatus SET copyOf = NULL WHERE articleID = ? AND copyOf IS NOT NULL",
      [article])
    try rejoin([article], db, at: now)
  }

  /// The articles with all their copies and those that they are copies of, ascending.
  static func together(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    let hasCopies =
      try db.first("SELECT 1 FROM articleStatus WHERE copyOf IS NOT NULL LIMIT 1") { _ in true }
      ?? false
    guard hasCopies else { return ids }
    var all = Set(ids)
    for id in ids {
      let copyOf: Int64? =
        try db.first("SELECT copyOf FROM articleStatus WHERE articleID = ?", [id]) {
          $0[0] as Int64?
        } ?? nil
      let first = copyOf ?? id
      let copies: [Int64] = try db.all(
        "SELECT articleID FROM articleStatus WHERE copyOf = ?", [first]
      ) { $0[0] }
      guard copyOf != nil || !copies.isEmpty else { continue }
      all.insert(first)
      all.formUnion(copies)
    }
    return all.sorted()
  }
}
