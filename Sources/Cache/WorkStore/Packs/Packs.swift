public import Foundation
import GRDB

/// The plan of a pack.
public struct PackPlan: Sendable, Equatable {
  /// Query that selects the articles. If empty, articles kept for later come first, then starred
  /// unread ones, then other unread ones.
  public var query: String
  public var minutes: Int
  /// Bytes on the wire.
  public var budget: Int64
  /// Time by which the pack should be ready; `nil` for any time.
  public var dueAt: Date?
  /// Stages beyond texts and pictures.
  public var extras: Set<Pack.Stage>
  public init(
    query: String = "", minutes: Int, budget: Int64, dueAt: Date? = nil,
    extras: Set<Pack.Stage> = []
  ) {
    self.query = query
    self.minutes = minutes
    self.budget = budget
    self.dueAt = dueAt
    self.extras = extras
  }
}

/// A part that the engine is to fetch for a pack.
public struct PackTask: Sendable, Equatable {
  public var id: Int64
  public var pack: Int64
  public var article: ArticleID
  public var stage: Pack.Stage
  public var url: String
  /// The documents that contain the address.
  public var referrers: AddressReferrers
  /// Bytes, as the feed claims; known for audio only.
  public var size: Int64?
  /// Bytes of the budget that are left for all parts.
  public var left: Int64
  public var dueAt: Date?
}

/// The outcome of a part of a pack.
public enum PackOutcome: Sendable {
  case text(MainContent, minutes: Int, pictures: [String])
  case picture(PictureOutcome)
  case discussion(html: String)
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
  ///   - reserve: further articles, which are added while there is too little to read and the
  ///     budget has room.
  @discardableResult
  public func startPack(
    _ plan: PackPlan, _ articles: [PackArticle], reserve: [PackArticle] = []
  ) async throws(StoreError) -> Pack {
    try await database.write(.user) { db, now in
      let now = now.milliseconds
      try PackRows.endOpen(.stopped, db, at: now)
      try db.run(
        """
        INSERT INTO pack (query, minutes, budget, dueAt, startedAt, changedAt)
        VALUES (?, ?, ?, ?, ?, ?)
        """, [plan.query, plan.minutes, plan.budget, plan.dueAt?.milliseconds, now, now])
      let pack = db.lastInsertedRowID
      for (position, article) in articles.enumerated() {
        try db.run(
          """
          INSERT OR IGNORE INTO packArticle (packID, articleID, position, minutes)
          SELECT ?, id, ?, ? FROM article WHERE id = ?
          """, [pack, position, article.minutes, article.id.rawValue])
        if let page = article.page {
          try PackRows.add(.text, [page], pack, article.id.rawValue, position, db)
        }
        try PackRows.add(.picture, article.pictures, pack, article.id.rawValue, position, db)
        try PackRows.addExtras(of: article, pack, position, db, at: now)
      }
      try PackRows.addReserve(reserve, pack, from: articles.count, db)
      try PackRows.removeOldDiscussions(db, at: now)
      try PackRows.endIfComplete(pack, db, at: now)
      guard let made = try PackRows.all(db, "id = ?", [pack]).first else {
        throw StoreError.notFound
      }
      return made
    }
  }

  /// Returns the newest packs, one in progress first.
  public func recent(limit: Int = 10) throws(StoreError) -> [Pack] {
    try database.read { db in
      try PackRows.all(db, "1 = 1 ORDER BY endedAt IS NOT NULL, id DESC LIMIT ?", [limit])
    }
  }

