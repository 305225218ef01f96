public import Foundation
package import GRDB

// Articles and feeds that are hidden until a time, and then return.

/// A snoozed article or feed.
public struct SnoozedItem: Sendable, Hashable, Identifiable {
  /// The snoozed article or feed.
  public enum Subject: Sendable, Hashable {
    case article(ArticleID)
    case feed(FeedID)
  }
  public var subject: Subject
  /// The title of the article, or the name of the feed.
  public var title: String
  /// The name of the article's feed; `nil` for a feed.
  public var feedName: String?
  public var until: Date
  public var id: Subject { subject }
}

extension PlanCache {
  /// Snoozes articles, with their duplicates in other feeds, until a time; `nil` ends their snooze
  /// now. Snoozed articles get the new time. Undo is possible before and after that time.
  public func snooze(_ articles: [ArticleID], until: Date?) async throws(StoreError) {
    try await database.change { transaction in
      let (db, ids) = (transaction.db, articles.map(\.rawValue))
      let all = try Deduplication.together(ids, db)
      let times = until.map { until in
        Dictionary(first: all.map { ($0, until.milliseconds) })
      }
      let images =
        try times.map { try Snoozing.begin($0, .user, db) }
        ?? Snoozing.end(all, at: transaction.at, transaction)
      try Journal.add(
        db, until == nil ? .wake : .snooze, images, count: ids.count,
        subject: Journal.title(of: ids, db), at: transaction.now)
    }
  }

  /// Snoozes a feed: until a time, Unread, Today, High priority and its folder's list leave it out.
  /// It is still fetched. `nil` ends the snooze.
  public func snooze(_ feed: FeedID, until: Date?) async throws(StoreError) {
    try await database.change { transaction in
      let (db, id) = (transaction.db, feed.rawValue)
      let images = try RowImages.recorded(["feed"], of: [id], db) {
        try db.run("UPDATE feed SET asleepUntil = ? WHERE id = ?", [until?.milliseconds, id])
      }
      let name: String? = try db.value(
        "SELECT \(SQLText.feedName) FROM feed f WHERE f.id = ?", [id])
      try Journal.add(
        db, until == nil ? .wake : .snooze, images, subject: name, at: transaction.now)
    }
  }

  /// Ends the snoozes that are due, in steps of some milliseconds. Each snooze ends once, even if
  /// several processes do this and if the clock is changed.
  public func endDueSnoozes() async throws(StoreError) {
    let isDue = """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM snooze WHERE until <= ?1)
        OR EXISTS (SELECT 1 FROM feed WHERE asleepUntil IS NOT NULL AND asleepUntil <= ?1)
      """
    while try database.exists(isDue, [database.now.milliseconds]) {
      try await database.change(.engine) { transaction in try Snoozing.endDueSnoozes(transaction) }
    }
  }

  /// Returns the time at which the next snooze ends; `nil` if nothing is snoozed.
  public func nextDueDate() throws(StoreError) -> Date? {
    let time: Int64? = try database.value(
      """
      SELECT min(at) FROM (SELECT min(until) AS at FROM snooze UNION ALL
        SELECT min(asleepUntil) FROM feed WHERE asleepUntil IS NOT NULL)
      """)
    return time.map(Date.init(milliseconds:))
  }

  /// Returns snoozed articles and feeds in the order in which they are due: at most `limit`
  /// articles, and all feeds.
  public func snoozedItems(limit: Int = 1_000) throws(StoreError) -> [SnoozedItem] {
    try database.read { db in
      let articles = try db.all(
        """
        SELECT z.articleID, z.until, a.title, \(SQLText.feedName) AS feedName
        FROM snooze z CROSS JOIN articleStatus s ON s.articleID = z.articleID
          CROSS JOIN article a ON a.id = z.articleID CROSS JOIN feed f ON f.id = a.feedID
        WHERE s.isHidden = \(HiddenReason.snoozed)
          AND NOT EXISTS (SELECT 1 FROM snooze y WHERE y.articleID = s.duplicateOf)
        ORDER BY z.until, z.articleID LIMIT ?
        """, [limit]
      ) { row in
        SnoozedItem(
          subject: .article(row.id("articleID")), title: row["title"], feedName: row["feedName"],
          until: Date(milliseconds: row["until"]))
      }
      let feeds = try db.all(
        """
        SELECT f.id, f.asleepUntil, \(SQLText.feedName) AS name FROM feed f
        WHERE f.asleepUntil IS NOT NULL AND f.removedAt IS NULL
        """
      ) { row in
        SnoozedItem(
          subject: .feed(row.id("id")), title: row["name"],
          until: Date(milliseconds: row["asleepUntil"]))
      }
      return (articles + feeds).sorted { $0.until < $1.until }
    }
  }

  public func snoozedUntil(_ article: ArticleID) throws(StoreError) -> Date? {
    try database.first(
      "SELECT until FROM snooze WHERE articleID = ?", [article.rawValue],
      { $0.date("until") }) ?? nil
  }
}

