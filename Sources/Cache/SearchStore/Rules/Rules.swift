public import Foundation
import GRDB

// The user's operations on rules. Each change is one entry of the undo journal, with its effects on
// existing articles.

/// The articles that a rule acts on when it is made or enabled.
public enum RuleReach: Sendable, Hashable {
  /// Later articles only.
  case arrivals
  /// These articles too, which a dry run has found.
  case also([ArticleID])
}

/// The number of articles that a rule acted on in a week.
public struct RuleWeek: Sendable, Hashable {
  /// First instant of the seven days.
  public var from: Date
  public var articles: Int
}

extension RuleCache {
  /// Returns the rules in the order in which they are judged: those of `rules.toml` first.
  public func all() throws(StoreError) -> [Rule] {
    try database.read { db in try RuleRows.all(db) }
  }

  /// Returns a rule; throws `.notFound` if it was removed.
  public func rule(_ id: RuleID) throws(StoreError) -> Rule {
    try database.read { db in try RuleRows.find(id, db) }
  }

  /// Adds a rule after the others.
  /// - Parameter reach: `nil` leaves the rule disabled.
  /// - Returns: the rule's key, and the number of changed articles.
  @discardableResult
  public func addRule(
    _ draft: RuleDraft, reach: RuleReach?
  ) async throws(StoreError) -> (id: RuleID, changed: Int) {
    try await change(nil, .addRule, reach) { db, now in
      _ = try RuleRows.insert(draft, isEnabled: reach != nil, isFile: false, at: now, db)
    }
  }

  /// Changes a rule; its former effects stay. Throws `.notAllowed` for a rule of the file.
  public func editRule(_ rule: RuleID, _ draft: RuleDraft) async throws(StoreError) {
    _ = try await change(rule, .editRule, nil) { db, _ in
      try RuleRows.update(rule.rawValue, draft, db)
    }
  }

  /// Enables a rule and applies it to the articles in `reach`. Returns the number changed.
  @discardableResult
  public func enableRule(_ rule: RuleID, reach: RuleReach) async throws(StoreError) -> Int {
    try await change(rule, .enableRule, reach) { db, _ in
      try db.run("UPDATE rule SET isEnabled = 1 WHERE id = ? AND problem IS NULL", [rule.rawValue])
    }.changed
  }

  /// Disables a rule; its effects stay.
  public func disableRule(_ rule: RuleID) async throws(StoreError) {
    _ = try await change(rule, .disableRule, nil) { db, _ in
      try db.run("UPDATE rule SET isEnabled = 0 WHERE id = ?", [rule.rawValue])
    }
  }

  /// Removes a rule; its effects stay.
  public func removeRule(_ rule: RuleID) async throws(StoreError) {
    _ = try await change(rule, .removeRule, nil) { db, _ in
      try db.run("DELETE FROM rule WHERE id = ?", [rule.rawValue])
    }
  }

  /// - Parameter rule: `nil` for the rule that `body` inserts.
  private func change(
    _ rule: RuleID?, _ kind: JournalEntry.Kind, _ reach: RuleReach?,
    _ body: @escaping @Sendable (Database, Date) throws -> Void
  ) async throws(StoreError) -> (id: RuleID, changed: Int) {
    try await database.change { [options = database.options] transaction in
      let (db, now) = (transaction.db, transaction.now)
      let old = try rule.map { try RuleRows.find($0, db) }
      guard old?.isFile != true else { throw StoreError.notAllowed }
      let known = rule.map { [$0.rawValue] } ?? []
      var images = try RowImages.recorded(["rule"], of: known, db) { try body(db, now) }
      let id = rule ?? RuleID(rawValue: db.lastInsertedRowID)
      if rule == nil { images = try RowImages.inserted(id.rawValue, in: "rule", db) }
      var effects = RuleEffects()
      if case .also(let articles) = reach,
        let rule = try RuleSet.load(db, now: now, options: options).set.rules.first(
          where: { $0.rule.id == id })
      {
        for article in articles.map(\.rawValue) {
          guard try RuleEffects.revisions(of: article, db)[id.rawValue] != rule.revision,
            try db.exists("SELECT 1 FROM article WHERE id = ?", [article])
          else { continue }
          effects.add(rule, article, isArrival: false, at: now)
        }
      }
      let outcome = try effects.write(transaction)
      let count = outcome.articles.count
      let name = try old?.name ?? RuleRows.find(id, db).name
      try Journal.add(db, kind, images + outcome.images, count: count, subject: name, at: now)
      return (id, count)
    }
  }

