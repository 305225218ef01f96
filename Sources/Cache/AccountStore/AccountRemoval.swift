import Foundation
import GRDB

extension AccountCache {
  /// Removes an account with its feeds, articles and outbox; the server is not changed. Not
  /// undoable.
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
        try FeedRemoval.remove(feed, transaction)
        try FeedRemoval.hide(feed, db, keepsArchived: false)
      }
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
