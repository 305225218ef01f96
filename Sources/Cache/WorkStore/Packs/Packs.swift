import Foundation
import GRDB

/// A part that the engine is to fetch for a pack.
public struct PackTask: WorkTask, Equatable {
  public var id: Int64
  public var pack: Int64
  public var article: ArticleID
  public var stage: Pack.Stage
  public var url: String
  public var referrers: AddressReferrers
  /// True if the cache has the part, or the user has requested the file.
  public var isPresent: Bool
  /// The download of an audio file that waits for the pack.
  public var download: Int64?
  /// Bytes, as the feed claims; known for audio only.
  public var size: Int64?
  /// Bytes of the budget that are left for all parts.
  public var left: Int64

  public var text: FullTextTask {
    FullTextTask(article: article, url: url, referrers: referrers, isWanted: false)
  }

  public var picture: PictureTask {
    PictureTask(id: id, url: url, referrers: referrers, isVisible: false)
  }
}

/// The outcome of a part of a pack: that of its own operation, or the reason why it did not run.
public enum PackOutcome: Sendable {
  case text(MainContent, minutes: Int, pictures: [String])
  case picture(PictureOutcome)
  case audio(Download.State)
  case failed(RefreshFailure)
  case present, leftOut
}

/// A part of a pack that could not be fetched, with the title of its article.
public struct FailedPackItem: Sendable {
  public var title: String
  public var stage: Pack.Stage
  public var url: String
  public var failure: RefreshFailure?
  /// Set if a picture was received and cannot be shown.
  public var refusal: PictureRefusal?
}

extension PackCache where Side == ReaderCache {
  /// Begins a pack of articles in reading order, and stops one that is in progress. The process
  /// with the engine fetches its parts.
  @discardableResult
  public func startPack(
    _ articles: [PackArticle], query: String = "", budget: Int64
  ) async throws(StoreError) -> Pack {
    try await database.write(.user) { db, now in
      let now = now.milliseconds
      try PackRows.end(.stopped, db, at: now)
      try db.run(
        "INSERT INTO pack (query, budget, startedAt) VALUES (?, ?, ?)", [query, budget, now])
      let pack = db.lastInsertedRowID
      for (position, article) in articles.enumerated() {
        try db.run(
          """
          INSERT OR IGNORE INTO packArticle (packID, articleID, position, minutes)
          SELECT ?, id, ?, ? FROM article WHERE id = ?
          """, [pack, position, article.minutes, article.id.rawValue])
        try PackRows.add([article.page].compactMap(\.self), .text, of: article.id, to: pack, db)
        try PackRows.add(article.pictures, .picture, of: article.id, to: pack, db)
        try PackRows.add([article.audio].compactMap(\.self), .audio, of: article.id, to: pack, db)
      }
      try PackRows.resume(db, at: now)
    }
    guard let pack = try last() else { throw StoreError.notFound }
    return pack
  }

  /// Returns the pack in progress, or the last one.
  public func last() throws(StoreError) -> Pack? {
    try database.read { db in
      var pack: Pack? = try db.first(
        """
        SELECT id, query, budget, startedAt, endedAt, endReason, received,
          count(articleID) AS articles, sum(a.minutes) AS minutes,
          sum(a.minutes * \(PackRows.isReady)) AS readable
        FROM pack LEFT JOIN packArticle a ON packID = id
        WHERE id = (SELECT max(id) FROM pack) GROUP BY id
        """
      ) { row in
        var pack = Pack(
          id: row["id"], query: row["query"], budget: row["budget"],
          startedAt: Date(milliseconds: row["startedAt"]))
        (pack.received, pack.endedAt) = (row["received"], row.date("endedAt"))
        // Earlier versions had further reasons.
        pack.end = (row["endReason"] as String?).map { Pack.End(rawValue: $0) ?? .complete }
        (pack.articles, pack.minutes) = (row["articles"], row["minutes"])
        pack.readableMinutes = row["readable"]
        return pack
      }
      _ = try db.all(
        """
        SELECT stage, min(state, 3) AS state, count(*) AS number, sum(bytes) AS bytes
        FROM packItem WHERE packID = ? GROUP BY 1, 2
        """, [pack?.id]
      ) { row in
        let stage = Pack.Stage(rawValue: row["stage"]) ?? .picture
        let state = Pack.State(rawValue: row["state"]) ?? .leftOut
        pack?.parts[stage, default: [:]][state] = row["number"] as Int
        if state == .done { pack?.bytes[stage] = row["bytes"] as Int64 }
      }
      return pack
    }
  }

