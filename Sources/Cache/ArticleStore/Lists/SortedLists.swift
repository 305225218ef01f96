import CSQLite
import Foundation
import GRDB

/// An order other than by date. Among equal articles the newest comes first.
public enum ListOrder: Sendable, Hashable, CaseIterable {
  case feed
  case title
  /// Articles without an author come last.
  case author
  case unreadFirst
  case length
  /// The articles last kept for later come first.
  case later
}

extension ArticleCache {
  /// Returns the newest articles of a list in another order, as they are now.
  ///
  /// There is no index for these orders: an index of titles would make a database of a million
  /// articles 60 MB larger and every merge slower. Instead, at most `count` keys are read from the
  /// list's index, then a row for each, and sorted in memory. `.unreadFirst` also reads up to
  /// `count` keys of the unread list, so that old unread articles are not missed.
  /// - Parameters:
  ///   - count: the number of newest articles to sort; `SearchHits.continuesBefore` is set if older
  ///     ones were left out.
  ///   - feeds: the order of the feeds for `.feed`; others follow by name.
  public func sorted(
    _ query: ArticleQuery, by order: ListOrder, atMost count: Int = ArticleCache.mostSorted,
    feeds: [FeedID] = []
  ) throws(StoreError) -> SearchHits {
    try database.read { db in
      var query = query
      query.order = .newestFirst
      let list = try ArticleList(query, db, midnight: database.midnight)
      return try list.sorted(by: order, atMost: count, feeds, db)
    }
  }

  public static var mostSorted: Int { 5_000 }
}

extension ArticleList {
  fileprivate func sorted(
    by order: ListOrder, atMost count: Int, _ feeds: [FeedID], _ db: Database
  ) throws -> SearchHits {
    let newest = try keys(db, from: nil, descending: true, limit: count + 1)
    var sorted = Array(newest.prefix(count))
    switch order {
    case .unreadFirst:
      var unread = self
      (unread.unread, unread.keeping) = (true, [])
      let first = try unread.keys(db, from: nil, descending: true, limit: count)
      let known = Set(first)
      sorted = Array((first + sorted.filter { !known.contains($0) }).prefix(count))
    case .length: sorted = try Self.byLength(sorted, db)
    case .later:
      sorted = try Self.by(sorted) { key in
        let date: Int64? = try db.value(
          "SELECT laterAt FROM articleStatus WHERE articleID = ?", [key.id])
        return -(date ?? 0)
      }
    case .feed: sorted = try Self.byText(sorted, SQLText.feedName, feeds, db)
    case .title: sorted = try Self.byText(sorted, "a.title", [], db)
    case .author: sorted = try Self.byText(sorted, "a.author", [], db)
    }
    return SearchHits(
      keys: sorted, isRanked: true, continuesBefore: newest.count > count ? newest.last?.id : nil,
      isWholeList: hits == nil)
  }

  /// Puts the smallest values first.
  private static func by(_ keys: [ListKey], _ value: (ListKey) throws -> Int64) rethrows
    -> [ListKey]
  {
    try keys.map { (value: try value($0), key: $0) }
      .sorted { ($0.value, $1.key) < ($1.value, $0.key) }.map(\.key)
  }

  /// - Parameter feeds: feeds whose articles come first, in this order.
  private static func byText(
    _ keys: [ListKey], _ text: String, _ feeds: [FeedID], _ db: Database
  ) throws -> [ListKey] {
    let ranks = Dictionary(first: feeds.enumerated().map { ($0.element.rawValue, $0.offset) })
    let sql = """
      SELECT a.feedID, \(text) AS text FROM article a JOIN feed f ON f.id = a.feedID WHERE a.id = ?
      """
    let texts = try keys.compactMap { key in
      try db.first(sql, [key.id]) { row in
        (rank: ranks[row["feedID"]] ?? .max, text: sortText(row["text"]), key: key)
      }
    }
    return texts.sorted { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.text == b.text { return a.key > b.key }
      return b.text.isEmpty || (!a.text.isEmpty && a.text < b.text)
    }.map(\.key)
  }

  /// Ignores case, accents and leading punctuation, and sorts numbers by size: “Über uns” is among
  /// the words with u, and episode 9 before episode 10.
  private static func sortText(_ text: String) -> String {
    let start = text.firstIndex { $0.isLetter || $0.isNumber } ?? text.startIndex
    let shown = FoldedTitle.folded(text[start...])
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard shown.utf8.contains(where: digits.contains) else { return shown }
    // Makes numbers of up to ten digits equally long.
    var (bytes, number): ([UInt8], [UInt8]) = ([], [])
    for byte in Array(shown.utf8) + [0] {
      number.append(byte)
      guard !digits.contains(byte) else { continue }
      let zeros = number.count > 1 ? max(0, 11 - number.count) : 0
      bytes += repeatElement(digits.lowerBound, count: zeros) + number
      number = []
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sorts by the size of the text that the reader shows, without reading the text.
  private static func byLength(_ keys: [ListKey], _ db: Database) throws -> [ListKey] {
    guard let connection = db.sqliteConnection.map({ UnsafeMutableRawPointer($0) }) else {
      return keys
    }
    var readers: [String: UnsafeMutableRawPointer?] = [:]
    defer { for reader in readers.values { weir_sqlite_end_lengths(reader) } }
    func length(_ table: String, _ column: String, _ key: ListKey) -> Int64 {
      weir_sqlite_length(connection, table, column, key.id, &readers[table + column, default: nil])
    }
    return try by(keys) { key in
      let isFetched = try db.exists(
        "SELECT 1 FROM fullText WHERE articleID = ? AND isShown = 1 AND html IS NOT NULL", [key.id])
      var bytes = isFetched ? length("fullText", "html", key) : length("articleBody", "html", key)
      if bytes <= 0 { bytes = length("articleBody", "summary", key) }
      return max(0, bytes)
    }
  }
}