  /// Replaces the rules that came from `rules.toml`. An equal rule keeps its key and effects. Not
  /// undoable, because the file is the source.
  /// - Returns: true if anything changed.
  @discardableResult
  public func setFileRules(
    _ drafts: [(draft: RuleDraft, isEnabled: Bool)]
  ) async throws(StoreError) -> Bool {
    try await database.write(.user) { db, now in
      var old = try RuleRows.all(db).filter(\.isFile)
      let wanted = drafts.map { ($0.draft, $0.isEnabled) }
      let known = old.map { ($0.draft, $0.isEnabled || $0.problem != nil) }
      func isSame(_ a: (RuleDraft, Bool), _ b: (RuleDraft, Bool)) -> Bool {
        a.0.query == b.0.query && a.0.actions == b.0.actions && a.0.stops == b.0.stops
          && a.0.until?.milliseconds == b.0.until?.milliseconds && a.1 == b.1
          && (a.0.name.isEmpty || b.0.name.isEmpty || a.0.name == b.0.name)
      }
      if wanted.count == known.count, zip(wanted, known).allSatisfy(isSame) { return false }
      for (position, (draft, isEnabled)) in drafts.enumerated() {
        let same = old.firstIndex { $0.query == draft.query && $0.actions == draft.actions }
        let id: Int64
        if let same {
          id = old.remove(at: same).id.rawValue
          try RuleRows.update(id, draft, db)
        } else {
          id = try RuleRows.insert(draft, isEnabled: isEnabled, isFile: true, at: now, db)
        }
        try db.run(
          "UPDATE rule SET position = ?, isEnabled = ? AND problem IS NULL WHERE id = ?",
          [position, isEnabled, id])
      }
      for rule in old { try db.run("DELETE FROM rule WHERE id = ?", [rule.id.rawValue]) }
      return true
    }
  }

  // MARK: Effects

  /// Returns the rules that have acted on an article, in their order.
  public func judgements(of article: ArticleID) throws(StoreError) -> [RuleJudgement] {
    try database.all(
      """
      SELECT h.ruleID, r.name, h.did, h.at FROM ruleHit h LEFT JOIN rule r ON r.id = h.ruleID
      WHERE h.articleID = ? ORDER BY h.at, r.isFile DESC, r.position, h.ruleID
      """, [article.rawValue]
    ) { row in
      RuleJudgement(
        rule: row.id("ruleID"), name: row["name"] as String?,
        actions: RuleAction.actions(row["did"]) ?? [], at: Date(milliseconds: row["at"]))
    }
  }

  /// Returns the weeks in which a rule has acted, newest first.
  public func weeks(of rule: RuleID, atMost count: Int = 12) throws(StoreError) -> [RuleWeek] {
    let week = Duration.days(7).milliseconds
    let now = database.now.milliseconds
    return try database.all(
      """
      SELECT (?1 - at) / ?2 AS ago, count(*) AS articles FROM ruleHit
      WHERE ruleID = ?3 AND at <= ?1 AND at > ?1 - ?2 * ?4 GROUP BY ago ORDER BY ago
      """, [now, week, rule.rawValue, count]
    ) { row in
      let ago: Int64 = row["ago"]
      return RuleWeek(from: Date(milliseconds: now - (ago + 1) * week), articles: row["articles"])
    }
  }

  /// Records that an article was opened, for suggestions, and requests its file of chapters.
  public func noteOpened(_ article: ArticleID) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      try db.run(
        "UPDATE articleStatus SET openedAt = ? WHERE articleID = ? AND openedAt IS NULL",
        [now.milliseconds, article.rawValue])
      try db.run(
        "UPDATE chapters SET state = 1 WHERE articleID = ? AND state = 0", [article.rawValue])
    }
  }
}

extension ArticleCache {
  /// Returns the articles that rules have hidden: alone, or among those of a list.
  ///
  /// The index of a list does not contain hidden articles, so both are read and then sorted: at
  /// most `mostSorted` hidden ones, and as many of the list.
  /// - Parameter isAlone: `false` includes the articles of the list.
  public func hiddenByRules(
    in query: ArticleQuery, isAlone: Bool
  ) throws(StoreError) -> SearchHits {
    try database.read { db in
      var plain = query
      plain.hits = nil
      plain.showsHiddenByRules = false
      let list = try ArticleList(plain, db, midnight: database.midnight)
      var sql = Conditions(index: nil, needle: nil)
      list.add(to: &sql, isHidden: "s.isHidden = \(HiddenReason.rule)")
      var keys = try db.all(
        """
        SELECT s.sortDate, s.articleID FROM articleStatus s INDEXED BY list_ruled
        WHERE s.isHidden & \(HiddenReason.rule) <> 0 AND \(sql.conditions)
        ORDER BY s.sortDate DESC LIMIT ?
        """, sql.arguments + [ArticleCache.mostSorted], ListKey.init)
      let most = ArticleCache.mostSorted
      let shown = isAlone ? [] : try list.keys(db, from: nil, descending: true, limit: most + 1)
      let isCut = shown.count > most
      keys = (keys + shown.prefix(most)).sorted { $0 > $1 }
      return SearchHits(
        keys: keys, continuesBefore: isCut ? keys.last?.id : nil, isWholeList: !isAlone)
    }
  }
}
