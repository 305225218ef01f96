import Foundation
import GRDB

// Discovery of the feeds at an address, requested by a screen and answered by the engine.

extension RequestCache where Side == ReaderCache {
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
      let answer = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
      let isWaiting = state == .waiting
      try db.run(
        "UPDATE discovery SET isWaiting = ?, answer = ? WHERE id = ?",
        [isWaiting, isWaiting ? nil : answer, id])
    }
  }
}
