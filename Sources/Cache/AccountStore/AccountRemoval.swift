import Foundation
import GRDB

extension AccountCache {
  /// Removes an account with its feeds, articles and outbox; the server is not changed. Copies of
  /// the articles in other feeds lose the account's stars and stay read. Not undoable.
  /// - Returns: the number of changes that had not been sent.
  @discardableResult
  public func removeAccount(_ id: AccountID) async throws(StoreError) -> Int {
    let (unsent, feeds) = try await database.change { transaction in
      let db = transaction.db
      guard let account = try AccountRows.all(db, "WHERE id = ?", [id.rawValue]).first else {
        throw StoreError.notFound
      }
      let feeds: [Int64] = try db.values("SELECT id FROM feed WHERE accountID = ?", [id.rawValue])
      for feed in feeds {
        _ = try FeedRemoval.remove(feed, .none, transaction)
        try FeedRemoval.hide(feed, db)
      }
      try AccountRemoval.separateDuplicates(of: id.rawValue, db)
      if let folder = account.folder {
        try FolderTree.removeEmpty(in: folder.rawValue, db)
        try FolderTree.dissolve(folder.rawValue, into: nil, db)
      }
      try db.run("DELETE FROM account WHERE id = ?", [id.rawValue])
      let outbox = account.state.outbox
      return (outbox.waiting + outbox.refused, feeds)
    }
    // Other writes can run between small steps. If the process is killed, maintenance continues.
    for feed in feeds {
      while try await database.write(.engine, { db in try FeedRemoval.purge(feed, db) }) {}
    }
    try await database.write(.engine) { db in try Journal.removeEmpty(db) }
    return unsent
  }
}

private enum AccountRemoval {
  /// Removes the account's stars from duplicates in other feeds; duplicates in local feeds stay
  /// read.
  static func separateDuplicates(of account: Int64, _ db: Database) throws {
    let articles: [Int64] = try db.values(
      """
      SELECT s.articleID FROM articleStatus s JOIN feed f ON f.id = s.feedID
      WHERE f.accountID = ?1 AND (s.duplicateOf IS NOT NULL
        OR EXISTS (SELECT 1 FROM articleStatus c WHERE c.duplicateOf = s.articleID))
      """, [account])
    let (read, starred) = (try StatusWriter(.read, db), try StatusWriter(.starred, db))
    var shown: [Int64] = []
    for group in try Deduplication.groups(articles, db).groups {
      let others = group.articles.filter { $0.account != account }
      let isStarred = try others.contains { try !$0.isHidden && starred.own($0.id) }
      for other in others {
        if other.account == nil, try read.isShown(other.id) { try read.setOwn(other.id, true) }
        if try starred.show(other.id, isStarred) { shown.append(other.id) }
      }
    }
    try StatusRows.note(shown, db)
  }
}
