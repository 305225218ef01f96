public import Foundation
import GRDB

// Labels of an account's server become tags of its articles, except for tags with unsent changes. A
// tag that no server has shown yet stays, because it is the user's.

/// A label of an account's server, with the articles that have it.
public struct RemoteLabel: Sendable {
  /// The label in the server's spelling.
  public var label: String
  public var names: RemoteNames

  public init(_ label: String, _ names: RemoteNames) { (self.label, self.names) = (label, names) }
}

extension AccountSyncCache {
  /// Applies the server's labels to known articles, except where the outbox has a change; confirmed
  /// changes are treated as in `applyStates`. A tag whose label the server no longer has is removed
  /// from the articles that got it from the server.
  /// - Parameters:
  ///   - labels: all labels of the server, without its folders.
  ///   - folders: names of the server's folders; tags with such a name stay.
  ///   - began: the start of fetching the lists.
  /// - Returns: the reason of a label that SQLite refuses.
  public func applyLabels(
    _ labels: [RemoteLabel], folders: Set<String>, of account: AccountID, began: Date
  ) async throws(StoreError) -> StoreError.Detail? {
    let (id, now) = (account.rawValue, database.now.milliseconds)
    var (updates, refusal) = try await database.write(.user) { db in
      try db.run("DELETE FROM remoteLabel WHERE accountID = ?", [id])
      var updates: [LabelUpdate] = []
      let refusal = try db.writeAccepted(labels[...]) { labels in
        let tags = try LabelRows.insert(labels.map(\.label), id, db)
        updates += zip(labels, tags).compactMap { label, tag in
          tag.map { LabelUpdate(account: id, tag: $0, members: label.names) }
        }
      }
      for update in updates { try update.verify(db, began: began) }
      // Deletes confirmed changes of tags that the server does not list, because it has no such
      // label or did not keep the change.
      try db.run(
        """
        DELETE FROM outbox WHERE accountID = ?1 AND key GLOB 'tag:*'
          AND state = \(OutboxRows.confirmed) AND (want = '0' OR confirmedAt <= ?2)
          AND NOT EXISTS (SELECT 1 FROM remoteLabel l
            WHERE l.accountID = ?1 AND l.tag = substr(outbox.key, 5))
        """, [id, began.milliseconds - OutboxRows.grace])
      try LabelRows.removeOthers(id, folders: folders, db, at: now)
      return (updates, refusal)
    }
    for update in updates {
      let different = try database.read { db in try update.differences(db) }
      let refused = try await inSteps(different) { try update.apply($0, $1, at: now) }
      refusal = refusal ?? refused
    }
    try await database.write(.engine) { db in try LaterTag.applyAll(id, db, at: now) }
    return refusal
  }

  /// Records that the server accepts no tags, so that changes of tags are not sent and stay here.
  /// - Returns: `false` if the server has labels: it accepts tags, and the request failed.
  public func noteRefusedTags(of account: AccountID) async throws(StoreError) -> Bool {
    try await database.write(.user) { db in
      let id = account.rawValue
      if try db.exists("SELECT 1 FROM remoteLabel WHERE accountID = ? LIMIT 1", [id]) {
        return false
      }
      try db.run("UPDATE account SET refusesTags = 1 WHERE id = ?", [id])
      try db.run("DELETE FROM outbox WHERE accountID = ? AND key GLOB 'tag:*'", [id])
      return true
    }
  }
}

/// Rows of `remoteLabel` and of tags from servers.
enum LabelRows {
  /// Returns the server's name of a tag; if the server has none yet, the configured name of the tag
  /// for Later, or the tag itself.
  static func label(of tag: String, _ account: Int64, _ db: Database) throws -> String {
    try db.value(
      """
      SELECT label FROM remoteLabel WHERE accountID = ?1 AND tag = ?2
      UNION ALL
      SELECT laterLabel FROM account WHERE id = ?1 AND laterTag = ?2 COLLATE NOCASE LIMIT 1
      """, [account, tag]) ?? tag
  }

