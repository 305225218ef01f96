public import Foundation
package import GRDB

// Files of articles, requested by a screen and fetched by the engine.

/// A file that the engine is to fetch.
public struct DownloadTask: WorkTask, Equatable {
  public var id: Int64
  public var url: String
  public var referrers: AddressReferrers
  /// True if configured amounts do not apply.
  public var ignoresLimits = false
  /// Path of the file if it was saved before.
  public var path: String?
  /// The validator of the version that was received in part; `nil` if the download cannot be
  /// resumed.
  public var validator: String?
}

extension DownloadCache where Side == ReaderCache {
  /// Largest number of files of an article that one call requests.
  public static var downloadsAtOnce: Int { 10 }

  /// Requests the files of an article, including those that failed or were downloaded before.
  /// - Returns: all requests of the article; none if it has no file on the web.
  @discardableResult
  public func requestDownloads(of article: ArticleID) async throws(StoreError) -> [Download] {
    let id = article.rawValue
    return try await database.write(.user) { db, now in
      try DownloadRows.request(id, at: now, db)
      return try DownloadRows.all(db, "articleID = ?", [id])
    }
  }

  public func files(of article: ArticleID) throws(StoreError) -> [Download] {
    try database.read { db in try DownloadRows.all(db, "articleID = ?", [article.rawValue]) }
  }

  /// Returns a download; `nil` if it was cancelled or its article was deleted.
  public func download(_ id: Int64) throws(StoreError) -> Download? {
    try database.read { db in try DownloadRows.all(db, "id = ?", [id]).first }
  }

  /// Returns all requested files: waiting ones in the order of the queue, then failed files and
  /// then saved files, newest first.
  public func allDownloads(limit: Int = 500) throws(StoreError) -> [DownloadEntry] {
    try database.all(
      """
      SELECT \(DownloadRows.columns), a.title, \(SQLText.feedName) AS feedName,
        p.position, p.duration, p.isFinished, p.playedAt
      FROM download d CROSS JOIN article a ON a.id = d.articleID
        CROSS JOIN feed f ON f.id = a.feedID
        LEFT JOIN playback p ON p.articleID = d.articleID AND p.url = d.url
      WHERE \(ArchivedArticles.isListed(article: "a", feed: "f"))
      ORDER BY d.isWaiting DESC, CASE WHEN d.isWaiting = 1 THEN d.position ELSE d.path IS NOT NULL END,
        CASE WHEN d.isWaiting = 1 THEN d.askedAt ELSE -ifnull(d.savedAt, d.askedAt) END, d.id
      LIMIT ?
      """, [limit]
    ) { row in
      DownloadEntry(
        download: DownloadRows.download(row), title: row["title"], feedName: row["feedName"],
        playback: PlaybackRows.playback(row))
    }
  }

  /// Received parts stay.
  /// - Parameter ids: `nil` for all.
  /// - Returns: the number of changed downloads.
  @discardableResult
  public func setDownloadsPaused(
    _ ids: [Int64]?, _ isPaused: Bool
  ) async throws(StoreError) -> Int {
    try await database.run(
      .user,
      """
      UPDATE download SET isPaused = ?1 WHERE isWaiting = 1 AND isPaused <> ?1
        AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2)))
      """, [isPaused, ids.map { SQLText.json($0) }])
  }

  public func retryDownloads(_ ids: [Int64]) async throws(StoreError) {
    try await database.write(.user) { db, now in
      for id in ids {
        try db.run(
          """
          UPDATE download SET isWaiting = 1, isPaused = 0, askedAt = ?,
            position = \(DownloadRows.lastPlace)
          WHERE id = ? AND isWaiting = 0 AND path IS NULL
          """, [now.milliseconds, id])
      }
    }
  }

  /// Moves a waiting download to the front of the queue, and exempts it from amounts.
  public func startDownloadNow(_ id: Int64) async throws(StoreError) {
    try await database.run(
      .user,
      """
      UPDATE download SET isPaused = 0, ignoresLimits = 1,
        position = (SELECT min(position) - 1 FROM download WHERE isWaiting = 1)
      WHERE id = ? AND isWaiting = 1
      """, [id])
  }

