import GRDB

/// A condition of a query, ready to be evaluated.
///
/// A condition is evaluated in two ways that must agree: in a statement, which finds articles, and
/// for one article, for rules. `JudgementTests` compares both on thousands of articles.
enum SearchTerm {
  /// Text conditions: the statement finds candidates, the text decides.
  case words(SearchPattern)
  case pattern(Pattern, in: SearchQuery.Field)

  /// Text in lower case.
  case feed(String)
  /// Title in lower case.
  case folder(String)
  case tag(String)
  case state(SearchQuery.State)
  case has(SearchQuery.Content)
  /// Code in lower case.
  case language(String)
  /// `speed` in words a minute.
  case minutes(SearchQuery.Comparison, speed: Int)
  /// Milliseconds since 1970.
  case before(Int64)
  case after(Int64)

  /// Fails for a text without a word.
  init?(_ condition: SearchQuery.Condition, speed: Int, date: (SearchQuery.Moment) -> Int64) {
    switch condition {
    case .words(let text, let field, let isPrefix):
      guard let pattern = SearchPattern(text, in: field, isPrefix: isPrefix) else { return nil }
      self = .words(pattern)
    case .pattern(let pattern, let field): self = .pattern(pattern, in: field)
    case .minutes(let comparison): self = .minutes(comparison, speed: speed)
    case .feed(let name): self = .feed(name.lowercased())
    case .folder(let name): self = .folder(name.lowercased())
    case .tag(let name): self = .tag(name)
    case .state(let state): self = .state(state)
    case .has(let content): self = .has(content)
    case .language(let code): self = .language(code.lowercased())
    case .before(let moment): self = .before(date(moment))
    case .after(let moment): self = .after(date(moment))
    }
  }

  /// Cost of judging an article; cheap conditions come first.
  var cost: Int {
    switch self {
    case .feed, .folder: 0
    case .state, .has, .language, .minutes, .before, .after: 1
    case .tag: 2
    case .words(let pattern): pattern.field == .anywhere ? 5 : 3
    case .pattern(_, let field): field == .anywhere ? 6 : 4
    }
  }

  /// True if the condition names feeds, duplicates or marks of single articles. Duplicates are then
  /// results of their own.
  var namesDuplicates: Bool {
    switch self {
    case .feed, .folder, .tag, .state(.duplicate), .state(.starred), .state(.later): true
    default: false
    }
  }

  /// Field of a text condition; `nil` if the condition is not about words.
  var field: SearchQuery.Field? {
    switch self {
    case .words(let pattern): pattern.field
    case .pattern(_, let field): field
    default: nil
    }
  }

  /// Returns the ranges of matches in the UTF-8 of a text.
  func places(in text: String, _ words: SearchText, atMost most: Int) -> [Range<Int>] {
    switch self {
    case .words(let pattern): pattern.places(in: words, atMost: most)
    case .pattern(let pattern, _): pattern.ranges(in: text, atMost: most)
    default: []
    }
  }

  /// Returns true if the text matches. Valid only for text conditions.
  func holds(in text: SearchedText) throws -> Bool {
    switch self {
    case .words(let pattern): try text.holds(pattern)
    case .pattern(let pattern, let field): try text.holds(pattern, in: field)
    default: false
    }
  }

  /// Returns true if a feed matches. Valid only for conditions on the feed.
  func holds(of feed: JudgedFeed) -> Bool {
    switch self {
    case .feed(let name): feed.isNamed(name)
    case .folder(let name): feed.folders.contains { $0.contains(name) }
    default: false
    }
  }

  func holds(of article: JudgedArticle) throws -> Bool {
    switch self {
    case .words, .pattern: try holds(in: article.text)
    case .feed, .folder: holds(of: article.feed)
    case .tag(let name): try article.hasTag(name)
    case .state(.unread): !article.columns.isRead
    case .state(.read): article.columns.isRead
    case .state(.starred): article.columns.isStarred
    case .state(.later): article.columns.isLater
    case .state(.duplicate): article.columns.isCopy
    case .state(.snoozed): article.columns.isSnoozed
    case .has(let content): try article.has(content)
    case .language(let code): article.isWritten(in: code)
    case .minutes(let comparison, let speed):
      comparison.holds(ReadingTime.minutes(ofWords: article.columns.words, speed: speed))
    case .before(let date): article.columns.sortDate < date
    case .after(let date): article.columns.sortDate >= date
    }
  }
}
