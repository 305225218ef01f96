public import Foundation
import GRDB

// A server that was set up again has other IDs for the same articles. Nothing is changed before the
// user has decided.

/// The choices for the articles of a server that was rebuilt or set back. For a rebuilt server,
/// both choices first match the articles by feed and address.
public enum RebuildAnswer: Sendable {
  /// The server gets the local states.
  case match
  /// Articles get the server's states.
  case takeServer
}

/// The server's IDs of articles, by the states that the last pull showed.
public struct RememberedStates: Sendable, Equatable {
  public var unread: [String]
  public var starred: [String]
  /// The latest arrivals in any state. Servers delete older read articles.
  public var latest: [String]
  public var hasFeeds: Bool
}

extension AccountSyncCache {
  /// Milliseconds for which pulls must get empty lists before the lists are accepted.
  private static let emptyTime = Duration.minutes(1).milliseconds
  /// Milliseconds for which every server keeps read articles; Miniflux deletes them after 60 days.
  private static let readTime = Duration.days(30).milliseconds
  private static let mostLatest = 5

  /// Returns the states of articles in feeds that the server still lists.
  /// - Parameter feeds: the server's list.
  public func rememberedStates(
    of account: AccountID, in feeds: [RemoteFeed]
  ) throws(StoreError) -> RememberedStates {
    let earliest = database.now.milliseconds - Self.readTime
    return try database.read { db in
      let known: [(feed: Int64, name: String?, url: String)] = try db.all(
        """
        SELECT f.id, r.remoteID, f.url FROM remoteFeed r JOIN feed f ON f.id = r.feedID
        WHERE r.accountID = ?1 AND f.removedAt IS NULL
          AND r.renewal <> \(ArticleMigration.expected) AND NOT EXISTS (SELECT 1 FROM outbox o
            WHERE o.accountID = ?1 AND o.key = 'subscribed' AND o.item = CAST(f.id AS TEXT))
        """, [account.rawValue]
      ) { ($0["id"], $0["remoteID"] as String?, $0["url"]) }
      let (names, urls) = (Set(feeds.map(\.id)), Set(feeds.compactMap(\.url)))
      var listed = known.filter { $0.name.map(names.contains) ?? false }
      // If all subscriptions have other IDs, their addresses identify them.
      if listed.isEmpty { listed = known.filter { urls.contains($0.url) } }
      let ids = SQLText.json(listed.map(\.feed))
      func articles(_ state: ArticleMark, _ value: Bool) throws -> [String] {
        try db.values(
          """
          SELECT r.remoteID FROM articleStatus s JOIN remoteArticle r ON r.articleID = s.articleID
          WHERE s.feedID IN (SELECT value FROM json_each(?1)) AND r.accountID = ?2
            AND s.\(state.rawValue) = ?3 AND NOT EXISTS
              (SELECT 1 FROM outbox o WHERE o.accountID = ?2 AND o.item = r.remoteID AND o.key = ?4)
          """, [ids, account.rawValue, value, state.key])
      }
      let latest: [String] = try db.values(
        """
        SELECT r.remoteID FROM article a JOIN remoteArticle r ON r.articleID = a.id
        WHERE a.feedID IN (SELECT value FROM json_each(?)) AND r.accountID = ?
          AND a.firstSeenAt >= ? ORDER BY a.firstSeenAt DESC, a.id DESC LIMIT ?
        """, [ids, account.rawValue, earliest, Self.mostLatest])
      return RememberedStates(
        unread: try articles(.read, false), starred: try articles(.starred, true), latest: latest,
        hasFeeds: !known.isEmpty)
    }
  }

  /// - Returns: true if pulls have got empty lists for at least `emptyTime`.
  public func noteEmptyLists(
    of account: AccountID, began: Date
  ) async throws(StoreError) -> Bool {
    try await database.write(.engine) { db in
      let since: Int64? = try db.value(
        "SELECT emptySince FROM account WHERE id = ?", [account.rawValue])
      if let since { return began.milliseconds - since >= Self.emptyTime }
      try db.run(
        "UPDATE account SET emptySince = ? WHERE id = ?", [began.milliseconds, account.rawValue])
      return false
    }
  }

