import GRDB

// Changes of tags for the servers of accounts.

extension OutboxRows {
  private static let tagPrefix = "tag:"

  static func key(ofTag tag: String) -> String { tagPrefix + tag }

  static func tag(_ key: String) -> String? {
    key.hasPrefix(tagPrefix) ? String(key.dropFirst(tagPrefix.count)) : nil
  }
}

extension OutboxRecorder {
  /// Queues the change of a tag, or returns the reason why no server gets it.
  package func record(
    tag: String, _ isSet: Bool, of article: Int64, isRemote: Bool, in transaction: Transaction
  ) throws -> LocalTags? {
    let (db, now) = (transaction.db, transaction.at)
    let place: (account: Int64, item: String, title: String, isFever: Bool, refuses: Bool)? =
      try db.first(
        """
        SELECT r.accountID, r.remoteID, a.title, a.kind = 'fever' AS isFever, a.refusesTags
        FROM remoteArticle r JOIN account a ON a.id = r.accountID WHERE r.articleID = ?
        """, [article]
      ) { ($0["accountID"], $0["remoteID"], $0["title"], $0["isFever"], $0["refusesTags"]) }
    guard let place else { return nil }
    try LaterTag.apply(tag, isSet, to: [article], of: place.account, db, at: now)
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
      return isSet ? LocalTags(account: place.title, reason: reason) : nil
    }
    let key = OutboxRows.key(ofTag: tag)
    // Tags that differ in case only are one tag here, but two keys.
    let before: (isRefused: Bool, isUnsent: Bool, isSet: Bool)? = try db.first(
      """
      DELETE FROM outbox WHERE accountID = ? AND item = ? AND key = ? COLLATE NOCASE
      RETURNING state = \(OutboxRows.refused) AS isRefused, \(OutboxRows.isUnsent) AS isUnsent, want = '1' AS isSet
      """, [place.account, place.item, key]
    ) { ($0["isRefused"], $0["isUnsent"], $0["isSet"]) }
    if let before, before.isUnsent, before.isSet != isSet {
      try db.run(
        "UPDATE articleTag SET isRemote = 1 WHERE articleID = ? AND tag = ?", [article, tag])
      return nil
    }
    let isThere = isRemote || before.map { !$0.isRefused } ?? false
    guard isSet || isThere else { return nil }
    try OutboxRows.put(
      account: place.account, item: place.item, key: key, want: isSet ? "1" : "0",
      attempts: before.map { $0.isUnsent ? 0 : 1 } ?? 0, at: now, db)
    return nil
  }
}

extension TagRows {
  /// Applies the tags that an article has at a server that gave it a new ID, and queues those that
  /// it had under its former ID.
  mutating func renew(_ article: Int64, labels: [String], _ account: Int64) throws {
    let former: [String] = try db.values(
      "SELECT tag FROM articleTag WHERE articleID = ? AND isRemote", [article])
    let shown = try LabelRows.give(article, labels: labels, account, db)
    for tag in former where !shown.contains(where: { $0.lowercased() == tag.lowercased() }) {
      try record(tag, true, of: article, isRemote: true)
    }
  }
}
