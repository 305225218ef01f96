import Foundation
import ProgramSettings
import TOMLKit

/// The rules of `rules.toml` beside the configuration.
///
///     [[rule]]
///     name = "No deals"
///     query = 'feed:verge title:/deals?/'
///     actions = ["hide"]
///     stop = false
///     until = "2026-12-31"
///     enabled = true
struct RulesFile {
  var path: String
  var rules: [(draft: RuleDraft, isEnabled: Bool)] = []
  var problems: [String] = []

  private static let mostRules = 1_000

  static func load(beside configuration: String?) -> RulesFile? {
    guard let configuration else { return nil }
    let path = FilePath.folder(of: configuration) + "/rules.toml"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    var file = RulesFile(path: path)
    do {
      let bytes = try TextFile.readAtRest(path, name: "the file")
      guard let text = String(validating: bytes, as: UTF8.self) else {
        file.problems = ["The file is not UTF-8 text."]
        return file
      }
      file.read(text)
    } catch {
      file.problems = [error.sentence]
    }
    return file
  }

  mutating func read(_ text: String) {
    if let line = KeyLines(text).excess {
      problems.append("Tables are nested too deeply, line \(line).")
      return
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      let line = (error as? TOMLParseError).map { ", line \($0.source.begin.line)" } ?? ""
      problems.append("It is not a TOML document\(line).")
      return
    }
    for key in table.keys where key != "rule" { problems.append("\(key): unknown key.") }
    let entries = table["rule"]?.array?.compactMap(\.table) ?? []
    for (index, entry) in entries.prefix(Self.mostRules).enumerated() {
      readRule(entry, number: index + 1)
    }
  }

  private static let keys = ["name", "query", "actions", "stop", "until", "enabled"]

  /// Reads a rule; one with an invalid part is kept, but disabled.
  private mutating func readRule(_ table: TOMLTable, number: Int) {
    let known = problems.count
    func report(_ text: String) { problems.append("Rule \(number): \(text).") }
    func flag(_ key: String, _ usual: Bool) -> Bool {
      guard let value = table[key] else { return usual }
      if value.bool == nil { report("\(key) must be true or false") }
      return value.bool ?? usual
    }
    for key in table.keys where !Self.keys.contains(key) {
      let near = Suggestion.nearest(to: key, among: Self.keys)
      report("unknown key \(key)" + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    guard let query = table["query"]?.string else { return report("query is missing") }
    let codes = table["actions"]?.array?.compactMap(\.string) ?? []
    let actions = codes.compactMap { RuleAction(code: $0) }
    if actions.isEmpty || actions.count < codes.count {
      report("actions must be a list like [\"hide\", \"tag:later\"]")
      if actions.isEmpty { return }
    }
    var until: Date?
    if let text = table["until"]?.string {
      until = CalendarDay.end(of: text, in: .current)
      if until == nil { report("until must be a date like \"2026-12-31\"") }
    }
    let draft = RuleDraft(
      name: table["name"]?.string ?? "", query: query, actions: actions,
      stops: flag("stop", false), until: until)
    let isEnabled = flag("enabled", true)
    rules.append((draft, isEnabled && problems.count == known))
    // The store disables a rule with an invalid condition.
    do throws(SearchQuery.Problem) {
      if try SearchQuery(query).isEmpty { report("query has no condition") }
    } catch {
      report(SearchWording.sentence(error))
    }
  }
}

extension Session {
  /// Replaces the rules of `rules.toml`; keeps them if it is unreadable, removes them if missing.
  /// - Returns: the first problem as a sentence.
  func readRulesFile() async throws(StoreError) -> String? {
    guard let file = RulesFile.load(beside: paths.config) else {
      if try store.reader.rules.all().contains(where: \.isFile) {
        try await store.reader.rules.setFileRules([])
      }
      return nil
    }
    if !file.rules.isEmpty || file.problems.isEmpty {
      try await store.reader.rules.setFileRules(file.rules)
    }
    let more = file.problems.count > 1 ? " (\(file.problems.count - 1) more)" : ""
    return file.problems.first.map { "\(file.path): \($0)\(more)" }
  }

  func applyRulesFile() async throws {
    if let problem = try await readRulesFile() { Console.complain(problem) }
  }
}
