public import Foundation
import GRDB

// The queue of downloads: order, pauses, holds and removal.

extension DownloadCache where Side == ReaderCache {
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

  /// Returns the paths of all saved files.
  public func savedDownloads() throws(StoreError) -> [String] {
    try database.values("SELECT path FROM download WHERE isWaiting = 0 AND path IS NOT NULL")
  }
}

extension DownloadCache where Side == EngineCache {
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
