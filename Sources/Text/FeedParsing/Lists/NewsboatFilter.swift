/// newsboat's filter language (newsboat manual, "Filter Language"): `unread = "yes" and (title =~
/// "swift" or tags # "dev")`.
package indirect enum NewsboatFilter: Sendable, Equatable {
  /// A condition such as `unread = "yes"`.
  package struct Comparison: Sendable, Equatable {
    /// The attribute in lower case: "title", "unread", "tags".
    package var attribute: String
    /// The operator: `=`, `!=`, `=~`, `!~`, `<`, `>`, `<=`, `>=`, `#`, `!#`, `between`.
    package var comparator: String
    /// The value without quotation marks.
    package var value: String
  }

  case comparison(Comparison)
  case and(NewsboatFilter, NewsboatFilter)
  case or(NewsboatFilter, NewsboatFilter)

  package init?(_ text: String) {
    var parser = Parser(text)
    guard let filter = parser.alternatives(depth: 0), parser.isAtEnd else { return nil }
    self = filter
  }

  private struct Parser {
    private var rest: Substring

    /// Maximum length of a filter, in characters.
    private static let longest = 4_096
    private static let mostNested = 32
    /// Operators, longer ones first.
    private static let comparators = [
      "between", "==", "=~", "!=", "!~", "!#", "<=", ">=", "=", "<", ">", "#",
    ]

    init(_ text: String) { rest = text.prefix(Self.longest) }

    var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

    private mutating func skip() { rest = rest.drop { $0.isWhitespace } }

    private mutating func consume(word: String) -> Bool {
      skip()
      guard rest.lowercased().hasPrefix(word),
        rest.dropFirst(word.count).first.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true
      else { return false }
      rest = rest.dropFirst(word.count)
      return true
    }

    /// Parses `or`, which binds less tightly than `and`.
    mutating func alternatives(depth: Int) -> NewsboatFilter? {
      guard depth < Self.mostNested, var filter = both(depth) else { return nil }
      while consume(word: "or") {
        guard let other = both(depth) else { return nil }
        filter = .or(filter, other)
      }
      return filter
    }

    private mutating func both(_ depth: Int) -> NewsboatFilter? {
      guard var filter = single(depth) else { return nil }
      while consume(word: "and") {
        guard let other = single(depth) else { return nil }
        filter = .and(filter, other)
      }
      return filter
    }

    private mutating func single(_ depth: Int) -> NewsboatFilter? {
      skip()
      guard rest.first == "(" else { return comparison() }
      rest = rest.dropFirst()
      guard let filter = alternatives(depth: depth + 1) else { return nil }
      skip()
      guard rest.first == ")" else { return nil }
      rest = rest.dropFirst()
      return filter
    }

    private mutating func comparison() -> NewsboatFilter? {
      let attribute = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      guard !attribute.isEmpty else { return nil }
      rest = rest.dropFirst(attribute.count)
      skip()
      guard let sign = Self.comparators.first(where: { rest.hasPrefix($0) }) else { return nil }
      rest = rest.dropFirst(sign.count)
      skip()
      guard let value = value() else { return nil }
      return .comparison(
        Comparison(
          attribute: attribute.lowercased(), comparator: sign == "==" ? "=" : sign, value: value))
    }

    /// Parses a quoted text, a number, or two numbers with a colon.
    private mutating func value() -> String? {
      guard rest.first == "\"" else {
        let number = rest.prefix { $0.isNumber || $0 == ":" || $0 == "-" }
        rest = rest.dropFirst(number.count)
        return number.isEmpty ? nil : String(number)
      }
      var text = ""
      rest = rest.dropFirst()
      while let character = rest.popFirst() {
        if character == "\"" { return text }
        if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
          text.append(next)
          rest = rest.dropFirst()
        } else {
          text.append(character)
        }
      }
      return nil
    }
  }
}

extension NewsboatFilter {
  /// A condition without an equivalent in Weir's searches.
  package struct Untranslatable: Error, Sendable, Equatable {
    /// The condition in newsboat's form: `total_count > "3"`.
    package var part: String
    package var reason: String
  }

  /// Returns an equivalent search. A search joins its clauses by "and", and the conditions in a
  /// clause by "OR", so that alternatives of several conditions are multiplied out.
  package func search() throws(Untranslatable) -> String {
    let clauses = try clauses()
    return clauses.map { $0.joined(separator: " OR ") }.joined(separator: " ")
  }

  /// Returns equivalent searches, as alternatives; the conditions of each must all hold.
  package func alternatives() throws(Untranslatable) -> [[String]] {
    switch self {
    case .comparison(let comparison): return [try comparison.terms()]
    case .or(let a, let b): return try Self.limited(try a.alternatives() + b.alternatives())
    case .and(let a, let b):
      let (first, second) = (try a.alternatives(), try b.alternatives())
      return try Self.product(first, second)
    }
  }

  /// Maximum number of conditions in a result.
  private static let mostTerms = 64

  /// Returns clauses that must all hold, each with alternatives.
  private func clauses() throws(Untranslatable) -> [[String]] {
    switch self {
    case .comparison(let comparison): return try comparison.terms().map { [$0] }
    case .and(let a, let b): return try Self.limited(try a.clauses() + b.clauses())
    case .or(let a, let b):
      let product = try Self.product(try a.clauses(), try b.clauses())
      // An alternative cannot mix texts and narrowing conditions.
      for clause in product where Set(clause.map(Self.isText)).count > 1 {
        throw Untranslatable(
          part: clause.joined(separator: " or "),
          reason: "words cannot be an alternative to conditions of other kinds")
      }
      return product
    }
  }