  /// Returns the reason why no download starts; `nil` if downloads may start.
  public func downloadPause() throws(StoreError) -> DownloadPause? {
    try database.first("SELECT reason, until FROM downloadHold") { row in
      DownloadPause.Reason(rawValue: row["reason"]).map {
        DownloadPause($0, until: Date(milliseconds: row["until"]))
      }
    } ?? nil
  }

  public func savedDownloads() throws(StoreError) -> [String] {
    try database.values("SELECT path FROM download WHERE isWaiting = 0 AND path IS NOT NULL")
  }

  /// Returns playbacks by the address of the file.
  public func playbacks(of article: ArticleID) throws(StoreError) -> [String: Playback] {
    try database.read { db in
      try db.dictionary(
        "SELECT url, position, duration, isFinished, playedAt FROM playback WHERE articleID = ?",
        [article.rawValue]
      ) { ($0["url"], PlaybackRows.playback($0)) }.compactMapValues(\.self)
    }
  }

  /// Stores the playback of a file, unless its article is gone.
  /// - Parameter isLast: true if playing has ended or stopped. The write then survives a power cut.
  public func setPlayback(
    _ article: ArticleID, _ url: String, _ playback: Playback, isLast: Bool = true
  ) async throws(StoreError) {
    try await database.run(
      isLast ? .user : .engine,
      """
      INSERT INTO playback (articleID, url, position, duration, isFinished, playedAt)
      SELECT id, ?2, ?3, ?4, ?5, ?6 FROM article WHERE id = ?1
      ON CONFLICT (articleID, url) DO UPDATE SET position = ?3,
        duration = ifnull(?4, duration), isFinished = ?5, playedAt = ?6
      """,
      [
        article.rawValue, url, playback.position, playback.duration, playback.isFinished,
        playback.at.milliseconds,
      ])
  }
}

extension DownloadCache: WorkFacet where Side == EngineCache {
  /// The queue leaves out files of packs.
  package static var table: WorkTable<DownloadTask> {
    WorkTable(
      "SELECT d.id, d.url, \(FetchRows.referrers), d.path, d.validator, d.ignoresLimits",
      from: """
        download d CROSS JOIN article a ON a.id = d.articleID CROSS JOIN feed f ON f.id = a.feedID
        """,
      waiting: """
        d.isWaiting = 1 AND d.isPaused = 0
        AND \(ArchivedArticles.isListed(article: "a", feed: "f"))
        """,
      queue: "AND d.packID IS NULL ORDER BY d.position, d.askedAt, d.id LIMIT 200", key: "d.id",
      name: "d.url"
    ) {
      DownloadTask(
        id: $0["id"], url: $0["url"], referrers: FetchRows.referrers($0),
        ignoresLimits: $0["ignoresLimits"], path: $0["path"], validator: $0["validator"])
    }
  }

  /// - Parameter added: bytes since the last call, which count for the day.
  public func setDownloaded(
    _ id: Int64, received: Int64, size: Int64?, added: Int64 = 0
  ) async throws(StoreError) {
    let day = Int64(CivilDate.day(of: database.now, in: database.options.calendar))
    try await database.write(.engine) { db in
      try db.run(
        "UPDATE download SET received = ?, size = ? WHERE id = ? AND isWaiting = 1",
        [received, size, id])
      guard added > 0 else { return }
      try db.run(
        """
        INSERT INTO downloadUsage (day, bytes) VALUES (?1, ?2)
        ON CONFLICT (day) DO UPDATE SET bytes = bytes + ?2
        """, [day, added])
      try db.run("DELETE FROM downloadUsage WHERE day NOT BETWEEN ? - 62 AND ?", [day, day])
    }
  }

  public func setDownloadValidator(_ id: Int64, _ validator: String?) async throws(StoreError) {
    try await database.run(
      .engine, "UPDATE download SET validator = ? WHERE id = ?", [validator, id])
  }

  /// Returns files that wait, and files that failed and may be requested again.
  public func unfinishedDownloads() throws(StoreError) -> [(id: Int64, url: String)] {
    try database.all("SELECT id, url FROM download WHERE isWaiting = 1 OR path IS NULL") {
      ($0["id"], $0["url"])
    }
  }

