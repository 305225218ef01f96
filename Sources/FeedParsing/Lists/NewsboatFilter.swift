/// newsboat's filter language (newsboat manual, "Filter Language"): `unread = "yes" and (title =~
/// "swift" or tags # "dev")`.
public indirect enum NewsboatFilter: Sendable, Equatable {
  /// One condition: `unread = "yes"`.
  public struct Comparison: Sendable, Equatable {
    /// In lower case: "title", "unread", "tags".
    public var attribute: String
    /// `=`, `!=`, `=~`, `!~`, `<`, `>`, `<=`, `>=`, `#`, `!#`, `between`.
    public var comparator: String
    /// Without quotation marks.
    public var value: String
  }

  case comparison(Comparison)
  case and(NewsboatFilter, NewsboatFilter)
  case or(NewsboatFilter, NewsboatFilter)

  /// Nil where it is no condition of the language.
  public init?(_ text: String) {
    var parser = Parser(text)
    guard let filter = parser.alternatives(depth: 0), parser.isAtEnd else { return nil }
    self = filter
  }

  private struct Parser {
    private var rest: Substring

    /// Longer conditions are none that anybody wrote.
    private static let longest = 4_096
    private static let mostNested = 32
    /// The longer ones first.
    private static let comparators = [
      "between", "==", "=~", "!=", "!~", "!#", "<=", ">=", "=", "<", ">", "#",
    ]

    init(_ text: String) { rest = text.prefix(Self.longest) }

    var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

    private mutating func skip() { rest = rest.drop { $0.isWhitespace } }

    private mutating func take(word: String) -> Bool {
      skip()
      guard rest.lowercased().hasPrefix(word),
        rest.dropFirst(word.count).first.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true
      else { return false }
      rest = rest.dropFirst(word.count)
      return true
    }

    /// `and` binds closer than `or`.
    mutating func alternatives(depth: Int) -> NewsboatFilter? {
      guard depth < Self.mostNested, var filter = both(depth) else { return nil }
      while take(word: "or") {
        guard let other = both(depth) else { return nil }
        filter = .or(filter, other)
      }
      return filter
    }

    private mutating func both(_ depth: Int) -> NewsboatFilter? {
      guard var filter = single(depth) else { return nil }
      while take(word: "and") {
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

    /// In quotes, or a number, or two with a colon between them.
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
  /// What the search language has no word for.
  public struct Untranslatable: Error, Sendable, Equatable {
    /// The condition as newsboat writes it: `age < 3`.
    public var part: String
    /// - Parameter part: the condition as newsboat writes it.
    public init(part: String) { self.part = part }
  }

  /// The same as a search of Weir's. Searches join all conditions by "and" and neighbours by "OR";
  /// alternatives that hold several conditions each are multiplied out.
  public func search() throws(Untranslatable) -> String {
    let clauses = try clauses()
    return clauses.map { $0.joined(separator: " OR ") }.joined(separator: " ")
  }

  /// More than that is no query of a person's.
  private static let mostTerms = 64

  /// Clauses that must all hold, each of alternatives.
  private func clauses() throws(Untranslatable) -> [[String]] {
    switch self {
    case .comparison(let comparison): return [[try comparison.term()]]
    case .and(let a, let b): return try a.clauses() + b.clauses()
    case .or(let a, let b):
      var product: [[String]] = []
      for first in try a.clauses() {
        for second in try b.clauses() { product.append(first + second) }
      }
      guard product.joined().count <= Self.mostTerms else {
        throw Untranslatable(part: "too many alternatives")
      }
      // Words and narrowing conditions cannot be alternatives of each other.
      for clause in product where Set(clause.map(Self.isWords)).count > 1 {
        throw Untranslatable(part: clause.joined(separator: " or "))
      }
      return product
    }
  }

  private static func isWords(_ term: String) -> Bool {
    let plain = term.hasPrefix("-") ? term.dropFirst() : term[...]
    return !["feed:", "tag:", "in:", "is:", "before:", "after:"].contains { plain.hasPrefix($0) }
  }
}

extension NewsboatFilter.Comparison {
  fileprivate typealias Untranslatable = NewsboatFilter.Untranslatable

  private var written: String { "\(attribute) \(comparator) \"\(value)\"" }

  /// One condition of a search, with `-` before it where it is turned around.
  fileprivate func term() throws(Untranslatable) -> String {
    let isNegated = comparator.hasPrefix("!")
    func words(_ field: String) throws(Untranslatable) -> String {
      guard ["=", "!=", "=~", "!~"].contains(comparator), let text = Self.plain(value) else {
        throw Untranslatable(part: written)
      }
      return (isNegated ? "-" : "") + field + Self.quoted(text)
    }
    switch attribute {
    case "unread":
      let isYes = value == "yes"
      guard isYes || value == "no", comparator == "=" || comparator == "!=" else { break }
      return isYes != isNegated ? "is:unread" : "is:read"
    case "title": return try words("title:")
    case "author": return try words("author:")
    case "content": return try words("")
    case "feedtitle", "rssurl", "feedlink": return try words("feed:")
    case "tags":
      guard comparator == "#" || comparator == "!#", let text = Self.plain(value) else { break }
      return (isNegated ? "-" : "") + "tag:" + Self.quoted(text)
    case "flags":
      // A flag becomes a star.
      guard comparator == "#" || comparator == "!#" || comparator == "=~" else { break }
      return (isNegated ? "-" : "") + "is:starred"
    case "age": return try age()
    default: break
    }
    throw Untranslatable(part: written)
  }

  /// Days since it was published.
  private func age() throws(Untranslatable) -> String {
    let days = value.split(separator: ":").compactMap { Int($0) }
    switch (comparator, days.first, days.dropFirst().first) {
    case ("<", let days?, nil): return "after:\(days)d"
    case ("<=", let days?, nil): return "after:\(days + 1)d"
    case (">", let days?, nil): return "before:\(days + 1)d"
    case (">=", let days?, nil): return "before:\(days)d"
    case ("between", let least?, let most?):
      return "before:\(min(least, most))d after:\(max(least, most) + 1)d"
    default: throw Untranslatable(part: written)
    }
  }

  /// The words that a regular expression means where it is nothing but words; nil where it is more.
  private static func plain(_ pattern: String) -> String? {
    var text = pattern
    while text.hasPrefix(".*") || text.hasPrefix("^") {
      text.removeFirst(text.first == "." ? 2 : 1)
    }
    while text.hasSuffix(".*") || text.hasSuffix("$") { text.removeLast(text.last == "*" ? 2 : 1) }
    text = text.replacing("\\.", with: ".").replacing("\\-", with: "-")
    let signs = "\\^$*+?()[]{}|\""
    guard !text.isEmpty, !text.contains(where: signs.contains) else { return nil }
    return text
  }

  private static func quoted(_ text: String) -> String {
    text.allSatisfy { $0.isLetter || $0.isNumber } ? text : "\"\(text)\""
  }
}
