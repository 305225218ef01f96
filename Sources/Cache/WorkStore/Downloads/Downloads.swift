package import Foundation
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
