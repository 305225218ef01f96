import GRDB

/// A part that the engine is to fetch for a pack.
public struct PackTask: Sendable, Equatable {
  public var id: Int64
  public var pack: Int64
  public var article: ArticleID
  public var stage: Pack.Stage
  public var url: String
  /// The documents that contain the address.
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

/// The outcome of a part of a pack.
public enum PackOutcome: Sendable {
  case text(MainContent, minutes: Int, pictures: [String])
  case picture(PictureOutcome)
  case audio(Download.State)
  case failed(RefreshFailure)
  /// The part is in the cache already.
  case present
  /// The part exceeds the budget.
  case leftOut
}

/// A part of a pack that could not be fetched.
public struct FailedPackItem: Sendable {
  /// The title of its article.
  public var title: String
  public var stage: Pack.Stage
  public var url: String
  public var failure: RefreshFailure?
  /// Set if a picture was received and cannot be shown.
  public var refusal: PictureRefusal?
}

extension PackCache {
  /// Begins a pack and stops one that is in progress. The process with the engine fetches its
  /// parts.
  /// - Parameters:
  ///   - articles: the articles in reading order.
  ///   - query: the query that selected them.
  ///   - budget: bytes on the wire.
  @discardableResult
  public func startPack(
    _ articles: [PackArticle], query: String = "", budget: Int64
  ) async throws(StoreError) -> Pack {
    try await database.write(.user) { db, now in
      let now = now.milliseconds
      try PackRows.endOpen(.stopped, db, at: now)
      try db.run(
        "INSERT INTO pack (query, budget, startedAt) VALUES (?, ?, ?)", [query, budget, now])
      let pack = db.lastInsertedRowID
      for (position, article) in articles.enumerated() {
        try PackRows.add(article, to: pack, at: position, db)
      }
      try PackRows.resume(pack, db, at: now)
      guard let made = try PackRows.last(db) else { throw StoreError.notFound }
      return made
    }
  }

  /// Returns the pack in progress, or the last one.
  public func last() throws(StoreError) -> Pack? { try database.read(PackRows.last) }

  /// Returns the articles of a pack in reading order, without those whose text was not requested.
  public func articles(of pack: Int64) throws(StoreError) -> [ArticleID] {
    try database.read { db in
      try db.all(
        """
        SELECT articleID FROM packArticle a WHERE packID = ? AND NOT EXISTS (
          SELECT 1 FROM packItem i WHERE i.articleID = a.articleID AND i.packID = a.packID
            AND i.stage = \(Pack.Stage.text.rawValue) AND i.state NOT IN (1, 2))
        ORDER BY position
        """, [pack]
      ) { ArticleID(rawValue: $0["articleID"]) }
    }
  }

  /// Returns the articles of a pack with failed parts, each once, with the first part that failed.
  public func failedPackItems(_ pack: Int64, limit: Int = 10) throws(StoreError) -> [FailedPackItem]
  {
    try database.read { db in
      try db.all(
        """
        SELECT a.title, i.*, p.refusal, min(i.id) AS first
        FROM packItem i JOIN article a ON a.id = i.articleID
          LEFT JOIN picture p ON p.url = i.url AND i.stage = \(Pack.Stage.picture.rawValue)
        WHERE i.packID = ? AND i.state = 2 GROUP BY a.id ORDER BY first LIMIT ?
        """, [pack, limit]
      ) { row in
        FailedPackItem(
          title: row["title"], stage: Pack.Stage(rawValue: row["stage"]) ?? .picture,
          url: row["url"], failure: FetchRows.failure(row),
          refusal: (row["refusal"] as String?).flatMap(PictureRefusal.init))
      }
    }
  }

  /// Stops the pack in progress; fetched parts stay. Returns `false` if there is none.
  @discardableResult
  public func stopPack() async throws(StoreError) -> Bool {
    try await database.write(.user) { db, now in
      try PackRows.endOpen(.stopped, db, at: now.milliseconds)
    }
  }

  /// Resumes the last pack if it was stopped because the disk was full. Returns `false` otherwise.
  @discardableResult
  public func resumePack() async throws(StoreError) -> Bool {
    try await database.write(.user) { db, now in
      guard let pack = try PackRows.last(db), pack.end == .diskFull else { return false }
      try db.run("UPDATE pack SET endedAt = NULL, endReason = NULL WHERE id = ?", [pack.id])
      try PackRows.resume(pack.id, db, at: now.milliseconds)
      return true
    }
  }

  /// Returns the articles that are in a pack and of which no part is still to be fetched.
  public func packed(_ articles: [ArticleID]) throws(StoreError) -> Set<ArticleID> {
    try database.read { db in
      Set(
        try articles.filter { id in
          try db.exists(
            """
            SELECT 1 FROM packArticle p WHERE p.articleID = ? AND \(PackRows.isReady("p"))
            """, [id.rawValue])
        })
    }
  }
}

extension PackWork {
  /// Returns the next parts of the pack in progress, all of one stage, in reading order.
  public func pendingPackItems() throws(StoreError) -> [PackTask] {
    try database.read(PackRows.next)
  }

  /// Stores the outcome of a part of a pack, and counts its bytes on the wire.
  public func finishPackItem(
    _ task: PackTask, _ outcome: PackOutcome, bytes: Int64
  ) async throws(StoreError) {
    if case .picture(let picture) = outcome {
      let id = try await database.write(.engine) { db, now in
        try db.run(
          """
          INSERT INTO picture (url, feedID, wanted, askedAt, usedAt)
          VALUES (?1, (SELECT feedID FROM article WHERE id = ?2), 0, ?3, ?3)
          ON CONFLICT (url) DO UPDATE SET usedAt = ?3
          """, [task.url, task.article.rawValue, now.milliseconds])
        return try db.value("SELECT id FROM picture WHERE url = ?", [task.url]) as Int64?
      }
      if let id { try await PictureWork(database: database).finishPicture(id, picture) }
    }
    if case .audio(let state) = outcome, let id = task.download {
      try await DownloadWork(database: database).finishDownload(id, state)
    }
    let plainText = database.options.plainText
    try await database.write(.engine) { db, now in
      try PackRows.finish(
        task, outcome, bytes: bytes, db, at: now.milliseconds, plainText: plainText)
    }
  }

  /// Counts bytes that a pack received without a result.
  /// - Parameter end: the reason for which the pack ends; `nil` if it does not.
  public func spend(
    _ bytes: Int64, of pack: Int64, end: Pack.End? = nil
  ) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      if let end { try PackRows.endOpen(end, db, at: now.milliseconds) }
      try db.run("UPDATE pack SET received = received + ? WHERE id = ?", [bytes, pack])
    }
  }
}
