public import FeedModel
public import Foundation
import GRDB

extension FeedStore {
  /// Every folder, feed and saved search; feeds with counts and state; smart feeds with what they announce: the unread of
  /// today, all unread, all starred.
  public func subscriptions() throws(StoreError) -> Subscriptions {
    try read { db in
      let folders = try db.all(
        """
        SELECT d.id, d.parentID, d.title, d.position, d.isExpanded, a.id
        FROM folder d LEFT JOIN account a ON a.folderID = d.id ORDER BY d.position, d.id
        """
      ) { row in
        Folder(
          id: FolderID(rawValue: row[0]), parent: (row[1] as Int64?).map(FolderID.init(rawValue:)),
          title: row[2], position: row[3], isExpanded: row[4],
          account: (row[5] as Int64?).map(AccountID.init(rawValue:)))
      }
      let feeds = try FeedRows.all(
        db, "WHERE f.removedAt IS NULL ORDER BY f.position, f.id", [])
      return Subscriptions(
        folders: folders, feeds: feeds, smartCounts: try smartCounts(db), tags: try Self.tags(db),
        searches: try SavedSearchRows.all(db))
    }
  }

  private static func tags(_ db: Database) throws -> [(name: String, unread: Int)] {
    try db.all(
      """
      SELECT t.tag, sum(s.isRead = 0) FROM articleTag t CROSS JOIN articleStatus s
        ON s.articleID = t.articleID AND s.isHidden = 0
      GROUP BY t.tag ORDER BY t.tag
      """
    ) { ($0[0], $0[1]) }
  }

  /// When the newest article of each feed came out, for lists in that order.
  public func latestArticles() throws(StoreError) -> [FeedID: Date] {
    try read { db in
      let found = try db.all(
        """
        SELECT f.id, (SELECT max(s.sortDate) FROM articleStatus s INDEXED BY list_all_feed
          WHERE s.isHidden = 0 AND s.feedID = f.id) FROM feed f WHERE f.removedAt IS NULL
        """
      ) { (FeedID(rawValue: $0[0]), $0.date(1)) }
      return Dictionary(found.compactMap { id, date in date.map { (id, $0) } }) { a, _ in a }
    }
  }

  private func smartCounts(_ db: Database) throws -> [SmartFeed: Int] {
    let today = try ArticleList(
      ArticleQuery(scope: .smart(.today), filter: .unread), db, midnight: midnight
    ).counted(db)
    return try db.first("SELECT unread, starred FROM totalCounter") { row in
      [.today: today, .unread: row.count(0), .starred: row.count(1)]
    } ?? [:]
  }

  public func feed(_ id: FeedID) throws(StoreError) -> Feed? {
    try read { db in
      try FeedRows.all(db, "WHERE f.id = ? AND f.removedAt IS NULL", [id.rawValue]).first
    }
  }

  public func feed(url: String) throws(StoreError) -> Feed? {
    try read { db in
      try FeedRows.all(db, "WHERE f.url = ? AND f.removedAt IS NULL ORDER BY f.accountID", [url])
        .first
    }
  }

  /// The subscriptions as an outline, in the order of the screen; without local feeds.
  public func outline() throws(StoreError) -> [OutlineEntry] {
    let subscriptions = try subscriptions()
    let tags = try read { db in
      Dictionary(
        try db.all("SELECT id, tags FROM feed WHERE tags IS NOT NULL") {
          (FeedID(rawValue: $0[0]), StringList.strings($0[1]))
        }, uniquingKeysWith: { a, _ in a })
    }
    let folders = Dictionary(
      subscriptions.folders.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    func path(_ id: FolderID?) -> [Folder] {
      var path: [Folder] = []
      var next = id
      while let folder = next.flatMap({ folders[$0] }), path.count < folders.count {
        path.insert(folder, at: 0)
        next = folder.parent
      }
      return path
    }
    let located = subscriptions.feeds.filter { !FeedRows.isLocal($0.url) }
      .map { (feed: $0, path: path($0.folder)) }
    // Folders stand before the feeds beside them, as on the screen.
    let sorted = located.sorted { a, b in
      for (x, y) in zip(a.path, b.path) where x.id != y.id {
        return (x.position, x.id.rawValue) < (y.position, y.id.rawValue)
      }
      if a.path.count != b.path.count { return a.path.count > b.path.count }
      return (a.feed.position, a.feed.id.rawValue) < (b.feed.position, b.feed.id.rawValue)
    }
    return sorted.map { feed, path in
      OutlineEntry(
        url: feed.url,
        title: feed.title.isEmpty && feed.userTitle?.isEmpty != false ? nil : feed.name,
        homePageURL: feed.homePageURL, folder: path.map(\.title), tags: tags[feed.id] ?? [])
    }
  }
}

enum FeedRows {
  /// Feeds that ship with the program have addresses like `weir:guide`.
  static func isLocal(_ url: String) -> Bool { url.hasPrefix("weir:") }

  static func all(
    _ db: Database, _ conditions: String, _ arguments: StatementArguments
  ) throws -> [Feed] {
    // A process is asked for once, not once a row.
    var living: [String: Bool] = [:]
    return try db.all(
      """
      SELECT f.id, f.url, f.title, f.userTitle, f.homePageURL, f.folderID, f.position, f.isPaused,
        c.total, c.unread, c.starred, x.phase, x.phaseOwner, x.succeededAt, x.checkedAt,
        x.nextCheckAt, x.nextCheckReason, x.movedTo, x.isGone, x.failureKind, x.failureStatus,
        x.failureDetail, x.failureSince, x.failureCount, f.fetchesFullText, f.accountID
      FROM feed f JOIN feedFetch x ON x.feedID = f.id JOIN feedCounter c ON c.feedID = f.id
      \(conditions)
      """, arguments
    ) { row in
      var phase = RefreshPhase(rawValue: row[11]) ?? .idle
      if phase != .idle {
        let owner: String = row[12] ?? ""
        let isAlive = living[owner] ?? ProcessOwner.isAlive(owner)
        living[owner] = isAlive
        if !isAlive { phase = .idle }
      }
      let isPaused: Bool = row[7]
      let isGone: Bool = row[18]
      let account = (row[25] as Int64?).map(AccountID.init(rawValue:))
      let isScheduled = !isPaused && !isGone && account == nil
      let state = FeedState(
        phase: phase, succeededAt: row.date(13), checkedAt: row.date(14),
        nextCheckAt: isScheduled ? row.date(15) : nil,
        nextCheckReason: isScheduled ? row[16] : nil, failure: FetchRows.failure(row, 19),
        movedTo: (row[17] as String?).map(WebAddress.withoutUserInfo))
      return Feed(
        id: FeedID(rawValue: row[0]), url: row[1], title: row[2], userTitle: row[3],
        homePageURL: row[4], folder: (row[5] as Int64?).map(FolderID.init(rawValue:)),
        position: row[6], isPaused: isPaused, fetchesFullText: row[24],
        counts: ArticleCounts(total: row.count(8), unread: row.count(9), starred: row.count(10)),
        state: state, account: account)
    }
  }
}
