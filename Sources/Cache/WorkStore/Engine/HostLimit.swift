public import Foundation
import GRDB

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
}
