public import Foundation
import GRDB

// Pauses and cancellations by the user. Each is one row, however often it is requested.

extension RequestCache {
  /// Returns the pauses of running processes, oldest first.
  public func syncPauses() throws(StoreError) -> [SyncPause] {
    try database.all("SELECT scope, owner, since FROM syncPause ORDER BY since, scope") { row in
      let scope: SyncPause.Scope? = StoredJSON.value(row["scope"])
      guard let scope, ProcessOwner.isAlive(row["owner"]) else { return nil }
      return SyncPause(scope: scope, since: Date(milliseconds: row["since"]))
    }.compactMap(\.self)
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
    ) { StoredJSON.value($0["scope"]) as SyncCancellation? }.compactMap(\.self)
  }

  /// Records that the engine has ended operations: removes these feeds from requests, and postpones
  /// earlier checks to `next`. Later requests stay; void cancellations are removed.
  public func complete(
    _ cancellations: [SyncCancellation], of feeds: [FeedID], next: Date
  ) async throws(StoreError) {
    let now = database.now
    let void = now.milliseconds - Self.timeout
    try await database.write(.engine) { db in
      try db.run(
        "DELETE FROM cancellation WHERE at < ? OR scope IN (SELECT value FROM json_each(?))",
        [void, SQLText.json(cancellations.map(StoredJSON.text))])
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
    let owner = database.core.owner.text
    try await database.write(.user) { db, now in
      let text = try StoredJSON.text(scope)
      guard isPaused else {
        try db.run("DELETE FROM syncPause WHERE scope = ?", [text])
        return
      }
      // Replaces a pause of another process, which may have died.
      try db.run(
        """
        INSERT INTO syncPause (scope, owner, since) VALUES (?1, ?2, ?3)
        ON CONFLICT (scope) DO UPDATE SET owner = ?2, since = ?3 WHERE owner <> ?2
        """, [text, owner, now.milliseconds])
    }
  }

  /// Asks the engine to end operations. Fetched articles stay.
  public func cancel(_ cancellation: SyncCancellation) async throws(StoreError) {
    try await database.write(.user) { db, now in
      _ = try db.run(
        "INSERT OR REPLACE INTO cancellation (scope, at) VALUES (?, ?)",
        [StoredJSON.text(cancellation), now.milliseconds])
    }
  }
}
