/// A search: conditions that must all hold, each of them a choice of alternatives.
///
/// Words are joined by "and"; `OR` joins its two neighbours; `-` negates a condition; quotes make a
/// phrase, slashes a regular expression; `title:` `author:` `tag:` search one field; `feed:` `in:`
/// (a folder) `is:` `has:` `lang:` `minutes:` `before:` `after:` narrow the results. All
/// other input is words.
public struct SearchQuery: Sendable, Hashable {
  /// The part of an article that is searched.
  public enum Field: String, Sendable, CaseIterable {
    case anywhere
    case title, author
  }

  /// The names before a colon that narrow a query.
  public static let fields = [
    "title", "author", "tag", "feed", "in", "is", "has", "lang", "minutes", "before", "after",
  ]

  /// Values of `is:`.
  public enum State: String, Sendable, CaseIterable {
    case unread, read, starred, later
    /// A duplicate of another feed's article, hidden where both are listed.
    case duplicate
    /// Snoozed. Only a query with this state finds such articles.
    case snoozed = "asleep"
  }

  /// Values of `has:`.
  public enum Content: String, Sendable, CaseIterable {
    /// A file of this type, as the feed states it.
    case audio, video
    /// A picture: an attached file, the article's own picture, or a picture in the text.
    case picture
    case discussion
  }

  /// A comparison such as `<3`, `<=3`, `3`, `>=3`, `>3`.
  public struct Comparison: Sendable, Hashable {
    /// The sign as typed; a number without a sign means `equal`.
    public enum Sign: String, Sendable, CaseIterable {
      case lessOrEqual = "<="
      case greaterOrEqual = ">="
      case less = "<"
      case greater = ">"
      case equal = "="
    }
    public var sign: Sign
    public var number: Int
    public init(_ sign: Sign, _ number: Int) { (self.sign, self.number) = (sign, number) }

    /// Returns true if `value` satisfies the comparison: `value < number` for `<`.
    public func holds(_ value: Int) -> Bool {
      switch sign {
      case .lessOrEqual: value <= number
      case .greaterOrEqual: value >= number
      case .less: value < number
      case .greater: value > number
      case .equal: value == number
      }
    }
  }

  /// A date as typed, resolved with the user's calendar.
  public enum Moment: Sendable, Hashable {
    /// The beginning of a year, month or day; `nil` for the first.
    case day(year: Int, month: Int?, day: Int?)
    /// A number of seconds ago.
    case ago(Int)
    /// The beginning of today (0), of yesterday (1), …
    case midnight(daysAgo: Int)
  }

  /// A predicate on an article.
  public enum Condition: Sendable, Hashable {
    /// Adjacent words; with `isPrefix`, the last is a prefix.
    case words(String, in: Field, isPrefix: Bool)
    case pattern(Pattern, in: Field)
    /// Minutes of reading.
    case minutes(Comparison)
    case feed(String)
    /// Words of a tag of the article or its feed.
    case tag(String)
    /// Part of a folder's name; includes nested folders.
    case folder(String)
    case state(State)
    case has(Content)
    /// A prefix of a language code (RFC 5646): `de` includes `de-AT`.
    case language(String)
    case before(Moment)
    case after(Moment)

    public var isText: Bool {
      switch self {
      case .words, .pattern: true
      default: false
      }
    }
  }

  /// A condition, or its negation.
  public struct Alternative: Sendable, Hashable {
    public var condition: Condition
    public var isNegated: Bool
    public init(_ condition: Condition, isNegated: Bool = false) {
      (self.condition, self.isNegated) = (condition, isNegated)
    }
  }

  /// Conditions that must all hold, each by at least one alternative. Alternatives of one clause
  /// are either all about the text or all narrowing conditions.
  public private(set) var clauses: [[Alternative]] = []

  /// An empty query matches no article.
  public var isEmpty: Bool { clauses.isEmpty }

  /// Parses typed text. Throws only if no article can match.
  /// - Parameter isBeingTyped: treats the last word as a prefix.
  public init(_ text: String, isBeingTyped: Bool = false) throws(Problem) {
    var parser = SearchQueryParser(text, isBeingTyped: isBeingTyped)
    clauses = try parser.run()
  }

  /// The reason that a query is not valid.
  public enum Problem: Error, Sendable, Hashable {
    /// A value of `is:` other than read, unread, starred, later, duplicate, asleep.
    case unknownState(String)
    /// A value of `has:` other than audio, video, picture, discussion.
    case unknownContent(String)
    /// A `minutes:` without a number.
    case unknownNumber(field: String, value: String)
    case pattern(Pattern.Problem, source: String)
    /// A `before:` or `after:` without a valid date.
    case unknownDate(field: String, value: String)
    /// An unknown field that resembles a known one.
    case unknownField(String, near: String)
    case emptyField(String)
    /// An `OR` at an end, or beside another `OR`.
    case looseOr
    /// An `OR` between words and a narrowing condition.
    case mixedAlternatives
    case tooLong
  }

  static let mostConditions = 64
}
