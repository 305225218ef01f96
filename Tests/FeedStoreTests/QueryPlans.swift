import Foundation
import GRDB

/// How SQLite means to run the statements that page through lists.
enum QueryPlans {
  static func all(directory: String) throws -> [String] {
    let queue = try DatabaseQueue(path: directory + "/weir.db")
    defer { try? queue.close() }
    return try queue.read { db in
      var plans: [String] = []
      for (list, condition) in [
        ("all", ""), ("unread", "AND s.isRead = 0"), ("starred", "AND s.isStarred = 1"),
      ] {
        for (suffix, feed) in [("", ""), ("_feed", "AND s.feedID = 1")] {
          for (sign, direction) in [("<", "DESC"), (">=", "ASC")] {
            let rows = try Row.fetchAll(
              db,
              sql: """
                EXPLAIN QUERY PLAN SELECT s.sortDate, s.articleID FROM articleStatus s
                INDEXED BY list_\(list)\(suffix) WHERE s.isHidden = 0 \(condition) \(feed)
                AND (s.sortDate, s.articleID) \(sign) (5, 5)
                ORDER BY s.sortDate \(direction), s.articleID \(direction) LIMIT 5
                """)
            plans.append(rows.map { $0["detail"] as String }.joined(separator: "; "))
          }
        }
      }
      return plans
    }
  }
}