/// Writes the rows of `snooze`. An article has one if its bit `HiddenReason.snoozed` is set, and
/// only then.
package enum Snoozing {
  /// Raw values are stored.
  package enum Reason: Int64 {
    case user, rule
  }

  /// Snoozes articles until times in milliseconds since 1970.
  /// - Returns: the images of the change, which undo it before and after the snooze ends.
  package static func begin(
    _ times: [Int64: Int64], _ reason: Reason, _ db: Database
  ) throws -> [RowImages] {
    let articles = times.keys.sorted()
    return try states(of: articles, db) + put(times, reason, db)
  }

  /// Returns images of the present dates and marks, which the end of a snooze changes.
  private static func states(of articles: [Int64], _ db: Database) throws -> [RowImages] {
    let rows: [(id: Int64, date: Int64, isRead: Bool)] = try db.all(
      """
      SELECT articleID, sortDate, isRead FROM articleStatus
      WHERE articleID IN (SELECT value FROM json_each(?))
      """, [SQLText.json(articles)]
    ) { ($0["articleID"], $0["sortDate"], $0["isRead"]) }
    return [RowImages(Mark.read.rawValue, of: rows.filter(\.isRead).map(\.id), 1, 1)]
      + Dictionary(grouping: rows, by: \.date).map { date, rows in
        RowImages("sortDate", of: rows.map(\.id), date, date)
      }
  }

  /// Writes the rows. A rule does not change the time of an article that is snoozed already.
  package static func put(
    _ times: [Int64: Int64], _ reason: Reason, _ db: Database
  ) throws -> [RowImages] {
    let articles = times.keys.sorted()
    let rows = try RowImages.recorded(["snooze"], of: articles, db) {
      for article in articles {
        try db.run(
          """
          INSERT INTO snooze (articleID, until, reason) SELECT id, ?2, ?3 FROM article WHERE id = ?1
          ON CONFLICT (articleID) DO UPDATE SET until = ?2, reason = ?3
          WHERE ?3 <> \(Reason.rule.rawValue)
          """, [article, times[article], reason.rawValue])
      }
    }
    let hidden = try Hiding.hide(articles, for: HiddenReason.snoozed, db)
    return [RowImages("isHidden", of: hidden, 0, HiddenReason.snoozed)] + rows
  }

  // MARK: Waking

  /// The largest number of snoozes of articles that one transaction ends.
  package static let mostAtOnce = 1_000

  /// Ends due snoozes of feeds and of up to `mostAtOnce` articles. The articles become unread, with
  /// this moment as their date.
  package static func endDueSnoozes(_ transaction: Transaction) throws {
    let db = transaction.db
    try db.run(
      "UPDATE feed SET asleepUntil = NULL WHERE asleepUntil IS NOT NULL AND asleepUntil <= ?",
      [transaction.at])
    let due: [Int64] = try db.values(
      "SELECT articleID FROM snooze WHERE until <= ? ORDER BY until LIMIT ?",
      [transaction.at, mostAtOnce])
    guard !due.isEmpty else { return }
    try show(due, date: transaction.at, transaction)
    try Marks.note(due, db)
  }

  /// Ends snoozes of articles before they are due.
  /// - Parameter time: the new date of the articles, with which they become unread; `nil` to end
  ///   only snoozes by the user, and to show their articles with their dates and marks.
  package static func end(
    _ articles: [Int64], at time: Int64?, _ transaction: Transaction
  ) throws -> [RowImages] {
    let snoozed: [Int64] = try transaction.db.values(
      """
      SELECT articleID FROM snooze WHERE articleID IN (SELECT value FROM json_each(?1))
        AND (?2 IS NOT NULL OR reason = \(Reason.user.rawValue))
      """, [SQLText.json(articles), time])
    return try end(snoozed, date: time, transaction)
  }

  /// Ends snoozes that were due at a time in the past, unless they have ended here since.
  package static func unsnooze(
    _ articles: [Int64], since time: Int64, _ transaction: Transaction
  ) throws -> [RowImages] {
    let late: [Int64] = try transaction.db.values(
      """
      SELECT s.articleID FROM articleStatus s LEFT JOIN snooze z ON z.articleID = s.articleID
      WHERE s.articleID IN (SELECT value FROM json_each(?1))
        AND (z.reason = \(Reason.user.rawValue) OR z.reason IS NULL AND s.sortDate < ?2)
      """, [SQLText.json(articles), time])
    return try end(late, date: time, transaction)
  }

  private static func end(
    _ articles: [Int64], date: Int64?, _ transaction: Transaction
  ) throws -> [RowImages] {
    let states = try states(of: articles, transaction.db)
    let rows = try RowImages.recorded(["snooze"], of: articles, transaction.db) {
      try show(articles, date: date, transaction)
    }
    return states
      + [RowImages("isHidden", of: rows.flatMap(\.keys), HiddenReason.snoozed, 0)] + rows
  }

  /// Lists articles again.
  /// - Parameter date: their new date, with which they become unread; `nil` if they keep theirs.
  private static func show(_ articles: [Int64], date: Int64?, _ transaction: Transaction) throws {
    let (db, json) = (transaction.db, SQLText.json(articles))
    let listed = "articleID IN (SELECT value FROM json_each(?1))"
    let read: [Int64] =
      date != nil
      ? try db.values(
        """
        SELECT articleID FROM articleStatus
        WHERE \(listed) AND isRead = 1 AND isHidden & ~\(HiddenReason.snoozed) = 0
        """, [json]) : []
    _ = try Marks.set(.read, false, read, transaction)
    // An article of a removed feed is kept until it is read.
    try db.run(
      """
      UPDATE articleStatus SET isHidden = isHidden & ~\(HiddenReason.snoozed),
        sortDate = ifnull(?2, sortDate), isKeptUnread = isKeptUnread OR isRead = 0
          AND feedID IN (SELECT id FROM feed WHERE removedAt IS NOT NULL)
      WHERE \(listed)
      """, [json, date])
    try db.run("DELETE FROM snooze WHERE \(listed)", [json])
  }
}