  /// Asks the user about a server that was rebuilt. Nothing is sent before the answer.
  public func askAboutRebuild(of account: AccountID) async throws(StoreError) {
    try await database.write(.engine) { db in
      let rebuild = try AccountRows.rebuild(account.rawValue, db)
      guard rebuild == .none || rebuild == .setBack else { return }
      try AccountRows.set(.asked, of: account.rawValue, db)
    }
  }

  /// Returns true if the user has decided about a rebuilt server and no pull has followed yet.
  public func isRematching(_ account: AccountID) throws(StoreError) -> Bool {
    try database.read { db in try AccountRows.rebuild(account.rawValue, db).isMatching }
  }

  /// Records whether the states that a server returns with articles contradict its lists.
  public func noteItemStates(
    of account: AccountID, areWrong: Bool
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      _ = try db.run(
        "UPDATE account SET hasWrongItemStates = ?1 WHERE id = ?2 AND hasWrongItemStates <> ?1",
        [areWrong, account.rawValue])
    }
  }

  /// Stores the links of a feed's read articles that were never fetched: if the subscription begins
  /// again, the server lists them as unread.
  /// - Parameters:
  ///   - articles: read articles that the cache does not have.
  ///   - feed: the server's ID of the feed.
  public func saveUnfetchedReads(
    _ articles: [RemoteArticle], of account: AccountID, feed: String
  ) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      for article in articles {
        let arrival = Merge.Arrival(
          article.item, Fingerprint.identity(article.item.id), Fingerprint.content(article.item),
          firstSeen: now.milliseconds)
        try db.run(
          """
          INSERT OR IGNORE INTO unfetchedRead (feedID, link)
          SELECT feedID, ? FROM remoteFeed WHERE accountID = ? AND remoteID = ?
          """, [arrival.link, account.rawValue, feed])
      }
    }
  }
}

extension AccountCache {
  /// Stores the decision about articles of a server that was rebuilt or set back, and requests a
  /// sync. Throws `.notFound` if the account has no pending question.
  public func answerRebuild(
    of account: AccountID, _ answer: RebuildAnswer
  ) async throws(StoreError) {
    try await database.write(.user) { db, now in
      let id = account.rawValue
      let state: AccountRows.Rebuild
      switch try AccountRows.rebuild(id, db) {
      case .asked:
        state = answer == .match ? .matching : .takingServer
        let feeds: [Int64] = try db.values(
          "SELECT feedID FROM remoteFeed WHERE accountID = ?", [id])
        for feed in feeds { try MigratedArticles.forgetNames(of: feed, db) }
      case .setBack: state = answer == .match ? .sendingAgain : .accepting
      default: throw StoreError.notFound
      }
      try AccountRows.set(state, of: id, db)
      try AccountRows.request("id = ?", [id], db, at: now.milliseconds)
    }
  }
}

extension AccountRows {
  /// `account.rebuild`: the question about a server that was rebuilt or set back, or its answer.
  enum Rebuild: Int {
    case none, asked, matching, takingServer
    case setBack, sendingAgain, accepting

    var isMatching: Bool { self == .matching || self == .takingServer }
    var question: AccountState.Question? {
      switch self {
      case .asked: .rebuilt
      case .setBack: .setBack
      default: nil
      }
    }
  }

  static func rebuild(_ account: Int64, _ db: Database) throws -> Rebuild {
    let value: Int? = try db.value("SELECT rebuild FROM account WHERE id = ?", [account])
    return value.flatMap(Rebuild.init) ?? .none
  }

  static func set(_ rebuild: Rebuild, of account: Int64, _ db: Database) throws {
    try db.run("UPDATE account SET rebuild = ? WHERE id = ?", [rebuild.rawValue, account])
  }
}
