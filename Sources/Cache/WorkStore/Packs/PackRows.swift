package import Foundation
import GRDB

enum PackRows {
  /// The least remaining budget in bytes for which a request is sent.
  private static let leastBytes: Int64 = 8_192
  /// Articles whose texts are fetched before the pictures of any of them.
  private static let group = 50
  private static let (text, picture, audio) = (
    Pack.Stage.text.rawValue, Pack.Stage.picture.rawValue, Pack.Stage.audio.rawValue
  )

  /// Returns the pack in progress, or the last one.
  static func last(_ db: Database) throws -> Pack? {
    var pack: Pack? = try db.first(
      """
      SELECT id, query, budget, startedAt, endedAt, endReason, received,
        (SELECT count(*) FROM packArticle a WHERE a.packID = pack.id) AS articles,
        (SELECT ifnull(sum(a.minutes), 0) FROM packArticle a
          WHERE a.packID = pack.id) AS minutes,
        (SELECT ifnull(sum(a.minutes), 0) FROM packArticle a
          WHERE a.packID = pack.id AND \(isReady("a"))) AS readable
      FROM pack ORDER BY endedAt IS NOT NULL, id DESC LIMIT 1
      """
    ) { row in
      var pack = Pack(
        id: row["id"], query: row["query"], budget: row["budget"],
        startedAt: Date(milliseconds: row["startedAt"]))
      pack.endedAt = row.date("endedAt")
      // Earlier versions had further reasons.
      pack.end = (row["endReason"] as String?).map { Pack.End(rawValue: $0) ?? .complete }
      (pack.received, pack.articles) = (row["received"], row["articles"])
      (pack.minutes, pack.readableMinutes) = (row["minutes"], row["readable"])
      return pack
    }
    let counts: [(stage: Pack.Stage, state: Pack.State, count: Int, bytes: Int64)] = try db.all(
      """
      SELECT stage, min(state, 3) AS state, count(*) AS number, sum(bytes) AS bytes
      FROM packItem WHERE packID = ? GROUP BY 1, 2
      """, [pack?.id]
    ) { row in
      (
        Pack.Stage(rawValue: row["stage"]) ?? .picture,
        Pack.State(rawValue: row["state"]) ?? .leftOut, row["number"], row["bytes"]
      )
    }
    for found in counts {
      pack?.parts[found.stage, default: [:]][found.state] = found.count
      if found.state == .done { pack?.bytes[found.stage] = found.bytes }
    }
    return pack
  }

  /// Returns the first waiting parts of the open pack: the texts of the first group that is not
  /// complete, or its pictures if all texts are fetched. Audio comes after all groups.
  static func next(_ db: Database) throws -> [PackTask] {
    try db.all(
      """
      SELECT i.id, i.packID, i.articleID, i.stage, i.url, \(FetchRows.referrers),
        p.budget - p.received AS remaining, d.id AS downloadID,
        d.packID IS p.id AND d.path IS NULL AS isOfPack,
        ifnull(g.hash IS NOT NULL OR g.refusal = 'tracker', 0) AS hasPicture,
        (SELECT itemID FROM articleBody WHERE articleID = i.articleID) AS itemID,
        (SELECT pages FROM fullText
          WHERE i.stage = \(picture) AND articleID = i.articleID) AS pages,
        (SELECT max(e.size) FROM enclosure e
          WHERE i.stage = \(audio) AND e.articleID = i.articleID AND e.url = i.url) AS size
      FROM pack p CROSS JOIN packItem i ON i.packID = p.id
        CROSS JOIN article a ON a.id = i.articleID CROSS JOIN feed f ON f.id = a.feedID
        LEFT JOIN picture g ON i.stage = \(picture) AND g.url = i.url
        LEFT JOIN download d ON i.stage = \(audio) AND d.articleID = a.id AND d.url = i.url
      WHERE p.endedAt IS NULL AND i.state = 0
        AND (i.stage, i.position / \(group)) = (SELECT w.stage, w.position / \(group)
          FROM packItem w
          WHERE w.packID = (SELECT id FROM pack WHERE endedAt IS NULL) AND w.state = 0
          ORDER BY w.stage = \(audio), w.position / \(group), w.stage LIMIT 1)
      ORDER BY i.position, i.id LIMIT 8
      """
    ) { row in
      let (download, isOfPack): (Int64?, Bool) = (row["downloadID"], row["isOfPack"])
      return PackTask(
        id: row["id"], pack: row["packID"], article: row.id("articleID"),
        stage: Pack.Stage(rawValue: row["stage"]) ?? .picture, url: row["url"],
        referrers: FetchRows.referrers(row, pages: "pages", page: row["url"]),
        isPresent: row["hasPicture"] || download != nil && !isOfPack,
        download: isOfPack ? download : nil, size: row["size"], left: row["remaining"])
    }
  }

