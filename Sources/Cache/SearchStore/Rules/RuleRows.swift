package import Foundation
package import GRDB

package enum RuleRows {
  /// Returns the rules in the order in which they are judged: those of the file first.
  package static func all(
    _ db: Database, _ condition: String = "1", _ arguments: StatementArguments = []
  ) throws -> [Rule] {
    try db.all(
      """
      SELECT id, name, query, actions, isEnabled, stops, until, isFile, problem, createdAt
      FROM rule WHERE \(condition) ORDER BY isFile DESC, position, id
      """, arguments, decode)
  }

  package static func find(_ id: RuleID, _ db: Database) throws -> Rule {
    guard let rule = try all(db, "id = ?", [id.rawValue]).first else { throw StoreError.notFound }
    return rule
  }

  /// Reads a rule. If this version does not know an action, the rule has none, and a problem.
  private static func decode(_ row: Row) -> Rule {
    let actions = RuleAction.actions(row["actions"])
    let problem = (row["problem"] as String?).flatMap(Rule.Problem.init(rawValue:))
    return Rule(
      id: row.id("id"),
      draft: RuleDraft(
        name: row["name"], query: row["query"], actions: actions ?? [], stops: row["stops"],
        until: row.date("until")),
      isEnabled: row["isEnabled"], isFile: row["isFile"],
      problem: problem ?? (actions == nil ? .actions : nil),
      createdAt: row.date("createdAt") ?? Date(milliseconds: 0))
  }

  static func problem(_ draft: RuleDraft) -> Rule.Problem? {
    guard let query = try? SearchQuery(draft.query), !query.isEmpty else { return .query }
    return draft.actions.isEmpty ? .actions : nil
  }

  /// Inserts a rule after the others of its kind.
  package static func insert(
    _ draft: RuleDraft, isEnabled: Bool, isFile: Bool, at now: Date, _ db: Database
  ) throws -> Int64 {
    let problem = problem(draft)
    try db.run(
      """
      INSERT INTO rule (name, query, actions, isEnabled, stops, until, isFile, problem, createdAt,
        position)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
        (SELECT ifnull(max(position), -1) + 1 FROM rule WHERE isFile = ?7))
      """,
      [
        name(draft), query(draft), RuleAction.text(draft.actions), isEnabled && problem == nil,
        draft.stops, draft.until?.milliseconds, isFile, problem?.rawValue, now.milliseconds,
      ])
    return db.lastInsertedRowID
  }

  package static func update(_ id: Int64, _ draft: RuleDraft, _ db: Database) throws {
    let problem = problem(draft)
    try db.run(
      """
      UPDATE rule SET name = ?1, query = ?2, actions = ?3, stops = ?4, until = ?5, problem = ?6,
        isEnabled = isEnabled AND ?6 IS NULL,
        revision = revision + (query <> ?2 OR actions <> ?3)
      WHERE id = ?7
      """,
      [
        name(draft), query(draft), RuleAction.text(draft.actions), draft.stops,
        draft.until?.milliseconds, problem?.rawValue, id,
      ])
  }

  private static func query(_ draft: RuleDraft) -> String {
    ItemText.cut(draft.query.trimmingCharacters(in: .whitespacesAndNewlines), 4_096)
  }

  private static func name(_ draft: RuleDraft) -> String {
    let name = draft.name.trimmingCharacters(in: .whitespacesAndNewlines)
    return ItemText.label(name.isEmpty ? query(draft) : name)
  }
}