  /// Stores the outcome of a download, unless it was cancelled.
  /// - Parameter bytes: size of the saved file; `nil` if unknown.
  public func finishDownload(
    _ id: Int64, _ state: Download.State, bytes: Int64? = nil
  ) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      switch state {
      case .waiting, .paused: return
      case .saved(let path):
        try db.run(
          """
          UPDATE download SET isWaiting = 0, isPaused = 0, ignoresLimits = 0, path = ?1,
            received = ifnull(?2, received), size = ifnull(?2, size),
            savedAt = CASE WHEN path IS ?1 AND savedAt IS NOT NULL THEN savedAt ELSE ?3 END,
            \(FailureColumns.cleared)
          WHERE id = ?4
          """, [path, bytes, now.milliseconds, id])
      case .failed(let failure):
        try db.run(
          """
          UPDATE download SET isWaiting = 0, isPaused = 0, ignoresLimits = 0, path = NULL
          WHERE id = ?
          """, [id])
        try FailureColumns.add(failure, since: now.milliseconds, to: "download", id, db)
      }
    }
  }

  /// Returns the bytes of downloads received on a day and since its month began, in the user's
  /// calendar.
  public func downloadUsage(at date: Date) throws(StoreError) -> (day: Int64, month: Int64) {
    let calendar = database.options.calendar
    let day = CivilDate.day(of: date, in: calendar)
    let first = day - calendar.component(.day, from: date) + 1
    return try database.first(
      """
      SELECT sum(iif(day = ?2, bytes, 0)) AS today, sum(bytes) AS month FROM downloadUsage
      WHERE day BETWEEN ?1 AND ?2
      """, [first, day]
    ) { ($0["today"], $0["month"]) } ?? (0, 0)
  }

  public func setDownloadPause(_ pause: DownloadPause?) async throws(StoreError) {
    try await database.write(.engine) { db in
      guard let pause else {
        try db.run("DELETE FROM downloadHold")
        return
      }
      try db.run(
        "INSERT OR REPLACE INTO downloadHold (id, reason, until) VALUES (1, ?, ?)",
        [pause.reason.rawValue, pause.until.milliseconds])
    }
  }

  /// Returns true if the received part of a download must stay, because the download waits or is
  /// paused.
  public func hasPart(ofDownload id: Int64) throws(StoreError) -> Bool {
    try database.exists("SELECT 1 FROM download WHERE id = ? AND isWaiting = 1", [id])
  }

  /// Returns saved files that `Retention.downloadDays` removes: played to their end, or of a read
  /// article, and untouched for this many days. Files of starred or tagged articles and partly
  /// played ones stay.
  public func expiredDownloads(
    limit: Int = 100
  ) throws(StoreError) -> [(id: Int64, path: String, bytes: Int64, savedAt: Date)] {
    let days = database.options.retention.downloadDays
    guard days > 0 else { return [] }
    let before = database.now.milliseconds - Duration.days(Int64(min(days, 1_000_000))).milliseconds
    return try database.all(
      """
      SELECT d.id, d.path, d.received, d.savedAt
      FROM download d CROSS JOIN articleStatus s ON s.articleID = d.articleID
        LEFT JOIN playback p ON p.articleID = d.articleID AND p.url = d.url
      WHERE d.isWaiting = 0 AND d.path IS NOT NULL AND d.savedAt < ?1
        AND (p.isFinished = 1 OR (p.id IS NULL AND s.isRead = 1))
        AND ifnull(p.playedAt, 0) < ?1 AND ifnull(s.openedAt, 0) < ?1 AND s.isStarred = 0
        AND NOT EXISTS (SELECT 1 FROM articleTag t WHERE t.articleID = s.articleID)
      ORDER BY d.id LIMIT ?2
      """, [before, limit]
    ) {
      ($0["id"], $0["path"], $0["received"], Date(milliseconds: $0["savedAt"]))
    }
  }
}

extension DownloadCache {
  /// Removes a download with what was received. The caller removes its saved file.
  /// - Parameter isWaiting: the state in which it is removed; `nil` for any.
  public func removeDownload(
    _ id: Int64, ifWaiting isWaiting: Bool? = nil
  ) async throws(StoreError) {
    try await database.run(
      .user, "DELETE FROM download WHERE id = ? AND isWaiting = ifnull(?, isWaiting)",
      [id, isWaiting])
  }
}

