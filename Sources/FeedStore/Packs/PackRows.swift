import FeedModel
import Foundation
import GRDB

/// The rows of packs.
enum PackRows {
  /// Less is not worth a request.
  private static let leastBytes: Int64 = 8_192
  /// Between the ends of two parts more time was spent waiting than fetching.
  private static let longestGap = Duration.seconds(30).milliseconds

  static func all(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [Pack] {
    var packs: [Pack] = try db.all(
      """
      SELECT id, query, minutes, budget, dueAt, startedAt, endedAt, endReason, received, activeTime,
        (SELECT count(*) FROM packArticle a WHERE a.packID = pack.id) AS articles,
        (SELECT ifnull(sum(a.minutes), 0) FROM packArticle a WHERE a.packID = pack.id
          AND NOT EXISTS (SELECT 1 FROM packItem i
            WHERE i.articleID = a.articleID AND i.packID = a.packID AND i.state <> 1
              AND i.stage IN \(neededToRead))) AS readable
      FROM pack WHERE \(condition)
      """, arguments
    ) { row in
      Pack(
        id: row["id"], query: row["query"], minutes: row["minutes"], budget: row["budget"],
        dueAt: row.date("dueAt"), startedAt: Date(milliseconds: row["startedAt"]),
        endedAt: row.date("endedAt"),
        end: (row["endReason"] as String?).flatMap(Pack.End.init), received: row["received"],
        activeTime: .milliseconds(row["activeTime"] as Int64), articles: row["articles"],
        readableMinutes: row["readable"],
        stages: Array(repeating: Pack.Progress(), count: Pack.Stage.allCases.count))
    }
    for index in packs.indices { try count(&packs[index], db) }
    return packs
  }

  private static func count(_ pack: inout Pack, _ db: Database) throws {
    let counts: [(stage: Int, state: Int, count: Int, bytes: Int64)] = try db.all(
      """
      SELECT stage, state, count(*) AS number, sum(bytes) AS bytes FROM packItem WHERE packID = ?
      GROUP BY stage, state
      """, [pack.id]
    ) { ($0["stage"], $0["state"], $0["number"], $0["bytes"]) }
    for found in counts where pack.stages.indices.contains(found.stage) {
      switch found.state {
      case 0: pack.stages[found.stage].waiting = found.count
      case 1:
        pack.stages[found.stage].done = found.count
        pack.stages[found.stage].bytes = found.bytes
      case 2: pack.stages[found.stage].failed = found.count
      default: pack.stages[found.stage].leftOut = found.count
      }
    }
  }

  static func tasks(
    _ db: Database, _ condition: String, _ arguments: StatementArguments, of pack: Pack
  ) throws -> [PackTask] {
    try db.all(
      """
      SELECT i.id, i.packID, i.articleID, i.stage, i.url, f.url AS feedURL,
        (SELECT max(e.size) FROM enclosure e
          WHERE i.stage = \(Pack.Stage.audio.rawValue) AND e.articleID = i.articleID
            AND e.url = i.url) AS size
      FROM packItem i CROSS JOIN article a ON a.id = i.articleID
        CROSS JOIN feed f ON f.id = a.feedID
      WHERE \(condition)
      """, arguments
    ) { row in
      PackTask(
        id: row["id"], pack: row["packID"], article: row.id("articleID"),
        stage: Pack.Stage(rawValue: row["stage"]) ?? .picture, url: row["url"],
        feedURL: row["feedURL"], size: row["size"], left: pack.budget - pack.received,
        dueAt: pack.dueAt)
    }
  }

  /// As SQL: what an article needs to be read without a network.
  static let neededToRead =
    "(\(Pack.Stage.neededToRead.map { "\($0.rawValue)" }.joined(separator: ", ")))"

  /// The discussion and the sound of an article. The row of a file that was asked for already is
  /// the user's.
  static func addExtras(
    of article: PackArticle, _ pack: Int64, _ position: Int, _ db: Database, at now: Int64
  ) throws {
    let id = article.id.rawValue
    if let url = article.discussion { try add(.discussion, [url], pack, id, position, db) }
    guard let url = article.audio, WebAddress(url).isHTTP else { return }
    try add(.audio, [url], pack, id, position, db)
    try db.run(
      """
      INSERT INTO download (articleID, url, askedAt, packID) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (articleID, url) DO UPDATE SET
        isWaiting = 1, askedAt = ?3, received = 0, size = NULL, packID = ?4
      WHERE isWaiting = 0 AND path IS NULL
      """, [id, url, now, pack])
  }

  /// Those that no pack keeps any more.
  static func removeOldDiscussions(_ db: Database, at now: Int64) throws {
    try db.run("DELETE FROM discussion WHERE fetchedAt < ?", [oldest(now)])
  }

  static func add(
    _ stage: Pack.Stage, _ urls: [String], _ pack: Int64, _ article: Int64, _ position: Int,
    _ db: Database
  ) throws {
    for url in urls where WebAddress(url).isHTTP {
      try db.run(
        """
        INSERT OR IGNORE INTO packItem (packID, articleID, stage, position, url)
        VALUES (?, ?, ?, ?, ?)
        """, [pack, article, stage.rawValue, position, url])
    }
  }

  static func finish(
    _ task: PackTask, _ outcome: PackOutcome, bytes: Int64, _ db: Database, at now: Int64
  ) throws {
    let state: Int
    switch outcome {
    case .text(let html, let pictures):
      try db.run(
        """
        INSERT INTO fullText (articleID, askedAt, isWanted, isWaiting, html)
        VALUES (?1, ?2, 0, 0, ?3)
        ON CONFLICT (articleID) DO UPDATE SET isWaiting = 0, html = ?3, \(FailureColumns.cleared)
        """, [task.article.rawValue, now, html])
      let position: Int =
        try db.value("SELECT position FROM packItem WHERE id = ?", [task.id]) ?? 0
      try add(.picture, pictures, task.pack, task.article.rawValue, position, db)
      state = 1
    case .discussion(let html):
      try db.run(
        """
        INSERT INTO discussion (articleID, url, fetchedAt, html) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (articleID) DO UPDATE SET url = ?2, fetchedAt = ?3, html = ?4
        """, [task.article.rawValue, task.url, now, html])
      state = 1
    case .picture(.received), .picture(.notModified), .audio(.saved), .present: state = 1
    // What counts readers is not missed by anybody.
    case .picture(.refused(.tracker)): state = 1
    case .picture(.refused), .picture(.failed), .audio, .failed: state = 2
    case .leftOut:
      try db.run(
        "DELETE FROM download WHERE packID = ? AND articleID = ? AND url = ? AND isWaiting = 1",
        [task.pack, task.article.rawValue, task.url])
      state = 3
    }
    try db.run(
      "UPDATE packItem SET state = ?, bytes = ? WHERE id = ?", [state, bytes, task.id])
    // Each stage is measured anew.
    try db.run(
      """
      UPDATE pack SET received = received + ?1,
        activeTime = CASE WHEN EXISTS (
            SELECT 1 FROM packItem WHERE packID = ?3 AND stage = ?4 AND bytes > 0 AND id <> ?5
          ) THEN activeTime ELSE 0 END
          + CASE WHEN ?1 > 0 THEN min(max(?2 - changedAt, 0), \(longestGap)) ELSE 0 END,
        changedAt = ?2
      WHERE id = ?3
      """, [bytes, now, task.pack, task.stage.rawValue, task.id])
    try endIfComplete(task.pack, db, at: now)
  }

  /// Ends a pack of which nothing waits any more, or whose budget is used up.
  static func endIfComplete(_ pack: Int64, _ db: Database, at now: Int64) throws {
    guard let found = try all(db, "id = ? AND endedAt IS NULL", [pack]).first else { return }
    let isSpent = found.budget - found.received < leastBytes
    guard found.waiting == 0 || isSpent else { return }
    try db.run("UPDATE packItem SET state = 3 WHERE packID = ? AND state = 0", [pack])
    let end: Pack.End = found.waiting > 0 || found.leftOut > 0 ? .budget : .complete
    try db.run(
      "UPDATE pack SET endedAt = ?, endReason = ? WHERE id = ?", [now, end.rawValue, pack])
    try releaseDownloads(db)
  }

  /// Files that an ended pack has not fetched are not fetched by themselves.
  private static func releaseDownloads(_ db: Database) throws {
    try db.run(
      """
      DELETE FROM download WHERE packID IS NOT NULL AND isWaiting = 1
        AND NOT EXISTS (SELECT 1 FROM pack p WHERE p.id = packID AND p.endedAt IS NULL)
      """)
  }

  /// False if none is being made.
  @discardableResult
  static func endOpen(_ end: Pack.End, _ db: Database, at now: Int64) throws -> Bool {
    let count = try db.run(
      "UPDATE pack SET endedAt = ?, endReason = ? WHERE endedAt IS NULL", [now, end.rawValue])
    if count > 0 { try releaseDownloads(db) }
    return count > 0
  }

  /// When packs began whose articles are still kept.
  private static func oldest(_ now: Int64) -> Int64 {
    now - Duration.days(Pack.daysKept).milliseconds
  }

  /// The condition that an article is in a pack and not read yet, for 14 days.
  static func keepsArticle(_ article: String, at now: Int64) -> String {
    """
    EXISTS (SELECT 1 FROM packArticle k JOIN pack ON pack.id = k.packID
      WHERE k.articleID = \(article) AND pack.startedAt > \(oldest(now)))
    """
  }

  /// The condition that a picture belongs to such an article.
  static func keepsPicture(at now: Int64) -> String {
    """
    EXISTS (SELECT 1 FROM packItem k JOIN pack ON pack.id = k.packID
      JOIN articleStatus s ON s.articleID = k.articleID
      WHERE k.url = picture.url AND k.stage = 1 AND pack.startedAt > \(oldest(now))
        AND s.isRead = 0)
    """
  }
}
