import FeedModel
import Foundation
import GRDB

/// Effects of rules on articles: collected during judgement, then written at once.
struct RuleEffects {
  struct Hit: Codable, Equatable {
    var article: Int64
    var rule: Int64
    var revision: Int64
    var did: String
  }

  var read: [Int64] = []
  var starred: [Int64] = []
  var hidden: [Int64] = []
  var tags: [(article: Int64, tag: String)] = []
  var scores: [Int64: Int64] = [:]
  var highlights: [Int64: Int64] = [:]
  var pages: [Int64] = []
  var downloads: [Int64] = []
  /// Milliseconds since 1970 by article.
  var snoozed: [Int64: Int64] = [:]
  /// `nil`: the program for notifications.
  var programs: [(program: String?, rule: Int64, article: Int64)] = []
  var hits: [Hit] = []

  var isEmpty: Bool { hits.isEmpty && scores.isEmpty }

  /// - Parameter isArrival: `false` leaves out actions for arrivals.
  mutating func add(_ rule: CompiledRule, _ article: Int64, isArrival: Bool, at now: Date) {
    let id = rule.rule.id.rawValue
    let actions = rule.rule.actions.filter { isArrival || !$0.isOfArrivals }
    for action in actions {
      switch action {
      case .markRead: read.append(article)
      case .hide: hidden.append(article)
      case .star: starred.append(article)
      case .tag(let tag): tags.append((article, tag))
      case .score(let number): scores[article, default: 0] += Int64(number)
      // The first rule that has a colour for it.
      case .highlight(let color):
        if highlights[article] == nil { highlights[article] = Int64(color) }
      case .fullText: pages.append(article)
      case .download: downloads.append(article)
      case .snooze(let hours):
        if snoozed[article] == nil {
          snoozed[article] = (now + .hours(Double(hours))).milliseconds
        }
      case .notify: programs.append((nil, id, article))
      case .run(let program): programs.append((program, id, article))
      }
    }
    hits.append(
      Hit(
        article: article, rule: id, revision: rule.revision, did: RuleAction.text(actions)))
  }

  /// Writes them. What an article has already is not changed.
  /// - Returns: exactly what has changed.
  func write(_ db: Database, at now: Date) throws -> RuleChanges {
    var changes = RuleChanges()
    changes.unsent = try OutboxRows.without(read, starred, db)
    changes.read = try StatusRows.set(.read, true, read, db, at: now)
    changes.starred = try StatusRows.set(.starred, true, starred, db, at: now)
    // What another rule hides for good does not come back.
    let putOff = snoozed.filter { !hidden.contains($0.key) }
    let gone = hidden + putOff.keys.sorted()
    let stories = try StoryRoles.of(gone, db)
    changes.hidden = try RuledOut.hide(gone, db)
    let newlyHidden = Set(changes.hidden)
    changes.snoozed = putOff.filter { newlyHidden.contains($0.key) }
    try Snoozing.put(changes.snoozed ?? [:], db)
    try Snoozing.forget(hidden, db)
    changes.stories = try StoryRoles.changed(stories, db)
    var rows = TagRows(db, at: now)
    for (article, tag) in tags {
      let spelled = try TagRows.known(TagRows.tidied(tag), db)
      let isWithout = try OutboxRows.isWithout(spelled, of: article, db)
      if let tag = try rows.set(spelled, true, of: article) {
        if isWithout { changes.unsent.tags.append(.init(article: article, tag: tag)) }
        changes.tags.append(RowChange(table: .articleTag, id: article, before: nil, after: [tag]))
      }
    }
    for (article, number) in scores where number != 0 {
      changes.scores[article] = number
    }
    try RuledOut.addScores(changes.scores, db)
    for (article, color) in highlights {
      let before: Int64? = try db.value(
        "SELECT highlight FROM articleStatus WHERE articleID = ?", [article])
      guard let before, before != color else { continue }
      try RuledOut.highlight(article, color, db)
      changes.highlights[article] = [before, color]
    }
    try FullTextRows.ask(forPages: pages, at: now, db)
    for task in programs {
      try RuleProgramRows.ask(task.program, by: task.rule, for: task.article, at: now, db)
    }
    for article in downloads { try DownloadRows.request(article, at: now, db) }
    for hit in hits {
      let isNew = try db.run(
        """
        INSERT INTO ruleHit (articleID, ruleID, revision, at, did) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET revision = ?3, at = ?4, did = ?5 WHERE revision <> ?3
        """, [hit.article, hit.rule, hit.revision, now.milliseconds, hit.did])
      if isNew > 0 { changes.hits.append(hit) }
    }
    return changes
  }
}

