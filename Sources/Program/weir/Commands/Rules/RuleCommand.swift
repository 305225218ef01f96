import ArgumentParser
import Foundation
import ProgramSettings

struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule",
    abstract: "Hide, mark, tag or highlight articles as they arrive.",
    discussion: """
      A rule has a condition, in the language of weir search, and actions. Each article is judged when it \
      arrives, and once more when its text changes. Rules of the file rules.toml beside the configuration \
      come first.
      """,
    subcommands: [
      RuleListCommand.self, RuleTestCommand.self, RuleAddCommand.self, RuleEditCommand.self,
      RuleRemoveCommand.self, RuleEnableCommand.self, RuleDisableCommand.self,
    ])
}

struct RuleAddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a rule after a dry run.",
    discussion: """
      weir rule add 'feed:verge title:/deals?/' --hide --until 2w

      The condition is a search: quote it for the shell. Without --now or --also nothing is changed yet: \
      the rule is tried on the articles of the last 90 days, and kept disabled.
      """)

  @Argument(help: ArgumentHelp("The condition.", valueName: "query")) var query: String
  @OptionGroup var does: RuleActionOptions
  @Flag(help: "Enable it for articles that arrive from now on.") var now = false
  @Flag(help: "Enable it, and apply it to the articles of the last 90 days too.") var also = false
  @Flag(help: "Enable it even if it hides more than 30 % of a feed.") var force = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if does.actions.isEmpty {
      throw ValidationError("Say what the rule does: --read, --hide, --star, --tag, …")
    }
  }

  func run(in session: Session) async throws {
    try does.check(session.configuration)
    try await session.applyRulesFile()
    let draft = RuleDraft(
      name: does.name ?? "", query: query, actions: does.actions, stops: does.stop,
      until: does.end)
    let isEnabled = now || also
    let preview = try await RuleDryRun(session: session).preview(
      draft, listing: isEnabled ? 0 : 20, mayHideMuch: force || !isEnabled)
    let reach: RuleReach? = also ? .also(preview.hits.ids) : now ? .arrivals : nil
    let (id, changed) = try await session.store.reader.rules.addRule(draft, reach: reach)
    switch reach {
    case nil:
      try Console.print("Rule \(id.rawValue) added, not enabled")
      Console.note("weir rule enable \(id.rawValue) [--also] enables it.")
    case .arrivals: try Console.print("Rule \(id.rawValue) enabled")
    case .also:
      try Console.print("Rule \(id.rawValue) enabled; \(AmountWording.articles(changed)) changed")
    }
  }
}

struct RuleTestCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Show which articles a rule or a condition would match.")

  @Argument(help: ArgumentHelp("The number of a rule, or a condition.", valueName: "rule"))
  var rule: String

  @Option(help: ArgumentHelp("Days of articles to look at.", valueName: "n"))
  var days = SearchCache.previewDays

  @Option(help: ArgumentHelp("The most articles to list.", valueName: "n")) var limit = 50
  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if !(1...36_500).contains(days) { throw ValidationError("--days must be at least 1.") }
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run(in session: Session) async throws {
    try await session.applyRulesFile()
    let dryRun = RuleDryRun(session: session, days: days)
    let known = try Int64(rule).flatMap { number in
      try session.store.reader.rules.all().first { $0.id.rawValue == number }
    }
    let draft = known?.draft ?? RuleDraft(query: rule, actions: [])
    let preview = try await dryRun.run(dryRun.query(draft.query))
    guard json else { return try dryRun.print(preview, draft.actions, listing: limit) }
    let rows = try preview.hits.ids.prefix(limit).compactMap {
      try session.store.reader.articles.articleRow($0)
    }
    try JSONOutput.print(preview.json(rows))
  }
}

struct RuleEditCommand: RuleChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a rule’s condition, actions, name or end.",
    discussion: """
      Omitted options keep their values; actions replace all actions of the rule. Changes that the \
      rule made to articles stay.
      """
  )

  @OptionGroup var argument: RuleArgument
  @Option(help: ArgumentHelp("The condition.", valueName: "query")) var query: String?
  @OptionGroup var does: RuleActionOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func change(_ rule: Rule, in session: Session) async throws -> String {
    try does.check(session.configuration)
    var draft = rule.draft
    if let query {
      _ = try RuleDryRun(session: session).query(query)
      if draft.name == draft.query { draft.name = "" }
      draft.query = query
    }
    if !does.actions.isEmpty { draft.actions = does.actions }
    if let name = does.name { draft.name = name }
    if does.stop { draft.stops = true }
    if let end = does.end { draft.until = end }
    try await session.store.reader.rules.editRule(rule.id, draft)
    return "changed"
  }
}

struct RuleEnableCommand: RuleChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Enable a rule for articles that arrive from now on.")

  @OptionGroup var argument: RuleArgument
  @Flag(help: "Apply it to the articles of the last 90 days too.") var also = false
  @Flag(help: "Enable it even if it hides more than 30 % of a feed.") var force = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func change(_ rule: Rule, in session: Session) async throws -> String {
    if let problem = RuleWording.problem(rule) { throw CommandFailure(problem + ".") }
    let preview = try await RuleDryRun(session: session).preview(
      rule.draft, listing: 0, mayHideMuch: force)
    let changed = try await session.store.reader.rules.enableRule(
      rule.id, reach: also ? .also(preview.hits.ids) : .arrivals)
    return "enabled"
      + (also ? "; \(AmountWording.articles(changed)) changed" : "")
  }
}

struct RuleDisableCommand: RuleChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Disable a rule; its changes to articles stay.")

  @OptionGroup var argument: RuleArgument
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func change(_ rule: Rule, in session: Session) async throws -> String {
    try await session.store.reader.rules.disableRule(rule.id)
    return "disabled"
  }
}

struct RuleRemoveCommand: RuleChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a rule; its changes to articles stay.",
    discussion: "u in the reader undoes it.")

  @OptionGroup var argument: RuleArgument
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func change(_ rule: Rule, in session: Session) async throws -> String {
    try await session.store.reader.rules.removeRule(rule.id)
    return "removed"
  }
}
