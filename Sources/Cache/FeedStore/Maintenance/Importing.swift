import Foundation
import GRDB

/// An article of another reader, with its state there.
public struct ImportedArticle: Sendable {
  /// Sanitised like the item of a feed.
  public var item: ParsedItem
  public var isRead: Bool
  public var isStarred: Bool
  /// True if the article was deleted there and is not to be added here.
  public var isDeleted: Bool
  /// The user's tags there, which are added to those here.
  public var tags: [String] = []

  public init(item: ParsedItem, isRead: Bool, isStarred: Bool, isDeleted: Bool = false) {
    (self.item, self.isRead, self.isStarred, self.isDeleted) = (item, isRead, isStarred, isDeleted)
  }
}

/// A feed of another reader, which may have no subscription here.
public struct ImportedFeed: Sendable {
  public var url: String
  public var title: String
  public var homePageURL: String?
  public var articles: [ImportedArticle]

  public init(url: String, title: String, homePageURL: String? = nil, articles: [ImportedArticle]) {
    (self.url, self.title) = (url, title)
    (self.homePageURL, self.articles) = (homePageURL, articles)
  }
}

/// The result of an import.
public struct ImportOutcome: Sendable, Equatable {
  public var added = 0
  /// Number of added articles that belong to no subscription; see `SmartFeed.archived`.
  public var archived = 0
  /// Number of known articles that got a state.
  public var marked = 0
  public init() {}
}

extension Maintenance {
  /// Names a feed until it gives its own title; a blank title is ignored.
  public func importTitle(_ feed: FeedID, _ title: String) async throws(StoreError) {
    guard !title.isEmpty else { return }
    try await database.run(
      .user,
      "UPDATE feed SET title = ? WHERE id = ? AND ifnull(title, '') = ''", [title, feed.rawValue])
  }

  /// Imports a feed's articles from another reader in one transaction. Known articles are found by
  /// ID, else by address and title; they get “read” and “starred”, never “unread”. Importing twice
  /// changes nothing.
  public func importArticles(
    _ feed: FeedID, _ articles: [ImportedArticle]
  ) async throws(StoreError) -> ImportOutcome {
    return try await database.change { transaction in
      guard
        try transaction.db.exists(
          "SELECT 1 FROM feed WHERE id = ? AND removedAt IS NULL", [feed.rawValue])
      else { throw StoreError.notFound }
      var outcome = ImportOutcome()
      try Self.importArticles(articles, feed, transaction, &outcome)
      return outcome
    }
  }

  /// Imports starred articles of several feeds in one transaction, as the import of one feed's
  /// articles does. Articles of feeds without a subscription are kept like those of a feed that was
  /// unsubscribed.
  public func importStarred(_ feeds: [ImportedFeed]) async throws(StoreError) -> ImportOutcome {
    return try await database.change { transaction in
      var outcome = ImportOutcome()
      for feed in feeds {
        let known: (id: FeedID, isRemoved: Bool)? = try transaction.db.first(
          """
          SELECT id, removedAt IS NOT NULL AS isRemoved FROM feed WHERE url = ?
          ORDER BY isRemoved, accountID, removedAt DESC LIMIT 1
          """, [feed.url]
        ) { ($0.id("id"), $0["isRemoved"]) }
        let id = try known?.id ?? Self.addRemoved(feed, transaction)
        let before = outcome.added
        try Self.importArticles(feed.articles, id, transaction, &outcome)
        if known?.isRemoved ?? true { outcome.archived += outcome.added - before }
      }
      return outcome
    }
  }

  /// Adds a feed as if it had been unsubscribed now.
  private static func addRemoved(
    _ feed: ImportedFeed, _ transaction: Transaction
  ) throws -> FeedID {
    try transaction.db.run(
      """
      INSERT INTO feed (url, title, homePageURL, position, addedAt, removedAt)
      VALUES (?1, ?2, ?3, 0, ?4, ?4)
      """, [feed.url, feed.title, feed.homePageURL, transaction.at])
    return FeedID(rawValue: transaction.db.lastInsertedRowID)
  }

  private static func importArticles(
    _ articles: [ImportedArticle], _ feed: FeedID, _ transaction: Transaction,
    _ outcome: inout ImportOutcome
  ) throws {
    let merge = try Merge(adding: feed, transaction)
    var changed: Set<Int64> = []
    for article in articles {
      changed.formUnion(try importArticle(article, merge, transaction, &outcome))
    }
    try Marks.note(changed, transaction.db)
  }

  /// Returns the known articles whose status changed, including duplicates.
  private static func importArticle(
    _ article: ImportedArticle, _ merge: Merge, _ transaction: Transaction,
    _ outcome: inout ImportOutcome
  ) throws -> Set<Int64> {
    let (db, now) = (transaction.db, transaction.now)
    let arrival = Merge.Arrival(
      article.item, Fingerprint.identity(article.item.id), article.item.fingerprint,
      firstSeen: now.milliseconds)
    let feed = merge.result.feed.rawValue
    func mark(_ id: Int64) throws -> Set<Int64> {
      var changed: Set<Int64> = []
      for (mark, isSet) in [(Mark.read, article.isRead), (.starred, article.isStarred)] where isSet
      {
        changed.formUnion(try Marks.set(mark, true, [id], transaction).flatMap(\.keys))
      }
      if article.isStarred {
        changed.formUnion(try Hiding.hide([id], false, for: HiddenReason.unsubscribed, db))
      }
      var tags = TagRows(transaction)
      for tag in article.tags.map(TagRows.tidied) where !tag.isEmpty {
        if try tags.set(TagRows.known(tag, db), true, of: id) != nil { changed.insert(id) }
      }
      return changed
    }
    if let known = try known(arrival, feed, db) {
      let changed = try mark(known)
      if !changed.isEmpty { outcome.marked += 1 }
      return changed
    } else if article.isDeleted {
      try db.run(
        """
        INSERT OR IGNORE INTO tombstone (feedID, identity, at, listedAt, likeness)
        VALUES (?1, ?2, ?3, ?3, ?4)
        """,
        [feed, arrival.identity, now.milliseconds, arrival.similarityHash])
    } else if let id = try merge.insert(arrival, article.item, firstSeen: now.milliseconds) {
      outcome.added += 1
      return try mark(id.rawValue).subtracting([id.rawValue])
    }
    return []
  }

  private static func known(
    _ arrival: Merge.Arrival, _ feed: Int64, _ db: Database
  ) throws -> Int64? {
    if let id: Int64 = try db.value(
      "SELECT id FROM article WHERE feedID = ? AND identity = ?", [feed, arrival.identity])
    {
      return id
    }
    let namesakes: [Int64] = try db.values(
      "SELECT id FROM article WHERE link = ? AND feedID = ? AND title = ? LIMIT 2",
      [arrival.link, feed, arrival.title])
    return namesakes.count == 1 ? namesakes[0] : nil
  }
}
