public import PatternMatching

/// A search: conditions that must all hold, each of them a choice of
/// alternatives.
///
/// Words are joined by "and"; `OR` joins its two neighbours; `-` before a condition turns it
/// around; quotes make a phrase, slashes a regular expression; `title:` `author:` `tag:` look in
/// one place; `feed:` `in:` (a folder) `is:` `has:` `lang:` `minutes:` `score:` `before:` `after:`
/// narrow. Whatever else is typed is words.
public struct SearchQuery: Sendable, Hashable {
  /// Where words are looked for.
  public enum Field: String, Sendable, CaseIterable {
    case anywhere
    case title, author
  }

  /// What `is:` accepts.
  public enum State: String, Sendable, CaseIterable {
    case unread, read, starred
    /// A copy of an article of another feed, which is shown in its place where both are listed.
    case duplicate
  }

  /// What an article brings beside its text.
  public enum Content: String, Sendable, CaseIterable {
    /// Files, by the types that the feed gives for them.
    case audio, video
    /// A file, the picture of the article, or one in its text.
    case picture
    case discussion
  }

  /// `<3`, `<=3`, `3`, `>=3`, `>3`.
  public struct Comparison: Sendable, Hashable {
    /// The raw value is what is typed; a number without a sign means `equal`.
    public enum Sign: String, Sendable, CaseIterable {
      /// At most.
      case lessOrEqual = "<="
      /// At least.
      case greaterOrEqual = ">="
      case less = "<"
      case greater = ">"
      case equal = "="
    }
    /// How a value is compared with `number`.
    public var sign: Sign
    public var number: Int
    public init(_ sign: Sign, _ number: Int) {
      self.sign = sign
      self.number = number
    }

    /// Whether `value` compared with `number` gives true: `value < number` for `<`.
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

  /// An instant as people say it; the user's calendar turns it into a date.
  public enum Moment: Sendable, Hashable {
    /// The beginning of a year, month or day. Nil: the year's or month's first.
    case day(year: Int, month: Int?, day: Int?)
    /// So many seconds ago.
    case ago(Int)
    /// The beginning of today (0), of yesterday (1), …
    case midnight(daysAgo: Int)
  }

  /// One thing that is true or false for an article.
  public enum Condition: Sendable, Hashable {
    /// Words side by side. `isPrefix`: the last may go on.
    case words(String, in: Field, isPrefix: Bool)
    case pattern(Pattern, in: Field)
    /// Minutes that reading the text takes.
    case minutes(Comparison)
    case feed(String)
    /// Words of a tag, the article's or its feed's.
    case tag(String)
    /// A part of the folder's name; what lies in folders inside counts too.
    case folder(String)
    case state(State)
    /// A link, file or picture of this kind is in it.
    case has(Content)
    /// The beginning of a language code (RFC 5646): `de` is `de-AT` too.
    case language(String)
    /// The score that rules gave the article, with those of its feed and folders.
    case score(Comparison)
    case before(Moment)
    case after(Moment)

    public var isText: Bool {
      switch self {
      case .words, .pattern, .minutes: true
      default: false
      }
    }
  }

  /// A condition, or its opposite.
  public struct Alternative: Sendable, Hashable {
    public var condition: Condition
    /// It holds where the condition does not (`-` before it).
    public var isNegated: Bool
    public init(_ condition: Condition, isNegated: Bool = false) {
      self.condition = condition
      self.isNegated = isNegated
    }
  }

  /// Each must hold, by at least one of its alternatives. Alternatives of one clause are either all
  /// about the text or all narrowing conditions.
  public private(set) var clauses: [[Alternative]] = []

  /// True if nothing was asked for: no article is meant by it.
  public var isEmpty: Bool { clauses.isEmpty }

  public init(_ condition: Condition) { clauses = [[Alternative(condition)]] }

  /// Understands what was typed; never fails but for what no article could mean.
  /// - Parameter isBeingTyped: the last word may be unfinished, and stands for all that begin with
  ///   it.
  public init(_ text: String, isBeingTyped: Bool = false) throws(Problem) {
    var parser = SearchQueryParser(text, isBeingTyped: isBeingTyped)
    clauses = try parser.run()
  }

  /// Why a query makes no sense.
  public enum Problem: Error, Sendable, Hashable {
    /// `is:` with something else than read, unread, starred, duplicate.
    case unknownState(String)
    /// `has:` with something else than audio, video, picture, discussion.
    case unknownContent(String)
    /// `minutes:` or `score:` without a number.
    case unknownNumber(field: String, value: String)
    case pattern(Pattern.Problem, source: String)
    /// `before:` or `after:` without a date that can be understood.
    case unknownDate(field: String, value: String)
    /// A field that does not exist and resembles one that does.
    case unknownField(String, near: String)
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
