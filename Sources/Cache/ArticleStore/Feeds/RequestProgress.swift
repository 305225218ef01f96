package import Foundation
package import GRDB

/// The feeds for which refresh requests wait.
package enum RequestProgress {
  /// Returns the requests that wait for a feed. The feeds of finished ones are done.
  private static func waiting(for feed: Int64, _ db: Database) throws -> [Int64] {
    try db.values(
      "SELECT requestID FROM refreshRequestFeed WHERE feedID = ? AND isDone = 0", [feed])
  }

  /// Counts a finished fetch in every request that waits for the feed.
  package static func advance(
    _ db: Database, feed: Int64, hasFailed: Bool, isUnchanged: Bool, newArticles: Int, bytes: Int64,
    at now: Date
  ) throws {
    for request in try waiting(for: feed, db) {
      try db.run(
        "UPDATE refreshRequestFeed SET isDone = 1 WHERE requestID = ? AND feedID = ?",
        [request, feed])
      try db.run(
        """
        UPDATE refreshRequest SET done = done + 1, failed = failed + ?1,
          newArticles = newArticles + ?2, bytes = bytes + ?3,
          finishedAt = CASE WHEN done + 1 >= total THEN ?4 END, unchanged = unchanged + ?6
        WHERE id = ?5 AND finishedAt IS NULL
        """, [hasFailed, newArticles, bytes, now.milliseconds, request, isUnchanged])
    }
  }

  /// Adds the new feeds of a list to the requests that wait for the list.
  package static func extend(_ db: Database, waitingFor list: Int64, by feeds: [Int64]) throws {
    for request in try waiting(for: list, db) {
      for feed in feeds {
        let isNew = try db.run(
          "INSERT OR IGNORE INTO refreshRequestFeed (requestID, feedID) VALUES (?, ?)",
          [request, feed])
        guard isNew > 0 else { continue }
        try db.run("UPDATE refreshRequest SET total = total + 1 WHERE id = ?", [request])
      }
    }
  }

  /// Removes a feed from the requests that wait for it.
  package static func withdraw(_ db: Database, feed: Int64, at now: Date) throws {
    for request in try waiting(for: feed, db) {
      try db.run(
        "DELETE FROM refreshRequestFeed WHERE requestID = ? AND feedID = ?", [request, feed])
      try db.run(
        """
        UPDATE refreshRequest SET total = total - 1,
          finishedAt = CASE WHEN done >= total - 1 THEN ? END
        WHERE id = ? AND finishedAt IS NULL
        """, [now.milliseconds, request])
    }
  }
}
