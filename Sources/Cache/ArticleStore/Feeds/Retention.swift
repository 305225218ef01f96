package import Foundation
package import GRDB

extension FeedCache {
  /// Sets the retention of one feed; `nil` restores the general setting. `unreadDays` is always
  /// that of all feeds.
  public func setRetention(_ feed: FeedID, _ retention: Retention?) async throws(StoreError) {
    try await database.write(.user) { db in try Self.setRetention(feed, retention, db) }
  }

  static func setRetention(_ feed: FeedID, _ retention: Retention?, _ db: Database) throws {
    guard
      try db.run(
        """
        UPDATE feed SET keepArticles = ?, keepDays = ? WHERE id = ? AND removedAt IS NULL
        """, [retention?.articles, retention?.days, feed.rawValue]) > 0
    else { throw StoreError.notFound }
    try db.run(
      "UPDATE maintenanceTask SET doneAt = 0, position = 0 WHERE task = ?",
      [MaintenanceTask.retention.rawValue]
    )
  }

  /// Returns a feed's own retention setting; `nil` if it has none.
  public func retention(of feed: FeedID) throws(StoreError) -> Retention? {
    try database.read { db in
      try db.first(
        "SELECT keepArticles, keepDays FROM feed WHERE id = ? AND removedAt IS NULL",
        [feed.rawValue]
      ) { row -> Retention? in
        guard let articles: Int = row["keepArticles"], let days: Int = row["keepDays"] else {
          return nil
        }
        return Retention(articles: articles, days: days)
      } ?? nil
    }
  }
}

/// The tasks of the maintenance, in their order. The names are stored.
package enum MaintenanceTask: String, CaseIterable {
  case journal, removedFeeds, deletedArticles, retention, dates, upgradeCopies = "copies",
    freePages, log

  /// Milliseconds between two runs of a task.
  private static let interval = Duration.days(1).milliseconds

  /// Returns the first task that is due, and its position; `nil` if none is due.
  package static func due(at now: Date, _ db: Database) throws -> (MaintenanceTask, place: Int64)? {
    let rows: [(String, (doneAt: Int64, place: Int64))] = try db.all(
      "SELECT task, doneAt, position FROM maintenanceTask"
    ) { ($0["task"], ($0["doneAt"], $0["position"])) }
    let states = Dictionary(rows, uniquingKeysWith: { first, _ in first })
    for task in allCases {
      guard let state = states[task.rawValue] else { return (task, 0) }
      // A clock that was set back must not stop the maintenance for years.
      let isFresh = abs(now.milliseconds - state.doneAt) < interval
      if !isFresh { return (task, state.place) }
    }
    return nil
  }
}
