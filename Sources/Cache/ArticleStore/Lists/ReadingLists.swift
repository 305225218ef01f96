public import Foundation
package import GRDB

// Queries of the screens. Each reads one snapshot of the cache.

/// A part of a list as shown.
public enum ListPart: Sendable, Hashable {
  case all
  case above(ArticleKey)
  case below(ArticleKey)
  case olderThan(Date)
}

/// Unread articles that a feed brought as new although they are older than its newest known one.
/// This happens if a feed changes the ids of its items.
public struct OldArrivals: Sendable {
  public let feed: FeedID
  public let feedName: String
  /// Newest first.
  public let hits: SearchHits
}

extension ArticleCache {
  /// Number of newest arrivals that are examined.
  static var mostArrivals: Int { 10_000 }

  /// Returns a page of a list in the list's order, from either end.
  public func page(_ query: ArticleQuery, _ start: PageStart, limit: Int)
    throws(StoreError) -> [ArticleRow]
  {
    try database.read { db in
      let list = try ArticleList(query, db, midnight: database.midnight)
      return try page(list, start, limit: limit, db)
    }
  }

  private func page(
    _ list: ArticleList, _ start: PageStart, limit: Int, _ db: Database
  ) throws -> [ArticleRow] {
    let (bound, isBackwards): (ArticleList.Bound?, Bool) =
      switch start {
      case .top: (nil, false)
      case .bottom: (nil, true)
      case .after(let key): (.init(key: .init(key), isInclusive: false), false)
      case .before(let key): (.init(key: .init(key), isInclusive: false), true)
      case .from(let key): (.init(key: .init(key), isInclusive: true), false)
      }
    let keys = try list.keys(
      db, from: bound, descending: list.newestFirst != isBackwards, limit: limit)
    let rows = try keys.compactMap { try ArticleList.row($0.id, db) }
    return isBackwards ? rows.reversed() : rows
  }

  /// Counts the articles of a list. Reads counters, except for dates, tags, hits, a text filter or
  /// two conditions at once.
  public func count(_ query: ArticleQuery) throws(StoreError) -> Int {
    try database.read { db in
      let list = try ArticleList(query, db, midnight: database.midnight)
      return try list.count(db) + list.keptKeys(db).count
    }
  }

  /// Counts articles of the list that arrived after `query.asOf`, among the newest 10,000 arrivals.
  public func arrivals(_ query: ArticleQuery) throws(StoreError) -> Int {
    guard let asOf = query.asOf, query.hits?.isWholeList != false else { return 0 }
    return try database.read { db in
      var list = try ArticleList(query, db, midnight: database.midnight)
      list.asOf = nil
      return try list.countArrivals(after: asOf.rawValue, db, atMost: Self.mostArrivals)
    }
  }

  /// Returns the articles in the list's order, with both rows, which may be in either order.
  public func articleIDs(_ query: ArticleQuery, from first: ArticleKey, through last: ArticleKey)
    throws(StoreError) -> [ArticleID]
  {
    try database.read { db in
      let list = try ArticleList(query, db, midnight: database.midnight)
      let ids = try list.keys(db, from: ListKey(first), through: ListKey(last))
        .map { ArticleID(rawValue: $0.id) }
      // Hits are stored newest first, or in the order of their ranks; others by ascending dates.
      let isBackwards = list.hits.map { !$0.isRanked && !list.newestFirst } ?? list.newestFirst
      return isBackwards ? ids.reversed() : ids
    }
  }

  /// Returns the newest key, with which `ArticleQuery.asOf` freezes a list.
  public func latestArticleID() throws(StoreError) -> ArticleID {
    ArticleID(rawValue: try database.value("SELECT max(id) FROM article") ?? 0)
  }

  /// Returns the first unread article in the list's order, from either end or beside a row.
  public func nextUnread(
    _ query: ArticleQuery, _ start: PageStart
  ) throws(StoreError) -> ArticleRow? {
    try database.read { db in
      var list = try ArticleList(query, db, midnight: database.midnight)
      (list.unread, list.keeping) = (true, [])
      return try page(list, start, limit: 1, db).first
    }
  }

  public func articleRow(_ id: ArticleID) throws(StoreError) -> ArticleRow? {
    try database.read { db in try ArticleList.row(id.rawValue, db) }
  }

  /// Returns the states of the articles that exist, in any order.
  public func statuses(_ ids: [ArticleID]) throws(StoreError) -> [ArticleStatus] {
    try database.all(
      """
      SELECT isRead, isStarred, laterAt IS NOT NULL AS isLater FROM articleStatus
      WHERE articleID IN (SELECT value FROM json_each(?))
      """, [SQLText.json(ids.map(\.rawValue))]
    ) { ArticleStatus(isRead: $0["isRead"], isStarred: $0["isStarred"], isLater: $0["isLater"]) }
  }

