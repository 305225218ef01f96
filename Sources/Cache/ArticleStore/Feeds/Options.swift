import Foundation
package import GRDB

/// The options of a feed, by their source.
public struct FeedOptionSources: Sendable, Equatable {
  /// Set for this feed in the cache.
  public var own: FeedOptions
  /// Set in the configuration for the feed's address or a parent of it.
  public var configured: FeedOptions

  public init(own: FeedOptions = FeedOptions(), configured: FeedOptions = FeedOptions()) {
    (self.own, self.configured) = (own, configured)
  }

  public var effective: FeedOptions { own.over(configured) }
}

extension FeedCache {
  /// Returns the options of a feed; empty if the feed is gone.
  public func options(of feed: FeedID) throws(StoreError) -> FeedOptionSources {
    let configured = database.options.feedOptions
    return try database.first(
      "SELECT f.url, \(OptionRows.columns) FROM feed f WHERE f.id = ? AND f.removedAt IS NULL",
      [feed.rawValue]
    ) {
      FeedOptionSources(own: OptionRows.options($0, from: 1), configured: configured($0["url"]))
    }
      ?? FeedOptionSources()
  }

  /// Returns the feed's own description as plain text; `nil` if it has none.
  public func description(of feed: FeedID) throws(StoreError) -> String? {
    try database.value("SELECT summary FROM feed WHERE id = ?", [feed.rawValue])
  }

  /// Returns the mark policies of the feeds that have one. Moving past articles of high priority
  /// marks none.
  public func markPolicies() throws(StoreError) -> [FeedID: MarkPolicy] {
    let configured = database.options.feedOptions
    return try database.read { db in
      let high = Set(try FolderTree.feeds(of: .high, db))
      let policies: [FeedID: MarkPolicy?] = try db.dictionary(
        "SELECT f.id, f.url, f.markPolicy FROM feed f WHERE f.removedAt IS NULL"
      ) { row in
        let own = (row["markPolicy"] as String?).flatMap(MarkPolicy.init)
        let policy = own ?? configured(row["url"]).markRead
        let isHigh = high.contains(row["id"])
        return (row.id("id"), isHigh && policy != .never ? .opened : policy)
      }
      return policies.compactMapValues(\.self)
    }
  }
}

package enum OptionRows {
  package static let columns = """
    f.checkInterval, f.userAgent, f.proxy, f.headers, f.cookies, f.keepArticles, f.keepDays,
    f.fetchesPages, f.listOrder, f.markPolicy, f.latestDownloads
    """

  /// Sets all options; a limit of retention without the other is stored with 0 for that. A feed
  /// with a new interval is checked that long after its last check, and never earlier than its
  /// publisher asked.
  package static func set(_ options: FeedOptions, of feed: Int64, _ db: Database) throws {
    let before: Int64? = try db.value("SELECT checkInterval FROM feed WHERE id = ?", [feed])
    let (interval, retention) = (options.interval?.components.seconds, options.retention)
    try db.run(
      """
      UPDATE feed SET checkInterval = ?, userAgent = ?, proxy = ?, headers = ?, cookies = ?,
        keepArticles = ?, keepDays = ?, fetchesPages = ?, listOrder = ?, markPolicy = ?,
        latestDownloads = ?
      WHERE id = ?
      """,
      [
        interval, options.userAgent, options.proxy, options.headers, options.cookies,
        retention?.articles, retention?.days, options.fullText, options.sort?.rawValue,
        options.markRead?.rawValue, options.latestDownloads, feed,
      ])
    if let interval, interval != before { try plan(feed, every: interval, db) }
  }

  private static func plan(_ feed: Int64, every interval: Int64, _ db: Database) throws {
    let check: (checkedAt: Int64, hints: String?)? =
      try db.first(
        """
        SELECT checkedAt, updateHints FROM feedFetch
        WHERE feedID = ? AND checkedAt IS NOT NULL AND nextCheckAt IS NOT NULL
          AND notBefore IS NULL AND failureKind IS NULL
        """, [feed]
      ) { ($0["checkedAt"], $0["updateHints"]) }
    guard let check else { return }
    let asked = FetchRows.asked(check.hints)
    let hints = asked.hints ?? UpdateHints()
    // The schedule applies skipped hours and days at the next check.
    guard hints.skipHours.isEmpty, hints.skipDays.isEmpty else { return }
    let longest = Int64(FeedOptions.intervals.upperBound) * 60
    func seconds(_ value: Double?) -> Int64 {
      value.map { Int64(min(max($0, 0), Double(longest))) } ?? 0
    }
    let wait = max(interval, seconds(hints.interval), seconds(asked.freshFor))
    try db.run(
      "UPDATE feedFetch SET nextCheckAt = ?, nextCheckReason = ? WHERE feedID = ?",
      [check.checkedAt + wait * 1_000, CheckReason.text([.ownInterval(Int(interval))]), feed])
  }
}
