public import Foundation

/// A likely mistake in a rule, found from the rules alone.
public enum RuleConflict: Sendable, Hashable {
  /// The rule's end is past.
  case ended(Date)
  /// An earlier rule has the same condition and actions.
  case duplicate(Rule)
  /// An earlier rule that stops later rules matches every article that this rule matches.
  case unreachable(behind: Rule)
  /// The scores of both rules add up to 0 wherever this rule matches.
  case cancelled(by: Rule)
  /// One of the two rules hides the articles that the other promotes.
  case contrary(Rule)
}

extension RuleConflict {
  /// Returns the conflicts of each enabled rule. The later of two rules names the earlier one.
  /// - Parameter rules: in the order of evaluation.
  public static func find(in rules: [Rule], at now: Date) -> [RuleID: [RuleConflict]] {
    var found: [RuleID: [RuleConflict]] = [:]
    var earlier: [(rule: Rule, query: SearchQuery)] = []
    for rule in rules where rule.isEnabled && rule.problem == nil {
      guard let query = try? SearchQuery(rule.query), !query.isEmpty else { continue }
      if let until = rule.draft.until, until <= now {
        found[rule.id] = [.ended(until)]
        continue
      }
      let conflicts = conflicts(of: rule.draft, query, behind: earlier)
      if !conflicts.isEmpty { found[rule.id] = conflicts }
      earlier.append((rule, query))
    }
    return found
  }

  /// Returns the conflicts of a new or changed rule.
  /// - Parameters:
  ///   - id: the rule to change in its place; `nil` for a new one.
  ///   - rules: in the order of evaluation.
  public static func find(
    of draft: RuleDraft, replacing id: RuleID? = nil, among rules: [Rule], at now: Date
  ) -> [RuleConflict] {
    var rules = rules
    let rule = Rule(
      id: id ?? RuleID(rawValue: .min), draft: draft, isEnabled: true, createdAt: now)
    if let place = rules.firstIndex(where: { $0.id == id }) {
      rules[place] = rule
    } else {
      rules.append(rule)
    }
    return find(in: rules, at: now)[rule.id] ?? []
  }

  private static func conflicts(
    of draft: RuleDraft, _ query: SearchQuery, behind earlier: [(rule: Rule, query: SearchQuery)]
  ) -> [RuleConflict] {
    var conflicts: [RuleConflict] = []
    for (rule, other) in earlier where query.isWithin(other) {
      // Rules between the two may change the score that both test.
      if rule.draft.stops, outlasts(rule.draft, draft), !other.asksForScore {
        return [.unreachable(behind: rule)]
      }
      if other.isWithin(query), Set(rule.actions) == Set(draft.actions) {
        conflicts.append(.duplicate(rule))
      } else if let a = rule.actions.soleScore, let b = draft.actions.soleScore {
        if a + b == 0 { conflicts.append(.cancelled(by: rule)) }
      } else if rule.actions.areContrary(to: draft.actions) {
        conflicts.append(.contrary(rule))
      }
    }
    return conflicts
  }

  /// Returns true if `rule` does not end before `other`, which would then act.
  private static func outlasts(_ rule: RuleDraft, _ other: RuleDraft) -> Bool {
    guard let until = rule.until else { return true }
    return other.until.map { $0 <= until } ?? false
  }
}

extension [RuleAction] {
  private var putsAway: Bool {
    contains { action in
      switch action {
      case .hide, .markRead: true
      case .score(let number): number < 0
      default: false
      }
    }
  }

  private var bringsForward: Bool {
    contains { action in
      switch action {
      case .star, .later, .highlight: true
      case .score(let number): number > 0
      default: false
      }
    }
  }

  /// Returns true if one list of actions hides articles and the other promotes them.
  public func areContrary(to other: [RuleAction]) -> Bool {
    putsAway && other.bringsForward || bringsForward && other.putsAway
  }

  /// The score, if it is the only action.
  fileprivate var soleScore: Int? {
    let scores = compactMap { if case .score(let number) = $0 { number } else { nil } }
    return scores.count == count && count > 0 ? scores.reduce(0, +) : nil
  }
}

extension SearchQuery {
  /// Returns true if `other` provably matches all articles that this query matches: each of its
  /// clauses has an equal or narrower clause here.
  public func isWithin(_ other: SearchQuery) -> Bool {
    other.clauses.allSatisfy { wide in
      clauses.contains { narrow in
        narrow.allSatisfy { one in wide.contains { one.isWithin($0) } }
      }
    }
  }
}

extension SearchQuery {
  fileprivate var asksForScore: Bool {
    clauses.joined().contains { if case .score = $0.condition { true } else { false } }
  }
}

extension SearchQuery.Alternative {
  fileprivate func isWithin(_ other: SearchQuery.Alternative) -> Bool {
    guard isNegated == other.isNegated else { return false }
    // Text that appears nowhere is not in the title.
    return isNegated
      ? other.condition.isWithin(condition) : condition.isWithin(other.condition)
  }
}

extension SearchQuery.Condition {
  fileprivate func isWithin(_ other: SearchQuery.Condition) -> Bool {
    switch (self, other) {
    case (.words(let a, let field, let isPrefix), .words(let b, let wide, let isWidePrefix)):
      let isInField = field == wide || wide == .anywhere
      let (a, b) = (a.lowercased(), b.lowercased())
      guard isWidePrefix else { return isInField && !isPrefix && a == b }
      return isInField && (a == b || b.count >= 3 && a.hasPrefix(b) && !a.contains(" "))
    case (.pattern(let a, let field), .pattern(let b, let wide)):
      return a == b && (field == wide || wide == .anywhere)
    case (.feed(let a), .feed(let b)), (.folder(let a), .folder(let b)):
      return a.lowercased().contains(b.lowercased())
    case (.score(let a), .score(let b)), (.minutes(let a), .minutes(let b)):
      return a.isWithin(b)
    default: return self == other
    }
  }
}

extension SearchQuery.Comparison {
  /// Returns true if every number that satisfies this comparison also satisfies `other`.
  fileprivate func isWithin(_ other: SearchQuery.Comparison) -> Bool {
    let (a, b) = (bounds, other.bounds)
    return a.least >= b.least && a.most <= b.most
  }

  private var bounds: (least: Int, most: Int) {
    switch sign {
    case .less: (.min, number &- 1)
    case .lessOrEqual: (.min, number)
    case .greater: (number &+ 1, .max)
    case .greaterOrEqual: (number, .max)
    case .equal: (number, number)
    }
  }
}
