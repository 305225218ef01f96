public import FeedModel
public import Foundation
import GRDB

/// How many requests at once a host may get, as measured.
public struct HostLimit: Sendable, Equatable {
  /// As `WebAddress.hostKey`.
  public var host: String
  /// Requests at once.
  public var atOnce: Int
  /// Why the limit is what it is.
  public var reason: HostLimitReason
  /// The limit is measured again from then on.
  public var until: Date

  /// - Parameter until: the limit is measured again from then on.
  public init(host: String, atOnce: Int, reason: HostLimitReason, until: Date) {
    (self.host, self.atOnce, self.reason, self.until) = (host, atOnce, reason, until)
  }
}

extension EngineCache {
  /// The limits that hold at a moment.
  public func hostLimits(at now: Date) throws(StoreError) -> [HostLimit] {
    try database.read { db in
      try db.all(
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
  }

  /// Remembers limits, and forgets those that hold no longer.
  public func setHostLimits(_ limits: [HostLimit]) async throws(StoreError) {
    let now = database.options.now().milliseconds
    try await database.write(.engine) { db in
      try db.run("DELETE FROM hostLimit WHERE until <= ?", [now])
      for limit in limits {
        try db.run(
          "INSERT OR REPLACE INTO hostLimit (host, atOnce, reason, until) VALUES (?, ?, ?, ?)",
          [limit.host, limit.atOnce, limit.reason.rawValue, limit.until.milliseconds])
      }
    }
  }
}
