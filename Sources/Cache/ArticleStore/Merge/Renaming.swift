import Foundation
package import GRDB

/// Recognises items whose feed gives them other IDs at each fetch.
///
/// An unknown ID belongs to a known article if address and title are the same, the document no
/// longer lists the article by its own ID, and date or content are the same too. Address and title
/// suffice if no ID of the document is known but most of its items are recognised.
package struct Renaming {
  package enum Match {
    case article(id: Int64, fingerprint: Int64)
    /// A similar item was deleted.
    case deleted
  }

  package let db: Database
  package let feed: Int64
  /// Identities of the document's items.
  package let seen: Set<Int64>
  /// Number of items that are articles already.
  package let known: Int

  /// Smallest number of unknown items for which a document is matched as a whole.
  private static let fewestOfAStorm = 3

  package func match(_ strangers: [Merge.Arrival], of items: [ParsedItem]) throws -> [Match?] {
    var matches = [Match?](repeating: nil, count: strangers.count)
    var likely: [Int: Match] = [:]
    var claimed: Set<Int64> = []
    for (index, stranger) in strangers.enumerated() {
      let title = stranger.title
      let namesakes = try namesakes(stranger.link, title).filter { !claimed.contains($0.id) }
      let same = namesakes.first {
        $0.fingerprint == stranger.fingerprint
          || ($0.published != nil
            && $0.published == items[stranger.place].datePublished?.milliseconds)
      }
      if let found = same ?? namesakes.first {
        claimed.insert(found.id)
        let match = Match.article(id: found.id, fingerprint: found.fingerprint)
        if same != nil { matches[index] = match } else { likely[index] = match }
      } else if try isDeleted(Link.similarityHash(stranger.link, title: title)) {
        likely[index] = .deleted
      }
    }
    let recognised = matches.count { $0 != nil } + likely.count
    if known == 0, strangers.count >= Self.fewestOfAStorm, recognised * 4 >= strangers.count * 3 {
      for (index, match) in likely { matches[index] = match }
    }
    return matches
  }

  /// Returns true if the feed has or had articles. Otherwise all its items are new.
  static func hasHistory(_ feed: Int64, _ db: Database) throws -> Bool {
    try db.value(
      """
      SELECT EXISTS (SELECT 1 FROM article WHERE feedID = ?1)
        OR EXISTS (SELECT 1 FROM tombstone WHERE feedID = ?1)
      """, [feed]
    ) ?? false
  }

  private func namesakes(
    _ link: Int64, _ title: String
  ) throws -> [(id: Int64, fingerprint: Int64, published: Int64?)] {
    try db.all(
      """
      SELECT a.id, a.fingerprint, b.publishedAt, a.identity, a.title
      FROM article a JOIN articleBody b ON b.articleID = a.id
      WHERE a.link = ? AND a.feedID = ? ORDER BY a.id DESC LIMIT 64
      """, [link, feed]
    ) { row -> (id: Int64, fingerprint: Int64, published: Int64?)? in
      guard !seen.contains(row["identity"]), row["title"] as String == title else { return nil }
      return (row["id"], row["fingerprint"], row["publishedAt"] as Int64?)
    }.compactMap { $0 }
  }

  private func isDeleted(_ similarityHash: Int64) throws -> Bool {
    try db.exists(
      "SELECT 1 FROM tombstone WHERE feedID = ? AND likeness = ? LIMIT 1", [feed, similarityHash])
  }

  package static func rename(_ article: Int64, to identity: Int64, itemID: String, _ db: Database)
    throws
  {
    try db.run(
      """
      UPDATE OR REPLACE tombstone SET identity = ?1 WHERE (feedID, identity) =
        (SELECT feedID, identity FROM article WHERE id = ?2)
      """, [identity, article])
    try db.run("UPDATE article SET identity = ? WHERE id = ?", [identity, article])
    try db.run(
      "UPDATE articleBody SET itemID = ? WHERE articleID = ?",
      [ItemText.cut(itemID, ItemText.Limit.identifier), article])
  }
}
