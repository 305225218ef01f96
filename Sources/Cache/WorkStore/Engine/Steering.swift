public import Foundation
import GRDB

// Pauses and cancellations by the user. Each is one row, however often it is requested.

extension RequestCache {
  /// Returns the pauses of running processes, oldest first.
  public func syncPauses() throws(StoreError) -> [SyncPause] {
    try database.all("SELECT scope, owner, since FROM syncPause ORDER BY since, scope") {
      guard ProcessOwner.isAlive($0["owner"]), let scope = SteeringRows.scope($0["scope"]) else {
        return nil
      }
      return SyncPause(scope: scope, since: Date(milliseconds: $0["since"]))
    }.compactMap { $0 }
  }
}

extension RequestCache where Side == EngineCache {
  /// Milliseconds after which a cancellation is void.
  private static var timeout: Int64 { Duration.minutes(1).milliseconds }

  /// Returns operations that the engine was asked to end and has not ended.
  public func cancellations() throws(StoreError) -> [SyncCancellation] {
    let since = database.now.milliseconds - Self.timeout
    return try database.all(
      "SELECT scope FROM cancellation WHERE at >= ? ORDER BY at, scope", [since]
    ) {
      let feed = Int64(($0["scope"] as String).dropFirst("feed:".count))
      return feed.map { .feed(FeedID(rawValue: $0)) } ?? .waiting
    }
  }

  /// Records that the engine has ended operations: removes these feeds from requests, and postpones
  /// earlier checks to `next`. Later requests stay; void cancellations are removed.
  public func complete(
    _ cancellations: [SyncCancellation], of feeds: [FeedID], next: Date
  ) async throws(StoreError) {
    let now = database.now
    let void = now.milliseconds - Self.timeout
    let scopes = cancellations.map(SteeringRows.text)
    try await database.write(.engine) { db in
      try db.run(
        "DELETE FROM cancellation WHERE at < ? OR scope IN (SELECT value FROM json_each(?))",
        [void, SQLText.json(scopes)])
      for feed in feeds {
        try RequestProgress.withdraw(db, feed: feed.rawValue, at: now)
        try db.run(
          """
          UPDATE feedFetch SET nextCheckAt = ?1, nextCheckReason = ?2
          WHERE feedID = ?3 AND nextCheckAt < ?1
          """, [next.milliseconds, CheckReason.text([.stoppedByUser]), feed.rawValue])
      }
    }
  }
}

extension RequestCache where Side == ReaderCache {
  /// A pause ends when this store closes.
  public func setPaused(_ scope: SyncPause.Scope, _ isPaused: Bool) async throws(StoreError) {
    let (owner, now) = (database.core.owner.text, database.now.milliseconds)
    let text = SteeringRows.text(scope)
    guard isPaused else {
      try await database.run(.user, "DELETE FROM syncPause WHERE scope = ?", [text])
      return
    }
    // Replaces a pause of another process, which may have died.
    try await database.run(
      .user,
      """
      INSERT INTO syncPause (scope, owner, since) VALUES (?1, ?2, ?3)
      ON CONFLICT (scope) DO UPDATE SET owner = ?2, since = ?3 WHERE owner <> ?2
      """, [text, owner, now])
  }

  /// Asks the engine to end operations. Fetched articles stay.
  public func cancel(_ cancellation: SyncCancellation) async throws(StoreError) {
    try await database.run(
      .user, "INSERT OR REPLACE INTO cancellation (scope, at) VALUES (?, ?)",
      [SteeringRows.text(cancellation), database.now.milliseconds])
  }
}

private enum SteeringRows {
  static func text(_ cancellation: SyncCancellation) -> String {
    switch cancellation {
    case .feed(let feed): "feed:\(feed.rawValue)"
    case .waiting: "waiting"
    }
  }

  static func text(_ scope: SyncPause.Scope) -> String {
    switch scope {
    case .everything: "all"
    case .host(let host): "host:\(host)"
    }
  }

  static func scope(_ text: String) -> SyncPause.Scope? {
    if text == "all" { return .everything }
    return text.hasPrefix("host:") ? .host(String(text.dropFirst(5))) : nil
  }
}
