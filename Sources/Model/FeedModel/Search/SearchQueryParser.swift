/// A single pass over the typed text.
struct SearchQueryParser {
  private let characters: [Character]
  private let isBeingTyped: Bool
  private var index = 0

  init(_ text: String, isBeingTyped: Bool) {
    characters = Array(text.prefix(4_096))
    self.isBeingTyped = isBeingTyped
  }

  mutating func run() throws(SearchQuery.Problem) -> [[SearchQuery.Alternative]] {
    var clauses: [[SearchQuery.Alternative]] = []
    var joins = false
    var count = 0
    while skipSpace() {
      if parseOr() {
        guard !clauses.isEmpty, !joins else { throw .looseOr }
        joins = true
        continue
      }
      guard let alternative = try parseAlternative() else { continue }
      count += 1
      guard count <= SearchQuery.mostConditions else { throw .tooLong }
      if joins, let last = clauses.indices.last {
        guard clauses[last].allSatisfy({ $0.condition.isText == alternative.condition.isText })
        else { throw .mixedAlternatives }
        clauses[last].append(alternative)
      } else {
        clauses.append([alternative])
      }
      joins = false
    }
    // The user may still type the right side.
    if joins, !isBeingTyped { throw .looseOr }
    return clauses
  }

  private mutating func skipSpace() -> Bool {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    return index < characters.count
  }

  private mutating func parseOr() -> Bool {
    let end = index + 2
    guard end <= characters.count, characters[index] == "O", characters[index + 1] == "R",
      end == characters.count || characters[end].isWhitespace
    else { return false }
    // The `OR` at the end may begin a word.
    index = end
    return true
  }

  /// Parses a condition; `nil` for a sign alone.
  private mutating func parseAlternative() throws(SearchQuery.Problem) -> SearchQuery.Alternative? {
    var isNegated = false
    if characters[index] == "-", index + 1 < characters.count, !characters[index + 1].isWhitespace {
      isNegated = true
      index += 1
    }
    let field = parseField()
    // Values of narrowing fields may contain slashes.
    if let place = SearchQuery.Field(rawValue: field ?? "anywhere"), let source = parsePattern() {
      let condition = SearchQuery.Condition.pattern(try Self.pattern(source), in: place)
      return SearchQuery.Alternative(condition, isNegated: isNegated)
    }
    if field == nil { try refuseMistypedField() }
    let isQuoted = index < characters.count && Self.isQuote(characters[index])
    let value = isQuoted ? parseQuoted() : parseWord()
    let condition = try condition(field, value, isQuoted: isQuoted)
    return condition.map { SearchQuery.Alternative($0, isNegated: isNegated) }
  }

  private mutating func parseField() -> String? {
    for field in SearchQuery.fields {
      let end = index + field.count
      guard end < characters.count, characters[end] == ":",
        String(characters[index..<end]).lowercased() == field
      else { continue }
      index = end + 1
      return field
    }
    return nil
  }

  /// Throws for a misspelt field such as "titel:weir". In quotes, it is text.
  private func refuseMistypedField() throws(SearchQuery.Problem) {
    let word = characters[index...].prefix { !$0.isWhitespace && !Self.isQuote($0) }
    guard let colon = word.firstIndex(of: ":"), colon + 1 < word.endIndex, word[colon + 1] != "/"
    else { return }
    let name = String(word[..<colon])
    guard name.count > 2, let near = Suggestion.nearest(to: name, among: SearchQuery.fields) else {
      return
    }
    throw .unknownField(name, near: near)
  }

  private static func isQuote(_ character: Character) -> Bool {
    character == "\"" || character == "\u{201C}" || character == "\u{201D}"
      || character == "\u{201E}"
  }

  /// Parses the text between a slash and the first slash that ends a word, so that paths are not
  /// patterns. `\/` stands for a slash. Returns `nil` if there is no pattern.
  private mutating func parsePattern() -> String? {
    guard index < characters.count, characters[index] == "/" else { return nil }
    var source = ""
    var end = index + 1
    while end < characters.count {
      let character = characters[end]
      end += 1
      if character == "\\", end < characters.count {
        if characters[end] != "/" { source.append(character) }
        source.append(characters[end])
        end += 1
      } else if character == "/", end == characters.count || characters[end].isWhitespace {
        guard !source.isEmpty else { return nil }
        index = end
        return source
      } else {
        source.append(character)
      }
    }
    return nil
  }

