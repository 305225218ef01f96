import ArgumentParser
import Foundation
import ProgramSettings

extension Rule {
  fileprivate var json: JSONObject {
    [
      "id": id.rawValue, "name": name, "query": query, "actions": actions.map(\.code),
      "enabled": isEnabled, "stop": draft.stops, "until": draft.until, "file": isFile,
      "problem": RuleWording.problem(self),
    ]
  }
}

extension RulePreview {
  func json(_ rows: [ArticleRow]) -> JSONObject {
    [
      "matched": matched, "total": total, "starred": starred, "opened": opened, "unread": unread,
      "ofAccounts": ofAccounts, "partial": isPartial, "articles": rows.map(\.json),
      "feeds": feeds.map { feed in
        [
          "feed": feed.feed.rawValue, "name": feed.name, "matched": feed.matched,
          "total": feed.total,
        ] as JSONObject
      },
    ]
  }
}

struct RuleListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the rules in the order in which they are judged.")

  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.applyRulesFile()
    let rules = try session.store.reader.rules.all()
    if json { return try JSONOutput.print(rules.map(\.json)) }
    guard !rules.isEmpty else { return Console.note("There are no rules.") }
    var table = Table(
      [.number, .text(limit: 9), .text(limit: 30), .text(limit: 36), .last],
      heading: ["", "State", "Name", "Condition", "Actions"])
    for rule in rules {
      table.add([
        String(rule.id.rawValue), Self.state(rule), rule.name, rule.query,
        RuleWording.actions(rule.actions),
      ])
    }
    try table.print()
    for rule in rules {
      guard let problem = RuleWording.problem(rule) else { continue }
      Console.note("Rule \(rule.id.rawValue): \(problem).")
    }
  }

  static func state(_ rule: Rule) -> String {
    if rule.problem != nil { return "broken" }
    if !rule.isEnabled { return "disabled" }
    if let until = rule.draft.until, until <= Date() { return "ended" }
    return rule.isFile ? "file" : "enabled"
  }
}

struct RuleShowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a rule, and how often it acted in each week.")

  @OptionGroup var argument: RuleArgument
  @Flag(help: "As JSON.") var json = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.applyRulesFile()
    let rule = try argument.find(in: session.store)
    let weeks = try session.store.reader.rules.weeks(of: rule.id)
    if json {
      let weeks = weeks.map { ["from": $0.from, "articles": $0.articles] as JSONObject }
      return try JSONOutput.print(["rule": rule.json, "weeks": weeks] as JSONObject)
    }
    try Console.printEmphasised("\(rule.id.rawValue)  \(rule.name)")
    try Console.print("Condition: \(rule.query)")
    try Console.print("Actions: \(RuleWording.actions(rule.actions))")
    try Console.print("State: \(RuleListCommand.state(rule))")
    if let until = rule.draft.until { try Console.print("Until: \(until.formatted(.iso8601))") }
    if rule.draft.stops { try Console.print("No later rule is judged where this one matches.") }
    if let problem = RuleWording.problem(rule) { Console.note(problem + ".") }
    for failure in try session.store.reader.rules.programFailures(of: rule.id) {
      Console.note(RuleWording.failure(failure) + ".")
    }
    var table = Table([.last, .number], heading: ["Week from", "Articles"])
    for week in weeks {
      table.add([week.from.formatted(.iso8601.year().month().day()), String(week.articles)])
    }
    try table.print()
  }
}

struct RuleExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the rules in the form of rules.toml.")

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.applyRulesFile()
    try Console.printLines(RulesFile.text(try session.store.reader.rules.all()))
  }
}

struct RuleBaseCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "base",
    abstract: "Set the score that the articles of a feed or a folder begin with.",
    discussion: """
      Existing articles are adjusted. The scores of a feed and of the folders around it are \
      added up.
      """)

  @Argument(
    help: "Number, address, or part of the name of a feed; with --folder a folder: a/b is b in a.",
    completion: .feeds)
  var feed: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A number from -1000 to 1000.", valueName: "n"))
  var score: Int

  @Flag(help: "It is a folder.") var folder = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if !RuleAction.scores.contains(score) {
      throw ValidationError("--score takes a number from -1000 to 1000.")
    }
  }

  func run(in session: Session) async throws {
    guard folder else {
      let feed = try FeedArgument.find(feed, in: session.store)
      try await session.store.reader.feeds.setBaseScore(feed.id, score)
      return try Console.print("Articles of \(feed.name) begin with a score of \(score)")
    }
    let folders = try session.store.reader.feeds.subscriptions().folders
    guard let id = Self.folder(feed.split(separator: "/").map(String.init), among: folders) else {
      throw CommandFailure("There is no folder \(feed). weir feeds lists them.")
    }
    try await session.store.reader.folders.setBaseScore(ofFolder: id, score)
    try Console.print("Articles of the feeds in \(feed) begin with a score of \(score)")
  }

  private static func folder(_ path: [String], among folders: [Folder]) -> FolderID? {
    var parent: FolderID?
    for name in path {
      guard
        let next = folders.first(where: {
          $0.parent == parent && $0.title.lowercased() == name.lowercased()
        })
      else { return nil }
      parent = next.id
    }
    return parent
  }
}
