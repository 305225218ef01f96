public import Foundation

/// The effect of a rule on a matching article.
public enum RuleAction: Sendable, Hashable {
  case markRead
  case hide
  case star
  case later
  case tag(String)
  /// A colour of the theme, 1...4.
  case highlight(Int)
  case fullText
  case download
  /// Hides the article for this many hours, then shows it as new and unread.
  case snooze(hours: Int)
  case notify
  /// Runs a configured program, which reads the article's text.
  case run(String)

  /// Codes to suggest; programs have names of their own.
  public static let examples = [
    "hide", "read", "star", "later", "tag:work", "highlight", "full-text", "download", "snooze:2d",
    "notify",
  ]
  public static let highlights = 1...4
  /// Valid hours: up to a year.
  public static let snoozes = 1...8_760

  /// True if the action applies only on arrival, never to cached articles.
  public var isOfArrivals: Bool {
    switch self {
    case .notify, .run: true
    default: false
    }
  }

  /// The stored form, also used in `rules.toml`: "hide", "tag:swift", "snooze:2d".
  public var code: String {
    switch self {
    case .markRead: "read"
    case .hide: "hide"
    case .star: "star"
    case .later: "later"
    case .tag(let tag): "tag:\(tag)"
    case .highlight(let color): "highlight:\(color)"
    case .fullText: "full-text"
    case .download: "download"
    case .snooze(let hours): "snooze:\(Self.span(hours))"
    case .notify: "notify"
    case .run(let program): "run:\(program)"
    }
  }

  /// Returns `nil` for an unknown code.
  public init?(code: String) {
    let parts = code.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? String(parts[1]) : nil
    switch (parts[0], value) {
    case ("read", nil): self = .markRead
    case ("hide", nil): self = .hide
    case ("star", nil): self = .star
    case ("later", nil): self = .later
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
    case ("highlight", _):
      guard let color = Int(value ?? "1"), Self.highlights.contains(color) else { return nil }
      self = .highlight(color)
    default: return nil
    }
  }

  private static let units: [(name: Character, hours: Int)] = [("w", 168), ("d", 24), ("h", 1)]

  /// Formats hours as "2d", "36h", "1w".
  public static func span(_ hours: Int) -> String {
    let unit = units.first { hours.isMultiple(of: $0.hours) } ?? ("h", 1)
    return "\(hours / unit.hours)\(unit.name)"
  }

  /// Parses "2d", "36h", "1w" into hours; `nil` if malformed or beyond `snoozes`.
  public static func hours(_ text: String) -> Int? {
    guard let unit = units.first(where: { $0.name == text.last }),
      let count = Int(text.dropLast()), (1...10_000).contains(count),
      snoozes.contains(count * unit.hours)
    else { return nil }
    return count * unit.hours
  }

  /// Parses codes separated by spaces; `nil` if there are none, or one is unknown.
  public static func actions(_ text: String) -> [RuleAction]? {
    let codes = text.split(whereSeparator: \.isWhitespace)
    let actions = codes.compactMap { RuleAction(code: String($0)) }
    return actions.isEmpty || actions.count < codes.count ? nil : actions
  }

  /// Formats actions as codes separated by spaces.
  public static func text(_ actions: [RuleAction]) -> String {
    actions.map(\.code).joined(separator: " ")
  }
}

/// The editable part of a rule.
public struct RuleDraft: Sendable, Hashable {
  /// The name; empty to use the query.
  public var name: String
  public var query: String
  /// The actions in the order of execution. A rule with no actions has the problem `.actions`.
  public var actions: [RuleAction]
  /// True if later rules do not apply to matching articles.
  public var stops: Bool
  public var until: Date?

  public init(
    name: String = "", query: String, actions: [RuleAction], stops: Bool = false,
    until: Date? = nil
  ) {
    (self.name, self.query, self.actions, self.stops) = (name, query, actions, stops)
    self.until = until
  }
}

/// A condition with actions for arriving articles.
public struct Rule: Sendable, Hashable, Identifiable {
  public var id: RuleID
  public var draft: RuleDraft
  /// True if the rule is evaluated for arriving articles, unless it has a `problem`.
  public var isEnabled: Bool
  /// True if the rule is defined in `rules.toml`, and edited only there.
  public var isFile: Bool
  public var problem: Problem?
  /// The time of creation, which edits do not change.
  public var createdAt: Date

  /// The reason that a rule cannot be evaluated. Stored as text.
  public enum Problem: String, Sendable, CaseIterable {
    /// The condition is not a valid query.
    case query
    case actions
  }

  public var name: String { draft.name }
  public var query: String { draft.query }
  public var actions: [RuleAction] { draft.actions }

  public init(
    id: RuleID, draft: RuleDraft, isEnabled: Bool, isFile: Bool = false,
    problem: Problem? = nil, createdAt: Date
  ) {
    (self.id, self.draft, self.isEnabled, self.isFile) = (id, draft, isEnabled, isFile)
    (self.problem, self.createdAt) = (problem, createdAt)
  }
}

/// A record that a rule acted on an article.
public struct RuleJudgement: Sendable, Hashable {
  /// The key of the rule, which may have been removed.
  public var rule: RuleID
  /// The current name of the rule; `nil` if it was removed.
  public var name: String?
  /// The actions executed at the time; the rule may have changed.
  public var actions: [RuleAction]
  public var at: Date
  public init(rule: RuleID, name: String?, actions: [RuleAction], at: Date) {
    (self.rule, self.name, self.actions, self.at) = (rule, name, actions, at)
  }
}