  /// Returns the articles of a pack in reading order, without those whose text was not requested.
  public func articles(of pack: Int64) throws(StoreError) -> [ArticleID] {
    let wasTried = PackRows.none("i.stage = 0 AND i.state NOT IN (1, 2)")
    let ids: [Int64] = try database.values(
      "SELECT articleID FROM packArticle a WHERE packID = ? AND \(wasTried) ORDER BY position",
      [pack])
    return ids.map(ArticleID.init(rawValue:))
  }

  /// Returns the first failed parts of a pack, one of each article.
  public func failedPackItems(_ pack: Int64) throws(StoreError) -> [FailedPackItem] {
    try database.all(
      """
      SELECT a.title, i.*, p.refusal, min(i.id) AS first
      FROM packItem i JOIN article a ON a.id = i.articleID
        LEFT JOIN picture p ON p.url = i.url AND i.stage = 1
      WHERE i.packID = ? AND i.state = 2 GROUP BY a.id ORDER BY first LIMIT 10
      """, [pack]
    ) { row in
      FailedPackItem(
        title: row["title"], stage: Pack.Stage(rawValue: row["stage"]) ?? .picture,
        url: row["url"], failure: FetchRows.failure(row),
        refusal: (row["refusal"] as String?).flatMap(PictureRefusal.init))
    }
  }

  /// Stops the pack in progress; fetched parts stay. Returns `false` if there is none.
  @discardableResult
  public func stopPack() async throws(StoreError) -> Bool {
    try await database.write(.user) { db, now in
      try PackRows.end(.stopped, db, at: now.milliseconds)
    }
  }

  /// Resumes the last pack if it was stopped because the disk was full. Returns `false` otherwise.
  @discardableResult
  public func resumePack() async throws(StoreError) -> Bool {
    try await database.write(.user) { db, now in
      let isOpen = try db.run(
        """
        UPDATE pack SET endedAt = NULL, endReason = NULL
        WHERE id = (SELECT max(id) FROM pack) AND endReason = 'diskFull'
        """)
      if isOpen > 0 { try PackRows.resume(db, at: now.milliseconds) }
      return isOpen > 0
    }
  }

  /// Returns the articles that are in a recent pack and of which no part is still to be fetched.
  public func packed(_ articles: [ArticleID]) throws(StoreError) -> Set<ArticleID> {
    let oldest = PackRows.oldest(database.now.milliseconds)
    let ready = """
      SELECT 1 FROM packArticle a JOIN pack ON pack.id = a.packID
      WHERE a.articleID = ? AND pack.startedAt > ? AND \(PackRows.isReady)
      """
    return try database.read { db in
      Set(try articles.filter { try db.exists(ready, [$0.rawValue, oldest]) })
    }
  }
}

