public import FeedModel
import Foundation
import GRDB

/// What a search found in a list, or the list itself in an order of its own, as it is shown: a
/// value that stays as it is while articles arrive. Whether an article is still there and passes
/// the list's filter is asked when a page is read.
public struct SearchHits: Sendable, Hashable {
  final class Content: Sendable {
    let keys: [ArticleList.Key]
    let isRanked: Bool
    /// Of each key, where the order is not one of dates.
    private let places: [ArticleList.Key: Int]

    init(keys: [ArticleList.Key], isRanked: Bool) {
      self.keys = keys
      self.isRanked = isRanked
      places = Dictionary(
        isRanked ? zip(keys, 0...).map { ($0, $1) } : [], uniquingKeysWith: { first, _ in first })
    }
  }

  let content: Content
  /// Not everything was looked through: older articles than this may match too. Nil: these are all.
  public let continuesBefore: ArticleID?
  /// Nothing was searched for: these are all articles of the list, in another order.
  public let isWholeList: Bool

  init(
    keys: [ArticleList.Key], isRanked: Bool = false, continuesBefore: Int64? = nil,
    isWholeList: Bool = false
  ) {
    content = Content(keys: keys, isRanked: isRanked)
    self.continuesBefore = continuesBefore.map(ArticleID.init(rawValue:))
    self.isWholeList = isWholeList
  }

  /// Nothing was found, or not looked for yet.
  public static let none = SearchHits(keys: [])

  /// How many articles were found.
  public var count: Int { content.keys.count }
  /// The keys of the articles, in the order of the hits.
  public var ids: [ArticleID] { content.keys.map { ArticleID(rawValue: $0.id) } }
  /// The best first, or by title and the like; not the newest.
  public var isRanked: Bool { content.isRanked }

  /// A row's place among the hits; for anything else, the end.
  public func place(of key: ArticleKey) -> Int { content.place(of: ArticleList.Key(key)) }

  /// Whether both are the result of the same search; contents are not compared.
  public static func == (a: SearchHits, b: SearchHits) -> Bool { a.content === b.content }
  /// By identity, as `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(content)) }
}

extension SearchHits.Content {
  /// The first place that is not before the key.
  func place(of key: ArticleList.Key) -> Int {
    if isRanked { return places[key] ?? keys.count }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] > key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// In what order hits are shown.
public enum SearchOrder: Sendable, Hashable {
  /// By date, the newest first.
  case newest
  /// Where the words stand, how often, and how new the article is; of the newest hits only, the
  /// rest follow by date.
  case best
}

extension SearchCache {
  /// A list holds no more hits than this, the last to arrive.
  public static let mostHits = 5_000

  /// The articles of a list that match, the last to arrive first looked at. Articles that are not
  /// indexed yet are looked through themselves, as far as they are few.
  ///
  /// Cancelling the task ends it within some milliseconds.
  /// - Parameter olderThan: only what arrived before this article; continues where hits ended.
  /// - Returns: nil if the task was cancelled.
  public func hits(
    _ query: SearchQuery, in list: ArticleQuery, order: SearchOrder = .newest,
    olderThan: ArticleID? = nil, limit: Int = SearchCache.mostHits
  ) async throws(StoreError) -> SearchHits? {
    let (options, midnight) = (database.options, database.midnight)
    return try await database.readCancellably { db in
      let plan = try SearchPlan(query, db, now: options.now(), calendar: database.options.calendar)
      guard !plan.isEmpty else { return SearchHits(keys: []) }
      let list = try ArticleList(list, db, midnight: midnight)
      var search = Search(db: db, plan: plan, list: list, plainText: options.plainText)
      try search.run(olderThan: olderThan?.rawValue, limit: limit)
      return order == .best
        ? try search.ranked(now: options.now()) : search.newestFirst
    }
  }

  /// The articles of a list whose title, author or feed name holds a text, without regard to case:
  /// the last to arrive.
  /// - Returns: nil if the task was cancelled.
  public func hits(
    holding text: String, in list: ArticleQuery, limit: Int = SearchCache.mostHits
  ) async throws(StoreError) -> SearchHits? {
    let midnight = database.midnight
    return try await database.readCancellably { db in
      var query = list
      query.titleContains = text
      let list = try ArticleList(query, db, midnight: midnight)
      return try TitleScan(db: db, list: list, text: text).run(limit: limit)
    }
  }
}

/// Searches that go on until everything is looked through.
enum Searching {
  /// Texts take time: a dry run that has found this many goes on, but no further than this many
  /// looks.
  private static let mostLooks = 1_000

  /// - Parameter limit: nil: all.
  /// - Returns: the newest first; whether there may be more.
  static func all(
    _ plan: SearchPlan, _ list: ArticleList, _ db: Database,
    _ plainText: @escaping @Sendable (String) -> [UInt8], limit: Int?
  ) throws -> (keys: [ArticleList.Key], isPartial: Bool) {
    var keys: [ArticleList.Key] = []
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
}

/// One search: candidates from the index or the list, looked through where the index cannot tell.
private struct Search {
  let db: Database
  let plan: SearchPlan
  let list: ArticleList
  let plainText: @Sendable (String) -> [UInt8]

  /// In the order of arrival, the last first.
  private(set) var keys: [ArticleList.Key] = []
  private(set) var continuesBefore: Int64?

  /// Texts that one search looks through where it finds much, and where it finds little.
  private static let (fewTexts, mostTexts) = (4_000, 20_000)
  /// How long one search looks through texts: a regular expression may take long for each.
  private static let longestLook = Duration.seconds(3)
  private let end = ContinuousClock.now + longestLook
  /// Hits that are much: more than a screen or two.
  private static let muchFound = 100
  /// Articles beyond the index that are looked through.
  private static let mostUnindexed = 500
  /// A list this short is walked, and the index asked about each of its rows.
  private static let shortList = 2_000

