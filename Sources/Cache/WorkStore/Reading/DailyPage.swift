import Foundation
import GRDB

/// A short list for one day: the articles that fit some minutes of reading.
public struct DailyPage: Sendable, Equatable {
  public var minutes: Int
  /// The articles in reading order.
  public var articles: [ArticleID]
}

extension PlanCache {
  /// The minutes of a page if the user gives none.
  public static var usualMinutes: Int { 20 }
  public static var minutesOfPage: ClosedRange<Int> { 1...1_000 }

  public func minutesOfDailyPage() throws(StoreError) -> Int? {
    try database.read { db in try DailyPageRows.page(of: database.midnight, db)?.minutes }
  }

  /// Returns the page of this day. Chooses a new page if there is none for these minutes; a page
  /// without articles is not stored.
  /// - Parameter minutes: `nil` for those of the stored page, or `usualMinutes` if there is none.
  public func dailyPage(minutes: Int? = nil) async throws(StoreError) -> DailyPage {
    let (midnight, speed) = (database.midnight, database.options.wordsPerMinute)
    let known = try database.read { db in try DailyPageRows.page(of: midnight, db) }
    if let known, minutes == nil || minutes == known.minutes { return known }
    let wanted = minutes ?? Self.usualMinutes
    let chosen = try database.read { db in
      try DailyPageChoice.articles(db, minutes: wanted, speed: speed, midnight: midnight)
    }
    let page = DailyPage(minutes: wanted, articles: chosen.map(ArticleID.init(rawValue:)))
    guard !chosen.isEmpty else { return page }
    try await database.write(.engine) { db in
      try db.run("DELETE FROM dailyPage")
      try db.run(
        """
        INSERT INTO dailyPage (position, articleID, day, minutes)
        SELECT j.key, a.id, ?, ? FROM json_each(?) j JOIN article a ON a.id = j.value
        """, [midnight.milliseconds, wanted, SQLText.json(chosen)])
    }
    return page
  }

  /// Returns the page of this day for a list; no articles if none was chosen.
  public func dailyPageHits() throws(StoreError) -> SearchHits {
    try database.read { db in
      SearchHits(keys: try DailyPageRows.rows(of: database.midnight, db).map(\.key), isRanked: true)
    }
  }

  /// Counts the unread articles that are not on the page of this day.
  public func countBeyondDailyPage() throws(StoreError) -> Int {
    try database.read { db in
      let unread = try ArticleList(Self.unread, db, midnight: database.midnight).count(db)
      let onPage: Int? = try db.value(
        """
        SELECT count(*) FROM dailyPage d CROSS JOIN articleStatus s ON s.articleID = d.articleID
        WHERE d.day = ? AND s.isRead = 0 AND s.isHidden = 0
        """, [database.midnight.milliseconds])
      return max(0, unread - (onPage ?? 0))
    }
  }

  /// Returns the unread articles that are not on the page of this day, without those that marking
  /// a list leaves unread.
  public func beyondDailyPage() throws(StoreError) -> [ArticleID] {
    try database.read { db in
      let page = Set(try DailyPageRows.rows(of: database.midnight, db).map(\.key.id))
      return try ArticleList(Self.unread, db, midnight: database.midnight).unread(.all, db).ids
        .filter { !page.contains($0.rawValue) }
    }
  }

  static var unread: ArticleQuery { ArticleQuery(scope: .exceptQuiet, filter: .unread) }
}

private enum DailyPageRows {
  static func page(of day: Date, _ db: Database) throws -> DailyPage? {
    let rows = try rows(of: day, db)
    guard let minutes = rows.first?.minutes else { return nil }
    return DailyPage(minutes: minutes, articles: rows.map { ArticleID(rawValue: $0.key.id) })
  }

  static func rows(of day: Date, _ db: Database) throws -> [(key: ListKey, minutes: Int)] {
    try db.all(
      """
      SELECT s.sortDate, s.articleID, d.minutes FROM dailyPage d
        CROSS JOIN articleStatus s ON s.articleID = d.articleID
      WHERE d.day = ? ORDER BY d.position
      """, [day.milliseconds]
    ) { (ListKey($0), $0.count("minutes")) }
  }
}

/// Chooses the articles of a page: articles of high priority first, then the newest. Takes one
/// article of each group of duplicates, and at most two of a feed.
private enum DailyPageChoice {
  /// Number of newest unread articles that are considered, and of those of high priority.
  private static let most = (unread: 2_000, high: 500)
  private static let mostOfFeed = 2
  /// The assumed minutes of an article of unknown length.
  private static let usualArticle = 4

  /// The `story` is the canonical article of the candidate's group.
  private typealias Candidate = (key: ListKey, feed: Int64, story: Int64, isHigh: Bool, words: Int)

  static func articles(
    _ db: Database, minutes: Int, speed: Int, midnight: Date
  ) throws -> [Int64] {
    var high = PlanCache.unread
    high.scope = .smart(.high)
    let first = try candidates(high, most.high, isHigh: true, db, midnight)
    let others = try candidates(PlanCache.unread, most.unread, isHigh: false, db, midnight)
    var (articles, left, stories, ofFeed) = ([Int64](), minutes, Set<Int64>(), [Int64: Int]())
    let sorted = (first + others).sorted { $0.isHigh != $1.isHigh ? $0.isHigh : $0.key > $1.key }
    for candidate in sorted where left > 0 {
      let time =
        candidate.words > 0
        ? ReadingTime.minutes(ofWords: candidate.words, speed: speed) : usualArticle
      guard time <= left, ofFeed[candidate.feed, default: 0] < mostOfFeed,
        stories.insert(candidate.story).inserted
      else { continue }
      articles.append(candidate.key.id)
      ofFeed[candidate.feed, default: 0] += 1
      left -= time
    }
    return articles
  }

  private static func candidates(
    _ query: ArticleQuery, _ most: Int, isHigh: Bool, _ db: Database, _ midnight: Date
  ) throws -> [Candidate] {
    let keys = try ArticleList(query, db, midnight: midnight)
      .keys(db, from: nil, descending: true, limit: most)
    return try db.all(
      """
      SELECT s.sortDate, s.articleID, s.feedID, ifnull(s.duplicateOf, s.articleID) AS story,
        a.words
      FROM json_each(?) i CROSS JOIN articleStatus s ON s.articleID = i.value
        CROSS JOIN article a ON a.id = s.articleID
      """, [SQLText.json(keys.map(\.id))]
    ) { (ListKey($0), $0["feedID"], $0["story"], isHigh, $0.count("words")) }
  }
}
