import FeedModel
import Foundation
import GRDB

/// A query as the cache can answer it: what the index is asked, what is left for SQL, and what must
/// be searched for in the text itself.
struct SearchPlan {
  struct Choice {
    var term: SearchTerm
    var isNegated: Bool
  }

  /// Each must hold by one of its choices: those about the text, and the others.
  private(set) var clauses: [[Choice]] = []
  private(set) var narrowing: [[Choice]] = []
  /// The others as conditions on `articleStatus s`.
  private(set) var conditions: [SearchResolver.SQL] = []
  /// For FTS5; whatever matches the query matches this too. Nil: the index is of no help.
  private(set) var expression: String?
  /// True if an article that the index gives may not match.
  private(set) var verifies = false
  /// True if it asks for certain feeds: then each feed's own copy of a story counts.
  private(set) var namesFeeds = false

  /// - Parameter foldsCopies: false: each feed's own copy of a story counts, as for rules.
  init(
    _ query: SearchQuery, _ db: Database, now: Date, calendar: Calendar, foldsCopies: Bool = true
  ) throws {
    namesFeeds = !foldsCopies
    (clauses, narrowing) = Self.terms(query, now: now, calendar: calendar)
    let resolver = SearchResolver(db: db)
    for clause in narrowing {
      namesFeeds = namesFeeds || clause.contains { $0.term.namesCopies }
      let parts = try clause.map { choice in
        let part = try resolver.sql(choice.term)
        return (sql: choice.isNegated ? "NOT \(part.sql)" : part.sql, values: part.values)
      }
      conditions.append(
        ("(" + parts.map(\.sql).joined(separator: " OR ") + ")", parts.flatMap(\.values)))
    }
    compose()
  }

  /// The clauses of a query, without those that ask for nothing.
  static func terms(
    _ query: SearchQuery, now: Date, calendar: Calendar
  ) -> (text: [[Choice]], narrowing: [[Choice]]) {
    var text: [[Choice]] = []
    var narrowing: [[Choice]] = []
    for clause in query.clauses {
      let choices = clause.compactMap { alternative in
        SearchTerm(alternative.condition) { date($0, now: now, calendar: calendar) }
          .map { Choice(term: $0, isNegated: alternative.isNegated) }
      }
      guard !choices.isEmpty else { continue }
      if clause[0].condition.isText { text.append(choices) } else { narrowing.append(choices) }
    }
    return (text, narrowing)
  }

  /// Milliseconds since 1970.
  private static func date(
    _ moment: SearchQuery.Moment, now: Date, calendar: Calendar
  ) -> Int64 {
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

  /// True if the query holds no condition at all.
  var isEmpty: Bool { clauses.isEmpty && conditions.isEmpty }

  private mutating func compose() {
    var wanted: [String] = []
    var unwanted: [String] = []
    for clause in clauses {
      let patterns = clause.compactMap { choice -> SearchPattern? in
        guard case .words(let pattern) = choice.term else { return nil }
        return pattern
      }
      // The index knows words only.
      guard patterns.count == clause.count else {
        verifies = true
        continue
      }
      verifies = verifies || patterns.contains { $0.isPhrase }
      if clause.allSatisfy({ !$0.isNegated }) {
        wanted.append("(" + patterns.map(\.expression).joined(separator: " OR ") + ")")
      } else if clause.count == 1, !patterns[0].isPhrase {
        unwanted.append(patterns[0].expression)
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

  /// The words that a matching article may show.
  var shownWords: [SearchPattern] {
    clauses.flatMap { $0 }.compactMap { choice in
      if !choice.isNegated, case .words(let pattern) = choice.term { pattern } else { nil }
    }
  }

  /// Whether an article's text matches; the narrowing conditions are left to SQL.
  func matches(_ text: SearchedText) throws -> Bool {
    try clauses.allSatisfy { clause in
      try clause.contains { try $0.term.holds(in: text) != $0.isNegated }
    }
  }
}
