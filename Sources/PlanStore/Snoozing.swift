import ArticleStore
public import CacheCore
public import FeedModel
public import Foundation
package import GRDB

/// Articles that stay hidden until a time.
package enum Snoozing {
  /// Snoozes articles, which a rule also hides. An article that is already snoozed keeps its time.
  package static func put(_ articles: [Int64: Int64], _ db: Database) throws {
    for (article, until) in articles {
      try db.run(
        """
        INSERT INTO snooze (articleID, until) SELECT id, ?2 FROM article WHERE id = ?1
        ON CONFLICT (articleID) DO NOTHING
        """, [article, until])
    }
  }

  package static func forget(_ articles: some Collection<Int64>, _ db: Database) throws {
    for article in articles {
      try db.run("DELETE FROM snooze WHERE articleID = ?", [article])
    }
  }

  package static func areDue(at now: Date, _ db: Database) throws -> Bool {
    try db.exists("SELECT 1 FROM snooze WHERE until <= ?", [now.milliseconds])
  }

  /// Shows articles whose snooze has ended.
  package static func wake(_ db: Database, at now: Date) throws {
    let due: [Int64] = try db.values(
      "SELECT articleID FROM snooze WHERE until <= ?", [now.milliseconds])
    guard !due.isEmpty else { return }
    try RuledOut.show(due, db)
    try forget(due, db)
    try StatusRows.note(due.sorted(), db)
  }
}

extension PlanCache {
  /// Returns the time until which a rule hides an article; `nil` if it is not snoozed.
  public func snoozedUntil(_ article: ArticleID) throws(StoreError) -> Date? {
    try database.read { db in
      try db.first(
        "SELECT until FROM snooze WHERE articleID = ?", [article.rawValue],
        { $0.date("until") }) ?? nil
    }
  }
}