  /// Returns true if the server has a folder with this name, and no label.
  static func isFolder(_ tag: String, _ account: Int64, _ db: Database) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM remoteFeed WHERE accountID = ?1 AND folder = ?2 COLLATE NOCASE
        AND NOT EXISTS (SELECT 1 FROM remoteLabel WHERE accountID = ?1 AND tag = ?2) LIMIT 1
      """, [account, tag])
  }

  /// - Returns: the tag of each label; `nil` if it is blank or an earlier label has the same tag.
  static func insert(_ labels: [String], _ account: Int64, _ db: Database) throws -> [String?] {
    let tags = try labels.map { label -> String? in
      let tag = TagRows.tidied(ItemText.label(label))
      guard !tag.isEmpty else { return nil }
      let known = try TagRows.known(tag, db)
      let written = try db.run(
        "INSERT OR IGNORE INTO remoteLabel (accountID, tag, label) VALUES (?, ?, ?)",
        [account, known, label])
      return written > 0 ? known : nil
    }
    if tags.contains(where: { $0 != nil }) {
      try db.run("UPDATE account SET refusesTags = 0 WHERE id = ? AND refusesTags", [account])
    }
    return tags
  }

  /// Removes tags that came from the server and have no label there any more.
  static func removeOthers(
    _ account: Int64, folders: Set<String>, _ db: Database, at now: Int64
  ) throws {
    let gone: [String] = try db.values(
      """
      SELECT DISTINCT t.tag FROM articleTag t JOIN remoteArticle r ON r.articleID = t.articleID
      WHERE t.isRemote = 1 AND r.accountID = ?1 AND NOT EXISTS
        (SELECT 1 FROM remoteLabel l WHERE l.accountID = ?1 AND l.tag = t.tag)
      """, [account])
    let folders = Set(folders.map { TagRows.tidied($0).lowercased() })
    for tag in gone where !folders.contains(tag.lowercased()) {
      let articles: [Int64] = try db.values(
        """
        DELETE FROM articleTag WHERE tag = ?1 AND isRemote = 1 AND articleID IN
          (SELECT r.articleID FROM remoteArticle r WHERE r.accountID = ?2
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.accountID = ?2 AND o.item = r.remoteID
              AND o.key = ?3 COLLATE NOCASE))
        RETURNING articleID
        """, [tag, account, OutboxRows.key(ofTag: tag)])
      try LaterTag.apply(tag, false, to: articles, of: account, db, at: now)
    }
  }

  /// Gives an article the tags of its labels at the server.
  @discardableResult
  static func give(
    _ article: Int64, labels: [String], _ account: Int64, _ db: Database
  ) throws -> Set<String> {
    var tags: Set<String> = []
    for label in labels {
      let tag: String? = try db.value(
        "SELECT tag FROM remoteLabel WHERE accountID = ? AND label = ?", [account, label])
      guard let tag, tags.insert(tag).inserted else { continue }
      try db.run(
        """
        INSERT INTO articleTag (articleID, tag, isRemote) VALUES (?, ?, 1)
        ON CONFLICT (articleID, tag) DO UPDATE SET isRemote = 1
        """, [article, tag])
    }
    return tags
  }
}

/// A tag of an account's articles, as its server lists it.
private struct LabelUpdate: Sendable {
  let account: Int64
  let tag: String
  let members: RemoteNames

  private var key: String { OutboxRows.key(ofTag: tag) }

  /// Checks confirmed changes against the server's list with `OutboxRows.verify`.
  func verify(_ db: Database, began: Date) throws {
    let rows = try OutboxRows.confirmedChanges(key, of: account, began: began, db)
    var results: [(ConfirmedChange, isShown: Bool)] = []
    for row in rows {
      guard let isMember = members.has(row.item) else { continue }
      results.append((row, isMember == row.isSet))
      // The server has accepted the tag, and decides about it from now on.
      try db.run(
        """
        UPDATE articleTag SET isRemote = 1 WHERE tag = ?1 AND articleID =
          (SELECT articleID FROM remoteArticle WHERE accountID = ?2 AND remoteID = ?3)
        """, [tag, account, row.item])
    }
    try OutboxRows.verify(results, began: began, db)
  }

  /// Applies differences, which are read again because they may have changed since.
  func apply(_ names: [String], _ db: Database, at now: Int64) throws {
    for name in try differences(db, among: names) {
      if members.has(name) == true {
        try db.run(
          """
          INSERT INTO articleTag (articleID, tag, isRemote)
          SELECT articleID, ?1, 1 FROM remoteArticle WHERE accountID = ?2 AND remoteID = ?3
          ON CONFLICT (articleID, tag) DO UPDATE SET isRemote = 1
          """, [tag, account, name])
      } else {
        let articles: [Int64] = try db.values(
          """
          DELETE FROM articleTag WHERE tag = ?1 AND articleID =
            (SELECT articleID FROM remoteArticle WHERE accountID = ?2 AND remoteID = ?3)
          RETURNING articleID
          """, [tag, account, name])
        try LaterTag.apply(tag, false, to: articles, of: account, db, at: now)
      }
    }
  }

  /// Returns the server's IDs of articles that have the tag on one side only, without those in the
  /// outbox.
  /// - Parameter some: the only articles that are compared; `nil` for all.
  func differences(_ db: Database, among some: [String]? = nil) throws -> [String] {
    let listed = some?.filter { members.has($0) == true } ?? members.listed.sorted()
    let missing: [String] = try db.values(
      """
      SELECT r.remoteID FROM json_each(?3) j
        JOIN remoteArticle r ON r.accountID = ?1 AND r.remoteID = j.value
        JOIN article a ON a.id = r.articleID JOIN feed f ON f.id = a.feedID
        LEFT JOIN articleTag t ON t.articleID = r.articleID AND t.tag = ?4
      WHERE ifnull(t.isRemote, 0) = 0 AND \(OutboxRows.isSettled)
      """, [account, key, SQLText.json(listed), tag])
    let extra: [String] = try db.values(
      """
      SELECT r.remoteID FROM articleTag t
        JOIN remoteArticle r ON r.articleID = t.articleID AND r.accountID = ?1
        JOIN article a ON a.id = r.articleID JOIN feed f ON f.id = a.feedID
      WHERE t.tag = ?3 AND t.isRemote = 1 AND \(OutboxRows.isSettled)
      """, [account, key, tag]
    ).filter { members.has($0) == false }
    return missing + (some.map { names in extra.filter(Set(names).contains) } ?? extra)
  }
}
