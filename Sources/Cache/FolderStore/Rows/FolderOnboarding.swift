import Foundation
import GRDB

extension SharedFolderCache {
  /// The folder must have been read after `begin`.
  package func onboardingPlan(_ mode: OnboardingPlan.Mode) throws(StoreError) -> OnboardingPlan {
    try database.read { db in try Onboarding(db, mode).plan }
  }

  /// Joins the folder, whose files must have been read after `begin`. Feeds, searches and rules are
  /// joined at once, articles by the following calls of `advance`. All changes are one entry of the
  /// journal; undoing it also leaves the folder.
  package func join(_ mode: OnboardingPlan.Mode) async throws(StoreError) {
    try await database.change { transaction in
      let db = transaction.db
      guard var folder = try OpenFolder(transaction), !folder.row.isJoined else { return }
      let onboarding = try Onboarding(db, mode)
      let images = try RowImages.recorded(["folder", "feed", "savedSearch", "rule"], db) {
        for entry in onboarding.plan.entries { try folder.add { $0.number([entry]) } }
        var feeds = try FeedStates(transaction, folder.registers.feedState())
        for (index, local) in onboarding.local.enumerated() {
          if onboarding.plan.unsubscribed.contains(index) {
            try FeedRemoval.remove(local.id, transaction)
          } else if !onboarding.plan.duplicates.contains(index) {
            try feeds.bind([onboarding.plan.keys[index]], to: local.id)
          }
        }
        feeds = try FeedStates(transaction, folder.registers.feedState())
        let keys = feeds.state.feeds().flatMap(\.keys)
        _ = try feeds.apply(Set(keys), isOnboarding: true)
        let objects = feeds.state.registers.keys.compactMap { key -> ObjectID? in
          if case .object(let object) = key.subject { object } else { nil }
        }
        try ObjectStates(transaction, feeds.state).join(Set(objects), &folder)
        let orders = FolderOrders(transaction, feeds.state)
        try orders.apply(Set(objects))
        try orders.join(&folder)
      }
      let membership = RowImages("syncFolder", [1], before: nil, after: ["path": folder.row.path])
      try Journal.add(
        db, .joinFolder, images + [membership], count: onboarding.plan.there,
        subject: folder.row.path, at: transaction.now)
      (folder.row.onboarding, folder.row.isJoined) = (db.lastInsertedRowID, true)
      try folder.mergeArticlesLater(ofFeeds: "feedID IS NOT NULL")
      try folder.row.save(db)
    }
  }
}

/// An onboarding plan and the feeds of this device, to which the plan refers by index.
private struct Onboarding {
  let local: [FeedStates.Local]
  let plan: OnboardingPlan

  init(_ db: Database, _ mode: OnboardingPlan.Mode) throws {
    local = try FeedStates.local(db).filter(\.isSubscribed)
    plan = OnboardingPlan(local.map(\.feed), onboarding: try RegisterRows(db: db).feedState(), mode)
  }
}

/// The state of an article that is exported.
private struct Mark: Hashable {
  var field: Field
  var value: JSONValue
  var text: String { field.rawValue + " " + String(decoding: value.bytes, as: UTF8.self) }
}

// Articles join in short transactions, between which the user's writes are served.
extension OpenFolder {
  /// Lets the following calls of `mergeArticles` begin with these feeds, if they have articles.
  func mergeArticlesLater(
    ofFeeds condition: String, _ arguments: StatementArguments = []
  ) throws {
    try db.run(
      """
      UPDATE folderFeed SET mergedTo = -1 << 63 WHERE place = 0 AND \(condition)
        AND EXISTS (SELECT 1 FROM article a WHERE a.feedID = folderFeed.feedID)
      """, arguments)
  }

