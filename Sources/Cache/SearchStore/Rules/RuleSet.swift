import Foundation
import GRDB
import Synchronization

/// A rule, ready to be compared with articles.
final class CompiledRule: Sendable {
  let rule: Rule
  let revision: Int64
  /// Clauses about the feed alone, which are judged once for each feed.
  private let ofFeed: [[SearchPlan.Choice]]
  /// Other clauses, cheap ones first.
  private let ofArticle: [[SearchPlan.Choice]]

  init(_ rule: Rule, revision: Int64, _ query: SearchQuery, now: Date, options: StoreOptions) {
    self.rule = rule
    self.revision = revision
    let (text, narrowing) = SearchPlan.terms(query, now: now, options: options)
    func cost(_ clause: [SearchPlan.Choice]) -> Int { clause.map(\.term.cost).max() ?? 0 }
    ofFeed = narrowing.filter { cost($0) == 0 }
    ofArticle = (narrowing.filter { cost($0) > 0 } + text).enumerated()
      .sorted { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }.map(\.element)
  }

  /// Keys of the first clause about title or author alone; `nil` if there is none.
  var keys: [RuleIndex.Key]? {
    ofArticle.lazy.compactMap { clause -> [RuleIndex.Key]? in
      var keys: [RuleIndex.Key] = []
      for choice in clause {
        guard !choice.isNegated, let key = RuleIndex.Key(choice.term) else { return nil }
        keys.append(key)
      }
      return keys
    }.first
  }

  func mayMatch(_ feed: JudgedFeed) -> Bool {
    ofFeed.allSatisfy { clause in
      clause.contains { $0.term.holds(of: feed) != $0.isNegated }
    }
  }

  /// Returns true if the rule matches an article of a feed for which `mayMatch` is true.
  func matches(_ article: JudgedArticle) throws -> Bool {
    try ofArticle.allSatisfy { clause in
      try clause.contains { try $0.term.holds(of: article) != $0.isNegated }
    }
  }
}

/// The enabled rules in their order, compiled once for each version of the table.
struct RuleSet: Sendable {
  let rules: [CompiledRule]
  let index: RuleIndex

  init(_ rules: [CompiledRule]) {
    self.rules = rules
    index = RuleIndex(rules.map(\.keys))
  }

  /// Reads and compiles the rules, and returns the keys of those that cannot be compiled, so that a
  /// broken rule does not affect the others.
  static func load(
    _ db: Database, now: Date, options: StoreOptions
  ) throws -> (set: RuleSet, broken: [RuleID]) {
    var rules: [CompiledRule] = []
    var broken: [RuleID] = []
    let revisions: [Int64: Int64] = try db.dictionary("SELECT id, revision FROM rule") {
      ($0["id"], $0["revision"])
    }
    for rule in try RuleRows.all(db) where rule.isEnabled {
      guard rule.problem == nil, let query = try? SearchQuery(rule.query), !query.isEmpty else {
        broken.append(rule.id)
        continue
      }
      rules.append(
        CompiledRule(
          rule, revision: revisions[rule.id.rawValue] ?? 0, query, now: now, options: options))
    }
    return (RuleSet(rules), broken)
  }
}

/// The enabled rules that may match articles of one feed.
struct FeedRules {
  private let set: RuleSet
  private let applies: [Bool]
  private let others: [Int]
  private let otherRules: [CompiledRule]

  init(_ set: RuleSet, of feed: JudgedFeed, now: Date) {
    self.set = set
    let applies = set.rules.map { rule in
      (rule.rule.draft.until.map { $0 > now } ?? true) && rule.mayMatch(feed)
    }
    self.applies = applies
    others = set.index.others.filter { applies[$0] }
    otherRules = others.map { set.rules[$0] }
  }

  var isEmpty: Bool { !applies.contains(true) }

  /// Returns the rules that may match an article, in their order.
  func candidates(_ text: SearchedText) -> [CompiledRule] {
    let found = set.index.candidates(text).filter { applies[$0] }
    guard !found.isEmpty else { return otherRules }
    return Set(found + others).sorted().map { set.rules[$0] }
  }
}

/// Caches the compiled rules of a process from one merge to the next.
final class RuleCompiler: Sendable {
  /// Conditions like `after:7d` were resolved to dates at this time.
  private let kept = Mutex<(version: Int64, at: Date, set: RuleSet)?>(nil)
  /// Seconds for which resolved dates are used.
  private static let longest: TimeInterval = 600

  /// Must run in a transaction that writes, because rules that cannot be compiled are disabled.
  func rules(_ db: Database, now: Date, options: StoreOptions) throws -> RuleSet {
    let version: Int64 = try db.value("SELECT version FROM changeVersion WHERE kind = 12") ?? 0
    let known = kept.withLock { $0 }
    if let known, known.version == version, abs(known.at.timeIntervalSince(now)) < Self.longest {
      return known.set
    }
    let (set, broken) = try RuleSet.load(db, now: now, options: options)
    for rule in broken {
      try db.run(
        "UPDATE rule SET isEnabled = 0, problem = ifnull(problem, 'query') WHERE id = ?",
        [rule.rawValue])
    }
    // Nothing is cached if rules were disabled, because the transaction may be rolled back.
    if broken.isEmpty { kept.withLock { $0 = (version, now, set) } }
    return set
  }
}
