public import Foundation
import GRDB

// Refresh requests are durable rows, so that they survive a restart and repeated ones are merged.

/// Requests of screens to the engine, and the answers.
public struct RequestCache<Side: CacheSide>: CacheFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }
}

extension RequestCache where Side == ReaderCache {
  /// Milliseconds that a finished request is kept.
  private static var memory: Int64 { Duration.days(7).milliseconds }

  /// Requests a refresh. Returns the running request of this scope, or a new one. Leaves out local
  /// feeds and feeds of accounts; paused and gone feeds are included only if the scope names them.
  /// A request without feeds is finished at once.
  @discardableResult
  public func requestRefresh(_ scope: RefreshScope) async throws(StoreError) -> RefreshRequest {
    return try await database.change { transaction in
      let (db, now) = (transaction.db, transaction.now)
      let text = try RequestRows.text(scope)
      try transaction.participants.recorder?.requestSync(of: scope, in: transaction)
      if let running = try RequestRows.all(db, "scope = ? AND finishedAt IS NULL", [text]).first {
        return running
      }
      try db.run(
        "DELETE FROM refreshRequest WHERE finishedAt < ?", [now.milliseconds - Self.memory])
      let feeds = try RequestRows.feeds(scope, db)
      try db.run(
        "INSERT INTO refreshRequest (scope, requestedAt, total, finishedAt) VALUES (?, ?, ?, ?)",
        [text, now.milliseconds, feeds.count, feeds.isEmpty ? now.milliseconds : nil])
      let id = db.lastInsertedRowID
      try db.run(
        "INSERT INTO refreshRequestFeed (requestID, feedID) SELECT ?, value FROM json_each(?)",
        [id, SQLText.json(feeds)])
      guard let request = try RequestRows.all(db, "id = ?", [id]).first else {
        throw StoreError.notFound
      }
      return request
    }
  }

  /// Keeps fetched articles. Running fetches continue.
  public func cancelRefresh(_ id: Int64) async throws(StoreError) {
    try await database.write(.user) { db, now in
      try db.run(
        "UPDATE refreshRequest SET finishedAt = ? WHERE id = ? AND finishedAt IS NULL",
        [now.milliseconds, id])
      try db.run(
        "UPDATE refreshRequestFeed SET isDone = 1 WHERE requestID = ? AND isDone = 0", [id])
    }
  }

  /// Returns the first three feeds of a request that are being refreshed, and the number of its
  /// unfinished feeds.
  /// - Parameter request: `nil` for all work of the engine.
  public func waits(
    of request: Int64?
  ) throws(StoreError) -> (first: [(name: String, host: String)], count: Int) {
    let refreshing = SQLText.json(try syncStatus().refreshing.map(\.rawValue))
    return try database.read { db in
      let isPending = "requestID = ?1 AND isDone = 0"
      let first: [(name: String, host: String)] = try db.all(
        """
        SELECT \(SQLText.feedName) AS name, f.url FROM feed f
        WHERE f.id IN (SELECT value FROM json_each(?2)) AND (?1 IS NULL
          OR f.id IN (SELECT feedID FROM refreshRequestFeed WHERE \(isPending)))
        ORDER BY f.id LIMIT 3
        """, [request, refreshing]
      ) { ($0["name"], WebAddress($0["url"] as String).host ?? "") }
      let count: Int? = try db.value(
        "SELECT count(*) FROM refreshRequestFeed WHERE \(isPending)", [request])
      return (first, count ?? 0)
    }
  }

  /// Returns the feeds of a request whose refresh failed in it, or whose host is in back-off.
  public func failedFeeds(of request: RefreshRequest) throws(StoreError) -> [Feed] {
    try database.feeds(
      """
      JOIN refreshRequestFeed r ON r.feedID = f.id
      WHERE r.requestID = ? AND f.removedAt IS NULL AND x.failureKind IS NOT NULL
        AND (x.checkedAt >= ? OR x.failureKind = ?) ORDER BY f.id
      """, [request.id, request.requestedAt.milliseconds, RefreshFailure.Kind.rateLimited.rawValue])
  }

  /// Returns the request's key.
  public func requestDiscovery(url: String) async throws(StoreError) -> Int64 {
    return try await database.write(.engine) { db, now in
      // Removes answers that were never read.
      try db.run(
        "DELETE FROM discovery WHERE askedAt < ?",
        [now.milliseconds - Duration.days(1).milliseconds])
      try db.run("INSERT INTO discovery (url, askedAt) VALUES (?, ?)", [url, now.milliseconds])
      return db.lastInsertedRowID
    }
  }

