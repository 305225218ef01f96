package import Foundation
package import GRDB

/// The feeds for which refresh requests wait.
package enum RequestProgress {
  /// The requests that wait for the feed ?1. The feeds of finished ones are done.
  private static let waiting = """
    (SELECT requestID FROM refreshRequestFeed WHERE feedID = ?1 AND isDone = 0)
    """

  /// Counts a finished fetch in every request that waits for the feed.
  package static func advance(
    _ db: Database, feed: Int64, hasFailed: Bool, isUnchanged: Bool, newArticles: Int, bytes: Int64,
    at now: Date
  ) throws {
    try db.run(
      """
      UPDATE refreshRequest SET done = done + 1, failed = failed + ?2,
        newArticles = newArticles + ?3, bytes = bytes + ?4,
        finishedAt = CASE WHEN done + 1 >= total THEN ?5 END, unchanged = unchanged + ?6
      WHERE id IN \(waiting) AND finishedAt IS NULL
      """, [feed, hasFailed, newArticles, bytes, now.milliseconds, isUnchanged])
    try db.run(
      "UPDATE refreshRequestFeed SET isDone = 1 WHERE feedID = ?1 AND requestID IN \(waiting)",
      [feed])
  }

  /// Adds the new feeds of a list to the requests that wait for the list.
  package static func extend(_ db: Database, waitingFor list: Int64, by feeds: [Int64]) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO refreshRequestFeed (requestID, feedID)
      SELECT r.id, j.value FROM refreshRequest r JOIN json_each(?2) j WHERE r.id IN \(waiting)
      """, [list, SQLText.json(feeds)])
    try db.run(
      """
      UPDATE refreshRequest SET
        total = (SELECT count(*) FROM refreshRequestFeed WHERE requestID = refreshRequest.id)
      WHERE id IN \(waiting)
      """, [list])
  }

  /// Removes a feed from the requests that wait for it.
  package static func withdraw(_ db: Database, feed: Int64, at now: Date) throws {
    try db.run(
      """
      UPDATE refreshRequest SET total = total - 1,
        finishedAt = CASE WHEN done >= total - 1 THEN ?2 END
      WHERE id IN \(waiting) AND finishedAt IS NULL
      """, [feed, now.milliseconds])
    try db.run(
      "DELETE FROM refreshRequestFeed WHERE feedID = ?1 AND requestID IN \(waiting)", [feed])
  }
}