extension PackCache: WorkFacet where Side == EngineCache {
  /// The texts of the first 50 incomplete articles come first, then their pictures, and audio after
  /// all articles.
  package static var table: WorkTable<PackTask> {
    WorkTable(
      """
      SELECT i.id, i.packID, i.articleID, i.stage, i.url, \(FetchRows.referrers),
      p.budget - p.received AS remaining, d.id AS downloadID,
      i.stage = 3 AND d.id IS NULL AND EXISTS (
        SELECT 1 FROM download WHERE articleID = a.id AND url = i.url)
      OR i.stage = 1 AND EXISTS (SELECT 1 FROM picture
        WHERE url = i.url AND (hash IS NOT NULL OR refusal = 'tracker')) AS isPresent,
      (SELECT itemID FROM articleBody WHERE articleID = i.articleID) AS itemID,
      (SELECT pages FROM fullText WHERE i.stage = 1 AND articleID = i.articleID) AS pages,
      (SELECT max(size) FROM enclosure e
        WHERE i.stage = 3 AND e.articleID = i.articleID AND e.url = i.url) AS size
      """,
      from: """
        pack p CROSS JOIN packItem i ON i.packID = p.id
        CROSS JOIN article a ON a.id = i.articleID CROSS JOIN feed f ON f.id = a.feedID
        LEFT JOIN download d ON i.stage = 3 AND d.articleID = a.id AND d.url = i.url
          AND d.packID = p.id AND d.path IS NULL
        """,
      waiting: """
        p.endedAt IS NULL AND i.state = 0 AND (i.stage, i.position / 50) = (
          SELECT stage, position / 50 FROM packItem
          WHERE packID = (SELECT id FROM pack WHERE endedAt IS NULL) AND state = 0
          ORDER BY stage = 3, position / 50, stage LIMIT 1)
        """,
      queue: "ORDER BY i.position, i.id LIMIT 8", key: "i.id", name: "i.url"
    ) { row in
      PackTask(
        id: row["id"], pack: row["packID"], article: row.id("articleID"),
        stage: Pack.Stage(rawValue: row["stage"]) ?? .picture, url: row["url"],
        referrers: FetchRows.referrers(row, pages: "pages", page: row["url"]),
        isPresent: row["isPresent"], download: row["downloadID"], size: row["size"],
        left: row["remaining"])
    }
  }

  public func finishPackItem(
    _ task: PackTask, _ outcome: PackOutcome, bytes: Int64
  ) async throws(StoreError) {
    if case .picture(let picture) = outcome {
      try await PictureCache<EngineCache>(database: database).finishPicture(
        task.url, of: task.article, picture)
    }
    if case .audio(let state) = outcome, let id = task.download {
      try await DownloadCache<EngineCache>(database: database).finishDownload(id, state)
    }
    let (article, plainText) = (task.article.rawValue, database.options.plainText)
    try await database.write(.engine) { db, now in
      let now = now.milliseconds
      var state = Pack.State.done
      switch outcome {
      case .text(let content, let minutes, let pictures):
        try FullTextRows.finish(article, .found(content), db, at: now, plainText: plainText)
        try db.run(
          "UPDATE packArticle SET minutes = ? WHERE packID = ? AND articleID = ?",
          [max(1, minutes), task.pack, article])
        try PackRows.add(pictures, .picture, of: task.article, to: task.pack, db)
      // A refused tracking picture counts as done, because readers do not miss it.
      case .picture(.received), .picture(.notModified), .picture(.refused(.tracker)),
        .audio(.saved), .present:
        break
      case .failed(let failure), .picture(.failed(let failure)), .audio(.failed(let failure)):
        state = .failed
        if task.stage == .text {
          try FullTextRows.finish(article, .failed(failure), db, at: now, plainText: plainText)
        }
        try FailureColumns.add(failure, since: now, to: "packItem", task.id, db)
      case .picture(.refused), .audio: state = .failed
      case .leftOut:
        state = .leftOut
        try db.run("DELETE FROM download WHERE id = ? AND packID IS NOT NULL", [task.download])
      }
      try db.run(
        "UPDATE packItem SET state = ?, bytes = ? WHERE id = ?", [state.rawValue, bytes, task.id])
      try db.run("UPDATE pack SET received = received + ? WHERE id = ?", [bytes, task.pack])
      try PackRows.end(nil, db, at: now)
    }
  }

  /// Counts bytes that a pack received without a result.
  /// - Parameter end: the reason for which the pack ends, although parts may wait.
  public func spend(_ bytes: Int64, of pack: Int64, end: Pack.End? = nil) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      try db.run("UPDATE pack SET received = received + ? WHERE id = ?", [bytes, pack])
      try PackRows.end(end, db, at: now.milliseconds)
    }
  }
}

