package import Foundation
package import GRDB

/// A query resolved against the cache: the index that serves it, and the remaining conditions.
///
/// A list is a range of one partial index in keyset order (sort date, then key); a folder merges
/// one range for each feed. No list uses OFFSET, and SQLite sorts only lists of tags.
package struct ArticleList {
  package enum Feeds {
    case all
    case one(Int64)
    case several([Int64])
  }

  /// The start of a page, in the direction of reading.
  package struct Bound {
    var key: ListKey
    var isInclusive: Bool
  }

  let scope: ArticleQuery.Scope
  package var feeds: Feeds
  /// The articles of a story that are in a list of several feeds.
  package enum Duplicates { case hidden, only, included }

  /// Restricts the list to a tag. Such a list is short, so SQLite sorts it.
  package var tag: String?
  /// Earliest date, for “today”.
  package var since: Int64?
  package var unread: Bool
  package var starred: Bool
  package var later = false
  package var newestFirst: Bool
  var asOf: Int64?
  package var needle: TextMatch?
  package var hits: SearchHits?
  /// Articles that stay although they do not pass the filter, ascending.
  var keeping: [Int64]
  /// Bits of `HiddenReason` with which hits are shown.
  private var shownReasons: Int64

  /// Older posts belong to a frozen list, whenever they were fetched.
  static let isInTime = "(s.articleID <= ? OR s.articleID IN (SELECT articleID FROM olderPost))"

  package init(_ query: ArticleQuery, _ db: Database, midnight: Date) throws {
    unread = query.filter == .unread
    starred = query.filter == .starred
    scope = query.scope
    newestFirst = query.order == .newestFirst
    asOf = query.asOf?.rawValue
    needle = query.titleContains.flatMap(TextMatch.init)
    hits = query.hits
    shownReasons =
      (query.showsHiddenByRules ? HiddenReason.rule : 0)
      | (hits?.showsSnoozed == true ? HiddenReason.snoozed : 0)
    keeping = []
    feeds = .all
    switch query.scope {
    case .all: break
    case .exceptQuiet: feeds = try Self.exceptQuiet(db)
    case .smart(.today): (feeds, since) = (try Self.exceptQuiet(db), midnight.milliseconds)
    case .smart(.unread): (feeds, unread) = (try Self.exceptQuiet(db), true)
    case .smart(.starred): starred = true
    case .smart(.later): later = true
    case .smart(.high): feeds = .several(try FolderTree.feeds(of: .high, db))
    case .smart(.archived): feeds = .several(try ArchivedArticles.feeds(db))
    case .tag(let name): tag = name
    case .feed(let feed): feeds = .one(feed.rawValue)
    case .folder(let folder): feeds = .several(try FolderTree.feeds(of: folder, isListed: true, db))
    }
    if unread || starred { keeping = query.keeping.map(\.rawValue).sorted() }
    if let folders = query.folders { try restrict(to: folders, db) }
  }

  /// Restricts the list to the feeds in `folders`, unless it is the list of a feed or of a folder.
  private mutating func restrict(to folders: [FolderID], _ db: Database) throws {
    let inside = Set(try folders.flatMap { try FolderTree.feeds(of: $0, db) })
    switch (scope, feeds) {
    case (.feed, _), (.folder, _), (_, .one): break
    case (_, .all): feeds = .several(inside.sorted())
    case (_, .several(let listed)): feeds = .several(listed.filter(inside.contains))
    }
  }

  private static func exceptQuiet(_ db: Database) throws -> Feeds {
    try FolderTree.feedsExceptQuiet(db).map(Feeds.several) ?? .all
  }

  // MARK: Keys

  /// Returns up to `limit` keys from `bound` on, in the direction of reading.
  package func keys(_ db: Database, from bound: Bound?, descending: Bool, limit: Int) throws
    -> [ListKey]
  {
    guard limit > 0 else { return [] }
    if let hits {
      // Hits are stored newest first, or in the order of their ranks.
      let isForward = hits.isRanked ? descending == newestFirst : descending
      let all = hits.content.keys
      // If reading backward, `place` is the index after the first hit to read.
      var place = isForward ? 0 : all.count
      if let bound {
        place = hits.content.place(of: bound.key)
        let isThere = place < all.count && all[place] == bound.key
        if isThere, isForward != bound.isInclusive { place += 1 }
      }
      return isForward
        ? try passing(all.dropFirst(place), db, limit: limit)
        : try passing(all.prefix(place).reversed(), db, limit: limit)
    }
    let keys =
      if case .several(let feeds) = feeds {
        try merged(db, feeds, bound, descending, limit)
      } else {
        try range(db, feed: rangeFeeds[0], bound, descending, limit)
      }
    let kept = try keptKeys(db).filter { isBehind($0, bound, descending) }
    return kept.isEmpty ? keys : Self.first(limit, of: keys + kept, descending)
  }

  private static func first(_ limit: Int, of keys: [ListKey], _ descending: Bool) -> [ListKey] {
    Array(keys.sorted(by: descending ? { $0 > $1 } : { $0 < $1 }).prefix(limit))
  }

  /// Returns the keys between two rows, which may be in either order, including both. Between two
  /// hits, the order of the search counts and not the dates.
  package func keys(_ db: Database, from a: ListKey, through b: ListKey) throws -> [ListKey] {
    if let hits = hits?.content {
      let places = [hits.place(of: a), hits.place(of: b)].sorted()
      let (first, last) = (places[0], places[1])
      let isThere = last < hits.keys.count && [a, b].contains(hits.keys[last])
      return try passing(hits.keys[first..<(isThere ? last + 1 : last)], db, limit: .max)
    }
    let end = max(a, b)
    let limit = a == b ? 1 : 1_000
    var found: [ListKey] = []
    var bound = Bound(key: min(a, b), isInclusive: true)
    while true {
      let page = try keys(db, from: bound, descending: false, limit: limit)
      found += page.prefix { $0 <= end }
      guard page.count == limit, let last = page.last, last < end else { return found }
      bound = Bound(key: last, isInclusive: false)
    }
  }

  private func isBehind(_ key: ListKey, _ bound: Bound?, _ descending: Bool) -> Bool {
    guard let bound else { return true }
    if key == bound.key { return bound.isInclusive }
    return descending ? key < bound.key : key > bound.key
  }

  /// Returns the hits that still exist and pass the filter.
  private func passing(
    _ hits: some Sequence<ListKey>, _ db: Database, limit: Int
  ) throws -> [ListKey] {
    let kept = Set(keeping)
    var sql = Conditions(index: nil, needle: needle)
    sql.add("s.articleID = ?", Int64(0))
    let text =
      """
      SELECT s.isRead, s.isStarred \(sql.from)
      WHERE s.isHidden & \(~shownReasons) = 0 AND \(sql.conditions)
      """
    var arguments = sql.allValues
    var keys: [ListKey] = []
    for key in hits {
      arguments[0] = key.id
      let passes = try db.first(text, StatementArguments(arguments)) { row in
        kept.contains(key.id)
          || (!(unread && row["isRead"] as Bool) && !(starred && !(row["isStarred"] as Bool)))
      }
      if passes == true { keys.append(key) }
      if keys.count == limit { break }
    }
    return keys
  }

  /// Adds the list's conditions, except text filter and deduplication, for rows that do not come
  /// from its index.
  /// - Parameter isHidden: the condition on `isHidden`.
  package func add(to sql: inout Conditions, isHidden: String = "s.isHidden = 0") {
    sql.add(isHidden)
    addMarks(to: &sql)
    if let since { sql.add("s.sortDate >= ?", since) }
    if let asOf { sql.add(Self.isInTime, asOf) }
    if let tag { sql.add(SQLText.hasTag, tag) }
    switch feeds {
    case .all: break
    case .one(let feed): sql.add("s.feedID = ?", feed)
    case .several(let feeds):
      sql.add("s.feedID IN (SELECT value FROM json_each(?))", SQLText.json(feeds))
    }
  }

  private func addMarks(to sql: inout Conditions) {
    if unread { sql.add("s.isRead = 0") }
    if starred { sql.add("s.isStarred = 1") }
    if later { sql.add("s.laterAt IS NOT NULL") }
  }

  /// Returns the conditions on one index range: of a feed, or of all feeds if `feed` is `nil`.
  package func conditions(
    feed: Int64?, _ bound: Bound?, _ descending: Bool, duplicates: Duplicates = .hidden
  ) -> Conditions {
    var sql = Conditions(
      index: duplicates == .only ? "list_duplicates" : index(perFeed: feed != nil),
      needle: needle, tag: tag)
    switch duplicates {
    case .hidden: if feed == nil { hideDuplicates(&sql) }
    case .only: sql.add("s.duplicateOf IS NOT NULL")
    case .included: break
    }
    addMarks(to: &sql)
    if let feed { sql.add("s.feedID = ?", feed) }
    if let since {
      // Without a condition on the first column, SQLite would not search the index by date.
      if duplicates != .only, hasTwoRanges(feed: feed) { sql.add("s.isRead IN (0, 1)") }
      sql.add("s.sortDate >= ?", since)
    }
    if let bound {
      let sign = (descending ? "<" : ">") + (bound.isInclusive ? "=" : "")
      sql.add("(s.sortDate, s.articleID) \(sign) (?, ?)", bound.key.sortDate, bound.key.id)
    }
    if let asOf { sql.add(Self.isInTime, asOf) }
    return sql
  }

  private func range(
    _ db: Database, feed: Int64?, _ bound: Bound?, _ descending: Bool, _ limit: Int
  ) throws -> [ListKey] {
    let sql = conditions(feed: feed, bound, descending)
    guard hasTwoRanges(feed: feed) else {
      return try rows(db, sql, "", descending, limit, ListKey.init)
    }
    let keys = try [0, 1].flatMap { isRead in
      var part = sql
      part.add("s.isRead = ?", isRead)
      return try rows(db, part, "", descending, limit, ListKey.init)
    }
    return Self.first(limit, of: keys, descending)
  }

  private func rows<T>(
    _ db: Database, _ sql: Conditions, _ columns: String, _ descending: Bool, _ limit: Int,
    _ decode: (Row) throws -> T
  ) throws -> [T] {
    let direction = descending ? "DESC" : "ASC"
    return try db.all(
      "SELECT s.sortDate, s.articleID\(columns) \(sql.from) WHERE \(sql.conditions) "
        + "ORDER BY s.sortDate \(direction), s.articleID \(direction) LIMIT ?",
      sql.arguments + [limit], decode)
  }

  /// Reads one feed's part of a list of several feeds. `isShown` is `false` for duplicates of
  /// articles in the list.
  private func part(
    _ db: Database, feed: Int64, among feeds: Set<Int64>, _ bound: Bound?, _ descending: Bool,
    _ limit: Int
  ) throws -> [(key: ListKey, isShown: Bool)] {
    try rows(db, conditions(feed: feed, bound, descending), ", s.duplicateOf", descending, limit) {
      row in
      let key = ListKey(row)
      guard ListKey.canonical(row) != nil else { return (key, true) }
      return (key, try !isRepeated(key.id, in: feeds, db))
    }
  }

  /// Feeds of the list's ranges; `nil` is one range of all feeds.
  package var rangeFeeds: [Int64?] {
    switch feeds {
    case .all: [nil]
    case .one(let feed): [feed]
    case .several(let feeds): feeds
    }
  }

  /// Returns every key of the list, in no order and without kept rows.
  package func allKeys(_ db: Database) throws -> [ListKey] {
    if let hits { return try passing(hits.content.keys, db, limit: .max) }
    guard case .several(let feeds) = feeds else {
      return try rangeFeeds.flatMap { try range(db, feed: $0, nil, newestFirst, .max) }
    }
    let wanted = Set(feeds)
    return try feeds.flatMap { feed in
      try part(db, feed: feed, among: wanted, nil, newestFirst, .max).filter(\.isShown).map(\.key)
    }
  }

  /// Returns the best `limit` keys of many ranges. Each feed is read only as far as it can
  /// contribute; most feeds of a folder contribute one row or none.
  private func merged(
    _ db: Database, _ feeds: [Int64], _ bound: Bound?, _ descending: Bool, _ limit: Int
  ) throws -> [ListKey] {
    if feeds.count > 24,
      let keys = try glance(db, feeds, bound, descending, limit)
    {
      return keys
    }
    let wanted = Set(feeds)
    let comesFirst: (ListKey, ListKey) -> Bool = descending ? { $0 > $1 } : { $0 < $1 }
    var best: [ListKey] = []
    for feed in feeds {
      var end = bound
      // A row behind the limit-th best one so far is not in the result.
      let worst = best.count >= limit ? best[limit - 1] : nil
      var step = worst == nil ? limit : 4
      reading: while true {
        let rows = try part(db, feed: feed, among: wanted, end, descending, step)
        var shown = 0
        for row in rows {
          if let worst, !comesFirst(row.key, worst) { break reading }
          guard row.isShown else { continue }
          best.append(row.key)
          shown += 1
        }
        // If `worst` is `nil`, the step is `limit`, and no feed can add more rows than that.
        guard rows.count == step, worst != nil || shown < step, let last = rows.last else { break }
        end = Bound(key: last.key, isInclusive: false)
        step = limit
      }
      best = Self.first(limit, of: best, descending)
    }
    return best
  }

  /// Reads the list of all feeds, which is faster if most new articles are in the folder. Returns
  /// `nil` if ten times `limit` rows do not fill the page.
  private func glance(
    _ db: Database, _ feeds: [Int64], _ bound: Bound?, _ descending: Bool, _ limit: Int
  ) throws -> [ListKey]? {
    var all = self
    all.feeds = .all
    let wanted = Set(feeds)
    var found: [ListKey] = []
    let most = limit * 10
    func rows(_ duplicates: Duplicates) throws -> [ListKey] {
      try all.rows(
        db, all.conditions(feed: nil, bound, descending, duplicates: duplicates), "", descending,
        most, ListKey.init)
    }
    var seen = hasSign ? try rows(.included) : try all.range(db, feed: nil, bound, descending, most)
    // The index of all articles has no duplicates.
    let duplicates = hasSign ? [] : try rows(.only)
    if !duplicates.isEmpty { seen = Self.first(most, of: seen + duplicates, descending) }
    for key in seen {
      let row: (feed: Int64, duplicateOf: Int64?)? = try db.first(
        "SELECT feedID, duplicateOf FROM articleStatus WHERE articleID = ?", [key.id]
      ) { ($0["feedID"], $0["duplicateOf"]) }
      guard let row, wanted.contains(row.feed) else { continue }
      if row.duplicateOf != nil, try isRepeated(key.id, in: wanted, db) { continue }
      found.append(key)
      if found.count == limit { return found }
    }
    return seen.count < most ? found : nil
  }

  /// Returns true for articles of all feeds, read and unread, which `list_all` holds apart.
  private func hasTwoRanges(feed: Int64?) -> Bool {
    feed == nil && tag == nil && !unread && !starred && !later
  }

  private func index(perFeed: Bool) -> String {
    // If several conditions apply, the starred articles are fewer, and those for later the fewest.
    if later { return perFeed ? "status_later" : "list_later" }
    if starred { return perFeed ? "list_starred_feed" : "list_starred" }
    return perFeed ? (unread ? "list_unread_feed" : "list_all_feed") : "list_all"
  }
}