  /// Removes a discovery in any state.
  public func endDiscovery(_ id: Int64) async throws(StoreError) {
    try await database.run(.engine, "DELETE FROM discovery WHERE id = ?", [id])
  }

  public func discovery(_ id: Int64) throws(StoreError) -> Discovery? {
    try database.first("SELECT id, url, answer FROM discovery WHERE id = ?", [id]) { row in
      let answer = try (row["answer"] as String?).map {
        try JSONDecoder().decode(Discovery.State.self, from: Data($0.utf8))
      }
      return Discovery(id: row["id"], url: row["url"], state: answer ?? .waiting)
    }
  }
}

extension RequestCache {
  public func refreshRequest(_ id: Int64) throws(StoreError) -> RefreshRequest? {
    try database.read { db in try RequestRows.all(db, "id = ?", [id]).first }
  }

  /// Returns unfinished requests, oldest first, and those finished after `since`.
  public func refreshRequests(finishedSince since: Date) throws(StoreError) -> [RefreshRequest] {
    try database.read { db in
      try RequestRows.all(db, "finishedAt IS NULL OR finishedAt > ?", [since.milliseconds])
    }
  }
}

extension RequestCache where Side == EngineCache {
  public func pendingFeeds(of request: Int64) throws(StoreError) -> [FetchRecord] {
    try database.records(
      """
      JOIN refreshRequestFeed r ON r.feedID = f.id
      WHERE r.requestID = ? AND r.isDone = 0 AND f.removedAt IS NULL ORDER BY f.id
      """, [request])
  }
}

extension Discovery: WorkTask {}

/// Searches that wait for the engine.
public struct DiscoveryWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }

  package static let table = WorkTable(
    "SELECT id, url", from: "discovery", waiting: "isWaiting = 1", queue: "ORDER BY id", key: "id",
    name: "url"
  ) { Discovery(id: $0["id"], url: $0["url"]) }

  /// Answers a discovery, unless it was removed.
  public func finishDiscovery(_ id: Int64, _ state: Discovery.State) async throws(StoreError) {
    try await database.write(.engine) { db in
      let isWaiting = state == .waiting
      try db.run(
        "UPDATE discovery SET isWaiting = ?, answer = ? WHERE id = ?",
        [isWaiting, isWaiting ? nil : StoredJSON.text(state), id])
    }
  }
}

enum RequestRows {
  /// Scopes of the same feeds have the same text.
  static func text(_ scope: RefreshScope) throws -> String {
    guard case .feeds(let feeds) = scope else { return try StoredJSON.text(scope) }
    return try StoredJSON.text(RefreshScope.feeds(Set(feeds).sorted()))
  }

  static func all(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [RefreshRequest] {
    try db.all(
      """
      SELECT id, scope, requestedAt, total, done, failed, newArticles, bytes, finishedAt,
        unchanged
      FROM refreshRequest WHERE \(condition) ORDER BY finishedAt IS NOT NULL, id
      """, arguments
    ) { row in
      var request = RefreshRequest(
        id: row["id"], scope: StoredJSON.value(row["scope"]) ?? .all,
        requestedAt: Date(milliseconds: row["requestedAt"]))
      (request.total, request.done, request.failed) = (row["total"], row["done"], row["failed"])
      (request.newArticles, request.unchanged) = (row["newArticles"], row["unchanged"])
      (request.bytes, request.finishedAt) = (row["bytes"], row.date("finishedAt"))
      return request
    }
  }

  static func feeds(_ scope: RefreshScope, _ db: Database) throws -> [Int64] {
    let (wanted, isNamed): ([Int64]?, Bool) =
      switch scope {
      case .all: (nil, false)
      case .folder(let folder): (try FolderTree.feeds(of: folder, db), false)
      case .feed(let feed): ([feed.rawValue], true)
      case .feeds(let feeds): (Set(feeds).sorted().map(\.rawValue), true)
      }
    // Feeds of accounts are refreshed by their servers.
    return try db.values(
      """
      SELECT f.id FROM feed f JOIN feedFetch x ON x.feedID = f.id
      WHERE f.removedAt IS NULL AND f.isLocal = 0 AND f.accountID IS NULL
        AND (?1 OR f.isPaused = 0 AND x.isGone = 0)
        AND (?2 IS NULL OR f.id IN (SELECT value FROM json_each(?2)))
      """, [isNamed, wanted.map { SQLText.json($0) }])
  }
}
