public import Foundation
import GRDB

/// The dry run of a rule.
public struct RulePreview: Sendable, Equatable {
  /// The effect on one feed.
  public struct OfFeed: Sendable, Equatable {
    public var feed: FeedID
    public var name: String
    public var matched: Int
    /// All articles of the feed in the same period.
    public var total: Int
  }

  /// Matching articles, newest first.
  public var hits: SearchHits
  public var matched: Int
  /// Articles of the same period.
  public var total: Int
  /// Starred articles of `matched`; `opened` and `unread` count in the same way.
  public var starred: Int
  public var opened: Int
  public var unread: Int
  /// Articles of accounts, whose marks are sent to servers.
  public var ofAccounts: Int
  /// Most matches first.
  public var feeds: [OfFeed]
  /// True if only the first matches were searched.
  public var isPartial: Bool

  /// Largest share of a feed that a rule may hide without a second confirmation.
  private static let much = 0.3
  /// Smallest number of articles for which a share is meaningful.
  private static let fewArticles = 10

  /// Feeds of which a rule would hide more than 30 %.
  public var overwhelmed: [OfFeed] {
    feeds.filter { feed in
      feed.total >= Self.fewArticles
        && Double(feed.matched) > Self.much * Double(feed.total)
    }
  }
}

extension SearchCache {
  /// Days of articles that a dry run examines.
  public static var previewDays: Int { 90 }

  /// Finds the articles that a rule would act on, among those that arrived since a date.
  /// - Parameter limit: the number of matches after which the search ends; `nil` counts all.
  /// - Returns: `nil` if the task was cancelled.
  public func preview(
    _ query: SearchQuery, since: Date, limit: Int? = nil
  ) async throws(StoreError) -> RulePreview? {
    let (options, midnight) = (database.options, database.midnight)
    return try await database.core.readCancellably { db in
      let plan = try SearchPlan(
        query, db, now: options.now(), options: options, hidesDuplicates: false)
      var list = try ArticleList(ArticleQuery(scope: .all), db, midnight: midnight)
      list.since = since.milliseconds
      let (keys, isPartial) =
        plan.isEmpty
        ? ([], false) : try Search.all(plan, list, db, options.plainText, limit: limit)
      return try RulePreview(keys: keys, isPartial: isPartial, since: since, db)
    }
  }
}

extension RulePreview {
  fileprivate init(keys: [ListKey], isPartial: Bool, since: Date, _ db: Database) throws {
    let ids = SQLText.json(keys.map(\.id))
    let totals: [FeedID: Int] = try db.dictionary(
      """
      SELECT s.feedID, count(*) AS total FROM articleStatus s INDEXED BY list_all_feed
      WHERE s.isHidden = 0 AND s.sortDate >= ? GROUP BY s.feedID
      """, [since.milliseconds]
    ) { ($0.id("feedID"), $0.count("total")) }
    self.init(
      hits: SearchHits(keys: keys), matched: keys.count, total: totals.values.reduce(0, +),
      starred: 0, opened: 0, unread: 0, ofAccounts: 0, feeds: [], isPartial: isPartial)
    feeds = try db.all(
      """
      SELECT s.feedID, \(SQLText.feedName) AS name, count(*) AS matched,
        sum(s.isStarred) AS starred, sum(s.isRead = 0) AS unread,
        sum(s.openedAt IS NOT NULL OR p.articleID IS NOT NULL) AS opened, f.accountID
      FROM json_each(?) i CROSS JOIN articleStatus s ON s.articleID = i.value
        JOIN feed f ON f.id = s.feedID LEFT JOIN readingPosition p ON p.articleID = s.articleID
      GROUP BY s.feedID ORDER BY matched DESC, s.feedID
      """, [ids]
    ) { row in
      let (feed, matched): (FeedID, Int) = (row.id("feedID"), row.count("matched"))
      starred += row.count("starred")
      opened += row.count("opened")
      unread += row.count("unread")
      if row["accountID"] as Int64? != nil { ofAccounts += matched }
      return OfFeed(feed: feed, name: row["name"], matched: matched, total: totals[feed] ?? matched)
    }
  }
}
