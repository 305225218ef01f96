import Foundation
import GRDB

/// The pictures that a screen requests: the visible ones, and those of the next screens.
public struct RequestedPictures: Sendable, Equatable {
  /// A picture that an article shows.
  public struct Item: Sendable, Hashable {
    /// Absolute address.
    public var url: String
    public var feed: FeedID
    /// The article that shows it, whose text may be that of a page.
    public var article: ArticleID?

    /// - Parameter article: `nil` if the picture is the feed's own.
    public init(url: String, feed: FeedID, article: ArticleID? = nil) {
      (self.url, self.feed, self.article) = (url, feed, article)
    }
  }
  public var visible: [Item]
  /// Pictures of the next screens, in their order.
  public var ahead: [Item]
  /// True to retry failed and refused pictures.
  public var isRepeated: Bool
  public init(visible: [Item] = [], ahead: [Item] = [], isRepeated: Bool = false) {
    (self.visible, self.ahead, self.isRepeated) = (visible, ahead, isRepeated)
  }
}

/// A picture that the engine is to fetch.
public struct PictureTask: WorkTask, Equatable {
  public var id: Int64
  public var url: String
  public var referrers: AddressReferrers
  /// True if the picture is missing on a screen.
  public var isVisible: Bool
  /// Validators of the stored file; `nil` if there is none.
  public var validators: PictureValidators?
}

/// Validators of a picture, byte for byte as the origin gave them.
public struct PictureValidators: Sendable, Equatable {
  public var etag: String?
  public var lastModified: String?
  /// Address that gave the validators, after redirects.
  public var from: String?
  public init(etag: String? = nil, lastModified: String? = nil, from: String? = nil) {
    (self.etag, self.lastModified, self.from) = (etag, lastModified, from)
  }
}

/// The outcome of fetching a picture.
public enum PictureOutcome: Sendable {
  /// Bytes of a picture, its size in pixels, and its validators.
  case received([UInt8], PictureSize, PictureValidators)
  /// 304: the stored file is current.
  case notModified
  /// The picture was received but is not shown.
  case refused(PictureRefusal)
  case failed(RefreshFailure)
}

extension PictureCache where Side == ReaderCache {
  /// Milliseconds after which a stored picture on screen is requested again, conditionally.
  private static var freshness: Int64 { Duration.days(30).milliseconds }
  /// Wait before a failed picture on screen, or ahead of need, is retried.
  private static var pause: (visible: Duration, ahead: Duration) { (.seconds(600), .days(1)) }

  /// Returns the requested pictures at these addresses. Uses one statement, because the screen's
  /// thread waits for it.
  public func known(at urls: [String]) throws(StoreError) -> [String: Picture] {
    guard !urls.isEmpty else { return [:] }
    return try database.read { db in
      let found = try PictureRows.all(
        db, "url IN (SELECT value FROM json_each(?))", [SQLText.json(Array(Set(urls)))])
      return Dictionary(found.map { ($0.url, $0) }) { $1 }
    }
  }

  /// Returns a picture's bytes. If its file is missing or damaged, requests it and returns `nil`.
  public func pictureBytes(_ picture: StoredPicture) async throws(StoreError) -> [UInt8]? {
    let files = PictureFiles(beside: database.path)
    if let bytes = files.read(picture) { return bytes }
    try await database.write(.engine) { db in
      guard try PictureRows.forgetFile(of: picture.id, picture.hash, db) else { return }
      try db.run("UPDATE picture SET wanted = 2 WHERE id = ?", [picture.id])
    }
    files.remove(id: picture.id, hash: picture.hash)
    return nil
  }