  private static func product(
    _ first: [[String]], _ second: [[String]]
  ) throws(Untranslatable) -> [[String]] {
    guard first.count * second.count <= mostTerms else { throw tooMany }
    return try limited(first.flatMap { one in second.map { one + $0 } })
  }

  private static func limited(_ terms: [[String]]) throws(Untranslatable) -> [[String]] {
    guard terms.count <= mostTerms, terms.joined().count <= 4 * mostTerms else { throw tooMany }
    return terms
  }

  private static let tooMany = Untranslatable(
    part: "or", reason: "the expression has too many alternatives")

  private static func isText(_ term: String) -> Bool {
    let plain = term.hasPrefix("-") ? term.dropFirst() : term[...]
    return ["title:", "author:", "/"].contains { plain.hasPrefix($0) }
  }
}

extension NewsboatFilter.Comparison {
  private var isNegated: Bool { comparator.hasPrefix("!") }
  private var minus: String { isNegated ? "-" : "" }
  private var sign: String {
    switch comparator {
    case "!=": "="
    case "!~": "=~"
    case "!#": "#"
    default: comparator
    }
  }

  private func untranslatable(_ reason: String? = nil) -> NewsboatFilter.Untranslatable {
    NewsboatFilter.Untranslatable(
      part: "\(attribute) \(comparator) \"\(value)\"",
      reason: reason ?? "\(attribute) \(comparator) has no counterpart")
  }

  /// Returns conditions that must all hold, with `-` for negation.
  fileprivate func terms() throws(NewsboatFilter.Untranslatable) -> [String] {
    switch (attribute, sign) {
    case ("title", "=~"), ("author", "=~"): return ["\(minus)\(attribute):/\(slashed(value))/"]
    case ("content", "=~"): return ["\(minus)/\(slashed(value))/"]
    case ("title", "="), ("author", "="):
      return ["\(minus)\(attribute):/^\(slashed(Self.escaped(value)))$/"]
    case ("feedtitle", _), ("rssurl", _), ("feedlink", _): return [try feed()]
    case ("tags", "#"): return ["\(minus)tag:\(try quoted(value))"]
    // Flags become stars.
    case ("flags", "#"), ("flags", "=~"): return ["\(minus)is:starred"]
    case ("unread", "="):
      guard value == "yes" || value == "no" else { throw untranslatable() }
      return [(value == "yes") != isNegated ? "is:unread" : "is:read"]
    case ("enclosure_type", "=~"), ("enclosure_type", "="):
      for content in ["audio", "video"] where value.contains(content) {
        return ["\(minus)has:\(content)"]
      }
      throw untranslatable("enclosure_type can be audio or video here")
    case ("age", _): return try age()
    default: throw untranslatable()
    }
  }

  private func feed() throws(NewsboatFilter.Untranslatable) -> String {
    guard sign == "=" || sign == "=~" else { throw untranslatable() }
    let name = sign == "=" ? value : Self.plain(value)
    guard let name else {
      throw untranslatable("\(attribute) cannot be compared with a regular expression")
    }
    return "\(minus)feed:\(try quoted(name))"
  }

  /// Returns a condition on the whole days since publication: 2.5 days count as 2.
  private func age() throws(NewsboatFilter.Untranslatable) -> [String] {
    let days = value.split(separator: ":").compactMap { Int($0) }
    guard days.allSatisfy({ (0...100_000).contains($0) }) else {
      throw untranslatable("age needs a number of days")
    }
    switch (comparator, days.first, days.dropFirst().first) {
    case ("<", let days?, nil): return ["after:\(days)d"]
    case ("<=", let days?, nil): return ["after:\(days + 1)d"]
    case (">", let days?, nil): return ["before:\(days + 1)d"]
    case (">=", let days?, nil): return ["before:\(days)d"]
    case ("=", let days?, nil): return ["before:\(days)d", "after:\(days + 1)d"]
    case ("between", let least?, let most?):
      return ["before:\(min(least, most))d", "after:\(max(least, most) + 1)d"]
    default: throw untranslatable("age needs a number of days")
    }
  }

  /// Escapes slashes in a pattern between slashes.
  private func slashed(_ text: String) -> String {
    text.replacing("\\/", with: "/").replacing("/", with: "\\/")
  }

  /// Returns an expression that matches only the text.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\.+*?()|[]{}^$".contains($0) ? ["\\", $0] : [$0] })
  }

  /// Returns the text of a regular expression without operators, else `nil`.
  private static func plain(_ pattern: String) -> String? {
    var text = pattern
    while text.hasPrefix(".*") || text.hasPrefix("^") {
      text.removeFirst(text.first == "." ? 2 : 1)
    }
    while text.hasSuffix(".*") || text.hasSuffix("$") { text.removeLast(text.last == "*" ? 2 : 1) }
    text = text.replacing("\\.", with: ".").replacing("\\-", with: "-")
    return text.isEmpty || text.contains(where: "\\^$*+?()[]{}|".contains) ? nil : text
  }

  /// Returns a text in quotes, which cannot contain quotes itself.
  private func quoted(_ text: String) throws(NewsboatFilter.Untranslatable) -> String {
    guard let quoted = NewsboatFilter.quoted(text) else {
      throw untranslatable("a name with quotes, or without letters, cannot be written")
    }
    return quoted
  }
}

extension NewsboatFilter {
  /// Returns a name as the value of a condition; `nil` if impossible.
  static func quoted(_ text: String) -> String? {
    guard !text.isEmpty, !text.contains(where: { "\"\u{201C}\u{201D}\u{201E}".contains($0) }) else {
      return nil
    }
    return text.allSatisfy { $0.isLetter || $0.isNumber } ? text : "\"\(text)\""
  }
}