  public func article(_ id: ArticleID) throws(StoreError) -> Article? {
    try database.read { db in
      guard let row = try ArticleList.row(id.rawValue, db) else { return nil }
      let enclosures = try db.all(
        """
        SELECT url, mimeType, title, size, duration FROM enclosure
        WHERE articleID = ? ORDER BY position
        """, [id.rawValue]
      ) {
        Enclosure(
          url: $0["url"], mimeType: $0["mimeType"], title: $0["title"], size: $0["size"],
          duration: $0["duration"])
      }
      return try db.first(
        """
        SELECT \(BodyColumns.names), firstSeenAt,
          (SELECT c.html FROM chapters c WHERE c.articleID = article.id) AS chapters
        FROM articleBody JOIN article ON id = articleID WHERE articleID = ?
        """, [id.rawValue]
      ) { Article(row, body: $0, enclosures: enclosures) }
    }
  }

  /// Returns the first words of articles as one line of plain text: of the summary if the feed
  /// gives one, else of the text. Articles without text are left out.
  ///
  /// Must not run between a key press and its frame, because it reads texts, which may be long.
  public func summaries(of ids: [ArticleID]) throws(StoreError) -> [ArticleID: String] {
    try database.read { db in
      var summaries: [ArticleID: String] = [:]
      for id in ids {
        let texts: (summary: String?, html: String?)? = try db.first(
          """
          SELECT substr(summary, 1, ?1) AS summary, substr(html, 1, ?1) AS html
          FROM articleBody WHERE articleID = ?2
          """, [Self.summarySource, id.rawValue]
        ) { ($0["summary"], $0["html"]) }
        let words = [texts?.summary, texts?.html].lazy.compactMap { $0 }.map {
          String(decoding: database.options.plainText($0), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        guard let text = words.first(where: { !$0.isEmpty }) else { continue }
        summaries[id] = String(text.prefix(Self.longestSummary))
      }
      return summaries
    }
  }

  /// Characters that are searched for the first words, because markup may come before them.
  private static var summarySource: Int { 8_000 }
  /// Longest summary in characters; no window is wider.
  private static var longestSummary: Int { 400 }

  /// Returns the end of the last session of the reader and the newest article then; `nil` if no
  /// session has ended yet.
  public func lastVisit() throws(StoreError) -> ArticleKey? {
    try database.first("SELECT endedAt, articleID FROM visit") {
      ArticleKey(
        sortDate: Date(milliseconds: $0["endedAt"]), id: ArticleID(rawValue: $0["articleID"]))
    }
  }

  /// Records that a session of the reader ends now.
  public func recordVisit() async throws(StoreError) {
    try await database.run(
      .engine,
      """
      INSERT OR REPLACE INTO visit (id, endedAt, articleID)
      SELECT 1, ?, coalesce(max(id), 0) FROM article
      """, [database.now.milliseconds])
  }

  public func unread(_ query: ArticleQuery, _ part: ListPart) throws(StoreError) -> UnreadPart {
    try database.read { db in
      try ArticleList(query, db, midnight: database.midnight).unread(part, db)
    }
  }

  /// Counts the articles that marking a part of a list read would change.
  /// - Returns: `nil` if the task was cancelled.
  public func unreadCount(_ query: ArticleQuery, _ part: ListPart) async throws(StoreError) -> Int?
  {
    try await database.core.readCancellably { [database] db in
      try ArticleList(query, db, midnight: database.midnight).unread(part, db).ids.count
    }
  }

  /// The number of old arrivals up to which a feed is not reported.
  private static var mostOld: Int { 10 }

  /// Returns the feeds that have brought more than ten old articles since `known` arrived, with
  /// these articles. Only the newest 10,000 arrivals are examined for such feeds. Feeds of accounts
  /// are left out: their servers send older articles on request.
  public func oldArrivals(after known: ArticleID) throws(StoreError) -> [OldArrivals] {
    try database.read { db in
      let feeds: [(id: Int64, name: String)] = try db.all(
        """
        SELECT f.id, \(SQLText.feedName) AS name FROM feed f
        WHERE f.accountID IS NULL AND f.isLocal = 0 AND f.removedAt IS NULL AND f.id IN
          (SELECT s.feedID FROM (SELECT feedID, isRead, isHidden FROM articleStatus
            WHERE articleID > ? ORDER BY articleID DESC LIMIT ?) s
          WHERE s.isRead = 0 AND s.isHidden = 0)
        ORDER BY f.id
        """, [known.rawValue, Self.mostArrivals]
      ) { ($0["id"], $0["name"]) }
      return try feeds.compactMap { feed in
        let keys = try db.all(
          """
          SELECT sortDate, articleID FROM articleStatus INDEXED BY list_unread_feed
          WHERE isHidden = 0 AND isRead = 0 AND feedID = ?1 AND articleID > ?2 AND sortDate <
            (SELECT sortDate FROM articleStatus INDEXED BY list_all_feed
            WHERE isHidden = 0 AND feedID = ?1 AND articleID <= ?2 ORDER BY sortDate DESC LIMIT 1)
          ORDER BY sortDate DESC, articleID DESC LIMIT ?3
          """, [feed.id, known.rawValue, Self.mostArrivals], ListKey.init)
        guard keys.count > Self.mostOld else { return nil }
        return OldArrivals(
          feed: FeedID(rawValue: feed.id), feedName: feed.name, hits: SearchHits(keys: keys))
      }
    }
  }
}

extension ArticleList {
  package func count(_ db: Database) throws -> Int {
    guard since == nil, needle == nil, hits == nil, tag == nil, !later, !(unread && starred) else {
      if case .several = feeds { return try allKeys(db).count }
      if hits != nil { return try allKeys(db).count }
      let sql = conditions(feed: rangeFeeds[0], nil, newestFirst)
      return try db.value("SELECT count(*) \(sql.from) WHERE \(sql.conditions)", sql.arguments) ?? 0
    }
    let column = starred ? "starred" : unread ? "unread" : "total"
    let isOfAll = if case .all = feeds { true } else { false }
    let counters =
      isOfAll ? "totalCounter" : "feedCounter WHERE feedID IN (SELECT value FROM json_each(?))"
    let counted = try db.first(
      "SELECT sum(\(column)) AS count FROM \(counters)",
      isOfAll ? [] : [SQLText.json(rangeFeeds.compactMap(\.self))]
    ) { $0.count("count") }
    var all = counted ?? 0
    if case .one = feeds {} else if starred || !isOfAll { all -= try repeatedCount(db) }
    guard let asOf else { return all }
    // Few articles arrive after `asOf`, but a million may be older.
    var later = self
    (later.asOf, later.keeping) = (nil, [])
    return try all - later.countArrivals(after: asOf, db, atMost: .max)
  }

  func countArrivals(after id: Int64, _ db: Database, atMost most: Int) throws -> Int {
    var sql = Conditions(index: nil, needle: needle)
    add(to: &sql)
    hideDuplicates(&sql)
    sql.add("s.articleID NOT IN (SELECT articleID FROM olderPost)")
    if !keeping.isEmpty {
      sql.add("s.articleID NOT IN (SELECT value FROM json_each(?))", SQLText.json(keeping))
    }
    // Examines the newest `most` rows by key, whether they match or not.
    let from = sql.from.replacing(
      "FROM articleStatus s",
      with: """
        FROM (SELECT * FROM articleStatus WHERE articleID > ? ORDER BY articleID DESC LIMIT ?) s
        """)
    return try db.value(
      "SELECT count(*) \(from) WHERE \(sql.conditions)",
      [id, most] + sql.arguments) ?? 0
  }

  /// Returns the rows of `keeping` that belong to the list without its filter, which they may no
  /// longer pass.
  package func keptKeys(_ db: Database) throws -> [ListKey] {
    guard !keeping.isEmpty, hits == nil else { return [] }
    var all = self
    (all.feeds, all.unread, all.starred) = (.all, false, false)
    var sql = Conditions(index: nil, needle: needle)
    sql.add("s.articleID = ?", Int64(0))
    all.add(to: &sql)
    if unread && starred {
      sql.add("NOT (s.isRead = 0 AND s.isStarred = 1)")
    } else {
      sql.add(unread ? "s.isRead = 1" : "s.isStarred = 0")
    }
    let wanted = Set(rangeFeeds)
    let text = "SELECT s.sortDate, s.articleID, s.feedID \(sql.from) WHERE \(sql.conditions)"
    var arguments = sql.allValues
    return try keeping.compactMap { id in
      arguments[0] = id
      return try db.first(text, StatementArguments(arguments)) { row in
        wanted.contains(nil) || wanted.contains(row["feedID"]) ? ListKey(row) : nil
      } ?? nil
    }
  }

  /// - Parameter others: articles to mark too.
  package func unread(
    _ part: ListPart, with others: [ListKey] = [], _ db: Database
  ) throws -> UnreadPart {
    var list = self
    list.unread = true
    list.keeping = []
    let shown =
      switch part {
      case .all: try list.allKeys(db)
      case .above(let key): try list.keys(beside: ListKey(key), isAbove: true, db)
      case .below(let key): try list.keys(beside: ListKey(key), isAbove: false, db)
      case .olderThan(let date): try list.allKeys(db).filter { $0.sortDate < date.milliseconds }
      }
    let all = (shown + others).map(\.id)
    let free = try KeptUnread.removing(from: all, db)
    let ids = try SparedArticles.removing(from: free, in: scope, db)
    return UnreadPart(
      ids: ids.map(ArticleID.init(rawValue:)), kept: all.count - free.count,
      spared: free.count - ids.count)
  }

  /// Returns the keys above or below a row, without the row.
  fileprivate func keys(beside key: ListKey, isAbove: Bool, _ db: Database) throws -> [ListKey] {
    let end: ListKey?
    if let hits {
      end = isAbove ? hits.content.keys.first : hits.content.keys.last
    } else {
      let value: Int64 = isAbove == newestFirst ? .max : .min
      end = ListKey(sortDate: value, id: value)
    }
    guard let end else { return [] }
    return try keys(db, from: key, through: end).filter { $0 != key }
  }
}
