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
      RuleRemoveCommand.self,
    ])
}

struct RuleAddCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a rule, and apply it to the articles of the last 90 days.",
    discussion: """
      weir rule add 'feed:verge title:/deals?/' --hide --until 2w

      The condition is a search: quote it for the shell. \u{201C}weir rule test\u{201D} shows beforehand \
      which articles it matches; \u{201C}weir undo\u{201D} removes the rule and what it did.
      """)

  @OptionGroup var query: QueryArguments
  @OptionGroup var does: RuleActionOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if query.text.isEmpty { throw ValidationError("Give the condition, a search.") }
    if does.actions.isEmpty {
      throw ValidationError("Say what the rule does: --read, --hide, --starred, --tag, \u{2026}")
    }
  }

  func run(in session: Session) async throws {
    try does.check(session.configuration)
    try await session.applyRulesFile()
    let draft = RuleDraft(
      name: does.name ?? "", query: query.text, actions: does.actions, stops: does.stop,
      until: does.end)
    let preview = try await RuleDryRun(session: session).preview(draft, mayHideMuch: does.yes)
    let (id, changed) = try await session.store.reader.rules.addRule(
      draft, reach: .also(preview.hits.ids))
    try Console.print(
      "Rule \(id.rawValue) added: changes \(AmountWording.count(changed, "article", "articles")) here"
    )
    Console.note("weir undo reverts it.")
  }
}

struct RuleTestCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Show which articles a rule or a condition would match.")

  @Argument(
    help: ArgumentHelp("The number or name of a rule, or a condition.", valueName: "rule"),
    completion: .rules)
  var words: [String]

  @Option(help: ArgumentHelp("Days of articles to look at.", valueName: "n"))
  var days = SearchCache.previewDays

  @OptionGroup var most: LimitOption
  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if !(1...36_500).contains(days) { throw ValidationError("--days must be at least 1.") }
  }

  func run(in session: Session) async throws {
    try await session.applyRulesFile()
    let dryRun = RuleDryRun(session: session, days: days)
    let text = words.joined(separator: " ").trimmingCharacters(in: .whitespaces)
    let known = try? RuleArgument.find(text, in: session.store)
    let draft = known?.draft ?? RuleDraft(query: text, actions: [])
    let preview = try await dryRun.run(dryRun.query(draft.query))
    let rows = try preview.hits.ids.prefix(most.limit ?? 50).compactMap {
      try session.store.reader.articles.articleRow($0)
    }
    guard json else { return try dryRun.print(preview, draft.actions, rows) }
    try JSONOutput.print(preview.json(session.store.reader.json(rows)))
  }
}

struct RuleEditCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a rule, enable it or disable it.",
    discussion: """
      Omitted options keep their values; actions replace all actions of the rule. Changes that the \
      rule made to articles stay. A rule that is enabled acts on the articles of the last 90 days too.
      """)

  @OptionGroup var argument: RuleArgument
  @Option(help: ArgumentHelp("The condition.", valueName: "query")) var query: String?
  @OptionGroup var does: RuleActionOptions
  @Flag(help: "Enable it.") var enable = false
  @Flag(help: "Disable it.") var disable = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if enable, disable { throw ValidationError("Give --enable or --disable, not both.") }
  }

  func run(in session: Session) async throws {
    let (rule, rules) = (try await session.rule(argument), session.store.reader.rules)
    try does.check(session.configuration)
    var draft = rule.draft
    if let query = query?.trimmingCharacters(in: .whitespaces) {
      _ = try RuleDryRun(session: session).query(query)
      if draft.name == draft.query { draft.name = "" }
      draft.query = query
    }
    if !does.actions.isEmpty { draft.actions = does.actions }
    if let name = does.name { draft.name = name }
    if does.stop { draft.stops = true }
    if let end = does.end { draft.until = end }
    if draft != rule.draft { try await rules.editRule(rule.id, draft) }
    if disable { try await rules.disableRule(rule.id) }
    guard enable else {
      return try Console.print("Rule \(rule.id.rawValue) \(disable ? "disabled" : "changed")")
    }
    if let problem = RuleWording.problem(try rules.rule(rule.id)) {
      throw CommandFailure(problem + ".")
    }
    let preview = try await RuleDryRun(session: session).preview(draft, mayHideMuch: does.yes)
    let changed = try await rules.enableRule(rule.id, reach: .also(preview.hits.ids))
    try Console.print(
      "Rule \(rule.id.rawValue) enabled; \(AmountWording.articles(changed)) changed")
  }
}

struct RuleRemoveCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a rule; its changes to articles stay.",
    discussion: "weir undo brings it back.")

  @OptionGroup var argument: RuleArgument
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let rule = try await session.rule(argument)
    try await session.store.reader.rules.removeRule(rule.id)
    try Console.print("Rule \(rule.id.rawValue) removed")
  }
}