  /// Applies the states in the folder to some articles of a feed that is new to the folder. While
  /// the folder is being joined, first exports the articles' states that the folder lacks.
  mutating func mergeArticles() throws {
    let next: (key: Int64, feed: Int64?, after: Int64)? = try db.first(
      "SELECT key, feedID, mergedTo FROM folderFeed WHERE mergedTo IS NOT NULL ORDER BY key LIMIT 1"
    ) { ($0["key"], $0["feedID"], $0["mergedTo"]) }
    guard let next else {
      row.onboarding = nil
      return
    }
    let articles: [(id: Int64, identity: Int64)] = try db.all(
      "SELECT id, identity FROM article WHERE feedID = ? AND identity > ? ORDER BY identity LIMIT ?",
      [next.feed, next.after, Self.step]
    ) { ($0["id"], $0["identity"]) }
    let key = FeedKey(rawValue: UInt64(bitPattern: next.key))
    var states = ArticleStates(transaction)
    var count = 0
    while count < articles.count, count == 0 || !isLate {
      let part = articles[count..<min(articles.count, count + Self.part)].map(\.id)
      if row.onboarding != nil, let feed = next.feed { try export(part, of: feed, key) }
      for article in part { states.add(article: article) }
      try states.apply()
      count += part.count
    }
    if let entry = row.onboarding, !states.images.isEmpty {
      try Journal.append(states.images, to: entry, db)
    }
    let isLast = count == articles.count && count < Self.step
    let last = isLast ? nil : articles[count - 1].identity
    try db.run("UPDATE folderFeed SET mergedTo = ? WHERE key = ?", [last, next.key])
  }

  /// Writes entries for states of articles that the folder lacks, with the time of onboarding.
  private mutating func export(_ articles: [Int64], of feed: Int64, _ key: FeedKey) throws {
    let marks: [(mark: Mark, article: ArticleIdentity)] = try db.all(
      """
      WITH chosen AS (
          SELECT a.id, a.identity, a.link, a.firstSeenAt,
            s.isRead, s.isStarred, s.laterAt, s.isHidden
          FROM json_each(?1) j CROSS JOIN article a ON a.id = j.value
            CROSS JOIN articleStatus s ON s.articleID = a.id),
        mark (id, field, number, share) AS (
          SELECT id, 'read', NULL, NULL FROM chosen WHERE isRead = 1 AND firstSeenAt >= ?2
          UNION ALL SELECT id, 'starred', NULL, NULL FROM chosen WHERE isStarred = 1
          UNION ALL SELECT id, 'later', NULL, NULL FROM chosen WHERE laterAt IS NOT NULL
          UNION ALL SELECT id, 'deleted', NULL, NULL FROM chosen WHERE isHidden & ?4 <> 0
          UNION ALL SELECT c.id, 'tag:' || t.tag, NULL, NULL FROM chosen c
            CROSS JOIN articleTag t ON t.articleID = c.id
          UNION ALL SELECT c.id, 'position', p.block, p.share FROM chosen c
            CROSS JOIN readingPosition p ON p.articleID = c.id
          UNION ALL SELECT c.id, 'snoozed', z.until, NULL FROM chosen c
            CROSS JOIN snooze z ON z.articleID = c.id WHERE z.reason = 0)
      SELECT m.field, m.number, m.share, c.identity, ifnull(c.link, 1) AS link
      FROM mark m JOIN chosen c ON c.id = m.id
      WHERE NOT EXISTS (SELECT 1 FROM folderRegister r WHERE r.kind = 2 AND r.field = lower(m.field)
        AND r.item = c.identity AND r.subject IN (SELECT key FROM folderFeed WHERE feedID = ?3))
      """, [SQLText.json(articles), transaction.at - Limits.exported, feed, HiddenReason.deleted]
    ) { row in
      let (identity, link): (Int64, Int64) = (row["identity"], row["link"])
      let article = ArticleIdentity(
        item: UInt64(bitPattern: identity),
        link: Link.isIdentifying(link) ? UInt64(bitPattern: link) : nil)
      let field = Field(rawValue: row["field"])
      let number: Int64? = row["number"]
      let value: JSONValue =
        field == .position ? Self.position(number, row["share"]) : .integer(number ?? 1)
      return (Mark(field: field, value: value), article)
    }
    let groups = Dictionary(grouping: marks, by: \.mark)
    for (mark, marks) in groups.sorted(by: { $0.key.text < $1.key.text }) {
      try export(mark.field, of: .articles(key, marks.map(\.article)), mark.value)
    }
  }
}