  /// Returns the articles of a pack in reading order, without its reserve.
  public func articles(of pack: Int64) throws(StoreError) -> [ArticleID] {
    try database.read { db in
      try db.all(
        """
        SELECT articleID FROM packArticle WHERE packID = ? AND isReserve = 0 ORDER BY position
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
      let last: Int64? = try db.value("SELECT max(id) FROM pack")
      guard let last,
        try db.run(
          """
          UPDATE pack SET endedAt = NULL, endReason = NULL
          WHERE id = ? AND endReason = ? AND NOT EXISTS (SELECT 1 FROM pack WHERE endedAt IS NULL)
          """, [last, Pack.End.diskFull.rawValue]) > 0
      else { return false }
      try PackRows.requestSound(last, nil, db, at: now.milliseconds)
      try PackRows.endIfComplete(last, db, at: now.milliseconds)
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

  /// Returns the page of discussion of an article, if a pack has fetched it.
  public func discussion(of article: ArticleID) throws(StoreError) -> Discussion? {
    try database.read { db in
      try db.first(
        "SELECT url, fetchedAt, html FROM discussion WHERE articleID = ?", [article.rawValue]
      ) {
        Discussion(
          url: $0["url"], fetchedAt: Date(milliseconds: $0["fetchedAt"]), html: $0["html"])
      }
    }
  }
}

extension PackWork {
  /// Returns the next parts of the pack in progress, by stage, in reading order.
  public func pendingPackItems(limit: Int = 8) throws(StoreError) -> [PackTask] {
    try database.read { db in
      guard let pack = try PackRows.open(db),
        let stage = try db.value(
          "SELECT min(stage) FROM packItem WHERE packID = ? AND state = 0", [pack.id]) as Int?
      else { return [] }
      return try PackRows.tasks(
        db, "i.packID = ? AND i.stage = ? AND i.state = 0 ORDER BY i.position, i.id LIMIT ?",
        [pack.id, stage, limit], of: pack)
    }
  }

  /// Returns the keys of all waiting parts.
  public func waitingPackItems() throws(StoreError) -> Set<Int64> {
    try database.read { db in
      Set(
        try db.values(
          """
          SELECT i.id FROM pack p CROSS JOIN packItem i ON i.packID = p.id
          WHERE p.endedAt IS NULL AND i.state = 0
          """))
    }
  }

  /// Returns a waiting part; `nil` if it does not wait.
  public func pendingPackItem(_ id: Int64) throws(StoreError) -> PackTask? {
    try database.read { db in
      guard let pack = try PackRows.open(db) else { return nil }
      return try PackRows.tasks(
        db, "i.packID = ? AND i.id = ? AND i.state = 0", [pack.id, id], of: pack
      ).first
    }
  }

  /// Returns the address of a part; `nil` if it is gone.
  public func address(of id: Int64) throws(StoreError) -> String? {
    try database.read { db in try db.value("SELECT url FROM packItem WHERE id = ?", [id]) }
  }

  /// Returns a picture that a pack needs; `nil` if it was never requested.
  public func picture(at url: String) throws(StoreError) -> Picture? {
    try database.read { db in try PictureRows.all(db, "url = ?", [url]).first }
  }

  /// Returns the file that a pack is to fetch, and whether it waits for the pack; `nil` if the user
  /// has removed it.
  public func download(of task: PackTask) throws(StoreError) -> (file: Download, isOfPack: Bool)? {
    try database.read { db in
      guard
        let file = try DownloadRows.all(
          db, "articleID = ? AND url = ?", [task.article.rawValue, task.url]
        ).first
      else { return nil }
      let isOfPack = try db.exists(
        "SELECT 1 FROM download WHERE id = ? AND packID = ?", [file.id, task.pack])
      return (file, isOfPack)
    }
  }

  /// Stores the outcome of a part of a pack, and counts its bytes.
  /// - Parameters:
  ///   - bytes: the bytes received on the wire.
  ///   - took: the time since the part before it ended; zero if nothing was fetched.
  public func finishPackItem(
    _ task: PackTask, _ outcome: PackOutcome, bytes: Int64, took: Duration = .zero
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
    if case .audio(let state) = outcome, let found = try download(of: task) {
      try await DownloadWork(database: database).finishDownload(found.file.id, state)
    }
    let plainText = database.options.plainText
    try await database.write(.engine) { db, now in
      try PackRows.finish(
        task, outcome, bytes: bytes, took: took, db, at: now.milliseconds, plainText: plainText)
    }
  }

  /// Counts bytes that a pack received without a result.
  public func spend(_ bytes: Int64, of pack: Int64) async throws(StoreError) {
    try await database.write(.engine) { db in
      _ = try db.run("UPDATE pack SET received = received + ? WHERE id = ?", [bytes, pack])
    }
  }

  /// Ends the pack in progress.
  public func endPack(_ end: Pack.End) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      _ = try PackRows.endOpen(end, db, at: now.milliseconds)
    }
  }
}
