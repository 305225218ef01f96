import Foundation
import GRDB

/// Recreates lost rows that other rows need.
extension Takeover {
  /// Creates articles whose own row is lost but whose state is saved. A later fetch of the feed
  /// restores their titles.
  func makeArticles() throws {
    let missing = try Row.fetchAll(
      db,
      sql: """
        SELECT s.articleID, s.feedID, b.itemID FROM articleStatus s
        LEFT JOIN articleBody b ON b.articleID = s.articleID
        WHERE s.articleID > 0 AND NOT EXISTS (SELECT 1 FROM article a WHERE a.id = s.articleID)
        """)
    for row in missing {
      let id: Int64 = row["articleID"]
      let itemID: String? = row["itemID"]
      try db.run(
        """
        INSERT OR IGNORE INTO article
          (id, feedID, identity, fingerprint, title, firstSeenAt, hasEnclosure)
        VALUES (?, ?, ?, 0, '', 0, 0)
        """, [id, row["feedID"] as Int64, itemID.map(Fingerprint.identity) ?? -id])
    }
    let nameless = try Int64.fetchAll(
      db, sql: "SELECT id FROM article WHERE title = '' AND fingerprint = 0")
    for id in nameless {
      let html =
        try String.fetchOne(
          db, sql: "SELECT html FROM articleBody WHERE articleID = ?", arguments: [id]) ?? ""
      let words = html.prefix(2_000).replacing(/<[^>]*>?/, with: " ").split(separator: /\s+/)
        .joined(separator: " ")
      try db.run(
        """
        UPDATE article SET title = ?, firstSeenAt = max(firstSeenAt, ifnull(
          (SELECT sortDate FROM articleStatus WHERE articleID = article.id), 0))
        WHERE id = ?
        """, [words.isEmpty ? "\u{2026}" : String(words.prefix(80)), id])
    }
  }

  /// Creates feeds whose row is lost, with the address of their last answer or as placeholders that
  /// are never fetched.
  /// - Returns: the numbers of feeds with an address, and of placeholders.
  func nameFeeds() throws -> (addressed: Int, placeholders: Int) {
    try db.run("UPDATE account SET title = user WHERE title = ''")
    let addressed = try db.run(
      """
      INSERT OR IGNORE INTO feed (id, url, position, addedAt)
      SELECT feedID, validatorsURL, 0, 0 FROM feedFetch
      WHERE validatorsURL LIKE 'http%' AND feedID > 0 AND feedID NOT IN (SELECT id FROM feed)
      """)
    // The trigger on new feeds creates these rows again.
    for table in ["feedFetch", "feedCounter"] {
      try db.run("DELETE FROM \(table) WHERE feedID NOT IN (SELECT id FROM feed)")
    }
    let placeholders = try db.run(
      """
      INSERT INTO feed (id, url, title, position, isLocal, addedAt)
      SELECT DISTINCT a.feedID, 'weir:salvaged-' || a.feedID, 'Salvaged feed ' || a.feedID, 0, 1, 0
      FROM article a WHERE a.feedID > 0 AND NOT EXISTS (SELECT 1 FROM feed f WHERE f.id = a.feedID)
      """)
    return (addressed, placeholders)
  }

  func completeArticles() throws -> (withoutText: Int, withoutStatus: Int) {
    let texts = try db.run(
      """
      INSERT INTO articleBody (articleID, itemID, html)
      SELECT id, 'salvaged-' || id, '' FROM article
      WHERE NOT EXISTS (SELECT 1 FROM articleBody WHERE articleID = article.id)
      """)
    let statuses = try db.run(
      """
      INSERT INTO articleStatus (articleID, feedID, sortDate)
      SELECT id, feedID, firstSeenAt FROM article
      WHERE NOT EXISTS (SELECT 1 FROM articleStatus WHERE articleID = article.id)
      """)
    return (texts, statuses)
  }

  /// Removes rows whose parent is lost, or only the reference, as the foreign key requires.
  func removeUnreferenced(_ tables: [String]) throws {
    // Repeats, because removing a folder orphans the folders in it.
    for _ in 0..<4 {
      for table in tables {
        let keys = try Row.fetchAll(
          db,
          sql: "SELECT \"table\" AS parent, \"from\" AS child, "
            + "ifnull(\"to\", 'rowid') AS key, on_delete AS action FROM pragma_foreign_key_list(?)",
          arguments: [table])
        for key in keys {
          let child = (key["child"] as String).quotedDatabaseIdentifier
          let parent = (key["parent"] as String).quotedDatabaseIdentifier
          let column = (key["key"] as String).quotedDatabaseIdentifier
          let lost = "\(child) IS NOT NULL AND \(child) NOT IN (SELECT \(column) FROM \(parent))"
          let name = table.quotedDatabaseIdentifier
          if key["action"] as String == "SET NULL" {
            try db.run("UPDATE \(name) SET \(child) = NULL WHERE \(lost)")
          } else {
            try db.run("DELETE FROM \(name) WHERE \(lost)")
          }
        }
      }
    }
    try db.run(
      """
      UPDATE articleStatus SET duplicateOf = NULL
      WHERE duplicateOf IS NOT NULL AND duplicateOf NOT IN (SELECT articleID FROM articleStatus)
      """)
    // A status repeats its article's feed.
    try db.run(
      """
      UPDATE articleStatus SET feedID = a.feedID FROM article a
      WHERE a.id = articleStatus.articleID AND a.feedID <> articleStatus.feedID
      """)
    // An article has the bit for snoozing exactly if it has a row in `snooze`.
    try db.run(
      """
      UPDATE articleStatus SET isHidden = isHidden | 8
      WHERE isHidden & 8 = 0 AND articleID IN (SELECT articleID FROM snooze)
      """)
    try db.run(
      """
      UPDATE articleStatus SET isHidden = isHidden & ~8
      WHERE isHidden & 8 <> 0 AND articleID NOT IN (SELECT articleID FROM snooze)
      """)
    try recount()
  }

  /// Recomputes the counters after the removals: those of some feeds may be lost.
  private func recount() throws {
    let shown = "count(*), ifnull(sum(isRead = 0), 0), ifnull(sum(isStarred = 1), 0)"
    try db.run(
      """
      UPDATE feedCounter SET (total, unread, starred) =
        (SELECT \(shown) FROM articleStatus s WHERE s.feedID = feedCounter.feedID AND s.isHidden = 0)
      """)
    try db.run(
      """
      UPDATE totalCounter SET (total, unread) = (SELECT count(*), ifnull(sum(isRead = 0), 0)
          FROM articleStatus WHERE isHidden = 0 AND duplicateOf IS NULL),
        starred = (SELECT count(*) FROM articleStatus WHERE isHidden = 0 AND isStarred = 1)
      """)
  }
}
