import Foundation
import GRDB

/// Effects of rules on articles, collected during judgement and then written at once.
struct RuleEffects {
  var marks: [Mark: [Int64]] = [:]
  var hidden: [Int64] = []
  var tags: [(article: Int64, tag: String)] = []
  var highlights: [Int64: Int64] = [:]
  var pages: [Int64] = []
  var downloads: [Int64] = []
  /// Milliseconds since 1970 by article.
  var snoozed: [Int64: Int64] = [:]
  /// Programs to run; `nil` is the program for notifications.
  var programs: [(program: String?, rule: Int64, article: Int64)] = []
  /// New values of rows of `ruleHit`.
  var hits: [(article: Int64, values: [String: String])] = []

  /// - Parameter isArrival: `false` leaves out actions for arrivals.
  mutating func add(_ rule: CompiledRule, _ article: Int64, isArrival: Bool, at now: Date) {
    let id = rule.rule.id.rawValue
    let actions = rule.rule.actions.filter { isArrival || !$0.isOfArrivals }
    for action in actions {
      switch action {
      case .markRead: marks[.read, default: []].append(article)
      case .hide: hidden.append(article)
      case .star: marks[.starred, default: []].append(article)
      case .later: marks[.later, default: []].append(article)
      case .tag(let tag): tags.append((article, tag))
      // The first rule with a colour decides.
      case .highlight(let color):
        if highlights[article] == nil { highlights[article] = Int64(color) }
      case .fullText: pages.append(article)
      case .download: downloads.append(article)
      case .snooze(let hours):
        if snoozed[article] == nil { snoozed[article] = (now + .hours(Double(hours))).milliseconds }
      case .notify: programs.append((nil, id, article))
      case .run(let program): programs.append((program, id, article))
      }
    }
    let values = [
      "ruleID": String(id), "revision": String(rule.revision), "at": String(now.milliseconds),
      "did": RuleAction.text(actions),
    ]
    hits.append((article, values))
  }

  /// Returns the revisions that have acted on the article, by rule.
  static func revisions(of article: Int64, _ db: Database) throws -> [Int64: Int64] {
    try db.dictionary("SELECT ruleID, revision FROM ruleHit WHERE articleID = ?", [article]) {
      ($0["ruleID"], $0["revision"])
    }
  }

  struct Outcome {
    var images: [RowImages] = []
    /// Articles that became read, starred or kept for later.
    var marked: Set<Int64> = []

    var articles: Set<Int64> { Set(images.filter { $0.table != "ruleHit" }.flatMap(\.keys)) }
  }

  /// Writes the effects, except states that an article has already.
  func write(_ transaction: Transaction) throws -> Outcome {
    let (db, now) = (transaction.db, transaction.now)
    var outcome = Outcome()
    for mark in Mark.allCases {
      var articles = marks[mark] ?? []
      if mark == .read { articles = try KeptUnread.removing(from: articles, db) }
      outcome.images += try Marks.set(mark, true, articles, transaction)
    }
    outcome.marked = Set(outcome.images.flatMap(\.keys))
    let newlyHidden = try Hiding.hide(hidden, for: HiddenReason.rule, db)
    outcome.images.append(RowImages("isHidden", of: newlyHidden, 0, HiddenReason.rule))
    // An article that another rule hides for good is not snoozed.
    outcome.images += try Snoozing.put(snoozed.filter { !hidden.contains($0.key) }, .rule, db)
    var rows = TagRows(transaction)
    outcome.images += try rows.set(tags.map { ($0.article, TagRows.tidied($0.tag)) }, true)
    for (article, color) in highlights {
      let before: Int64? = try db.value(
        "SELECT highlight FROM articleStatus WHERE articleID = ?", [article])
      guard let before, before != color else { continue }
      try db.run("UPDATE articleStatus SET highlight = ? WHERE articleID = ?", [color, article])
      outcome.images.append(RowImages("highlight", of: [article], before, color))
    }
    try FullTextRows.ask(forPages: pages, at: now, db)
    for task in programs {
      try RuleProgramRows.ask(task.program, by: task.rule, for: task.article, at: now, db)
    }
    for article in downloads { try DownloadRows.request(article, at: now, db) }
    let written = try hits.filter { article, hit in
      try db.run(
        """
        INSERT INTO ruleHit (articleID, ruleID, revision, at, did) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET revision = ?3, at = ?4, did = ?5 WHERE revision <> ?3
        """, [article, hit["ruleID"], hit["revision"], hit["at"], hit["did"]]) > 0
    }
    for (values, hits) in Dictionary(grouping: written, by: \.values) {
      outcome.images.append(RowImages("ruleHit", hits.map(\.article), before: nil, after: values))
    }
    outcome.images.removeAll { $0.keys.isEmpty }
    return outcome
  }
}
