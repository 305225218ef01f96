import Foundation
import GRDB

// The measurements that the engine publishes while a screen shows them.

extension RequestCache where Side == ReaderCache {
  /// Sets whether this process shows the engine's telemetry, until this store closes or its process
  /// ends.
  public func setWatchesTelemetry(_ watches: Bool) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db in
      if watches {
        try db.run("INSERT OR IGNORE INTO telemetryWatch (owner) VALUES (?)", [owner])
      } else {
        try db.run("DELETE FROM telemetryWatch WHERE owner = ?", [owner])
        let isWatched = try db.exists("SELECT 1 FROM telemetryWatch")
        guard !isWatched else { return }
        // The telemetry would be out of date from now on.
        try db.run("DELETE FROM telemetry")
      }
    }
  }

  /// Returns the engine's telemetry; empty if no engine publishes any.
  public func telemetry() throws(StoreError) -> SyncTelemetry {
    try database.first("SELECT owner, json FROM telemetry") { row in
      // A row of a newer version that cannot be decoded is ignored.
      let json = Data((row["json"] as String).utf8)
      let telemetry = (try? JSONDecoder().decode(SyncTelemetry.self, from: json)) ?? SyncTelemetry()
      return ProcessOwner.isAlive(row["owner"])
        ? telemetry : SyncTelemetry(samples: telemetry.samples)
    } ?? SyncTelemetry()
  }
}

extension RequestCache where Side == EngineCache {
  /// Returns true if a running process shows the telemetry.
  public func isTelemetryWatched() throws(StoreError) -> Bool {
    try database.values("SELECT owner FROM telemetryWatch")
      .contains(where: ProcessOwner.isAlive)
  }

  public func setTelemetry(_ telemetry: SyncTelemetry) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db in
      let text = String(decoding: try JSONEncoder().encode(telemetry), as: UTF8.self)
      try db.run(
        """
        INSERT INTO telemetry (id, owner, json) VALUES (1, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET owner = ?1, json = ?2
        """, [owner, text])
    }
  }
}
