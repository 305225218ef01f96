import GRDB

// The tag by which an account's server knows the articles that are kept for later.

extension AccountSyncCache {
  /// Sets the tag of articles that are kept for later. A new tag is given to those that are kept
  /// already, and articles that have it are kept; the former tag stays where it is.
  /// - Parameter label: the tag, or `nil` to keep this machine's list apart from the server.
  public func setLaterTag(_ label: String?, of account: AccountID) async throws(StoreError) {
    let id = account.rawValue
    let tag = label.map(TagRows.tidied)
    let known: String? = try database.read { db in
      try db.value("SELECT laterLabel FROM account WHERE id = ?", [id])
    }
    guard known != label else { return }
    try await database.change { transaction in
      let db = transaction.db
      try db.run(
        "UPDATE account SET laterTag = ?, laterLabel = ? WHERE id = ?", [tag, label, id])
      let kept: [Int64] = try db.values(
        "SELECT articleID FROM articleStatus WHERE laterAt IS NOT NULL")
      try LaterTag.give(to: kept, of: id, transaction)
      try LaterTag.applyAll(id, db, at: transaction.at)
    }
  }
}

enum LaterTag {
  /// Sets or clears the flag for later of articles whose tags changed, if the tag is their
  /// account's tag for Later. Their duplicates get the same flag, which is not sent to other
  /// servers.
  static func apply(
    _ tag: String, _ isSet: Bool, to articles: [Int64], of account: Int64, _ db: Database,
    at now: Int64
  ) throws {
    guard !articles.isEmpty,
      try db.exists(
        "SELECT 1 FROM account WHERE id = ? AND laterTag = ? COLLATE NOCASE", [account, tag])
    else { return }
    try set(isSet, articles, db, at: now)
  }

  /// Gives the tag to those articles of an account that are kept for later.
  static func give(to articles: [Int64], of account: Int64, _ transaction: Transaction) throws {
    let db = transaction.db
    let kept: [(article: Int64, tag: String)] = try db.all(
      """
      SELECT s.articleID, c.laterTag FROM json_each(?) j
        JOIN articleStatus s ON s.articleID = j.value
        JOIN remoteArticle r ON r.articleID = s.articleID JOIN account c ON c.id = r.accountID
      WHERE c.id = ? AND c.laterTag IS NOT NULL AND s.laterAt IS NOT NULL
      """, [SQLText.json(articles), account]
    ) { ($0["articleID"], $0["laterTag"]) }
    var rows = TagRows(transaction)
    for (article, tag) in kept {
      _ = try rows.set(TagRows.known(tag, db), true, of: article)
    }
  }

  /// Keeps all articles of an account for later that have its tag.
  static func applyAll(_ account: Int64, _ db: Database, at now: Int64) throws {
    let articles: [Int64] = try db.values(
      """
      SELECT t.articleID FROM account c JOIN articleTag t ON t.tag = c.laterTag
        JOIN remoteArticle r ON r.articleID = t.articleID AND r.accountID = c.id
        JOIN articleStatus s ON s.articleID = t.articleID
      WHERE c.id = ? AND s.laterAt IS NULL
      """, [account])
    if !articles.isEmpty { try set(true, articles, db, at: now) }
  }

  private static func set(
    _ isLater: Bool, _ articles: [Int64], _ db: Database, at now: Int64
  ) throws {
    let changed: [Int64] = try db.values(
      """
      UPDATE articleStatus SET laterAt = ?1 WHERE articleID IN (SELECT value FROM json_each(?2))
        AND (laterAt IS NULL) = ?3 RETURNING articleID
      """, [isLater ? now : nil, SQLText.json(articles), isLater])
    try StatusRows.note(changed, db)
  }
}