/// Statements about packs, with the numbers of `Pack.Stage` and `Pack.State`.
package enum PackRows {
  /// Adds parts. Texts and pictures that are stored already are done, and cost no budget.
  static func add(
    _ urls: [String], _ stage: Pack.Stage, of article: ArticleID, to pack: Int64, _ db: Database
  ) throws {
    for url in urls where WebAddress(url).isHTTP {
      try db.run(
        """
        INSERT OR IGNORE INTO packItem (packID, articleID, stage, position, url, state)
        SELECT packID, articleID, ?3, position, ?4,
          ?3 = 0 AND EXISTS (SELECT 1 FROM fullText WHERE articleID = ?2 AND html IS NOT NULL)
          OR ?3 = 1 AND EXISTS (SELECT 1 FROM picture WHERE url = ?4 AND hash IS NOT NULL)
        FROM packArticle WHERE packID = ?1 AND articleID = ?2
        """, [pack, article.rawValue, stage.rawValue, url])
    }
  }

  /// Requests the waiting audio files of the open pack, except those that the user has requested.
  /// Ends the pack if nothing waits.
  static func resume(_ db: Database, at now: Int64) throws {
    try db.run(
      """
      INSERT INTO download (articleID, url, askedAt, packID)
      SELECT articleID, url, ?1, packID FROM packItem
      WHERE stage = 3 AND state = 0 AND packID = (SELECT id FROM pack WHERE endedAt IS NULL)
      ON CONFLICT (articleID, url) DO UPDATE SET
        isWaiting = 1, askedAt = ?1, received = 0, size = NULL, packID = excluded.packID
      WHERE isWaiting = 0 AND path IS NULL
      """, [now])
    try end(nil, db, at: now)
  }

  /// Ends the open pack for a reason, with its waiting parts, so that it can be resumed. Without a
  /// reason, ends it if nothing waits or less than 8 kB of the budget is left. Deletes the
  /// requests of files that it has not fetched. Returns `false` if no pack ends.
  @discardableResult
  static func end(_ reason: Pack.End?, _ db: Database, at now: Int64) throws -> Bool {
    try db.run(
      """
      UPDATE packItem SET state = 3 WHERE state = 0 AND ? IS NULL AND packID = (
        SELECT id FROM pack WHERE endedAt IS NULL AND budget - received < 8192)
      """, [reason?.rawValue])
    let ended = try db.run(
      """
      UPDATE pack SET endedAt = ?1, endReason = ifnull(?2, iif(
        EXISTS (SELECT 1 FROM packItem WHERE packID = pack.id AND state > 2), 'budget', 'complete'))
      WHERE endedAt IS NULL AND (?2 IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM packItem WHERE packID = pack.id AND state = 0))
      """, [now, reason?.rawValue])
    try db.run(
      """
      DELETE FROM download
      WHERE isWaiting = 1 AND packID IN (SELECT id FROM pack WHERE endedAt IS NOT NULL)
      """)
    return ended > 0
  }

  /// The condition for articles `packArticle a` that can be read offline. Refused pictures and
  /// pictures of an unknown kind count as fetched, because they are not shown online either.
  static let isReady = none("i.stage <> 3 AND i.state <> 1 AND (i.stage = 0 OR i.state <> 2)")

  /// Returns the condition that no part of an article `packArticle a` is such a `packItem i`.
  static func none(_ condition: String) -> String {
    """
    (NOT EXISTS (SELECT 1 FROM packItem i
      WHERE i.articleID = a.articleID AND i.packID = a.packID AND \(condition)))
    """
  }

  /// Returns the condition that a recent pack has such a row `k` of joined tables.
  package static func isKept(_ tables: String, _ condition: String, at now: Int64) -> String {
    """
    EXISTS (SELECT 1 FROM \(tables) JOIN pack ON pack.id = k.packID
      WHERE \(condition) AND pack.startedAt > \(oldest(now)))
    """
  }

  /// Returns the time before which a pack is no longer recent, 14 days before now.
  static func oldest(_ now: Int64) -> Int64 { now - Duration.days(14).milliseconds }
}