enum PlaybackRows {
  /// Returns the playback in the columns of a join; `nil` if there is none.
  static func playback(_ row: Row) -> Playback? {
    guard let position = row["position"] as Double?, let at = row.date("playedAt") else {
      return nil
    }
    return Playback(
      position: position, duration: row["duration"], isFinished: row["isFinished"], at: at)
  }
}

package enum DownloadRows {
  package static func request(_ article: Int64, at now: Date, _ db: Database) throws {
    let urls: [String] = try db.values(
      "SELECT url FROM enclosure WHERE articleID = ? GROUP BY url ORDER BY min(position)",
      [article])
    // Files that a pack would fetch later are requested now.
    try db.run("UPDATE download SET isPaused = 0, packID = NULL WHERE articleID = ?", [article])
    for url in urls.filter({ WebAddress($0).isHTTP }).prefix(
      DownloadCache<ReaderCache>.downloadsAtOnce)
    {
      try db.run(
        """
        INSERT INTO download (articleID, url, askedAt, position) VALUES (?1, ?2, ?3, \(lastPlace))
        ON CONFLICT (articleID, url) DO UPDATE SET isWaiting = 1, askedAt = ?3,
          position = excluded.position, received = 0, size = NULL WHERE isWaiting = 0
        """, [article, url, now.milliseconds])
    }
  }

  static func all(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [Download] {
    try db.all(
      "SELECT \(columns) FROM download d WHERE \(condition) ORDER BY id", arguments, download)
  }

  static let columns = """
    d.id, d.articleID, d.url, d.received, d.size, d.isWaiting, d.isPaused, d.path, d.savedAt,
    d.ignoresLimits, \(FailureColumns.all)
    """
  /// Position after all waiting downloads.
  static let lastPlace = "(SELECT ifnull(max(position), 0) + 1 FROM download WHERE isWaiting = 1)"

  static func download(_ row: Row) -> Download {
    Download(
      id: row["id"], article: row.id("articleID"), url: row["url"], state: state(row),
      received: row["received"], size: row["size"], savedAt: row.date("savedAt"),
      ignoresLimits: row["ignoresLimits"])
  }

  private static func state(_ row: Row) -> Download.State {
    let isWaiting: Bool = row["isWaiting"]
    if isWaiting { return row["isPaused"] as Bool ? .paused : .waiting }
    if let path = row["path"] as String? { return .saved(path: path) }
    return FetchRows.failure(row).map(Download.State.failed) ?? .waiting
  }
}

/// Requests what the settings of their feed say of new articles: the pages, and the audio or video
/// of those that are among the newest of the feed.
package struct MediaArrivals: MergeParticipant {
  private let configured: @Sendable (String) -> FeedOptions

  package init(_ options: StoreOptions) { configured = options.feedOptions }

  package func begin(_ transaction: Transaction) -> ArrivalHandler {
    { arrivals in
      let db = transaction.db
      guard !arrivals.added.isEmpty,
        let (hasPages, count): (Bool?, Int?) = try db.first(
          "SELECT url, fetchesPages, latestDownloads FROM feed WHERE id = ?", [arrivals.feed],
          {
            let configured = configured($0["url"])
            return (
              $0["fetchesPages"] ?? configured.fullText,
              $0["latestDownloads"] ?? configured.latestDownloads
            )
          })
      else { return }
      if hasPages == true {
        let last = Array(arrivals.added.suffix(FullTextRows.mostAtOnce))
        try FullTextRows.ask(forPages: last, at: arrivals.at, db)
      }
      guard let count else { return }
      let newest: [Int64] = try db.values(
        """
        SELECT articleID FROM articleStatus INDEXED BY list_all_feed
        WHERE isHidden = 0 AND feedID = ? ORDER BY sortDate DESC, articleID DESC LIMIT ?
        """, [arrivals.feed, count])
      for id in Set(arrivals.added).intersection(newest).sorted() {
        try db.run(
          """
          INSERT OR IGNORE INTO download (articleID, url, askedAt, position)
          SELECT articleID, url, ?, \(DownloadRows.lastPlace) FROM enclosure
          WHERE articleID = ? AND url LIKE 'http%'
            AND (mimeType LIKE 'audio/%' OR mimeType LIKE 'video/%') ORDER BY position LIMIT 1
          """, [arrivals.at.milliseconds, id])
      }
    }
  }
}
