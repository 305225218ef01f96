public import Foundation
package import GRDB

// Programs of rules, requested by the merge and run by the engine.

/// A program that a rule runs for an article.
public struct RuleProgramTask: Sendable, Equatable {
  public var id: Int64
  /// Configured name; `nil` is the program for notifications.
  public var program: String?
  public var rule: String
  public var article: ArticleID
}

/// Failed programs of a rule.
public struct RuleProgramFailure: Sendable, Equatable {
  /// Configured name; `nil` is the program for notifications.
  public var program: String?
  /// The system's message; `nil` if rules may not run the program or it does not exist.
  public var fact: String?
  /// Number of failures, including the last one.
  public var count: Int
  /// Time of the last failure.
  public var at: Date
}

extension RuleCache {
  /// Returns failed programs of a rule, by program.
  public func programFailures(of rule: RuleID) throws(StoreError) -> [RuleProgramFailure] {
    try database.all(
      """
      SELECT program, failure, count(*) AS count, max(failedAt) AS failedAt FROM ruleProgram
      WHERE ruleID = ? AND failedAt IS NOT NULL GROUP BY program ORDER BY program
      """, [rule.rawValue]
    ) { row in
      RuleProgramFailure(
        program: row["program"], fact: row["failure"], count: row.count("count"),
        at: row.date("failedAt") ?? Date(milliseconds: 0))
    }
  }
}

extension ProgramWork {
  /// The queue leaves out notifications.
  package static let table = WorkTable(
    "SELECT p.id, p.program, p.articleID, ifnull(r.name, '') AS rule",
    from: """
      ruleProgram p CROSS JOIN article a ON a.id = p.articleID
      CROSS JOIN feed f ON f.id = a.feedID LEFT JOIN rule r ON r.id = p.ruleID
      """,
    waiting: "p.failedAt IS NULL AND f.removedAt IS NULL",
    queue: "AND p.program IS NOT NULL ORDER BY p.id", key: "p.id", name: "p.program"
  ) { row in
    RuleProgramTask(
      id: row["id"], program: row["program"], rule: row["rule"], article: row.id("articleID"))
  }

  /// Returns waiting notifications, oldest first.
  public func pendingNotifications() throws(StoreError) -> [RuleProgramTask] {
    try database.read { db in try Self.table.list(db, "AND p.program IS NULL ORDER BY p.id") }
  }

  /// Claims waiting tasks before they are run, so that none runs twice even if the process ends.
  /// Returns those that still waited.
  public func claimRulePrograms(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
    try await database.write(.user) { db, now in
      try db.values(
        """
        UPDATE ruleProgram SET failedAt = ?, failure = ''
        WHERE id IN (SELECT value FROM json_each(?)) AND failedAt IS NULL RETURNING id
        """, [now.milliseconds, SQLText.json(ids)])
    }
  }

  public func endRulePrograms(_ ids: [Int64], _ end: RuleProgramEnd) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      for id in ids {
        switch end {
        case .done(let note):
          if let note,
            let article: Int64 = try db.value(
              "SELECT articleID FROM ruleProgram WHERE id = ?", [id])
          {
            try NoteRows.set(note.html, by: note.program, of: article, db, at: now)
          }
          try db.run("DELETE FROM ruleProgram WHERE id = ?", [id])
        case .failed(let fact):
          try db.run(
            "UPDATE ruleProgram SET failedAt = ?, failure = ? WHERE id = ?",
            [now.milliseconds, fact, id])
        }
      }
    }
  }
}

/// A program's answer about an article.
public struct RuleNote: Sendable, Equatable {
  /// The user's name for the program.
  public var program: String
  /// See `ArticleNote.html(ofText:)`.
  public var html: String
  public init(program: String, html: String) { (self.program, self.html) = (program, html) }
}

/// The outcome of a program that a rule ran.
public enum RuleProgramEnd: Sendable, Equatable {
  /// - Parameter note: the output, to be stored with the article.
  case done(note: RuleNote?)
  /// - Parameter fact: the system's message; `nil` if the program does not exist, or rules may not
  ///   run it.
  case failed(fact: String?)
}

package enum RuleProgramRows {
  /// Largest number of waiting programs of one rule, so that a feed that returns its whole history
  /// does not start hundreds.
  static let mostWaiting = 50
  /// Time for which failures are shown.
  static let memory = Duration.days(30)

  /// - Parameter program: `nil` for the program for notifications.
  static func ask(
    _ program: String?, by rule: Int64, for article: Int64, at now: Date, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT INTO ruleProgram (articleID, ruleID, program, askedAt) SELECT ?1, ?2, ?3, ?4
      WHERE (SELECT count(*) FROM ruleProgram WHERE ruleID = ?2 AND failedAt IS NULL) < ?5
      """, [article, rule, program, now.milliseconds, mostWaiting])
  }

  package static func removeOld(_ db: Database, at now: Date) throws {
    try db.run(
      "DELETE FROM ruleProgram WHERE failedAt < ?", [now.milliseconds - memory.milliseconds])
  }
}
