import Foundation
import GRDB

/// The order of hits.
public enum SearchOrder: Sendable, Hashable {
  case newest
  /// Ranks the newest hits by position and frequency of words and by age; others follow by date.
  case best
}

extension SearchCache {
  /// Largest number of hits of one list: the last to arrive.
  public static var mostHits: Int { ArticleCache.mostSorted }

  /// Returns the articles of a list that match, searched from the last to arrive. Of articles that
  /// are not indexed yet, the texts of the newest are read.
  ///
  /// Cancelling the task ends the search within some milliseconds.
  /// - Parameter olderThan: `continuesBefore` of earlier hits, to continue their search.
  /// - Returns: `nil` if the task was cancelled.
  public func hits(
    _ query: SearchQuery, in list: ArticleQuery, order: SearchOrder = .newest,
    olderThan: ArticleID? = nil, limit: Int = SearchCache.mostHits
  ) async throws(StoreError) -> SearchHits? {
    let (options, midnight) = (database.options, database.midnight)
    return try await database.core.readCancellably { db in
      let plan = try SearchPlan(query, db, now: options.now(), options: options)
      guard !plan.isEmpty else { return SearchHits(keys: []) }
      let list = try ArticleList(list, db, midnight: midnight)
      var search = Search(db: db, plan: plan, list: list, plainText: options.plainText)
      try search.run(olderThan: olderThan?.rawValue, limit: limit)
      return order == .best
        ? try search.ranked(now: options.now()) : search.newestFirst
    }
  }

  /// Returns the last articles of a list whose title, author or feed name contains a text, without
  /// regard to case.
  /// - Returns: `nil` if the task was cancelled.
  public func hits(
    holding text: String, in list: ArticleQuery, limit: Int = SearchCache.mostHits
  ) async throws(StoreError) -> SearchHits? {
    try await database.core.readCancellably { [database] db in
      var query = list
      query.titleContains = text
      let list = try ArticleList(query, db, midnight: database.midnight)
      return try list.hits(holding: text, limit: limit, db)
    }
  }
}

/// A search: candidates from the index or the list, whose texts are read if the index cannot
/// decide.
struct Search {
  /// Largest number of rounds of a dry run, which reads texts.
  private static let mostLooks = 1_000

  /// Searches until everything is examined.
  /// - Parameter limit: `nil` for all.
  /// - Returns: the hits, newest first, and true if there may be more.
  static func all(
    _ plan: SearchPlan, _ list: ArticleList, _ db: Database,
    _ plainText: @escaping @Sendable (String) -> [UInt8], limit: Int?
  ) throws -> (keys: [ListKey], isPartial: Bool) {
    var keys: [ListKey] = []
    var olderThan: Int64?
    for _ in 0..<mostLooks {
      var search = Search(db: db, plan: plan, list: list, plainText: plainText)
      try search.run(olderThan: olderThan, limit: limit.map { $0 - keys.count } ?? .max)
      keys += search.keys
      olderThan = search.continuesBefore
      if olderThan == nil || limit.map({ keys.count >= $0 }) == true { break }
    }
    return (keys.sorted { $0 > $1 }, olderThan != nil)
  }

  let db: Database
  let plan: SearchPlan
  let list: ArticleList
  let plainText: @Sendable (String) -> [UInt8]

  /// Keys by arrival, newest first.
  private(set) var keys: [ListKey] = []
  private(set) var continuesBefore: Int64?

  /// Largest numbers of texts that a search reads: after `muchFound` hits, and with fewer hits.
  private static let (fewTexts, mostTexts) = (4_000, 20_000)
  /// Longest time for which a search reads texts: a regular expression may take long.
  private static let longestLook = Duration.seconds(3)
  private let end = ContinuousClock.now + longestLook
  /// Number of hits from which `fewTexts` applies: more than a screen or two.
  private static let muchFound = 100
  /// Largest number of articles beyond the index that are searched.
  private static let mostUnindexed = 500
  /// Largest list that is read with one lookup in the index for each row.
  private static let shortList = 2_000

