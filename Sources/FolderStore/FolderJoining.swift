import ArticleStore
package import CacheCore
import FeedModel
package import FolderSync
import Foundation
import GRDB

extension SharedFolderCache {
  /// Returns what joining the folder that was begun would change.
  package func joinPlan(_ mode: JoinPlan.Mode) throws(StoreError) -> JoinPlan {
    let now = database.now
    return try database.read { db in try Joining(db, mode, at: now).plan }
  }

  /// Joins the folder that was begun, whose files have been read. One entry of the journal, which
  /// undoes the changes here and leaves the folder.
  package func join(_ mode: JoinPlan.Mode) async throws(StoreError) {
    try await database.change { transaction in
      let db = transaction.db
      guard var folder = try OpenFolder(transaction), !folder.row.isJoined else { return }
      let joining = try Joining(db, mode, at: transaction.now)
      var states = ArticleStates(transaction)
      let images = try RowImages.recorded(["folder", "feed", "savedSearch", "rule"], db) {
        for entry in folder.row.author.number(joining.plan.entries) { try folder.add(entry) }
        var feeds = try FeedStates(transaction, folder.registers.feedState())
        for (index, local) in joining.local.enumerated() {
          if joining.plan.unsubscribed.contains(index) {
            _ = try FeedRemoval.remove(local.id, .none, transaction)
          } else if !joining.plan.duplicates.contains(index) {
            try feeds.bind([joining.plan.keys[index]], to: local.id)
          }
        }
        feeds = try FeedStates(transaction, folder.registers.feedState())
        let keys = feeds.state.feeds().flatMap(\.keys)
        _ = try feeds.apply(Set(keys))
        for local in feeds.local { try states.add(allOf: local.id) }
        try states.apply()
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
        db, .joinFolder, images + states.images + [membership], count: joining.plan.there,
        subject: folder.row.path, at: transaction.now)
      folder.row.isJoined = true
      try folder.row.save(db)
    }
  }
}

/// A plan for joining, with the feeds of this device that it numbers.
private struct Joining {
  let local: [FeedStates.Local]
  let plan: JoinPlan

  init(_ db: Database, _ mode: JoinPlan.Mode, at now: Date) throws {
    local = try FeedStates.local(db).filter(\.isSubscribed)
    var marks: [(feed: Int, field: Field, articles: [ArticleIdentity])] = []
    for (index, feed) in local.enumerated() {
      let since = now.milliseconds - Limits.exported
      for (field, condition, since) in [
        (Field.read, "isRead = 1", since), (.starred, "isStarred = 1", 0),
      ] {
        let articles = try db.all(
          """
          SELECT a.identity, ifnull(a.link, 1) AS link FROM article a
            JOIN articleStatus s ON s.articleID = a.id
          WHERE a.feedID = ? AND s.\(condition) AND a.firstSeenAt >= ?
            AND NOT EXISTS (SELECT 1 FROM folderRegister r WHERE r.kind = 2 AND r.field = ?
              AND r.item = a.identity AND r.subject IN (SELECT key FROM folderFeed WHERE feedID = ?1))
          """, [feed.id, since, field.rawValue], Self.article)
        marks.append((index, field, articles))
      }
      let tags = try db.all(
        """
        SELECT t.tag, a.identity, ifnull(a.link, 1) AS link FROM article a
          JOIN articleTag t ON t.articleID = a.id WHERE a.feedID = ?
        """, [feed.id]
      ) { (tag: $0["tag"] as String, article: Self.article($0)) }
      for (tag, articles) in Dictionary(grouping: tags, by: \.tag).sorted(by: { $0.key < $1.key }) {
        marks.append((index, .tag(tag), articles.map(\.article)))
      }
    }
    plan = JoinPlan(
      local.map(\.feed), marks.filter { !$0.articles.isEmpty },
      joining: try RegisterRows(db: db).feedState(), mode)
  }

  private static func article(_ row: Row) -> ArticleIdentity {
    let (identity, link): (Int64, Int64) = (row["identity"], row["link"])
    return ArticleIdentity(
      item: UInt64(bitPattern: identity),
      link: Link.isStory(link) ? UInt64(bitPattern: link) : nil)
  }
}
