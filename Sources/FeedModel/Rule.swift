public import Foundation

/// What a rule does to an article that it matches.
public enum RuleAction: Sendable, Hashable {
  case markRead
  case hide
  case star
  case tag(String)
  /// Adds to the article's score; negative: takes from it.
  case score(Int)
  /// Shown in a colour of the theme, 1...4.
  case highlight(Int)
  case fullText
  case download
  /// Hidden for this many hours, then shown as if it had just arrived unread.
  case snooze(hours: Int)
  case notify
  /// Runs a program of the configuration by its name, with the article's text as its input.
  case run(String)

  public static let highlights = 1...4
  public static let scores = -1_000...1_000
  /// Hours that an article may be put off by: a year at most.
  public static let snoozes = 1...8_760

  /// Done to articles that arrive only, never to those that are in the cache already.
  public var isOfArrivals: Bool {
    switch self {
    case .notify, .run: true
    default: false
    }
  }

  /// As it is stored and written in `rules.toml`: "hide", "tag:swift", "score:-5".
  public var code: String {
    switch self {
    case .markRead: "read"
    case .hide: "hide"
    case .star: "star"
    case .tag(let tag): "tag:\(tag)"
    case .score(let number): "score:\(number)"
    case .highlight(let color): "highlight:\(color)"
    case .fullText: "full-text"
    case .download: "download"
    case .snooze(let hours): "snooze:\(Self.span(hours))"
    case .notify: "notify"
    case .run(let program): "run:\(program)"
    }
  }

  /// Nil if the code means nothing.
  public init?(code: String) {
    let parts = code.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? String(parts[1]) : nil
    switch (parts[0], value) {
    case ("read", nil): self = .markRead
    case ("hide", nil): self = .hide
    case ("star", nil): self = .star
    case ("full-text", nil): self = .fullText
    case ("download", nil): self = .download
    case ("notify", nil): self = .notify
    case ("snooze", let value?):
      guard let hours = Self.hours(value) else { return nil }
      self = .snooze(hours: hours)
    case ("run", let value?):
      guard !value.isEmpty, !value.contains(where: \.isWhitespace) else { return nil }
      self = .run(value)
    case ("tag", let value?):
      guard !value.isEmpty, !value.contains(where: \.isWhitespace) else { return nil }
      self = .tag(value)
    case ("score", let value?):
      guard let number = Int(value), number != 0, Self.scores.contains(number) else { return nil }
      self = .score(number)
    case ("highlight", _):
      guard let color = Int(value ?? "1"), Self.highlights.contains(color) else { return nil }
      self = .highlight(color)
    default: return nil
    }
  }

  private static let units: [(name: Character, hours: Int)] = [("w", 168), ("d", 24), ("h", 1)]

  /// "2d", "36h", "1w".
  public static func span(_ hours: Int) -> String {
    let unit = units.first { hours.isMultiple(of: $0.hours) } ?? ("h", 1)
    return "\(hours / unit.hours)\(unit.name)"
  }

  /// Hours of "2d", "36h", "1w"; nil: it is no such time, or beyond `snoozes`.
  public static func hours(_ text: String) -> Int? {
    guard let unit = units.first(where: { $0.name == text.last }),
      let count = Int(text.dropLast()), (1...10_000).contains(count),
      snoozes.contains(count * unit.hours)
    else { return nil }
    return count * unit.hours
  }

  /// Codes separated by spaces; nil if one of them means nothing, or there is none.
  public static func actions(_ text: String) -> [RuleAction]? {
    let codes = text.split(whereSeparator: \.isWhitespace)
    let actions = codes.compactMap { RuleAction(code: String($0)) }
    return actions.isEmpty || actions.count < codes.count ? nil : actions
  }

  /// Codes separated by spaces.
  public static func text(_ actions: [RuleAction]) -> String {
    actions.map(\.code).joined(separator: " ")
  }
}

/// What a rule is made of.
public struct RuleDraft: Sendable, Hashable {
  /// Blank: the query.
  public var name: String
  public var query: String
  /// In the order in which they are done; a rule without any has the problem `.actions`.
  public var actions: [RuleAction]
  /// The rules after it are not applied where it matches.
  public var stops: Bool
  /// It ends then; nil: never.
  public var until: Date?

  public init(
    name: String = "", query: String, actions: [RuleAction], stops: Bool = false,
    until: Date? = nil
  ) {
    self.name = name
    self.query = query
    self.actions = actions
    self.stops = stops
    self.until = until
  }
}

/// Something that is done to articles as they arrive.
public struct Rule: Sendable, Hashable, Identifiable {
  public var id: RuleID
  public var draft: RuleDraft
  /// It is judged when articles arrive, unless it has a `problem`.
  public var isEnabled: Bool
  /// Of the file `rules.toml`: it is changed there.
  public var isFile: Bool
  /// Why it was disabled; nil: nothing is wrong with it.
  public var problem: Problem?
  /// When it was made; it stays when the rule is edited.
  public var createdAt: Date

  /// Why a rule cannot be judged. Stored as text.
  public enum Problem: String, Sendable, CaseIterable {
    /// Its condition is no query.
    case query
    /// One of its actions means nothing.
    case actions
  }

  public var name: String { draft.name }
  public var query: String { draft.query }
  public var actions: [RuleAction] { draft.actions }

  public init(
    id: RuleID, draft: RuleDraft, isEnabled: Bool, isFile: Bool = false,
    problem: Problem? = nil, createdAt: Date
  ) {
    self.id = id
    self.draft = draft
    self.isEnabled = isEnabled
    self.isFile = isFile
    self.problem = problem
    self.createdAt = createdAt
  }
}

/// That a rule has acted on an article.
public struct RuleJudgement: Sendable, Hashable {
  /// The rule's key; the rule may have been removed since.
  public var rule: RuleID
  /// As it is called now; nil: it was removed.
  public var name: String?
  /// Those that it did then, although the rule may have others now.
  public var actions: [RuleAction]
  public var at: Date
  /// - Parameter name: nil if the rule was removed.
  public init(rule: RuleID, name: String?, actions: [RuleAction], at: Date) {
    self.rule = rule
    self.name = name
    self.actions = actions
    self.at = at
  }
}
