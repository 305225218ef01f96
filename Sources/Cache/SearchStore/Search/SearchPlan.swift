import Foundation
import GRDB

/// A query divided into an expression for the index, conditions in SQL, and conditions on the text
/// itself.
struct SearchPlan {
  struct Choice {
    var term: SearchTerm
    var isNegated: Bool
  }

  /// Conditions on the text. At least one choice of each clause must hold.
  private(set) var clauses: [[Choice]] = []
  private(set) var narrowing: [[Choice]] = []
  /// `narrowing` as conditions on `articleStatus s`.
  private(set) var conditions: [SearchResolver.SQL] = []
  /// FTS5 expression that every match satisfies; `nil` if the index does not help.
  private(set) var expression: String?
  /// True if articles from the index must be verified.
  private(set) var verifies = false
  /// True if the query names feeds. Duplicates are then results of their own.
  private(set) var namesFeeds = false
  /// True if the query names the snoozed articles, which are then among the results.
  private(set) var namesSnoozed = false

  /// - Parameter hidesDuplicates: `false` to find duplicates too, as for rules.
  init(
    _ query: SearchQuery, _ db: Database, now: Date, options: StoreOptions,
    hidesDuplicates: Bool = true
  ) throws {
    namesFeeds = !hidesDuplicates
    (clauses, narrowing) = Self.terms(query, now: now, options: options)
    let resolver = SearchResolver(db: db)
    for clause in narrowing {
      namesFeeds = namesFeeds || clause.contains { $0.term.namesDuplicates }
      namesSnoozed =
        namesSnoozed
        || clause.contains {
          if case .state(.snoozed) = $0.term { true } else { false }
        }
      let parts = try clause.map { choice in
        let part = try resolver.sql(choice.term)
        return (sql: choice.isNegated ? "NOT \(part.sql)" : part.sql, values: part.values)
      }
      conditions.append(
        ("(" + parts.map(\.sql).joined(separator: " OR ") + ")", parts.flatMap(\.values)))
    }
    compose()
  }

  /// Returns the clauses of a query, without empty ones.
  static func terms(
    _ query: SearchQuery, now: Date, options: StoreOptions
  ) -> (text: [[Choice]], narrowing: [[Choice]]) {
    var text: [[Choice]] = []
    var narrowing: [[Choice]] = []
    for clause in query.clauses {
      let choices = clause.compactMap { alternative in
        SearchTerm(alternative.condition, speed: options.wordsPerMinute) {
          date($0, now: now, options: options)
        }
        .map { Choice(term: $0, isNegated: alternative.isNegated) }
      }
      guard !choices.isEmpty else { continue }
      if clause[0].condition.isText { text.append(choices) } else { narrowing.append(choices) }
    }
    return (text, narrowing)
  }

  /// Returns milliseconds since 1970.
  private static func date(
    _ moment: SearchQuery.Moment, now: Date, options: StoreOptions
  ) -> Int64 {
    switch moment {
    case .midnight(let days):
      let midnight = options.calendar.startOfDay(for: now)
      return (options.calendar.date(byAdding: .day, value: -days, to: midnight) ?? midnight)
        .milliseconds
    case .ago(let seconds): return (now - Double(seconds)).milliseconds
    case .day(let year, let month, let day):
      let parts = DateComponents(year: year, month: month ?? 1, day: day ?? 1)
      return (options.calendar.date(from: parts) ?? now).milliseconds
    }
  }

  var isEmpty: Bool { clauses.isEmpty && conditions.isEmpty }

  private mutating func compose() {
    var wanted: [String] = []
    var unwanted: [String] = []
    for clause in clauses {
      let patterns = clause.compactMap { choice -> SearchPattern? in
        guard case .words(let pattern) = choice.term else { return nil }
        return pattern
      }
      // The index has only words.
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
    expression = unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  /// Returns true if an article's text matches; SQL evaluates the narrowing conditions.
  func matches(_ text: SearchedText) throws -> Bool {
    try clauses.allSatisfy { clause in
      try clause.contains { try $0.term.holds(in: text) != $0.isNegated }
    }
  }
}
