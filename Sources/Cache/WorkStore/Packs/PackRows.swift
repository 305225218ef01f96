package import Foundation
import GRDB

enum PackRows {
  /// The least remaining budget in bytes for which a request is sent.
  private static let leastBytes: Int64 = 8_192

  static func all(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [Pack] {
    var packs: [Pack] = try db.all(
      """
      SELECT id, query, minutes, budget, dueAt, startedAt, endedAt, endReason, received, activeTime,
        (SELECT count(*) FROM packArticle a
          WHERE a.packID = pack.id AND a.isReserve = 0) AS articles,
        (SELECT ifnull(sum(a.minutes), 0) FROM packArticle a
          WHERE a.packID = pack.id AND a.isReserve = 0) AS chosen,
        (SELECT ifnull(sum(a.minutes), 0) FROM packArticle a
          WHERE a.packID = pack.id AND \(isReady("a"))) AS readable
      FROM pack WHERE \(condition)
      """, arguments
    ) { row in
      Pack(
        id: row["id"], query: row["query"], minutes: row["minutes"], budget: row["budget"],
        dueAt: row.date("dueAt"), startedAt: Date(milliseconds: row["startedAt"]),
        endedAt: row.date("endedAt"),
        end: (row["endReason"] as String?).flatMap(Pack.End.init), received: row["received"],
        activeTime: .milliseconds(row["activeTime"] as Int64), articles: row["articles"],
        chosenMinutes: row["chosen"], readableMinutes: row["readable"],
        stages: Array(repeating: Pack.Progress(), count: Pack.Stage.allCases.count))
    }
    for index in packs.indices { try count(&packs[index], db) }
    return packs
  }

  private static func count(_ pack: inout Pack, _ db: Database) throws {
    let counts: [(stage: Int, state: Int, count: Int, bytes: Int64, took: Int64)] = try db.all(
      """
      SELECT stage, state, count(*) AS number, sum(bytes) AS bytes, sum(took) AS took
      FROM packItem WHERE packID = ? GROUP BY stage, state
      """, [pack.id]
    ) { ($0["stage"], $0["state"], $0["number"], $0["bytes"], $0["took"]) }
    for found in counts where pack.stages.indices.contains(found.stage) {
      pack.stages[found.stage].received += found.bytes
      pack.stages[found.stage].time += .milliseconds(found.took)
      switch found.state {
      case 0: pack.stages[found.stage].waiting = found.count
      case 1:
        pack.stages[found.stage].done = found.count
        pack.stages[found.stage].bytes = found.bytes
      case 2: pack.stages[found.stage].failed = found.count
      case 3: pack.stages[found.stage].leftOut = found.count
      default:
        if found.stage == Pack.Stage.text.rawValue { pack.reserve.texts = found.count }
        if found.stage == Pack.Stage.picture.rawValue { pack.reserve.pictures = found.count }
      }
    }
    if pack.isOpen { try countWhatIsExpected(&pack, db) }
  }

  /// The properties of the open pack that its parts need.
  struct Open {
    var id: Int64
    /// The unused bytes of the budget.
    var left: Int64
    var dueAt: Date?
  }

  static func open(_ db: Database) throws -> Open? {
    try db.first("SELECT id, budget - received AS left, dueAt FROM pack WHERE endedAt IS NULL") {
      Open(id: $0["id"], left: $0["left"], dueAt: $0.date("dueAt"))
    }
  }

  static func tasks(
    _ db: Database, _ condition: String, _ arguments: StatementArguments, of pack: Open
  ) throws -> [PackTask] {
    try db.all(
      """
      SELECT i.id, i.packID, i.articleID, i.stage, i.url, \(FetchRows.referrers),
        (SELECT itemID FROM articleBody WHERE articleID = i.articleID) AS itemID,
        (SELECT pages FROM fullText
          WHERE i.stage = \(Pack.Stage.picture.rawValue) AND articleID = i.articleID) AS pages,
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
        referrers: FetchRows.referrers(row, pages: "pages", page: row["url"]), size: row["size"],
        left: pack.left, dueAt: pack.dueAt)
    }
  }

  /// Returns the condition for articles of a pack whose parts are all fetched, so that they can be
  /// read offline. Refused pictures and pictures of an unknown kind count as fetched, because they
  /// are not shown online either.
  static func isReady(_ article: String) -> String {
    """
    \(article).isReserve = 0 AND NOT EXISTS (
      SELECT 1 FROM packItem i
      WHERE i.articleID = \(article).articleID AND i.packID = \(article).packID
        AND (i.stage = 0 AND i.state <> 1 OR i.stage = 1 AND i.state NOT IN (1, 2)))
    """
  }

  /// Adds the discussion and audio of an article. A file that the user has
  /// requested is not assigned to the pack.
  static func addExtras(
    of article: PackArticle, _ pack: Int64, _ position: Int, _ db: Database, at now: Int64
  ) throws {
    let id = article.id.rawValue
    if let url = article.discussion { try add(.discussion, [url], pack, id, position, db) }
    guard let url = article.audio, WebAddress(url).isHTTP else { return }
    try add(.audio, [url], pack, id, position, db)
    try request(url, of: id, pack, db, at: now)
  }

  static func request(
    _ url: String, of article: Int64, _ pack: Int64, _ db: Database, at now: Int64
  ) throws {
    try db.run(
      """
      INSERT INTO download (articleID, url, askedAt, packID) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (articleID, url) DO UPDATE SET
        isWaiting = 1, askedAt = ?3, received = 0, size = NULL, packID = ?4
      WHERE isWaiting = 0 AND path IS NULL
      """, [article, url, now, pack])
  }

  /// Deletes discussions that no pack needs any more.
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
        INSERT INTO packItem (packID, articleID, stage, position, url) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (packID, stage, url) DO UPDATE SET
          articleID = excluded.articleID, position = excluded.position, state = 0
        WHERE state = \(inReserve)
        """, [pack, article, stage.rawValue, position, url])
    }
    guard stage == .picture, !urls.isEmpty else { return }
    // Pictures that are stored already cost no budget.
    try db.run(
      """
      UPDATE packItem SET state = 1 WHERE packID = ? AND articleID = ? AND stage = ? AND state = 0
        AND EXISTS (SELECT 1 FROM picture p WHERE p.url = packItem.url AND p.hash IS NOT NULL)
      """, [pack, article, stage.rawValue])
  }

