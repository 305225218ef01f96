public import FeedModel
public import Foundation
import GRDB

// The programs that rules run: asked for by the merge, run by the engine.

/// A program that a rule runs for an article.
public struct RuleProgramTask: Sendable, Equatable {
  /// The key of its row in the cache.
  public var id: Int64
  /// A name of the configuration; nil: the program for notifications.
  public var program: String?
  /// The name of the rule.
  public var rule: String
  /// The article that the rule matched.
  public var article: ArticleID
}

/// Programs of a rule that failed.
public struct RuleProgramFailure: Sendable, Equatable {
  /// A name of the configuration; nil: the program for notifications.
  public var program: String?
  /// What the system said of the last one; nil: rules may not run it, or there is none of this
  /// name.
  public var fact: String?
  /// How many failed, the last one included.
  public var count: Int
  /// When the last one failed.
  public var at: Date
}

extension ReaderCache {
  /// What failed of the programs that a rule runs, by program.
  public func programFailures(of rule: RuleID) throws(StoreError) -> [RuleProgramFailure] {
    try database.read { db in
      try db.all(
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
}

extension EngineCache {
  /// Programs that wait, in the order in which they were asked for; without the notifications.
  public func pendingRulePrograms() throws(StoreError) -> [Int64] {
    try database.read { db in
      try db.values(
        "SELECT id FROM ruleProgram WHERE failedAt IS NULL AND program IS NOT NULL ORDER BY id")
    }
  }

  /// Nil if it does not wait, or not any more.
  public func pendingRuleProgram(_ id: Int64) throws(StoreError) -> RuleProgramTask? {
    try database.read { db in try RuleProgramRows.tasks(db, "p.id = ?", [id]).first }
  }

  /// Notifications that wait, the oldest first.
  public func pendingNotifications() throws(StoreError) -> [RuleProgramTask] {
    try database.read { db in try RuleProgramRows.tasks(db, "p.program IS NULL", []) }
  }

  /// Takes tasks from those that wait, before they are run: whatever ends the process then, none is
  /// run twice. Returns those that still waited.
  public func takeRulePrograms(_ ids: [Int64]) async throws(StoreError) -> [Int64] {
    try await database.write(.user) { db, now in
      try ids.filter { id in
        try db.run(
          "UPDATE ruleProgram SET failedAt = ?1, failure = '' WHERE id = ?2 AND failedAt IS NULL",
          [now.milliseconds, id]) > 0
      }
    }
  }

  /// Writes what came of programs.
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
        case .notAllowed:
          try db.run(
            "UPDATE ruleProgram SET failedAt = ?, failure = NULL WHERE id = ?",
            [now.milliseconds, id])
        case .failed(let fact):
          try db.run(
            "UPDATE ruleProgram SET failedAt = ?, failure = ? WHERE id = ?",
            [now.milliseconds, fact, id])
        }
      }
    }
  }
}

/// What a program said of an article.
public struct RuleNote: Sendable, Equatable {
  /// As the user calls it.
  public var program: String
  /// See `ArticleNote.html(ofText:)`.
  public var html: String
  /// - Parameter html: made by `ArticleNote.html(ofText:)`.
  public init(program: String, html: String) { (self.program, self.html) = (program, html) }
}

/// What came of a program that a rule ran.
public enum RuleProgramEnd: Sendable, Equatable {
  /// - Parameter note: what it printed, to be kept with the article.
  case done(note: RuleNote?)
  /// The configuration does not let rules run it, or has none of this name.
  case notAllowed
  /// - Parameter fact: what the system said.
  case failed(fact: String)
}

enum RuleProgramRows {
  /// Programs of one rule that may wait at once: a feed that brings its whole past must not start
  /// hundreds.
  static let mostWaiting = 50
  /// Failures are shown for so long.
  static let memory = Duration.days(30)

  /// - Parameter program: nil: the program for notifications.
  static func ask(
    _ program: String?, by rule: Int64, for article: Int64, at now: Date, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT INTO ruleProgram (articleID, ruleID, program, askedAt) SELECT ?1, ?2, ?3, ?4
      WHERE (SELECT count(*) FROM ruleProgram WHERE ruleID = ?2 AND failedAt IS NULL) < ?5
      """, [article, rule, program, now.milliseconds, mostWaiting])
  }

  static func forgetOld(_ db: Database, at now: Date) throws {
    try db.run(
      "DELETE FROM ruleProgram WHERE failedAt < ?", [now.milliseconds - memory.milliseconds])
  }

  static func tasks(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [RuleProgramTask] {
    try db.all(
      """
      SELECT p.id, p.program, p.articleID, ifnull(r.name, '') AS rule
      FROM ruleProgram p CROSS JOIN article a ON a.id = p.articleID
        CROSS JOIN feed f ON f.id = a.feedID LEFT JOIN rule r ON r.id = p.ruleID
      WHERE p.failedAt IS NULL AND f.removedAt IS NULL AND \(condition) ORDER BY p.id
      """, arguments
    ) { row in
      RuleProgramTask(
        id: row["id"], program: row["program"], rule: row["rule"], article: row.id("articleID"))
    }
  }
}
