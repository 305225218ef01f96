/// What somebody searches for: conditions that all must hold, each of them a choice of
/// alternatives.
///
/// Words are joined by "and"; `OR` joins its two neighbours; `-` before a condition turns it
/// around; quotes make a phrase; `title:` `author:` `tag:` look in one place; `feed:` `in:` (a
/// folder) `is:` `before:` `after:` narrow. Whatever else is typed is words.
public struct SearchQuery: Sendable, Hashable {
  /// Where words are looked for.
  public enum Field: String, Sendable, CaseIterable {
    /// Title, author, text and tags.
    case anywhere
    case title, author
  }

  public enum State: String, Sendable, CaseIterable { case unread, read, starred }

  /// An instant as people say it; the user's calendar turns it into a date.
  public enum Moment: Sendable, Hashable {
    /// The beginning of a year, month or day. Nil: the year's or month's first.
    case day(year: Int, month: Int?, day: Int?)
    /// So many seconds ago.
    case ago(Int)
    /// The beginning of today (0), of yesterday (1), …
    case midnight(daysAgo: Int)
  }

  public enum Condition: Sendable, Hashable {
    /// Words side by side. `isPrefix`: the last may go on.
    case words(String, in: Field, isPrefix: Bool)
    /// A part of the feed's name or address.
    case feed(String)
    /// Words of a tag, the article's or its feed's.
    case tag(String)
    /// A part of the folder's name; what lies in folders inside counts too.
    case folder(String)
    case state(State)
    /// Dated earlier than this.
    case before(Moment)
    /// Dated then or later.
    case after(Moment)

    var isWords: Bool {
      if case .words = self { return true }
      return false
    }
  }

  public struct Alternative: Sendable, Hashable {
    public var condition: Condition
    public var isNegated: Bool
    public init(_ condition: Condition, isNegated: Bool = false) {
      self.condition = condition
      self.isNegated = isNegated
    }
  }

  /// Each must hold, by at least one of its alternatives. Alternatives of one clause are either all
  /// words or all narrowing conditions.
  public private(set) var clauses: [[Alternative]] = []

  /// True where nothing was asked for: no article is meant by it.
  public var isEmpty: Bool { clauses.isEmpty }

  /// A single condition, as lists that filter themselves make it.
  public init(_ condition: Condition) { clauses = [[Alternative(condition)]] }

  /// Understands what was typed; never fails but for what no article could mean.
  /// - Parameter isBeingTyped: the last word may be unfinished, and stands for all that begin with
  ///   it.
  public init(_ text: String, isBeingTyped: Bool = false) throws(Problem) {
    var parser = Parser(text, isBeingTyped: isBeingTyped)
    clauses = try parser.run()
  }

  /// Why a query makes no sense.
  public enum Problem: Error, Sendable, Hashable {
    /// `is:` with something else than read, unread, starred.
    case unknownState(String)
    /// `before:` or `after:` without a date that can be understood.
    case unknownDate(field: String, value: String)
    /// Nothing behind the colon.
    case emptyField(String)
    /// `OR` at an end, or beside another one.
    case looseOr
    /// `OR` between words and a narrowing condition.
    case mixedAlternatives
    /// More conditions than anybody types.
    case tooLong
  }

  static let mostConditions = 64
}

/// One walk over what was typed.
private struct Parser {
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
      if takeOr() {
        guard !clauses.isEmpty, !joins else { throw .looseOr }
        joins = true
        continue
      }
      guard let alternative = try takeAlternative() else { continue }
      count += 1
      guard count <= SearchQuery.mostConditions else { throw .tooLong }
      if joins, let last = clauses.indices.last {
        guard clauses[last].allSatisfy({ $0.condition.isWords == alternative.condition.isWords })
        else { throw .mixedAlternatives }
        clauses[last].append(alternative)
      } else {
        clauses.append([alternative])
      }
      joins = false
    }
    // While it is typed, the other side is still to come.
    if joins, !isBeingTyped { throw .looseOr }
    return clauses
  }

  private mutating func skipSpace() -> Bool {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    return index < characters.count
  }

  private mutating func takeOr() -> Bool {
    let end = index + 2
    guard end <= characters.count, characters[index] == "O", characters[index + 1] == "R",
      end == characters.count || characters[end].isWhitespace
    else { return false }
    // At the very end it may be the beginning of a word.
    index = end
    return true
  }

  /// Nil where only a sign was typed.
  private mutating func takeAlternative() throws(SearchQuery.Problem) -> SearchQuery.Alternative? {
    var isNegated = false
    if characters[index] == "-", index + 1 < characters.count, !characters[index + 1].isWhitespace {
      isNegated = true
      index += 1
    }
    let field = takeField()
    let isQuoted = index < characters.count && Self.isQuote(characters[index])
    let value = isQuoted ? takeQuoted() : takeWord()
    let condition = try condition(field, value, isQuoted: isQuoted)
    return condition.map { SearchQuery.Alternative($0, isNegated: isNegated) }
  }

  private static let fields = [
    "title", "author", "tag", "feed", "in", "is", "before", "after",
  ]

  private mutating func takeField() -> String? {
    for field in Self.fields {
      let end = index + field.count
      guard end < characters.count, characters[end] == ":",
        String(characters[index..<end]).lowercased() == field
      else { continue }
      index = end + 1
      return field
    }
    return nil
  }

  private static func isQuote(_ character: Character) -> Bool {
    character == "\"" || character == "\u{201C}" || character == "\u{201D}"
      || character == "\u{201E}"
  }

  /// An open quote ends with the text.
  private mutating func takeQuoted() -> String {
    index += 1
    let start = index
    while index < characters.count, !Self.isQuote(characters[index]) { index += 1 }
    defer { if index < characters.count { index += 1 } }
    return String(characters[start..<index])
  }

  private mutating func takeWord() -> String {
    let start = index
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return String(characters[start..<index])
  }

  private func condition(
    _ field: String?, _ value: String, isQuoted: Bool
  ) throws(SearchQuery.Problem) -> SearchQuery.Condition? {
    if let field, value.isEmpty {
      // A colon just typed is no mistake yet.
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

  /// Whether what was just taken ends where the typing does.
  private var isUnfinished: Bool { isBeingTyped && index == characters.count }
}

extension SearchQuery.Moment {
  /// `2026`, `2026-03`, `2026-03-21`; `today`, `yesterday`; `12h`, `7d`, `3w`, `6m`, `2y` ago.
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
