import Foundation
import GRDB

// Rows shared by screens and engine: feeds on screen, and the status of the sync.

extension RequestCache where Side == ReaderCache {
  /// Sets the feeds on this process's screen, most important first. The engine refreshes them first
  /// until this store closes or its process ends.
  public func setVisibleFeeds(_ feeds: [FeedID]) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db in
      let old: [Int64] = try db.values(
        "SELECT feedID FROM attention WHERE owner = ? ORDER BY rank", [owner]
      )
      guard old != feeds.map(\.rawValue) else { return }
      try db.run("DELETE FROM attention WHERE owner = ?", [owner])
      for (rank, feed) in feeds.enumerated() {
        try db.run(
          "INSERT INTO attention (owner, rank, feedID) VALUES (?, ?, ?)",
          [owner, rank, feed.rawValue])
      }
    }
  }
}

extension RequestCache {
  /// Returns the last published status; an empty one if there is none.
  public func syncStatus() throws(StoreError) -> SyncStatus {
    let text: String? = try database.value("SELECT json FROM syncStatus WHERE id = 1")
    // A row of a newer version that cannot be decoded is ignored.
    return text.flatMap { try? JSONDecoder().decode(SyncStatus.self, from: Data($0.utf8)) }
      ?? SyncStatus()
  }
}

extension RequestCache where Side == EngineCache {
  /// Returns the feeds on screens of running processes, most important first, each once.
  public func visibleFeeds() throws(StoreError) -> [FeedID] {
    try database.read { db in
      let rows: [(owner: String, feed: Int64)] = try db.all(
        "SELECT owner, feedID FROM attention ORDER BY rank, owner"
      ) { ($0["owner"], $0["feedID"]) }
      let living = Set(rows.map(\.owner)).filter(ProcessOwner.isAlive)
      var seen = Set<Int64>()
      return rows.filter { living.contains($0.owner) && seen.insert($0.feed).inserted }
        .map { FeedID(rawValue: $0.feed) }
    }
  }

  /// Publishes the status to every process, replacing the former one.
  public func setSyncStatus(_ status: SyncStatus) async throws(StoreError) {
    try await database.write(.engine) { db in
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let text = String(decoding: try encoder.encode(status), as: UTF8.self)
      try db.run(
        """
        INSERT INTO syncStatus (id, json) VALUES (1, ?1)
        ON CONFLICT (id) DO UPDATE SET json = ?1 WHERE json <> ?1
        """, [text])
    }
  }
}
