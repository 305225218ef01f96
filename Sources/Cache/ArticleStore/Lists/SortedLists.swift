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

  public static let mostSorted = 5_000
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
      sorted = try sorted.map { key in
        let date: Int64? = try db.value(
          "SELECT laterAt FROM articleStatus WHERE articleID = ?", [key.id])
        return (date: date ?? 0, key: key)
      }.sorted { ($0.date, $0.key) > ($1.date, $1.key) }.map(\.key)
    case .feed: sorted = try Self.byFeed(sorted, feeds, db)
    case .title: sorted = try Self.byText(sorted, "SELECT title AS text FROM article", db)
    case .author: sorted = try Self.byText(sorted, "SELECT author AS text FROM article", db)
    }
    return SearchHits(
      keys: sorted, isRanked: true, continuesBefore: newest.count > count ? newest.last?.id : nil,
      isWholeList: hits == nil)
  }

  private static let feedName = """
    SELECT \(SQLText.feedName) AS text, article.id FROM article JOIN feed f ON f.id = article.feedID
    """

  /// Sorts by the rank of the feed; feeds without a rank follow by name.
  private static func byFeed(_ keys: [ListKey], _ feeds: [FeedID], _ db: Database) throws
    -> [ListKey]
  {
    let byName = try byText(keys, feedName, db)
    guard !feeds.isEmpty else { return byName }
    let ranks = Dictionary(first: feeds.enumerated().map { ($0.element.rawValue, $0.offset) })
    let ranked = try byName.enumerated().map { place, key in
      let feed: Int64? = try db.value("SELECT feedID FROM article WHERE id = ?", [key.id])
      return (rank: feed.flatMap { ranks[$0] } ?? .max, place: place, key: key)
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.key)
  }

  private static func byText(_ keys: [ListKey], _ select: String, _ db: Database) throws
    -> [ListKey]
  {
    let sql = select + " WHERE article.id = ?"
    let texts = try keys.map { key in
      let text: String? = try db.first(sql, [key.id]) { $0["text"] } ?? nil
      return (text: sortText(text ?? ""), key: key)
    }
    return texts.sorted { a, b in
      if a.text == b.text { return a.key > b.key }
      return b.text.isEmpty || (!a.text.isEmpty && a.text < b.text)
    }.map(\.key)
  }

  /// Ignores case, accents and leading punctuation, and sorts numbers by size: “Über uns” is among
  /// the words with u, and episode 9 before episode 10.
  private static func sortText(_ text: String) -> String {
    let start = text.firstIndex { $0.isLetter || $0.isNumber } ?? text.startIndex
    var shown = String(text[start...])
    shown =
      shown.utf8.allSatisfy { $0 < 0x80 }
      ? shown.lowercased()
      : shown.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    guard shown.utf8.contains(where: isDigit) else { return shown }
    var bytes: [UInt8] = []
    var digits = 0
    for byte in shown.utf8.reversed() {
      if isDigit(byte) {
        digits += 1
      } else if digits > 0 {
        pad(&bytes, digits)
        digits = 0
      }
      bytes.append(byte)
    }
    pad(&bytes, digits)
    return String(decoding: bytes.reversed(), as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Makes numbers of up to ten digits equally long.
  private static func pad(_ bytes: inout [UInt8], _ digits: Int) {
    guard digits > 0 else { return }
    bytes += repeatElement(UInt8(ascii: "0"), count: max(0, 10 - digits))
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
    let lengths = try keys.map { key in
      let isFetched = try db.exists(
        "SELECT 1 FROM fullText WHERE articleID = ? AND isShown = 1 AND html IS NOT NULL", [key.id])
      var bytes = isFetched ? length("fullText", "html", key) : length("articleBody", "html", key)
      if bytes <= 0 { bytes = length("articleBody", "summary", key) }
      return (bytes: max(0, bytes), key: key)
    }
    return lengths.sorted { ($0.bytes, $1.key) < ($1.bytes, $0.key) }.map(\.key)
  }
}
