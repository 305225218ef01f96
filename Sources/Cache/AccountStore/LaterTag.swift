import GRDB

extension AccountSyncCache {
  public var cache: AccountCache { AccountCache(database: database) }

  /// Sets the tag of articles that are kept for later. A new tag is given to those that are kept
  /// already, and articles that have it are kept; the former tag stays where it is.
  /// - Parameter label: the tag, or `nil` to keep this machine's list apart from the server.
  public func setLaterTag(_ label: String?, of account: AccountID) async throws(StoreError) {
    let id = account.rawValue
    let tag = label.map(TagRows.tidied)
    try await database.change { transaction in
      let db = transaction.db
      let changed = try db.run(
        "UPDATE account SET laterTag = ?1, laterLabel = ?2 WHERE id = ?3 AND laterLabel IS NOT ?2",
        [tag, label, id])
      guard changed > 0 else { return }
      let kept: [Int64] = try db.values(
        "SELECT articleID FROM articleStatus WHERE laterAt IS NOT NULL")
      try LaterTag.give(to: kept, of: id, transaction)
      try LaterTag.applyAll(id, db, at: transaction.at)
    }
  }
}

/// The tag by which an account's server knows the articles that are kept for later.
package struct LaterTag: MarkParticipant {
  package init() {}

  package func mark(
    _ mark: Mark, _ isSet: Bool, _ articles: [Int64], in transaction: Transaction
  ) throws -> [RowImages] {
    mark == .later ? try Self.give(to: articles, isSet, transaction) : []
  }

  /// Sets or clears the flag for later of articles whose tags changed, if the tag is their
  /// account's tag for Later.
  static func apply(
    _ tag: String, _ isSet: Bool, to articles: [Int64], of account: Int64, _ db: Database,
    at now: Int64
  ) throws {
    guard !articles.isEmpty,
      try db.exists(
        "SELECT 1 FROM account WHERE id = ? AND laterTag = ? COLLATE NOCASE", [account, tag])
    else { return }
    try Marks.note(Marks.write(.later, isSet, articles, at: now, db).flatMap(\.keys), db)
  }

  /// Gives the tag of their account to those articles that are kept for later, or removes it from
  /// the others.
  /// - Parameter account: the only account to change; `nil` for all.
  @discardableResult
  static func give(
    to articles: [Int64], _ isSet: Bool = true, of account: Int64? = nil,
    _ transaction: Transaction
  ) throws -> [RowImages] {
    let tags: [(article: Int64, tag: String)] = try transaction.db.all(
      """
      SELECT s.articleID, c.laterTag FROM json_each(?1) j
        JOIN articleStatus s ON s.articleID = j.value
        JOIN remoteArticle r ON r.articleID = s.articleID JOIN account c ON c.id = r.accountID
      WHERE c.laterTag IS NOT NULL AND (s.laterAt IS NOT NULL) = ?2 AND c.id = ifnull(?3, c.id)
      """, [SQLText.json(articles), isSet, account]
    ) { ($0["articleID"], $0["laterTag"]) }
    var rows = TagRows(transaction)
    return try rows.set(tags, isSet)
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
    try Marks.note(Marks.write(.later, true, articles, at: now, db).flatMap(\.keys), db)
  }
}
