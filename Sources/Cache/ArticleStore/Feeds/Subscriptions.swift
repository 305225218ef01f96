public import Foundation
package import GRDB

extension FeedCache {
  /// Returns every folder, feed and saved search: feeds with counts and state, smart feeds with
  /// their numbers (unread of today, all unread, all starred, unread of high priority, those
  /// for later and kept ones if there are any).
  /// - Parameter folders: restricts numbers and tags to the feeds in these folders.
  public func subscriptions(within folders: [FolderID]? = nil) throws(StoreError) -> Subscriptions {
    let focus = folders
    return try database.read { db in
      let folders = try db.all(
        """
        SELECT d.id, d.parentID, d.title, d.position, d.isExpanded, d.priority, a.id AS accountID
        FROM folder d LEFT JOIN account a ON a.folderID = d.id ORDER BY d.position, d.id
        """
      ) { row in
        var folder = Folder(
          id: row.id("id"),
          parent: row.id("parentID"),
          title: row["title"], position: row["position"], isExpanded: row["isExpanded"],
          account: row.id("accountID"))
        folder.priority = FeedPriority(rawValue: row["priority"]) ?? .normal
        return folder
      }
      let feeds = try FeedRows.all(db, "WHERE f.removedAt IS NULL ORDER BY f.position, f.id", [])
      let listed = try focus.map { try $0.flatMap { try FolderTree.feeds(of: $0, db) } }
      var subscriptions = Subscriptions(
        folders: folders, feeds: feeds, smartCounts: try smartCounts(db, focus),
        tags: try db.all(
          """
          SELECT t.tag, sum(s.isRead = 0) AS unread, count(*) AS total FROM articleTag t
            CROSS JOIN articleStatus s ON s.articleID = t.articleID AND s.isHidden = 0
            AND (?1 IS NULL OR s.feedID IN (SELECT value FROM json_each(?1)))
          GROUP BY t.tag ORDER BY t.tag
          """, [listed.map { SQLText.json($0) }]
        ) { ($0["tag"], ArticleCounts(total: $0["total"], unread: $0["unread"])) },
        searches: try SavedSearchRows.all(db))
      if subscriptions.smartCounts[.later] != nil {
        var query = ArticleQuery(scope: .smart(.later))
        query.folders = focus
        let list = try ArticleList(query, db, midnight: database.midnight)
        subscriptions.laterWords =
          try db.value(
            "SELECT sum(words) FROM article WHERE id IN (SELECT value FROM json_each(?))",
            [SQLText.json(try list.allKeys(db).map(\.id))]) ?? 0
      }
      return subscriptions
    }
  }

  public func latestArticles() throws(StoreError) -> [FeedID: Date] {
    try database.read { db in
      try db.dictionary(
        """
        SELECT f.id, (SELECT max(s.sortDate) FROM articleStatus s INDEXED BY list_all_feed
          WHERE s.isHidden = 0 AND s.feedID = f.id) AS newest
          FROM feed f WHERE f.removedAt IS NULL
        """
      ) { ($0.id("id"), $0.date("newest")) }.compactMapValues(\.self)
    }
  }

  private func smartCounts(_ db: Database, _ folders: [FolderID]?) throws -> [SmartFeed: Int] {
    func count(_ scope: ArticleQuery.Scope, _ filter: ArticleQuery.Filter) throws -> Int {
      var query = ArticleQuery(scope: scope, filter: filter)
      query.folders = folders
      return try ArticleList(query, db, midnight: database.midnight).count(db)
    }
    var counts: [SmartFeed: Int] = [
      .today: try count(.smart(.today), .unread), .unread: try count(.exceptQuiet, .unread),
      .starred: try count(.all, .starred),
    ]
    if try !FolderTree.feeds(of: .high, db).isEmpty {
      counts[.high] = try count(.smart(.high), .unread)
    }
    for list in [SmartFeed.later, .archived] {
      let articles = try count(.smart(list), .all)
      if articles > 0 { counts[list] = articles }
    }
    return counts
  }

  /// Returns a feed; `nil` if it is not subscribed.
  public func feed(_ id: FeedID) throws(StoreError) -> Feed? {
    try database.feeds("WHERE f.id = ? AND f.removedAt IS NULL", [id.rawValue]).first
  }

  /// Returns the feed with an address, preferably one without an account; `nil` if there is none.
  public func feed(url: String) throws(StoreError) -> Feed? {
    try database.feeds("WHERE f.url = ? AND f.removedAt IS NULL ORDER BY f.accountID", [url]).first
  }