  init(
    db: Database, plan: SearchPlan, list: ArticleList,
    plainText: @escaping @Sendable (String) -> [UInt8]
  ) {
    self.db = db
    self.plan = plan
    self.list = list
    self.plainText = plainText
  }

  mutating func run(olderThan: Int64?, limit: Int) throws {
    var texts = plan.clauses.isEmpty ? 0 : try lookThroughUnindexed(olderThan, limit)
    if keys.count >= limit {
      continuesBefore = keys.last?.id
      return
    }
    // A short list is walked to its end: its rows come in no order of arrival.
    let isShort =
      try plan.expression != nil && !plan.namesFeeds && list.count(db) <= Self.shortList
    for sql in isShort ? probing(olderThan) : driving(olderThan) {
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: sql.text), arguments: StatementArguments(sql.values))
      while let row = try rows.next() {
        let key = ArticleList.Key(row)
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
    list.add(to: &sql)
    if !plan.namesFeeds { list.foldCopies(&sql) }
    for condition in plan.conditions { sql.add(condition.sql, values: condition.values) }
    if let olderThan { sql.add("s.articleID < ?", olderThan) }
  }

  /// From the index, or where it is of no help from the articles, the last to arrive first.
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

  /// From the list's own index.
  private func probing(_ olderThan: Int64?) -> [SQL] {
    list.rangeFeeds.map { feed in
      var sql = list.conditions(feed: feed, nil, true)
      list.foldCopies(&sql)
      for condition in plan.conditions { sql.add(condition.sql, values: condition.values) }
      if let olderThan { sql.add("s.articleID < ?", olderThan) }
      if let expression = plan.expression {
        sql.add(
          """
          EXISTS (SELECT 1 FROM searchIndex x
            WHERE x.searchIndex MATCH ? AND x.rowid = s.articleID)
          """, expression)
      }
      return (
        "SELECT s.sortDate, s.articleID \(sql.from) WHERE \(sql.conditions)", sql.allValues
      )
    }
  }

  /// - Parameter texts: counts those that had to be read.
  private func matches(_ id: Int64, _ texts: inout Int) throws -> Bool {
    guard let text = try SearchedText.find(id, db, plainText) else { return false }
    defer { if text.wasRead { texts += 1 } }
    return try plan.matches(text)
  }

  /// What has arrived since the index was last at work. Returns how many texts that were.
  private mutating func lookThroughUnindexed(_ olderThan: Int64?, _ limit: Int) throws -> Int {
    guard plan.expression != nil else { return 0 }
    var sql = Conditions(index: nil, needle: nil)
    sql.add("s.articleID > ?", try SearchIndex.doneTo(db))
    add(&sql, olderThan)
    let candidates = try db.all(
      """
      SELECT s.sortDate, s.articleID \(sql.from) WHERE \(sql.conditions)
      ORDER BY s.articleID DESC LIMIT ?
      """, sql.arguments + [Self.mostUnindexed], ArticleList.Key.init)
    var texts = 0
    for key in candidates where keys.count < limit {
      if try matches(key.id, &texts) { keys.append(key) }
    }
    return texts
  }

  // MARK: Orders

  var newestFirst: SearchHits {
    SearchHits(keys: keys.sorted { $0 > $1 }, continuesBefore: continuesBefore)
  }

  func ranked(now: Date) throws -> SearchHits {
    let newest = keys.sorted { $0 > $1 }
    var ranking = SearchRanking(patterns: plan.shownWords, now: now)
    for key in newest.prefix(SearchRanking.mostRanked) {
      guard let document = try SearchDocument.find(key.id, db, plainText) else { continue }
      ranking.add(key, document)
    }
    return SearchHits(
      keys: ranking.best + newest.dropFirst(SearchRanking.mostRanked), isRanked: true,
      continuesBefore: continuesBefore)
  }
}

/// A walk over titles, authors and feed names: exact, and without the index.
private struct TitleScan {
  let db: Database
  let list: ArticleList
  let text: String
  /// A list this short is walked by itself; longer ones by all articles in the order of their keys,
  /// for then no row is looked up but for a match.
  private static let shortList = 20_000

  func run(limit: Int) throws -> SearchHits {
    var plain = list
    plain.needle = nil
    if try plain.count(db) <= Self.shortList {
      let kept = try list.keptKeys(db)
      return SearchHits(keys: (try list.allKeys(db) + kept).sorted { $0 > $1 })
    }
    guard let match = TextMatch(text) else { return SearchHits(keys: []) }
    let names: [Int64] = try db.values(
      "SELECT f.id FROM feed f WHERE \(match.condition(on: SQLText.feedName))", [match.value]
    )
    var sql = Conditions(index: nil, needle: nil)
    sql.add(
      """
      (\(match.condition(on: "a.title || char(10) || ifnull(a.author, '')"))
        OR a.feedID IN (SELECT value FROM json_each(?)))
      """, match.value, SQLText.json(names))
    list.add(to: &sql)
    list.foldCopies(&sql)
    let keys = try db.all(
      """
      SELECT s.sortDate, s.articleID
      FROM article a CROSS JOIN articleStatus s ON s.articleID = a.id
      WHERE \(sql.conditions) ORDER BY a.id DESC LIMIT ?
      """, sql.arguments + [limit], ArticleList.Key.init)
    return SearchHits(
      keys: keys.sorted { $0 > $1 }, continuesBefore: keys.count == limit ? keys.last?.id : nil)
  }
}