  /// Returns the condition for articles of a pack whose parts are all fetched, so that they can be
  /// read offline. Refused pictures and pictures of an unknown kind count as fetched, because they
  /// are not shown online either.
  static func isReady(_ article: String) -> String {
    """
    NOT EXISTS (
      SELECT 1 FROM packItem i
      WHERE i.articleID = \(article).articleID AND i.packID = \(article).packID
        AND (i.stage = \(text) AND i.state <> 1 OR i.stage = \(picture) AND i.state NOT IN (1, 2)))
    """
  }

  static func add(
    _ article: PackArticle, to pack: Int64, at position: Int, _ db: Database
  ) throws {
    let id = article.id.rawValue
    try db.run(
      """
      INSERT OR IGNORE INTO packArticle (packID, articleID, position, minutes)
      SELECT ?, id, ?, ? FROM article WHERE id = ?
      """, [pack, position, article.minutes, id])
    if let page = article.page { try add(page, text, of: id, to: pack, at: position, db) }
    for url in article.pictures { try add(url, picture, of: id, to: pack, at: position, db) }
    if let url = article.audio { try add(url, audio, of: id, to: pack, at: position, db) }
  }

  /// Adds a part. Texts and pictures that are stored already are done, and cost no budget.
  private static func add(
    _ url: String, _ stage: Int, of article: Int64, to pack: Int64, at position: Int, _ db: Database
  ) throws {
    guard WebAddress(url).isHTTP else { return }
    try db.run(
      """
      INSERT OR IGNORE INTO packItem (packID, articleID, stage, position, url, state)
      VALUES (?1, ?2, ?3, ?4, ?5, CASE ?3
        WHEN \(text) THEN EXISTS (SELECT 1 FROM fullText WHERE articleID = ?2 AND html IS NOT NULL)
        WHEN \(picture) THEN EXISTS (SELECT 1 FROM picture WHERE url = ?5 AND hash IS NOT NULL)
        ELSE 0 END)
      """, [pack, article, stage, position, url])
  }

  /// Requests the waiting audio files of a pack, except those that the user has requested. Ends the
  /// pack if nothing waits.
  static func resume(_ pack: Int64, _ db: Database, at now: Int64) throws {
    try db.run(
      """
      INSERT INTO download (articleID, url, askedAt, packID)
      SELECT articleID, url, ?2, packID FROM packItem
      WHERE packID = ?1 AND stage = \(audio) AND state = 0
      ON CONFLICT (articleID, url) DO UPDATE SET
        isWaiting = 1, askedAt = ?2, received = 0, size = NULL, packID = ?1
      WHERE isWaiting = 0 AND path IS NULL
      """, [pack, now])
    try endIfComplete(pack, db, at: now)
  }

