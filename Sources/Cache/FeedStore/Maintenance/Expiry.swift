import Foundation
import GRDB

/// Selects and deletes the articles that retention no longer keeps.
struct Expiry {
  let retention: Retention
  let now: Date
  var configured: @Sendable (String) -> FeedOptions = { _ in FeedOptions() }

  private static let day = Duration.days(1).milliseconds
  /// Limits numbers of days, because a row may hold any number.
  private static let mostDays = 1_000_000
  /// Number of feeds examined in one step.
  private static let feedsAtOnce = 200

  /// Returns due articles of one feed and the next position; no articles if none are due in the
  /// feeds that were examined. `nil` if there is no feed after `place`.
  func next(
    after place: Int64, limit: Int, _ db: Database
  ) throws -> (articles: [Int64], place: Int64)? {
    let feeds: [(id: Int64, own: Retention?)] = try db.all(
      """
      SELECT id, url, keepArticles, keepDays FROM feed
      WHERE id > ? AND removedAt IS NULL AND isLocal = 0 ORDER BY id LIMIT ?
      """, [place, Self.feedsAtOnce]
    ) { row in
      var own = FeedOptions()
      own.keepArticles = row["keepArticles"]
      own.keepDays = row["keepDays"]
      return (row["id"], own.retention ?? configured(row["url"]).retention)
    }
    guard let last = feeds.last else { return nil }
    for feed in feeds {
      let limits = feed.own ?? retention
      let due = try due(feed.id, articles: limits.articles, days: limits.days, limit: limit, db)
      // If the batch is full, this feed may have more.
      if !due.isEmpty { return (due, due.count == limit ? feed.id - 1 : feed.id) }
    }
    return ([], last.id)
  }

  private func due(
    _ feed: Int64, articles: Int, days: Int, limit: Int, _ db: Database
  ) throws -> [Int64] {
    guard articles > 0 || days > 0 else { return [] }
    // Compares date and key, as lists do, because many articles may have the same date.
    var before = (date: Int64.min, id: Int64.min)
    if days > 0 { before.date = begin(of: days) }
    if articles > 0 {
      let oldestKept: (date: Int64, id: Int64)? = try db.first(
        """
        SELECT sortDate, articleID FROM articleStatus INDEXED BY list_all_feed
        WHERE isHidden = 0 AND feedID = ?
        ORDER BY sortDate DESC, articleID DESC LIMIT 1 OFFSET ?
        """, [feed, articles - 1]
      ) { ($0["sortDate"], $0["articleID"]) }
      if let oldestKept, oldestKept > before { before = oldestKept }
    }
    guard before.date > .min else { return [] }
    let listed: [Int64] = try db.values(
      """
      SELECT articleID FROM articleStatus INDEXED BY list_all_feed
      WHERE isHidden = 0 AND feedID = ? AND (sortDate, articleID) < (?, ?) AND \(spared)
      LIMIT ?
      """, [feed, before.date, before.id, limit])
    guard listed.count < limit else { return listed }
    // Articles that rules hide are in no list, and expire as if they were read.
    return listed
      + (try db.values(
        """
        SELECT articleID FROM articleStatus INDEXED BY list_ruled
        WHERE isHidden & \(HiddenReason.rule) <> 0 AND isHidden = \(HiddenReason.rule) AND feedID = ?
          AND (sortDate, articleID) < (?, ?) AND \(spared)
        LIMIT ?
        """, [feed, before.date, before.id, limit - listed.count]))
  }

  /// The condition under which an article may be deleted.
  private var spared: String {
    // Articles with unsent changes stay too. An article is deleted after its file, which would
    // otherwise belong to no article.
    let hasFile = """
      EXISTS (SELECT 1 FROM download d WHERE d.articleID = articleStatus.articleID
        AND (d.isWaiting = 1 OR d.path IS NOT NULL))
      """
    let spared = """
      \(retention.downloadDays > 0 ? "NOT \(hasFile) AND" : "")
      isStarred = 0 AND laterAt IS NULL AND NOT EXISTS (SELECT 1 FROM remoteArticle r JOIN outbox o
        ON o.accountID = r.accountID AND o.item = r.remoteID
        WHERE r.articleID = articleStatus.articleID)
      AND NOT EXISTS (SELECT 1 FROM articleTag t WHERE t.articleID = articleStatus.articleID)
      AND NOT EXISTS (SELECT 1 FROM articleNote n WHERE n.articleID = articleStatus.articleID)
      AND NOT EXISTS (SELECT 1 FROM olderPost p WHERE p.articleID = articleStatus.articleID)
      AND NOT EXISTS (SELECT 1 FROM snooze z WHERE z.articleID = articleStatus.articleID)
      AND NOT EXISTS (SELECT 1 FROM playback p
        WHERE p.articleID = articleStatus.articleID AND p.isFinished = 0)
      """
    let isDone = "isRead = 1 OR isHidden & \(HiddenReason.rule) <> 0"
    guard retention.unreadDays > 0 else { return "\(spared) AND (\(isDone))" }
    let isPacked = PackRows.isKept(
      "packArticle k", "k.articleID = articleStatus.articleID", at: now.milliseconds)
    return """
      \(spared) AND (\(isDone) OR (sortDate < \(begin(of: retention.unreadDays)) AND NOT \(isPacked)))
      """
  }

  /// Returns the time that many days ago, in milliseconds.
  private func begin(of days: Int) -> Int64 {
    now.milliseconds - Int64(min(days, Self.mostDays)) * Self.day
  }

  /// Deletes articles permanently, with a tombstone each, unless they have become exempt since.
  func delete(_ articles: [Int64], _ db: Database) throws {
    let going = try articles.filter { id in
      try db.exists("SELECT 1 FROM articleStatus WHERE articleID = ? AND \(spared)", [id])
    }
    try Tombstones.bury(going, at: now, db)
    for id in going { try db.run("DELETE FROM article WHERE id = ?", [id]) }
  }
}