  private static func pattern(_ source: String) throws(SearchQuery.Problem) -> Pattern {
    do throws(Pattern.Problem) {
      return try Pattern(source)
    } catch {
      throw .pattern(error, source: source)
    }
  }

  /// Parses a quoted phrase; an open quote ends with the text.
  private mutating func parseQuoted() -> String {
    index += 1
    let start = index
    while index < characters.count, !Self.isQuote(characters[index]) { index += 1 }
    defer { if index < characters.count { index += 1 } }
    return String(characters[start..<index])
  }

  private mutating func parseWord() -> String {
    let start = index
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return String(characters[start..<index])
  }

  private func condition(
    _ field: String?, _ value: String, isQuoted: Bool
  ) throws(SearchQuery.Problem) -> SearchQuery.Condition? {
    if let field, value.isEmpty {
      // The user may still type the value.
      guard isBeingTyped, index == characters.count else { throw .emptyField(field) }
      return nil
    }
    switch field {
    case "feed": return .feed(value)
    case "tag": return .tag(value)
    case "in": return .folder(value)
    case "is":
      if let state = SearchQuery.State(rawValue: value.lowercased()) { return .state(state) }
      guard isUnfinished,
        SearchQuery.State.allCases.contains(where: { state in
          state.rawValue.hasPrefix(value.lowercased())
        })
      else { throw .unknownState(value) }
      return nil
    case "has":
      if let content = SearchQuery.Content(rawValue: value.lowercased()) { return .has(content) }
      guard isUnfinished,
        SearchQuery.Content.allCases.contains(where: { content in
          content.rawValue.hasPrefix(value.lowercased())
        })
      else { throw .unknownContent(value) }
      return nil
    case "lang": return .language(value.lowercased())
    case "minutes":
      guard let comparison = SearchQuery.Comparison(value) else {
        guard isUnfinished, value.allSatisfy({ "<>=+-".contains($0) }) else {
          throw .unknownNumber(field: field ?? "", value: value)
        }
        return nil
      }
      return .minutes(comparison)
    case "before", "after":
      guard let moment = SearchQuery.Moment(value) else {
        guard isUnfinished, value.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }) else {
          throw .unknownDate(field: field ?? "", value: value)
        }
        return nil
      }
      return field == "before" ? .before(moment) : .after(moment)
    default: break
    }
    let place = SearchQuery.Field(rawValue: field ?? "") ?? .anywhere
    guard !value.isEmpty else { return nil }
    let isStarred = !isQuoted && value.hasSuffix("*")
    return .words(
      isStarred ? String(value.dropLast()) : value, in: place,
      isPrefix: isStarred || (!isQuoted && isUnfinished))
  }

  /// True if the last token ends at the end of unfinished input.
  private var isUnfinished: Bool { isBeingTyped && index == characters.count }
}

extension SearchQuery.Comparison {
  /// Returns `nil` unless the text is a number after an optional sign.
  init?(_ text: String) {
    let sign = Sign.allCases.first { text.hasPrefix($0.rawValue) }
    let digits = text.dropFirst(sign?.rawValue.count ?? 0)
    guard let number = Int(digits), (-1_000_000...1_000_000).contains(number) else { return nil }
    self.init(sign ?? .equal, number)
  }
}

extension SearchQuery.Moment {
  /// Parses `2026`, `2026-03-21`, `today`, `yesterday`, or `12h`, `7d`, `3w`, `6m`, `2y` ago.
  init?(_ text: String) {
    let text = text.lowercased()
    switch text {
    case "today": self = .midnight(daysAgo: 0)
    case "yesterday": self = .midnight(daysAgo: 1)
    default:
      if let unit = text.last, let seconds = Self.units[unit] {
        guard let count = Int(text.dropLast()), (0...100_000).contains(count) else { return nil }
        self = .ago(count * seconds)
        return
      }
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { part in
        part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
      }
      guard numbers.count == parts.count, (1...3).contains(numbers.count),
        parts[0].count == 4, (1...9_999).contains(numbers[0])
      else { return nil }
      let month = numbers.count > 1 ? numbers[1] : nil
      let day = numbers.count > 2 ? numbers[2] : nil
      guard (1...12).contains(month ?? 1), (1...31).contains(day ?? 1) else { return nil }
      self = .day(year: numbers[0], month: month, day: day)
    }
  }

  private static let units: [Character: Int] = [
    "h": 3_600, "d": 86_400, "w": 7 * 86_400, "m": 30 * 86_400, "y": 365 * 86_400,
  ]
}