  static func finish(
    _ task: PackTask, _ outcome: PackOutcome, bytes: Int64, _ db: Database, at now: Int64,
    plainText: (String) -> [UInt8]
  ) throws {
    let article = task.article.rawValue
    let state: Int
    switch outcome {
    case .text(let content, let minutes, let pictures):
      try FullTextRows.finish(article, .found(content), db, at: now, plainText: plainText)
      try db.run(
        "UPDATE packArticle SET minutes = ? WHERE packID = ? AND articleID = ?",
        [max(1, minutes), task.pack, article])
      let position: Int =
        try db.value("SELECT position FROM packItem WHERE id = ?", [task.id]) ?? 0
      for url in pictures { try add(url, picture, of: article, to: task.pack, at: position, db) }
      state = 1
    // A refused tracking picture counts as done, because readers do not miss it.
    case .picture(.received), .picture(.notModified), .picture(.refused(.tracker)),
      .audio(.saved), .present:
      state = 1
    case .failed(let failure), .picture(.failed(let failure)), .audio(.failed(let failure)):
      if task.stage == .text {
        try FullTextRows.finish(article, .failed(failure), db, at: now, plainText: plainText)
      }
      try FailureColumns.add(
        (failure.kind.rawValue, failure.status, failure.detail), since: now, to: "packItem",
        where: "id", task.id, db)
      state = 2
    case .picture(.refused), .audio: state = 2
    case .leftOut:
      try db.run(
        "DELETE FROM download WHERE packID = ? AND articleID = ? AND url = ? AND isWaiting = 1",
        [task.pack, article, task.url])
      state = 3
    }
    try db.run("UPDATE packItem SET state = ?, bytes = ? WHERE id = ?", [state, bytes, task.id])
    try db.run("UPDATE pack SET received = received + ? WHERE id = ?", [bytes, task.pack])
    try endIfComplete(task.pack, db, at: now)
  }

  /// Ends a pack if nothing waits or its budget is used up.
  private static func endIfComplete(_ pack: Int64, _ db: Database, at now: Int64) throws {
    func has(_ states: String) throws -> Bool {
      try db.exists("SELECT 1 FROM packItem WHERE packID = ? AND state \(states)", [pack])
    }
    let left: Int64? = try db.value(
      "SELECT budget - received FROM pack WHERE id = ? AND endedAt IS NULL", [pack])
    guard let left else { return }
    if left >= leastBytes, try has("= 0") { return }
    try db.run("UPDATE packItem SET state = 3 WHERE packID = ? AND state = 0", [pack])
    try endOpen(has("> 2") ? .budget : .complete, db, at: now)
  }

  /// Ends the open pack, and deletes the requests of files that it has not fetched. Its waiting
  /// parts stay, so that it can be resumed. Returns `false` if there is none.
  @discardableResult
  static func endOpen(_ end: Pack.End, _ db: Database, at now: Int64) throws -> Bool {
    let hasEnded = try db.run(
      "UPDATE pack SET endedAt = ?, endReason = ? WHERE endedAt IS NULL", [now, end.rawValue])
    guard hasEnded > 0 else { return false }
    try db.run(
      """
      DELETE FROM download WHERE packID IS NOT NULL AND isWaiting = 1
        AND NOT EXISTS (SELECT 1 FROM pack p WHERE p.id = packID AND p.endedAt IS NULL)
      """)
    return true
  }

  /// Returns the earliest start of packs whose articles are kept.
  static func oldest(_ now: Int64) -> Int64 {
    now - Duration.days(Pack.daysKept).milliseconds
  }

  /// Returns the condition for pictures of unread articles in packs that are kept.
  static func isPictureNeeded(at now: Int64) -> String {
    """
    EXISTS (SELECT 1 FROM packItem k JOIN pack ON pack.id = k.packID
      JOIN articleStatus s ON s.articleID = k.articleID
      WHERE k.url = picture.url AND k.stage = \(picture) AND pack.startedAt > \(oldest(now))
        AND s.isRead = 0)
    """
  }
}

/// Excludes the articles of recent packs from expiry.
package struct PackKeeper: ArticleKeeper {
  package init() {}

  package func condition(_ article: String, at now: Date) -> String {
    """
    EXISTS (SELECT 1 FROM packArticle k JOIN pack ON pack.id = k.packID
      WHERE k.articleID = \(article) AND pack.startedAt > \(PackRows.oldest(now.milliseconds)))
    """
  }
}
