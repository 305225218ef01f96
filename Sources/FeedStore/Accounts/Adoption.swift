public import FeedModel
import Foundation
import GRDB

// Local feeds become an account's: they are subscribed to at its server, and keep their articles
// here with what was done to them.

/// What becomes of a feed that is to be an account's.
public struct AdoptedFeed: Sendable, Equatable {
  /// Raw values are printed in JSON.
  public enum Outcome: String, Sendable, Codable {
    /// A local feed becomes the account's.
    case adopted
    /// It was not subscribed to here.
    case added
    /// The account has the address already: a local feed stays as it is.
    case known
    /// Its articles come from a file or a program of this machine.
    case notOnline
  }
  /// Nil: it is not subscribed to here yet.
  public var feed: FeedID?
  /// The feed's name; for one that is not subscribed to, its title in the list, else its address.
  public var name: String
  /// The address that is to be subscribed to at the server.
  public var url: String
  /// What was done, or in a dry run what would be done.
  public var outcome: Outcome
}

extension AccountCache {
  /// Makes local feeds the feeds of an account, each in a folder of the account's branch that is
  /// called as the one that it is in now. Not undoable.
  /// - Parameter isDryRun: nothing is changed.
  public func adopt(
    _ feeds: [FeedID], by account: AccountID, isDryRun: Bool = false
  ) async throws(StoreError) -> [AdoptedFeed] {
    return try await database.write(.user) { db, now in
      guard try AccountRows.all(db, "WHERE id = ?", [account.rawValue]).first != nil else {
        throw StoreError.notFound
      }
      let adopted = try feeds.compactMap { feed in
        try Adoption.plan(feed.rawValue, account.rawValue, db)
      }
      guard !isDryRun else { return adopted }
      for feed in adopted where feed.outcome == .adopted {
        if let id = feed.feed { try Adoption.adopt(id, by: account, db, at: now) }
      }
      return adopted
    }
  }

  /// As `adopt` of feeds, for a list of subscriptions: what is a local feed here becomes the
  /// account's, what is new is subscribed to in its branch. Of an entry's folders the innermost
  /// counts.
  /// - Parameter isDryRun: nothing is changed.
  public func adopt(
    _ entries: [OutlineEntry], by account: AccountID, isDryRun: Bool = false
  ) async throws(StoreError) -> [AdoptedFeed] {
    return try await database.write(.user) { db, now in
      guard try AccountRows.all(db, "WHERE id = ?", [account.rawValue]).first != nil else {
        throw StoreError.notFound
      }
      var subscriber = Subscriber(db: db, now: now.milliseconds)
      var urls: Set<String> = []
      return try entries.filter { urls.insert($0.url).inserted }.compactMap { entry in
        if let local = try Subscriber.known(entry.url, db) {
          let plan = try Adoption.plan(local, account.rawValue, db)
          if !isDryRun, plan?.outcome == .adopted, let id = plan?.feed {
            try Adoption.adopt(id, by: account, db, at: now)
          }
          return plan
        }
        var plan = AdoptedFeed(
          feed: nil, name: entry.title ?? entry.url, url: entry.url, outcome: .added)
        if entry.isList || !Adoption.isOnline(entry.url) {
          plan.outcome = .notOnline
        } else if let known = try Subscriber.known(entry.url, account: account.rawValue, db) {
          (plan.feed, plan.outcome) = (FeedID(rawValue: known), .known)
        } else if !isDryRun {
          let folder = try AccountRows.folder(
            entry.folder.last ?? "", of: account.rawValue, db)
          plan.feed = try subscriber.subscribe(entry, folder: folder).feed
        }
        return plan
      }
    }
  }
}

enum Adoption {
  /// Local feeds that were put into the branch of an account become the account's where that is
  /// wanted. Files and programs of this machine may stay there as they are.
  /// - Throws: `.accountsFolder` where it is not; `.alreadySubscribed` where the account has the
  ///   address.
  static func require(
    of feeds: [Int64], isWanted: Bool, _ db: Database, at now: Date
  ) throws {
    for feed in feeds {
      let row: (folder: Int64?, account: Int64?, url: String)? = try db.first(
        """
        SELECT folderID, accountID, url FROM feed WHERE id = ? AND removedAt IS NULL
        """, [feed]
      ) { ($0["folderID"] as Int64?, $0["accountID"] as Int64?, $0["url"]) }
      guard let row, row.account == nil, try !isOfThisMachine(feed, row.url, db),
        let account = try AccountRows.account(of: row.folder, db)
      else { continue }
      guard isWanted else { throw StoreError.accountsFolder(AccountID(rawValue: account)) }
      if let known = try Subscriber.known(row.url, account: account, db) {
        throw StoreError.alreadySubscribed(FeedID(rawValue: known))
      }
      try adopt(feed, by: account, db, at: now)
    }
  }

  static func plan(_ feed: Int64, _ account: Int64, _ db: Database) throws -> AdoptedFeed? {
    let row: (name: String, url: String)? = try db.first(
      """
      SELECT \(SQLText.feedName) AS name, f.url FROM feed f
      WHERE f.id = ? AND f.accountID IS NULL AND f.removedAt IS NULL
      """, [feed]
    ) { ($0["name"], $0["url"]) }
    guard let (name, url) = row else { return nil }
    let outcome: AdoptedFeed.Outcome
    if try isOfThisMachine(feed, url, db) {
      outcome = .notOnline
    } else {
      outcome = try Subscriber.known(url, account: account, db) == nil ? .adopted : .known
    }
    return AdoptedFeed(feed: FeedID(rawValue: feed), name: name, url: url, outcome: outcome)
  }

  /// Whether a server could fetch the feed itself.
  static func isOnline(_ url: String) -> Bool {
    !LocalSource.claims(url) && !FeedRows.isLocal(url) && HeadlinesAddress(url) == nil
  }

  /// Whether only Weir can read it: files, programs, headlines of pages, and followed lists.
  private static func isOfThisMachine(_ feed: Int64, _ url: String, _ db: Database) throws -> Bool {
    let isList = try db.value("SELECT isList FROM feed WHERE id = ?", [feed]) ?? false
    return isList || !isOnline(url)
  }

  /// Into a folder of the branch that is called as the feed's folder is now.
  static func adopt(_ feed: FeedID, by account: AccountID, _ db: Database, at now: Date) throws {
    let label: String =
      try db.value(
        "SELECT d.title FROM feed f JOIN folder d ON d.id = f.folderID WHERE f.id = ?",
        [feed.rawValue]
      ) ?? ""
    try adopt(feed.rawValue, by: account.rawValue, db, at: now)
    try AccountRows.place(feed.rawValue, in: label, of: account.rawValue, db)
  }

  /// The server's articles of the feed are found among those that are here (`RenewedArticles`).
  static func adopt(_ feed: Int64, by account: Int64, _ db: Database, at now: Date) throws {
    try db.run("UPDATE feed SET accountID = ? WHERE id = ?", [account, feed])
    try db.run(
      "INSERT INTO remoteFeed (feedID, accountID, renewal) VALUES (?, ?, 1)", [feed, account])
    try db.run("UPDATE feedFetch SET nextCheckAt = NULL WHERE feedID = ?", [feed])
    try OutboxRows.record(feed: feed, isSubscribed: true, db, at: now.milliseconds)
  }
}
