import ArgumentParser
import Foundation
import ProgramSettings

extension Rule {
  var json: JSONObject {
    [
      "id": id.rawValue, "name": name, "query": query, "actions": actions.map(\.code),
      "enabled": isEnabled, "stop": draft.stops, "until": draft.until, "file": isFile,
      "problem": RuleWording.problem(self),
    ]
  }
}

extension RulePreview {
  func json(_ articles: [JSONObject]) -> JSONObject {
    [
      "matched": matched, "total": total, "starred": starred, "opened": opened, "unread": unread,
      "ofAccounts": ofAccounts, "partial": isPartial, "articles": articles,
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

  private static func state(_ rule: Rule) -> String {
    if rule.problem != nil { return "broken" }
    if !rule.isEnabled { return "disabled" }
    if let until = rule.draft.until, until <= Date() { return "ended" }
    return rule.isFile ? "file" : "enabled"
  }
}
