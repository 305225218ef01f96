import Foundation
import GRDB

// Tags that the user gives to articles and takes from them, on their way to the servers of
// accounts.

/// Tags that no server gets, although their articles belong to an account.
public struct LocalTags: Sendable, Hashable {
  /// Reasons why no server gets them.
  public enum Reason: Sendable, Hashable {
    /// Fever has no tags.
    case fever
    case server
    /// The server has a folder of this name, which is a label of its articles.
    case folder(String)
  }
  /// The account's title.
  public var account: String
  public var reason: Reason
}

extension OutboxRows {
  private static let tagPrefix = "tag:"

  static func key(ofTag tag: String) -> String { tagPrefix + tag }

  /// Returns `nil` for other keys.
  static func tag(_ key: String) -> String? {
    key.hasPrefix(tagPrefix) ? String(key.dropFirst(tagPrefix.count)) : nil
  }
}

/// Changes tags of articles.
struct TagRows {
  /// Characters.
  private static let longest = 64

  let db: Database
  let now: Date
  /// Reasons why some tags are not sent.
  private(set) var local: Set<LocalTags> = []

  init(_ db: Database, at now: Date) { (self.db, self.now) = (db, now) }

  /// Replaces white space and cuts the tag to 64 characters.
  static func tidied(_ tag: String) -> String {
    String(tag.split(whereSeparator: \.isWhitespace).joined(separator: "-").prefix(longest))
  }

  /// Returns the tag in the spelling of the first article that has it.
  static func known(_ tag: String, _ db: Database) throws -> String {
    try db.value("SELECT tag FROM articleTag WHERE tag = ? LIMIT 1", [tag]) ?? tag
  }

  /// Gives an article a tag or removes it. The change is queued for a server that has the tag or
  /// is to get it; a tag that was never sent is removed without a request.
  /// - Returns: the tag as it is spelled; nil if nothing has changed.
  mutating func set(_ tag: String, _ isSet: Bool, of article: Int64) throws -> String? {
    guard isSet else {
      let row: (tag: String, isRemote: Bool)? = try db.first(
        "DELETE FROM articleTag WHERE articleID = ? AND tag = ? RETURNING tag, isRemote",
        [article, tag]
      ) { ($0["tag"], $0["isRemote"]) }
      guard let row else { return nil }
      try record(row.tag, false, of: article, isRemote: row.isRemote)
      return row.tag
    }
    let written = try db.run(
      "INSERT OR IGNORE INTO articleTag (articleID, tag) SELECT id, ? FROM article WHERE id = ?",
      [tag, article])
    guard written > 0 else { return nil }
    try record(tag, true, of: article, isRemote: false)
    return tag
  }

  /// Called when a server has given an article a new ID: applies the tags that the article has
  /// there, and queues those that it had under its former ID.
  mutating func renew(_ article: Int64, labels: [String], _ account: Int64) throws {
    let former: [String] = try db.values(
      "SELECT tag FROM articleTag WHERE articleID = ? AND isRemote", [article])
    let shown = try LabelRows.give(article, labels: labels, account, db)
    for tag in former where !shown.contains(where: { $0.lowercased() == tag.lowercased() }) {
      try record(tag, true, of: article, isRemote: true)
    }
  }

  private mutating func record(
    _ tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool
  ) throws {
    let place: (account: Int64, item: String, title: String, isFever: Bool, refuses: Bool)? =
      try db.first(
        """
        SELECT r.accountID, r.remoteID, a.title, a.kind = 'fever' AS isFever, a.refusesTags
        FROM remoteArticle r JOIN account a ON a.id = r.accountID WHERE r.articleID = ?
        """, [article]
      ) { ($0["accountID"], $0["remoteID"], $0["title"], $0["isFever"], $0["refusesTags"]) }
    guard let place else { return }
    let reason: LocalTags.Reason? =
      if place.isFever {
        .fever
      } else if place.refuses {
        .server
      } else if try LabelRows.isFolder(tag, place.account, db) {
        .folder(tag)
      } else {
        nil
      }
    if let reason {
      if isSet { local.insert(LocalTags(account: place.title, reason: reason)) }
      return
    }
    let key = OutboxRows.key(ofTag: tag)
    // Tags that differ in case only are one tag here, but two keys.
    let before: (isRefused: Bool, isWithdrawn: Bool)? = try db.first(
      """
      DELETE FROM outbox WHERE accountID = ? AND item = ? AND key = ? COLLATE NOCASE
      RETURNING state = \(OutboxRows.refused) AS isRefused,
        ifnull(known = ?, 0) AND \(OutboxRows.isUnsent) AS isWithdrawn
      """, [place.account, place.item, key, isSet]
    ) { ($0["isRefused"], $0["isWithdrawn"]) }
    if before?.isWithdrawn == true { return }
    let isThere = isRemote || before.map { !$0.isRefused } ?? false
    guard isSet || isThere else { return }
    try OutboxRows.put(
      account: place.account, item: place.item, key: key, want: isSet ? "1" : "0",
      known: before == nil ? !isSet : nil,
      at: now.milliseconds, db)
  }
}
