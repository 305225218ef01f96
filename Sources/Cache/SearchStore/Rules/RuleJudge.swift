import Foundation
import GRDB

/// Judges arrivals in the transaction of their merge. A rule acts on an article once: if the
/// article changes later, only rules that have not acted on it are applied.
package struct RuleArrivals: MergeParticipant {
  private let compiler = RuleCompiler()
  private let options: StoreOptions

  package init(_ options: StoreOptions) { self.options = options }

  package func begin(_ transaction: Transaction) throws -> ArrivalHandler {
    let set = try compiler.rules(transaction.db, now: transaction.now, options: options)
    return { arrivals in
      try judge(arrivals.updated, of: arrivals.feed, isNew: false, by: set, transaction)
      try judge(arrivals.added, of: arrivals.feed, isNew: true, by: set, transaction)
    }
  }

  /// - Parameter articles: complete articles, including their IDs at servers.
  private func judge(
    _ articles: [Int64], of feed: Int64, isNew: Bool, by set: RuleSet, _ transaction: Transaction
  ) throws {
    let (db, now) = (transaction.db, transaction.now)
    guard !articles.isEmpty, !set.rules.isEmpty, let feed = try JudgedFeed.find(feed, db) else {
      return
    }
    let rules = FeedRules(set, of: feed, now: now)
    guard !rules.isEmpty else { return }
    var effects = RuleEffects()
    for article in try JudgedArticle.find(articles, of: feed, db, options.plainText) {
      let candidates = rules.candidates(article.text)
      guard !candidates.isEmpty else { continue }
      let done = isNew ? [:] : try RuleEffects.revisions(of: article.columns.id, db)
      for rule in candidates where try rule.matches(article) {
        if done[rule.rule.id.rawValue] != rule.revision {
          effects.add(rule, article.columns.id, isArrival: isNew, at: now)
        }
        if rule.rule.draft.stops { break }
      }
    }
    guard !effects.hits.isEmpty else { return }
    let marked = try effects.write(transaction).marked
    // Records changes of earlier duplicates for observers of events.
    try Marks.note(marked.subtracting(isNew ? articles : []), db)
  }
}