  /// Requests the pictures on screen and on the next screens. Earlier requests for pictures that
  /// are on no screen come last.
  public func requestPictures(_ requested: RequestedPictures) async throws(StoreError) {
    // Changes no row without need, because each change wakes the engine.
    try await database.write(.engine) { db, now in
      try db.run(
        """
        UPDATE picture SET wanted = 1
        WHERE wanted = 2 AND url NOT IN (SELECT value FROM json_each(?))
        """, [SQLText.json(requested.visible.map(\.url))])
      for (items, level) in [(requested.ahead, 1), (requested.visible, 2)] {
        for item in items where WebAddress(item.url).isHTTP {
          try db.run(
            """
            INSERT INTO picture (url, feedID, pages, wanted, askedAt)
            VALUES (?2, ?3, (SELECT pages FROM fullText WHERE articleID = ?5), ?4, ?1)
            ON CONFLICT (url) DO UPDATE SET wanted = max(wanted, ?4), askedAt = ?1,
              feedID = excluded.feedID, pages = excluded.pages
            WHERE wanted < ?4 AND \(Self.isDue(level, isRepeated: requested.isRepeated))
            """,
            [now.milliseconds, item.url, item.feed.rawValue, level, item.article?.rawValue])
          guard level == 2 else { continue }
          try db.run(
            "UPDATE picture SET usedAt = ?1 WHERE url = ?2 AND usedAt < ?3",
            [now.milliseconds, item.url, now.milliseconds - Duration.days(1).milliseconds])
        }
      }
    }
  }

  /// Returns the condition for rows to fetch; ?1 is the present time.
  private static func isDue(_ level: Int, isRepeated: Bool) -> String {
    let wait = level == 2 ? pause.visible : pause.ahead
    let renewal = level == 2 ? "fetchedAt < ?1 - \(freshness)" : "0"
    let retry =
      isRepeated
      ? "1" : "refusal IS NULL AND (failureSince IS NULL OR askedAt < ?1 - \(wait.milliseconds))"
    return "((hash IS NULL AND \(retry)) OR (hash IS NOT NULL AND \(renewal)))"
  }
}

extension PictureCache: WorkFacet where Side == EngineCache {
  /// Pictures on screen come first.
  package static var table: WorkTable<PictureTask> {
    WorkTable(
      """
      SELECT p.id, p.url, \(FetchRows.referrers), p.pages, wanted, hash, etag, lastModified,
        validatorsURL
      """,
      from: "picture p LEFT JOIN feed f ON f.id = p.feedID", waiting: "wanted > 0",
      queue: "ORDER BY wanted DESC, askedAt, p.id LIMIT 100", key: "p.id", name: "p.url"
    ) { row in
      PictureTask(
        id: row["id"], url: row["url"], referrers: FetchRows.referrers(row, pages: "pages"),
        isVisible: row["wanted"] as Int == 2,
        validators: (row["hash"] as Int64?).map { _ in
          PictureValidators(
            etag: row["etag"], lastModified: row["lastModified"], from: row["validatorsURL"])
        })
    }
  }

  /// Stores the outcome of fetching a picture of an article that no screen requested.
  func finishPicture(
    _ url: String, of article: ArticleID, _ outcome: PictureOutcome
  ) async throws(StoreError) {
    let id: Int64? = try await database.write(.engine) { db, now in
      try db.first(
        """
        INSERT INTO picture (url, feedID, wanted, askedAt, usedAt)
        VALUES (?1, (SELECT feedID FROM article WHERE id = ?2), 0, ?3, ?3)
        ON CONFLICT (url) DO UPDATE SET usedAt = ?3 RETURNING id
        """, [url, article.rawValue, now.milliseconds]
      ) { $0["id"] as Int64 }
    }
    if let id { try await finishPicture(id, outcome) }
  }