  static func finish(
    _ task: PackTask, _ outcome: PackOutcome, bytes: Int64, took: Duration, _ db: Database,
    at now: Int64, plainText: (String) -> [UInt8]
  ) throws {
    let state: Int
    switch outcome {
    case .text(let content, let minutes, let pictures):
      try FullTextRows.finish(
        task.article.rawValue, .found(content), db, at: now, plainText: plainText)
      try db.run(
        "UPDATE packArticle SET minutes = ? WHERE packID = ? AND articleID = ?",
        [max(1, minutes), task.pack, task.article.rawValue])
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
    // A refused tracking picture counts as done, because readers do not miss it.
    case .picture(.refused(.tracker)): state = 1
    case .failed(let failure), .picture(.failed(let failure)), .audio(.failed(let failure)):
      if task.stage == .text {
        try FullTextRows.finish(
          task.article.rawValue, .failed(failure), db, at: now, plainText: plainText)
      }
      try FailureColumns.add(
        (failure.kind.rawValue, failure.status, failure.detail), since: now, to: "packItem",
        where: "id", task.id, db)
      state = 2
    case .picture(.refused), .audio: state = 2
    case .leftOut:
      try db.run(
        "DELETE FROM download WHERE packID = ? AND articleID = ? AND url = ? AND isWaiting = 1",
        [task.pack, task.article.rawValue, task.url])
      state = 3
    }
    try db.run(
      "UPDATE packItem SET state = ?, bytes = ?, took = ? WHERE id = ?",
      [state, bytes, took.milliseconds, task.id])
    try db.run(
      """
      UPDATE pack SET received = received + ?, activeTime = activeTime + ?, changedAt = ?
      WHERE id = ?
      """, [bytes, took.milliseconds, now, task.pack])
    try endIfComplete(task.pack, db, at: now)
  }

  /// Ends a pack if nothing waits or its budget is used up. Articles in reserve join it first.
  static func endIfComplete(_ pack: Int64, _ db: Database, at now: Int64) throws {
    guard let open = try open(db), open.id == pack else { return }
    let isSpent = open.left < leastBytes
    if !isSpent {
      if try waits(pack, Pack.Stage.neededToRead, db) { return }
      try join(pack, db, at: now)
      if try waits(pack, Pack.Stage.allCases, db) { return }
    }
    guard let found = try all(db, "id = ?", [pack]).first else { return }
    let isEnough = found.readableMinutes >= found.minutes
    let isShort = found.waiting > 0 || found.leftOut > 0 || found.reserve.minutes > 0 && !isEnough
    try db.run("UPDATE packItem SET state = 3 WHERE packID = ? AND state = 0", [pack])
    let end: Pack.End = isShort ? .budget : isEnough ? .minutes : .complete
    try db.run(
      "UPDATE pack SET endedAt = ?, endReason = ? WHERE id = ?", [now, end.rawValue, pack])
    try removeReserve(pack, db)
    try releaseDownloads(db)
  }

  private static func waits(_ pack: Int64, _ stages: [Pack.Stage], _ db: Database) throws -> Bool {
    let numbers = stages.map { "\($0.rawValue)" }.joined(separator: ", ")
    return try db.exists(
      "SELECT 1 FROM packItem WHERE packID = ? AND state = 0 AND stage IN (\(numbers))", [pack])
  }

  /// Deletes requests of files that an ended pack has not fetched.
  static func releaseDownloads(_ db: Database) throws {
    try db.run(
      """
      DELETE FROM download WHERE packID IS NOT NULL AND isWaiting = 1
        AND NOT EXISTS (SELECT 1 FROM pack p WHERE p.id = packID AND p.endedAt IS NULL)
      """)
  }

  /// Ends the open pack. If the disk is full, waiting parts stay so that it can be resumed. Returns
  /// `false` if there is none.
  @discardableResult
  static func endOpen(_ end: Pack.End, _ db: Database, at now: Int64) throws -> Bool {
    guard let pack = try open(db) else { return false }
    try db.run(
      "UPDATE pack SET endedAt = ?, endReason = ? WHERE id = ?", [now, end.rawValue, pack.id])
    if end != .diskFull { try removeReserve(pack.id, db) }
    try releaseDownloads(db)
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
      WHERE k.url = picture.url AND k.stage = 1 AND k.state <> \(inReserve)
        AND pack.startedAt > \(oldest(now))
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
      WHERE k.articleID = \(article) AND k.isReserve = 0
        AND pack.startedAt > \(PackRows.oldest(now.milliseconds)))
    """
  }
}