  mutating func run(olderThan: Int64?, limit: Int) throws {
    var texts = plan.clauses.isEmpty ? 0 : try searchUnindexed(olderThan, limit)
    if keys.count >= limit {
      continuesBefore = keys.last?.id
      return
    }
    // A short list is read to its end, because its rows do not come in order of arrival.
    let isShort =
      try plan.expression != nil && !plan.namesFeeds && !plan.namesSnoozed
      && list.count(db) <= Self.shortList
    for sql in isShort ? probing(olderThan) : driving(olderThan) {
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: sql.text), arguments: StatementArguments(sql.values))
      while let row = try rows.next() {
        let key = ListKey(row)
        let mostTexts = keys.count < Self.muchFound ? Self.mostTexts : Self.fewTexts
        if !isShort, keys.count >= limit || texts >= mostTexts {
          continuesBefore = key.id + 1
          return
        }
        if plan.verifies {
          guard isShort || ContinuousClock.now < end else {
            continuesBefore = key.id + 1
            return
          }
          guard try matches(key.id, &texts) else { continue }
        }
        keys.append(key)
      }
    }
    guard isShort else { return }
    keys.sort { $0.id > $1.id }
    guard keys.count > limit else { return }
    keys.removeLast(keys.count - limit)
    continuesBefore = keys.last?.id
  }

  private typealias SQL = (text: String, values: [any DatabaseValueConvertible])

  private func add(_ sql: inout Conditions, _ olderThan: Int64?) {
    list.add(
      to: &sql, isHidden: "s.isHidden & \(plan.namesSnoozed ? ~HiddenReason.snoozed : ~0) = 0")
    if !plan.namesFeeds { list.hideDuplicates(&sql) }
    for condition in plan.conditions { sql.add(condition.sql, values: condition.values) }
    if let olderThan { sql.add("s.articleID < ?", olderThan) }
  }

  /// Selects from the index, or from the articles if the index does not help, by arrival with the
  /// newest first.
  private func driving(_ olderThan: Int64?) -> [SQL] {
    var sql = Conditions(index: nil, needle: nil)
    var from = sql.from
    var id = "s.articleID"
    if let expression = plan.expression {
      id = "x.rowid"
      from = "FROM searchIndex x CROSS JOIN articleStatus s ON s.articleID = x.rowid"
      sql.add("x.searchIndex MATCH ?", expression)
      if let olderThan { sql.add("x.rowid < ?", olderThan) }
    }
    add(&sql, olderThan)
    return [
      (
        "SELECT s.sortDate, s.articleID \(from) WHERE \(sql.conditions) ORDER BY \(id) DESC",
        sql.allValues
      )
    ]
  }

  /// Selects from the list's own index.
  private func probing(_ olderThan: Int64?) -> [SQL] {
    list.rangeFeeds.map { feed in
      var sql = list.conditions(feed: feed, nil, true)
      list.hideDuplicates(&sql)
      for condition in plan.conditions { sql.add(condition.sql, values: condition.values) }
      if let olderThan { sql.add("s.articleID < ?", olderThan) }
      if let expression = plan.expression {
        sql.add(
          """
          EXISTS (SELECT 1 FROM searchIndex x
            WHERE x.searchIndex MATCH ? AND x.rowid = s.articleID)
          """, expression)
      }
      return ("SELECT s.sortDate, s.articleID \(sql.from) WHERE \(sql.conditions)", sql.allValues)
    }
  }

  /// - Parameter texts: the number of texts read so far.
  private func matches(_ id: Int64, _ texts: inout Int) throws -> Bool {
    guard let text = try SearchedText.find(id, db, plainText) else { return false }
    defer { if text.wasRead { texts += 1 } }
    return try plan.matches(text)
  }

  /// Searches articles that have arrived since the index was updated. Returns the number of texts.
  private mutating func searchUnindexed(_ olderThan: Int64?, _ limit: Int) throws -> Int {
    guard plan.expression != nil else { return 0 }
    var sql = Conditions(index: nil, needle: nil)
    sql.add("s.articleID > ?", try SearchIndex.doneTo(db))
    add(&sql, olderThan)
    let candidates = try db.all(
      """
      SELECT s.sortDate, s.articleID \(sql.from) WHERE \(sql.conditions)
      ORDER BY s.articleID DESC LIMIT ?
      """, sql.arguments + [Self.mostUnindexed], ListKey.init)
    var texts = 0
    for key in candidates where keys.count < limit {
      if try matches(key.id, &texts) { keys.append(key) }
    }
    return texts
  }

  // MARK: Orders

  var newestFirst: SearchHits {
    SearchHits(
      keys: keys.sorted { $0 > $1 }, continuesBefore: continuesBefore,
      showsSnoozed: plan.namesSnoozed)
  }

  func ranked(now: Date) throws -> SearchHits {
    let newest = keys.sorted { $0 > $1 }
    let patterns: [SearchPattern] = plan.clauses.joined().compactMap { choice in
      if !choice.isNegated, case .words(let pattern) = choice.term { pattern } else { nil }
    }
    var ranking = SearchRanking(patterns: patterns, now: now)
    for key in newest.prefix(SearchRanking.mostRanked) {
      if let text = try SearchedText.find(key.id, db, plainText) { try ranking.add(key, text) }
    }
    return SearchHits(
      keys: ranking.best + newest.dropFirst(SearchRanking.mostRanked), isRanked: true,
      continuesBefore: continuesBefore, showsSnoozed: plan.namesSnoozed)
  }
}

extension ArticleList {
  /// Largest list that is read itself. For longer lists, all articles are scanned by key and only
  /// matches are looked up in the list.
  private static let shortList = 20_000

  /// Searches in titles, authors and feed names: exact, and without the index.
  fileprivate func hits(holding text: String, limit: Int, _ db: Database) throws -> SearchHits {
    var plain = self
    plain.needle = nil
    if try plain.count(db) <= Self.shortList {
      return SearchHits(keys: (try allKeys(db) + keptKeys(db)).sorted { $0 > $1 })
    }
    guard let match = TextMatch(text) else { return SearchHits(keys: []) }
    let names: [Int64] = try db.values(
      "SELECT f.id FROM feed f WHERE \(match.condition(on: SQLText.feedName))", [match.value])
    var sql = Conditions(index: nil, needle: nil)
    sql.add(
      """
      (\(match.condition(on: "a.title || char(10) || ifnull(a.author, '')"))
        OR a.feedID IN (SELECT value FROM json_each(?)))
      """, match.value, SQLText.json(names))
    add(to: &sql)
    hideDuplicates(&sql)
    let keys = try db.all(
      """
      SELECT s.sortDate, s.articleID
      FROM article a CROSS JOIN articleStatus s ON s.articleID = a.id
      WHERE \(sql.conditions) ORDER BY a.id DESC LIMIT ?
      """, sql.arguments + [limit], ListKey.init)
    return SearchHits(
      keys: keys.sorted { $0 > $1 }, continuesBefore: keys.count == limit ? keys.last?.id : nil)
  }
}