  /// Removes the least recently used pictures if the limit would be exceeded.
  public func finishPicture(_ id: Int64, _ outcome: PictureOutcome) async throws(StoreError) {
    let files = PictureFiles(beside: database.path)
    let limit = database.options.pictureLimit
    var hash: UInt64?
    if case .received(let bytes, _, _) = outcome {
      let value = PictureFiles.hash(bytes)
      try files.write(bytes, id: id, hash: value)
      hash = value
    }
    let written = hash
    let gone = try await database.write(.engine) { db, now in
      let now = now.milliseconds
      switch outcome {
      case .received(let bytes, let size, let validators):
        try db.run(
          """
          UPDATE picture SET wanted = 0, fetchedAt = ?, usedAt = max(usedAt, ?), hash = ?,
            length = ?, width = ?, height = ?, etag = ?, lastModified = ?, validatorsURL = ?,
            refusal = NULL, \(FailureColumns.cleared)
          WHERE id = ?
          """,
          [
            now, now, written.map { Int64(bitPattern: $0) }, bytes.count, size.width, size.height,
            validators.etag, validators.lastModified, validators.from, id,
          ])
      case .notModified, .refused:
        let refusal =
          if case .refused(let refusal) = outcome { refusal.rawValue } else { nil as String? }
        try db.run(
          """
          UPDATE picture SET wanted = 0, fetchedAt = ?, refusal = ?, \(FailureColumns.cleared)
          WHERE id = ?
          """, [now, refusal, id])
      case .failed(let failure):
        try db.run("UPDATE picture SET wanted = 0 WHERE id = ?", [id])
        try FailureColumns.add(failure, since: now, to: "picture", id, db)
      }
      return try PictureRows.makeRoom(limit, except: id, db, at: now)
    }
    for (id, hash) in gone { files.remove(id: id, hash: hash) }
  }
}

enum PictureRows {
  static func all(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [Picture] {
    try db.all(
      """
      SELECT id, url, wanted, hash, length, width, height, refusal, \(FailureColumns.all)
      FROM picture WHERE \(condition)
      """, arguments
    ) { row in
      let size = (row["width"] as Int?).flatMap { width in
        (row["height"] as Int?).map { PictureSize(width: width, height: $0) }
      }
      return Picture(id: row["id"], url: row["url"], state: state(row, size), size: size)
    }
  }

  private static func state(_ row: Row, _ size: PictureSize?) -> Picture.State {
    if let hash = row["hash"] as Int64?, let length = row["length"] as Int?, let size {
      return .stored(
        StoredPicture(id: row["id"], hash: UInt64(bitPattern: hash), length: length, size: size))
    }
    let wanted: Int = row["wanted"]
    if wanted > 0 { return .waiting }
    if let refusal = (row["refusal"] as String?).flatMap(PictureRefusal.init) {
      return .refused(refusal)
    }
    return FetchRows.failure(row).map(Picture.State.failed) ?? .absent
  }

  /// Returns `false` if the picture has another file by now.
  static func forgetFile(of id: Int64, _ hash: UInt64, _ db: Database) throws -> Bool {
    try db.run(
      """
      UPDATE picture SET hash = NULL, length = NULL, etag = NULL, lastModified = NULL
      WHERE id = ? AND hash = ?
      """, [id, Int64(bitPattern: hash)]) > 0
  }

  /// Number of rows examined at once.
  private static let batch = 50

  /// Removes the least recently used pictures until the rest is within the limit.
  /// - Returns: files to be removed after the commit.
  static func makeRoom(
    _ limit: Int, except id: Int64, _ db: Database, at now: Int64
  ) throws -> [(id: Int64, hash: UInt64)] {
    let total: Int64? = try db.value("SELECT sum(length) FROM picture WHERE hash IS NOT NULL")
    var excess = (total ?? 0) - Int64(limit)
    var gone: [(id: Int64, hash: UInt64)] = []
    let isKept = PackRows.isKept(
      "packItem k JOIN articleStatus s ON s.articleID = k.articleID",
      "k.url = picture.url AND k.stage = 1 AND s.isRead = 0", at: now)
    while excess > 0 {
      let oldest: [(id: Int64, hash: Int64, length: Int64)] = try db.all(
        """
        SELECT id, hash, length FROM picture WHERE hash IS NOT NULL AND id <> ?
          AND NOT \(isKept)
        ORDER BY usedAt, id LIMIT ?
        """, [id, batch]
      ) { ($0["id"], $0["hash"], $0["length"]) }
      guard !oldest.isEmpty else { break }
      for row in oldest where excess > 0 {
        let hash = UInt64(bitPattern: row.hash)
        _ = try forgetFile(of: row.id, hash, db)
        excess -= row.length
        gone.append((row.id, hash))
      }
    }
    return gone
  }
}
