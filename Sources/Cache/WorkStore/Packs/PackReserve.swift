import GRDB

// Articles in reserve. The size of a part is known only once it is fetched, so more articles are
// chosen than are expected to fit. They join in reading order when no part of the articles before
// them is still to be fetched.
extension PackRows {
  /// `packItem.state` of articles in reserve.
  static let inReserve = 4

  /// - Parameter first: the position of the first article.
  static func addReserve(
    _ articles: [PackArticle], _ pack: Int64, from first: Int, _ db: Database
  ) throws {
    for (index, article) in articles.enumerated() {
      let parts: [(Pack.Stage, [String])] = [
        (.text, article.page.map { [$0] } ?? []), (.picture, article.pictures),
        (.discussion, article.discussion.map { [$0] } ?? []),
        (.audio, article.audio.map { [$0] } ?? []),
      ]
      try db.run(
        """
        INSERT OR IGNORE INTO packArticle (packID, articleID, position, minutes, isReserve)
        SELECT ?, id, ?, ?, 1 FROM article WHERE id = ?
        """, [pack, first + index, article.minutes, article.id.rawValue])
      for (stage, urls) in parts {
        for url in urls where WebAddress(url).isHTTP {
          try db.run(
            """
            INSERT OR IGNORE INTO packItem (packID, articleID, stage, position, url, state)
            VALUES (?, ?, ?, ?, ?, \(inReserve))
            """, [pack, article.id.rawValue, stage.rawValue, first + index, url])
        }
      }
    }
  }

  /// An article in reserve, with the numbers of its parts.
  private struct Candidate {
    var article: Int64
    var minutes: Int
    var texts: Int
    var pictures: Int
  }

  /// Moves articles from the reserve to the pack while there is less to read than wanted and room
  /// in the budget. Moves at least one; parts of it that do not fit are left out.
  static func join(_ pack: Int64, _ db: Database, at now: Int64) throws {
    guard
      try db.exists("SELECT 1 FROM packArticle WHERE packID = ? AND isReserve = 1", [pack]),
      let found = try all(db, "id = ?", [pack]).first
    else { return }
    var (minutes, left) = (found.readableMinutes, found.budget - found.received)
    var hasJoined = false
    for candidate in try candidates(pack, db) {
      guard minutes < found.minutes else { return }
      let expected = found.expected(texts: candidate.texts, pictures: candidate.pictures)
      if hasJoined, expected > left { return }
      try promote(candidate.article, pack, db, at: now)
      hasJoined = true
      minutes += candidate.minutes
      left -= expected
    }
  }

  private static func candidates(_ pack: Int64, _ db: Database) throws -> [Candidate] {
    func count(_ stage: Pack.Stage) -> String {
      """
      (SELECT count(*) FROM packItem i WHERE i.articleID = a.articleID AND i.packID = a.packID
        AND i.stage = \(stage.rawValue) AND i.state = \(inReserve))
      """
    }
    return try db.all(
      """
      SELECT articleID, minutes, \(count(.text)) AS texts, \(count(.picture)) AS pictures
      FROM packArticle a WHERE packID = ? AND isReserve = 1 ORDER BY position
      """, [pack]
    ) {
      Candidate(
        article: $0["articleID"], minutes: $0["minutes"], texts: $0["texts"],
        pictures: $0["pictures"])
    }
  }

  private static func promote(
    _ article: Int64, _ pack: Int64, _ db: Database, at now: Int64
  ) throws {
    try db.run(
      "UPDATE packArticle SET isReserve = 0 WHERE packID = ? AND articleID = ?", [pack, article])
    try db.run(
      "UPDATE packItem SET state = 0 WHERE packID = ? AND articleID = ? AND state = \(inReserve)",
      [pack, article])
    try requestSound(pack, article, db, at: now)
  }

  /// Requests the waiting audio files of a pack.
  /// - Parameter article: `nil` for all articles.
  static func requestSound(
    _ pack: Int64, _ article: Int64?, _ db: Database, at now: Int64
  ) throws {
    let files: [(article: Int64, url: String)] = try db.all(
      """
      SELECT articleID, url FROM packItem
      WHERE packID = ?1 AND stage = \(Pack.Stage.audio.rawValue) AND state = 0
        AND (?2 IS NULL OR articleID = ?2)
      """, [pack, article]
    ) { ($0["articleID"], $0["url"]) }
    for file in files { try request(file.url, of: file.article, pack, db, at: now) }
  }

  static func removeReserve(_ pack: Int64, _ db: Database) throws {
    try db.run("DELETE FROM packItem WHERE packID = ? AND state = \(inReserve)", [pack])
    try db.run("DELETE FROM packArticle WHERE packID = ? AND isReserve = 1", [pack])
  }

  /// Counts parts that the estimate of an open pack needs.
  static func countWhatIsExpected(_ pack: inout Pack, _ db: Database) throws {
    pack.reserve.minutes =
      try db.value(
        "SELECT ifnull(sum(minutes), 0) FROM packArticle WHERE packID = ? AND isReserve = 1",
        [pack.id]) ?? 0
    let texts: [(state: Int, count: Int, pictures: Int)] = try db.all(
      """
      SELECT t.state, count(*) AS texts, sum((SELECT count(*) FROM packItem p
        WHERE p.articleID = t.articleID AND p.packID = t.packID
          AND p.stage = \(Pack.Stage.picture.rawValue))) AS pictures
      FROM packItem t
      WHERE t.packID = ? AND t.stage = \(Pack.Stage.text.rawValue) AND t.state IN (0, 1)
      GROUP BY t.state
      """, [pack.id]
    ) { ($0["state"], $0["texts"], $0["pictures"]) }
    for found in texts {
      if found.state == 0 { pack.picturesOfWaiting = found.pictures }
      if found.state == 1 { pack.picturesPerText = Double(found.pictures) / Double(found.count) }
    }
  }
}