  /// Returns the subscriptions as an outline, in the order of the screen, without local feeds.
  public func outline() throws(StoreError) -> [OutlineEntry] {
    let subscriptions = try subscriptions()
    let more = try database.read { db in
      try db.dictionary("SELECT f.id, f.tags, \(OptionRows.columns) FROM feed f") {
        ($0.id("id") as FeedID, (StringList.strings($0["tags"]), OptionRows.options($0, from: 2)))
      }
    }
    let located = subscriptions.feeds.filter { !FeedRows.isLocal($0.url) }
      .map { (feed: $0, path: subscriptions.folders(to: $0.folder)) }
    // Folders come before the feeds beside them, as on the screen.
    let sorted = located.sorted { a, b in
      for (x, y) in zip(a.path, b.path) where x.id != y.id {
        return (x.position, x.id.rawValue) < (y.position, y.id.rawValue)
      }
      if a.path.count != b.path.count { return a.path.count > b.path.count }
      return (a.feed.position, a.feed.id.rawValue) < (b.feed.position, b.feed.id.rawValue)
    }
    return sorted.map { feed, path in
      var entry = OutlineEntry(
        url: feed.url,
        title: feed.title.isEmpty && feed.userTitle?.isEmpty != false ? nil : feed.name,
        homePageURL: feed.homePageURL, folder: path.map(\.title), tags: more[feed.id]?.0 ?? [],
        options: more[feed.id]?.1 ?? FeedOptions(), isList: feed.isList)
      entry.priority = feed.priority
      if path.contains(where: { $0.priority != .normal }) {
        entry.folderPriorities = path.map(\.priority)
      }
      return entry
    }
  }

  /// Lists the newest failure first, without feeds whose host is in back-off.
  public func failingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try database.feeds(
      "WHERE x.failureKind <> ? AND f.removedAt IS NULL ORDER BY x.checkedAt DESC, f.id LIMIT ?",
      [RefreshFailure.Kind.rateLimited.rawValue, limit])
  }

  /// Returns scheduled feeds, the next one first, without paused and gone ones.
  public func upcomingFeeds(limit: Int) throws(StoreError) -> [Feed] {
    try database.feeds(
      """
      WHERE x.nextCheckAt IS NOT NULL AND \(FetchRows.isScheduled)
      ORDER BY x.nextCheckAt, f.id LIMIT ?
      """, [limit])
  }

  /// Returns feeds whose newest article is older than a date, with that article's date, the longest
  /// silent first. Feeds without an article come last; those added since the date are left out, as
  /// are paused feeds.
  public func silentFeeds(since date: Date) throws(StoreError) -> [(feed: Feed, newest: Date?)] {
    let newest = try latestArticles()
    return try database.feeds(
      """
      WHERE f.removedAt IS NULL AND f.isPaused = 0 AND f.isLocal = 0 AND f.isList = 0
        AND (f.addedAt < ? OR c.total > 0) ORDER BY f.id
      """, [date.milliseconds]
    ).map { (feed: $0, newest: newest[$0.id]) }
      .filter { $0.newest.map { $0 < date } ?? true }
      .sorted { $0.newest ?? .distantFuture < $1.newest ?? .distantFuture }
  }
}

package enum FeedRows {
  package static let savedPages = "weir:saved"

  /// Returns `true` for feeds that ship with the program, with addresses like `weir:guide`.
  static func isLocal(_ url: String) -> Bool { url.hasPrefix("weir:") }

  /// Returns `false` for files, programs and headlines of pages, which only Weir can read.
  package static func isOnline(_ url: String) -> Bool {
    !LocalSource.claims(url) && !isLocal(url) && HeadlinesAddress(url) == nil
  }
}

package enum SavedSearchRows {
  package static func all(
    _ db: Database, _ condition: String = "1", _ arguments: StatementArguments = []
  ) throws -> [SavedSearch] {
    try db.all(
      """
      SELECT id, name, query, position FROM savedSearch WHERE \(condition) ORDER BY position, id
      """, arguments
    ) {
      SavedSearch(id: $0.id("id"), name: $0["name"], query: $0["query"], position: $0["position"])
    }
  }

  /// Adds a search after the others: each position is less than its key.
  package static func insert(_ name: String, _ query: String, _ db: Database) throws -> Int64 {
    try db.run(
      """
      INSERT INTO savedSearch (name, query, position)
      VALUES (?, ?, (SELECT ifnull(max(id), 0) FROM savedSearch))
      """, [name, query])
    return db.lastInsertedRowID
  }

  package static func find(_ id: Int64, _ db: Database) throws -> SavedSearch {
    guard let found = try all(db, "id = ?", [id]).first else { throw StoreError.notFound }
    return found
  }
}
