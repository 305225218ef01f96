import Foundation
import GRDB

// Migration of local feeds to accounts: the server subscribes to the feeds, and their articles and
// states stay here.

/// A feed that is to be moved to an account, and the outcome.
public struct MigratedFeed: Sendable, Equatable {
  /// Raw values are printed in JSON.
  public enum Outcome: String, Sendable, Codable {
    case migrated = "adopted"
    case added
    /// The account has the address already. A local feed is not changed.
    case known
    /// A file, a program, headlines or a followed list, which no server can read.
    case notOnline
  }
  /// Key of the feed; `nil` if the address is not subscribed.
  public var feed: FeedID?
  /// Name of the feed; if it is not subscribed, its title in the list, or else its address.
  public var name: String
  public var url: String
  /// The outcome; in a dry run, the planned one.
  public var outcome: Outcome
}

extension AccountCache {
  /// Moves local feeds to an account. Each goes into the account's folder that has the same title
  /// as its present folder. Not undoable.
  public func migrate(
    _ feeds: [FeedID], to account: AccountID, isDryRun: Bool = false
  ) async throws(StoreError) -> [MigratedFeed] {
    try await migrate(to: account, isDryRun: isDryRun) { transaction in
      try feeds.compactMap { feed in
        try FeedMigration.plan(feed.rawValue, account.rawValue, transaction.db)
      }
    }
  }

  private func migrate(
    to account: AccountID, isDryRun: Bool,
    plan: @escaping @Sendable (Transaction) throws -> [MigratedFeed]
  ) async throws(StoreError) -> [MigratedFeed] {
    try await database.change { transaction in
      let (db, account) = (transaction.db, account.rawValue)
      guard try db.exists("SELECT 1 FROM account WHERE id = ?", [account]) else {
        throw StoreError.notFound
      }
      let plan = try plan(transaction)
      for feed in plan where feed.outcome == .migrated && !isDryRun {
        guard let id = feed.feed?.rawValue else { continue }
        let label: String? = try db.value(
          "SELECT d.title FROM feed f JOIN folder d ON d.id = f.folderID WHERE f.id = ?", [id])
        try FeedMigration.migrate(id, to: account, transaction)
        try AccountRows.place(id, in: label ?? "", of: account, db)
      }
      return plan
    }
  }

  /// Moves the feeds of a subscription list to an account, like the function for keys of feeds.
  /// Subscribes to feeds that are not known here; each goes into the account's folder that has the
  /// title of its innermost folder in the list.
  public func migrate(
    _ entries: [OutlineEntry], to account: AccountID, isDryRun: Bool = false
  ) async throws(StoreError) -> [MigratedFeed] {
    try await migrate(to: account, isDryRun: isDryRun) { transaction in
      let db = transaction.db
      var subscriber = Subscriber(transaction)
      var urls: Set<String> = []
      return try entries.filter { urls.insert($0.url).inserted }.compactMap { entry in
        if let local = try Subscriber.known(entry.url, db) {
          return try FeedMigration.plan(local, account.rawValue, db)
        }
        var plan = MigratedFeed(
          feed: nil, name: entry.title ?? entry.url, url: entry.url, outcome: .added)
        if entry.isList || !FeedRows.isOnline(entry.url) {
          plan.outcome = .notOnline
        } else if let known = try Subscriber.known(entry.url, account: account.rawValue, db) {
          (plan.feed, plan.outcome) = (FeedID(rawValue: known), .known)
        } else if !isDryRun {
          let folder = try AccountRows.folder(entry.folder.last ?? "", of: account.rawValue, db)
          plan.feed = try subscriber.subscribe(entry, folder: folder).feed
        }
        return plan
      }
    }
  }
}

extension OutboxRecorder {
  /// Leaves feeds local that only Weir can read (files, programs, headlines, lists).
  package func migrate(_ feeds: [Int64], isWanted: Bool, in transaction: Transaction) throws {
    let db = transaction.db
    for feed in feeds {
      let row: (folder: Int64?, url: String, isList: Bool)? = try db.first(
        """
        SELECT folderID, url, isList FROM feed
        WHERE id = ? AND accountID IS NULL AND removedAt IS NULL
        """, [feed]
      ) { ($0["folderID"] as Int64?, $0["url"], $0["isList"]) }
      guard let row, !row.isList, FeedRows.isOnline(row.url),
        let account = try FolderTree.account(of: row.folder, db)
      else { continue }
      guard isWanted else { throw StoreError.accountsFolder(AccountID(rawValue: account)) }
      if let known = try Subscriber.known(row.url, account: account, db) {
        throw StoreError.alreadySubscribed(FeedID(rawValue: known))
      }
      try FeedMigration.migrate(feed, to: account, transaction)
    }
  }
}

enum FeedMigration {
  static func plan(_ feed: Int64, _ account: Int64, _ db: Database) throws -> MigratedFeed? {
    let row: (name: String, url: String, isList: Bool)? = try db.first(
      """
      SELECT \(SQLText.feedName) AS name, f.url, f.isList FROM feed f
      WHERE f.id = ? AND f.accountID IS NULL AND f.removedAt IS NULL
      """, [feed]
    ) { ($0["name"], $0["url"], $0["isList"]) }
    guard let (name, url, isList) = row else { return nil }
    let isKnown = try Subscriber.known(url, account: account, db) != nil
    return MigratedFeed(
      feed: FeedID(rawValue: feed), name: name, url: url,
      outcome: isList || !FeedRows.isOnline(url) ? .notOnline : isKnown ? .known : .migrated)
  }

  /// Moves a feed to an account. `MigratedArticles` matches the server's articles with known ones.
  static func migrate(_ feed: Int64, to account: Int64, _ transaction: Transaction) throws {
    let db = transaction.db
    try db.run("UPDATE feed SET accountID = ? WHERE id = ?", [account, feed])
    try db.run(
      "INSERT INTO remoteFeed (feedID, accountID, renewal) VALUES (?, ?, 1)", [feed, account])
    try db.run("UPDATE feedFetch SET nextCheckAt = NULL WHERE feedID = ?", [feed])
    try OutboxRecorder().record(feed: feed, isSubscribed: true, in: transaction)
  }
}