/// What rules have changed: the states, and where they were other ones before. Undo and redo put
/// them in place.
struct RuleChanges: Codable {
  /// Articles that became read, starred, hidden: ascending.
  var read: [Int64] = []
  var starred: [Int64] = []
  var hidden: [Int64] = []
  /// Until when some of the hidden ones are, in milliseconds since 1970; nil of changes that were
  /// made before there was this.
  var snoozed: [Int64: Int64]?
  /// Which copies of the hidden stories were shown in place of others.
  var stories: [StoryRoles] = []
  var tags: [RowChange] = []
  var scores: [Int64: Int64] = [:]
  /// Before and after.
  var highlights: [Int64: [Int64]] = [:]
  var hits: [RuleEffects.Hit] = []
  /// Articles whose servers were to get no state before this. What was not sent by the time of the
  /// undo is then not sent at all.
  var unsent: UnsentStates = UnsentStates()

  var articles: Set<Int64> {
    Set(read).union(starred).union(hidden).union(tags.map(\.id)).union(scores.keys)
      .union(highlights.keys)
  }

  var isEmpty: Bool { articles.isEmpty && hits.isEmpty }

  func apply(isUndo: Bool, _ db: Database, at now: Date) throws {
    let withdrawn = isUndo ? try OutboxRows.pending(unsent, db) : []
    _ = try StatusRows.set(.read, !isUndo, read, db, at: now)
    _ = try StatusRows.set(.starred, !isUndo, starred, db, at: now)
    if isUndo {
      try RuledOut.show(hidden, db)
      try Snoozing.forget(hidden, db)
    } else {
      _ = try RuledOut.hide(hidden, db)
      try Snoozing.put(snoozed ?? [:], db)
    }
    for story in stories { try story.apply(isUndo: isUndo, db) }
    var rows = TagRows(db, at: now)
    for change in isUndo ? tags.reversed() : tags {
      guard let tag = (change.before ?? change.after)?.first ?? nil else { continue }
      _ = try rows.set(tag, (isUndo ? change.before : change.after) != nil, of: change.id)
    }
    try OutboxRows.withdraw(withdrawn, db)
    try RuledOut.addScores(isUndo ? scores.mapValues { -$0 } : scores, db)
    for (article, colors) in highlights where colors.count == 2 {
      try RuledOut.highlight(article, colors[isUndo ? 0 : 1], db)
    }
    for hit in hits {
      if isUndo {
        try db.run(
          "DELETE FROM ruleHit WHERE articleID = ? AND ruleID = ?", [hit.article, hit.rule])
      } else {
        try db.run(
          """
          INSERT OR REPLACE INTO ruleHit (articleID, ruleID, revision, at, did)
          SELECT id, ?2, ?3, ?4, ?5 FROM article WHERE id = ?1
          """, [hit.article, hit.rule, hit.revision, now.milliseconds, hit.did])
      }
    }
  }
}

/// Writes the states that only rules change.
enum RuledOut {
  /// Returns the articles that no rule had hidden before.
  static func hide(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    try ids.filter { id in
      try db.run(
        "UPDATE articleStatus SET isHidden = isHidden | ?1 WHERE articleID = ?2 AND isHidden & ?1 = 0",
        [HiddenReason.rule, id]) > 0
    }
  }

  static func show(_ ids: [Int64], _ db: Database) throws {
    for id in ids {
      try db.run(
        "UPDATE articleStatus SET isHidden = isHidden & ~?1 WHERE articleID = ?2 AND isHidden & ?1 <> 0",
        [HiddenReason.rule, id])
    }
    try Deduplication.rejoin(ids, db)
  }

  static func addScores(_ scores: [Int64: Int64], _ db: Database) throws {
    for (id, number) in scores {
      try db.run(
        "UPDATE articleStatus SET score = score + ? WHERE articleID = ?", [number, id])
    }
  }

  static func highlight(_ id: Int64, _ color: Int64, _ db: Database) throws {
    try db.run("UPDATE articleStatus SET highlight = ? WHERE articleID = ?", [color, id])
  }
}
