/// Finds the rules that may match an article by their conditions on title or author, so that an
/// article is compared with only a few of hundreds of rules.
struct RuleIndex: Sendable {
  /// A property that an article must have for a rule to match.
  enum Key {
    case word(UInt64, SearchQuery.Field)
    case pattern(Pattern, SearchQuery.Field)

    /// Fails if the term is about another property, or about the beginning of a word.
    init?(_ term: SearchTerm) {
      guard let field = term.field, field != .anywhere else { return nil }
      switch term {
      case .words(let words):
        guard let hash = words.firstHash else { return nil }
        self = .word(hash, field)
      case .pattern(let pattern, _): self = .pattern(pattern, field)
      default: return nil
      }
    }
  }

  private struct OfField: Sendable {
    /// Positions of rules by the hash of a word.
    var words: [UInt64: [Int]] = [:]
    var patterns: PatternSet?
    var patternRules: [Int] = []
  }

  private var fields: [SearchQuery.Field: OfField] = [:]
  /// Rules that any article may match.
  private(set) var others: [Int] = []

  /// - Parameter keys: the keys of each rule; `nil` if it has none.
  init(_ keys: [[Key]?]) {
    var patterns: [SearchQuery.Field: [(pattern: Pattern, rule: Int)]] = [:]
    for (rule, keys) in keys.enumerated() {
      guard let keys else {
        others.append(rule)
        continue
      }
      for key in keys {
        switch key {
        case .word(let hash, let field):
          fields[field, default: OfField()].words[hash, default: []].append(rule)
        case .pattern(let pattern, let field): patterns[field, default: []].append((pattern, rule))
        }
      }
    }
    for (field, found) in patterns {
      let set = PatternSet(found.map(\.pattern))
      let rules = found.map(\.rule)
      // If the set would be too large, these rules are tried on every article.
      guard let set else {
        others = Set(others + rules).sorted()
        continue
      }
      fields[field, default: OfField()].patterns = set
      fields[field, default: OfField()].patternRules = rules
    }
  }

  /// Returns the indexes of rules that may match an article, without those in `others`. An index
  /// may occur more than once.
  func candidates(_ text: SearchedText) -> [Int] {
    find(.title, text.title, text.titleWords) + find(.author, text.author, text.authorWords)
  }

  private func find(
    _ field: SearchQuery.Field, _ text: String, _ words: @autoclosure () -> SearchText
  ) -> [Int] {
    guard let rules = fields[field] else { return [] }
    var found: [Int] = []
    if !rules.words.isEmpty {
      for hash in words().hashes { if let rules = rules.words[hash] { found += rules } }
    }
    if let patterns = rules.patterns {
      found += patterns.matches(in: text)?.map { rules.patternRules[$0] } ?? rules.patternRules
    }
    return found
  }
}
