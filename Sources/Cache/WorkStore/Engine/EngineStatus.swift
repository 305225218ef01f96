public import Foundation
import GRDB

// Rows shared by screens and engine: feeds on screen, the status of the sync, and the measurements
// that the engine publishes while a screen shows them.

extension RequestCache where Side == ReaderCache {
  /// Sets the feeds on this process's screen, most important first. The engine refreshes them first
  /// until this store closes or its process ends.
  public func setVisibleFeeds(_ feeds: [FeedID]) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db in
      let old: [Int64] = try db.values(
        "SELECT feedID FROM attention WHERE owner = ? ORDER BY rank", [owner])
      guard old != feeds.map(\.rawValue) else { return }
      try db.run("DELETE FROM attention WHERE owner = ?", [owner])
      try db.run(
        "INSERT INTO attention (owner, rank, feedID) SELECT ?, key, value FROM json_each(?)",
        [owner, SQLText.json(feeds.map(\.rawValue))])
    }
  }

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
      let telemetry = StoredJSON.value(row["json"]) ?? SyncTelemetry()
      return ProcessOwner.isAlive(row["owner"])
        ? telemetry : SyncTelemetry(samples: telemetry.samples)
    } ?? SyncTelemetry()
  }
}

extension RequestCache {
  /// Returns the last published status; an empty one if there is none. A process that has ended
  /// refreshes nothing.
  public func syncStatus() throws(StoreError) -> SyncStatus {
    try database.first("SELECT owner, json FROM syncStatus") { row in
      var status = StoredJSON.value(row["json"]) ?? SyncStatus()
      if !ProcessOwner.isAlive(row["owner"]) { status.refreshing = [] }
      return status
    } ?? SyncStatus()
  }
}

extension RequestCache where Side == EngineCache {
  public func hostLimits(at now: Date) throws(StoreError) -> [HostLimit] {
    try database.all(
      "SELECT host, atOnce, reason, until FROM hostLimit WHERE until > ? ORDER BY host",
      [now.milliseconds]
    ) { row in
      HostLimitReason(rawValue: row["reason"]).map {
        HostLimit(
          host: row["host"], atOnce: row["atOnce"], reason: $0,
          until: Date(milliseconds: row["until"]))
      }
    }.compactMap(\.self)
  }

  /// Stores limits and removes expired ones.
  public func setHostLimits(_ limits: [HostLimit]) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      try db.run("DELETE FROM hostLimit WHERE until <= ?", [now.milliseconds])
      for limit in limits {
        try db.run(
          "INSERT OR REPLACE INTO hostLimit (host, atOnce, reason, until) VALUES (?, ?, ?, ?)",
          [limit.host, limit.atOnce, limit.reason.rawValue, limit.until.milliseconds])
      }
    }
  }

  /// Returns the feeds on screens of running processes, most important first, each once.
  public func visibleFeeds() throws(StoreError) -> [FeedID] {
    let rows: [(owner: String, feed: Int64)] = try database.all(
      "SELECT owner, feedID FROM attention ORDER BY rank, owner"
    ) { ($0["owner"], $0["feedID"]) }
    let living = Set(rows.map(\.owner)).filter(ProcessOwner.isAlive)
    var seen = Set<Int64>()
    return rows.filter { living.contains($0.owner) && seen.insert($0.feed).inserted }
      .map { FeedID(rawValue: $0.feed) }
  }

  /// Publishes the status to every process, replacing the former one.
  public func setSyncStatus(_ status: SyncStatus) async throws(StoreError) {
    try await publish(status, in: "syncStatus")
  }

  /// Returns true if a running process shows the telemetry.
  public func isTelemetryWatched() throws(StoreError) -> Bool {
    try database.values("SELECT owner FROM telemetryWatch")
      .contains(where: ProcessOwner.isAlive)
  }

  public func setTelemetry(_ telemetry: SyncTelemetry) async throws(StoreError) {
    try await publish(telemetry, in: "telemetry")
  }

  private func publish(
    _ value: some Encodable & Sendable, in table: String
  ) async throws(StoreError) {
    let owner = database.core.owner.text
    try await database.write(.engine) { db in
      _ = try db.run(
        """
        INSERT INTO \(table) (id, owner, json) VALUES (1, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET owner = ?1, json = ?2 WHERE (owner, json) <> (?1, ?2)
        """, [owner, StoredJSON.text(value)])
    }
  }
}

/// The measured number of requests that a host accepts at once.
public struct HostLimit: Sendable, Equatable {
  /// The host as `WebAddress.hostKey`.
  public var host: String
  public var atOnce: Int
  public var reason: HostLimitReason
  /// Time from which the limit is measured again.
  public var until: Date

  public init(host: String, atOnce: Int, reason: HostLimitReason, until: Date) {
    (self.host, self.atOnce, self.reason, self.until) = (host, atOnce, reason, until)
  }
}
