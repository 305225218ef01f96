public import Foundation
import GRDB

/// A suggested rule, and the counts behind it.
public struct RuleSuggestion: Sendable, Hashable {
  /// A search for a feed, with a word of its titles or an author.
  public var query: String
  /// A single action.
  public var actions: [RuleAction]
  /// Matching articles that were read or starred.
  public var articles: Int
  /// The number of `articles` that were opened.
  public var opened: Int
  /// The number of `articles` that were starred.
  public var starred: Int
  /// Articles marked read without having been opened.
  public var unopened: Int
}

extension SearchCache {
  /// Suggests rules from articles that were opened, starred or marked read unopened since a time:
  /// words of titles within a feed, and authors. Stores nothing.
  /// - Returns: the best supported suggestions first; `nil` if the task was cancelled.
  public func suggestions(
    since: Date, limit: Int
  ) async throws(StoreError) -> [RuleSuggestion]? {
    try await database.core.readCancellably { db in
      var counts = SuggestionCounts()
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT s.feedID, \(SQLText.feedName) AS feedName, a.title, a.author, s.isStarred,
              (s.openedAt IS NOT NULL OR p.articleID IS NOT NULL) AS isOpened
            FROM articleStatus s INDEXED BY list_all CROSS JOIN article a ON a.id = s.articleID
              JOIN feed f ON f.id = s.feedID LEFT JOIN readingPosition p ON p.articleID = s.articleID
            WHERE s.isHidden = 0 AND s.duplicateOf IS NULL AND s.sortDate >= ?
              AND s.isRead IN (0, 1) AND (s.isRead = 1 OR s.isStarred = 1)
            ORDER BY s.sortDate DESC LIMIT \(SuggestionCounts.mostArticles)
            """), arguments: [since.milliseconds])
      while let row = try rows.next() { counts.add(row) }
      let known = Set(try RuleRows.all(db).map(\.query))
      return counts.suggestions(limit: limit, without: known)
    }
  }
}

/// Counts opened articles by word and author.
private struct SuggestionCounts {
  static let mostArticles = 50_000
  /// Smallest number of articles for a suggestion.
  private static let fewest = 12
  /// Smallest percentages of matching articles that were left unopened, and that were opened.
  private static let share = 95
  private static let openedShare = 70

  private struct Tally {
    var articles = 0
    var opened = 0
    var starred = 0
  }
  private struct Key: Hashable {
    var feed: Int64
    var isAuthor: Bool
    var text: String
  }
  private var tallies: [Key: Tally] = [:]
  private var feeds: [Int64: (name: String, tally: Tally)] = [:]

  mutating func add(_ row: Row) {
    let feed: Int64 = row["feedID"]
    let (isOpened, isStarred): (Bool, Bool) = (row["isOpened"], row["isStarred"])
    func count(_ tally: inout Tally) {
      tally.articles += 1
      if isOpened { tally.opened += 1 }
      if isStarred { tally.starred += 1 }
    }
    count(&feeds[feed, default: (row["feedName"], Tally())].tally)
    let words = SearchText(row["title"])
    for word in Set(words.words.indices.map { String(decoding: words.bytes($0), as: UTF8.self) })
    where word.count > 3 && !word.allSatisfy(\.isNumber) {
      count(&tallies[Key(feed: feed, isAuthor: false, text: word), default: Tally()])
    }
    if let author: String = row["author"], !author.isEmpty {
      count(&tallies[Key(feed: feed, isAuthor: true, text: author), default: Tally()])
    }
  }

  func suggestions(limit: Int, without known: Set<String>) -> [RuleSuggestion] {
    let found = tallies.compactMap { key, tally -> RuleSuggestion? in
      guard tally.articles >= Self.fewest, let feed = feeds[key.feed] else { return nil }
      // Skips a word in more than half of a feed's titles, because it only characterises the feed.
      guard tally.articles * 2 <= feed.tally.articles else { return nil }
      let unopened = tally.articles - max(tally.opened, tally.starred)
      let action: RuleAction
      if unopened * 100 >= tally.articles * Self.share, tally.starred == 0 {
        action = .markRead
      } else if tally.opened * 100 >= tally.articles * Self.openedShare,
        feed.tally.opened * 2 < feed.tally.articles
      {
        action = .score(5)
      } else {
        return nil
      }
      func quoted(_ text: String) -> String {
        "\"\(text.replacing("\"", with: " "))\""
      }
      let field = key.isAuthor ? "author" : "title"
      return RuleSuggestion(
        query: "feed:\(quoted(feed.name)) \(field):\(quoted(key.text))", actions: [action],
        articles: tally.articles, opened: tally.opened, starred: tally.starred, unopened: unopened)
    }
    return Array(
      found.filter { !known.contains($0.query) }.sorted {
        ($0.articles, $1.query) > ($1.articles, $0.query)
      }.prefix(limit))
  }
}
