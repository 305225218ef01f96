import FeedModel
import Foundation
import GRDB

/// A query as the cache can answer it: what the index is asked, what is left for SQL, and what must
/// be searched for in the text itself.
struct SearchPlan {
  struct Choice {
    var pattern: SearchPattern
    var isNegated: Bool
  }

  /// Each must hold by one of its choices.
  private(set) var clauses: [[Choice]] = []
  /// Conditions on `articleStatus s`.
  private(set) var conditions: [(sql: String, values: [any DatabaseValueConvertible])] = []
  /// For FTS5; whatever matches the query matches this too. Nil: the index is of no help.
  private(set) var expression: String?
  /// True where an article that the index gives may not match.
  private(set) var verifies = false
  /// True where it asks for certain feeds: then each feed's own copy of a story counts.
  private(set) var namesFeeds = false

  init(_ query: SearchQuery, _ db: Database, now: Date, calendar: Calendar) throws {
    let resolver = Resolver(db: db, now: now, calendar: calendar)
    for clause in query.clauses {
      var choices: [Choice] = []
      var parts: [(sql: String, values: [any DatabaseValueConvertible])] = []
      for alternative in clause {
        if case .words(let text, let field, let isPrefix) = alternative.condition {
          guard let pattern = SearchPattern(text, in: field, isPrefix: isPrefix) else { continue }
          choices.append(Choice(pattern: pattern, isNegated: alternative.isNegated))
        } else {
          switch alternative.condition {
          case .feed, .folder, .tag: namesFeeds = true
          default: break
          }
          let part = try resolver.condition(alternative.condition)
          parts.append((alternative.isNegated ? "NOT \(part.sql)" : part.sql, part.values))
        }
      }
      if !choices.isEmpty { clauses.append(choices) }
      if !parts.isEmpty {
        conditions.append(
          ("(" + parts.map(\.sql).joined(separator: " OR ") + ")", parts.flatMap(\.values)))
      }
    }
    compose()
  }

  /// True where the query holds no condition at all.
  var isEmpty: Bool { clauses.isEmpty && conditions.isEmpty }

  private mutating func compose() {
    var wanted: [String] = []
    var unwanted: [String] = []
    for clause in clauses {
      verifies = verifies || clause.contains { $0.pattern.isPhrase }
      if clause.allSatisfy({ !$0.isNegated }) {
        wanted.append(
          "(" + clause.map(\.pattern.expression).joined(separator: " OR ") + ")")
      } else if clause.count == 1, !clause[0].pattern.isPhrase {
        unwanted.append(clause[0].pattern.expression)
      } else {
        verifies = true
      }
    }
    guard !wanted.isEmpty else {
      verifies = verifies || !clauses.isEmpty
      return
    }
    let all = wanted.joined(separator: " AND ")
    expression =
      unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  /// The patterns that a matching article may show.
  var shown: [SearchPattern] {
    clauses.flatMap { $0 }.filter { !$0.isNegated }.map(\.pattern)
  }

  /// Whether an article's text matches; the narrowing conditions are left to SQL.
  func matches(_ document: SearchDocument) -> Bool {
    let title = SearchText(document.title)
    let author = SearchText(document.author)
    let rest = [SearchText(document.body), SearchText(document.tags.joined(separator: "\n"))]
    return clauses.allSatisfy { clause in
      clause.contains { choice in
        let places =
          switch choice.pattern.field {
          case .title: [title]
          case .author: [author]
          case .anywhere: [title, author] + rest
          }
        let isThere = places.contains { !choice.pattern.places(in: $0, atMost: 1).isEmpty }
        return isThere != choice.isNegated
      }
    }
  }
}

/// Turns names and dates into keys.
private struct Resolver {
  let db: Database
  let now: Date
  let calendar: Calendar

  func condition(
    _ condition: SearchQuery.Condition
  ) throws -> (sql: String, values: [any DatabaseValueConvertible]) {
    switch condition {
    case .words: ("1", [])
    case .feed(let name): feeds(try feeds(named: name))
    case .folder(let name):
      feeds(
        try all("SELECT id, title AS name, '' AS address FROM folder", holding: name)
          .flatMap { try FolderTree.feeds(of: FolderID(rawValue: $0), db) })
    case .tag(let name): try tag(name)
    case .state(.unread): ("s.isRead = 0", [])
    case .state(.read): ("s.isRead = 1", [])
    case .state(.starred): ("s.isStarred = 1", [])
    case .before(let moment): ("s.sortDate < ?", [date(moment)])
    case .after(let moment): ("s.sortDate >= ?", [date(moment)])
    }
  }

  private func feeds(
    _ ids: [Int64]
  ) -> (sql: String, values: [any DatabaseValueConvertible]) {
    ("s.feedID IN (SELECT value FROM json_each(?))", [SQLText.json(ids)])
  }

  private func feeds(named name: String) throws -> [Int64] {
    try all(
      "SELECT f.id, \(SQLText.feedName) AS name, f.url AS address FROM feed f WHERE f.removedAt IS NULL",
      holding: name
    )
  }

  /// The keys of those whose name or address holds the text, without regard to case.
  private func all(_ sql: String, holding text: String) throws -> [Int64] {
    let wanted = text.lowercased()
    return try db.all(sql) { row -> Int64? in
      let (name, address): (String, String) = (row["name"], row["address"])
      return name.lowercased().contains(wanted) || address.lowercased().contains(wanted)
        ? row["id"] : nil
    }.compactMap { $0 }
  }

  /// The user's tags of articles and of feeds, and what publishers say.
  private func tag(
    _ name: String
  ) throws -> (sql: String, values: [any DatabaseValueConvertible]) {
    let wanted = name.lowercased()
    let tagged = try db.all("SELECT id, tags FROM feed WHERE tags IS NOT NULL") { row -> Int64? in
      StringList.strings(row["tags"]).contains { $0.lowercased() == wanted } ? row["id"] : nil
    }.compactMap { $0 }
    let labels = try db.all("SELECT DISTINCT tag FROM articleTag") { row -> String in row["tag"] }
      .filter { $0.lowercased() == wanted }
    let ofFeed = feeds(tagged)
    var parts = [
      ofFeed.sql,
      """
      s.articleID IN
        (SELECT articleID FROM articleTag WHERE tag IN (SELECT value FROM json_each(?)))
      """,
    ]
    var values = ofFeed.values + [StringList.text(labels) ?? "[]"]
    if let pattern = SearchPattern(name, in: .anywhere, isPrefix: false) {
      parts.append("s.articleID IN (SELECT rowid FROM searchIndex WHERE searchIndex MATCH ?)")
      values.append("{tags} : \(pattern.expression)")
    }
    return ("(" + parts.joined(separator: " OR ") + ")", values)
  }

  /// Milliseconds since 1970.
  private func date(_ moment: SearchQuery.Moment) -> Int64 {
    switch moment {
    case .midnight(let days):
      let midnight = calendar.startOfDay(for: now)
      return (calendar.date(byAdding: .day, value: -days, to: midnight) ?? midnight).milliseconds
    case .ago(let seconds): return (now - Double(seconds)).milliseconds
    case .day(let year, let month, let day):
      let parts = DateComponents(year: year, month: month ?? 1, day: day ?? 1)
      return (calendar.date(from: parts) ?? now).milliseconds
    }
  }
}
