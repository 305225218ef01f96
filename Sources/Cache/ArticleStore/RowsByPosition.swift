package import Foundation
package import GRDB

// The only file that reads columns by position. A name costs a lookup in a dictionary for each
// value: the sidebar of 1,000 feeds reads 29,000 values before the first screen, marking a million
// articles read needs 2,000,000 values, and rules read 15 values of each article. All other code
// reads by name.

extension Row {
  /// Replaces GRDB's subscript for these types, which ends the program if a value is missing.
  package subscript<Stored: DatabaseValueConvertible & StatementColumnConvertible & Blank>(
    _ column: Int
  ) -> Stored {
    (self[column] as Stored?) ?? .blank
  }

  package func date(_ column: Int) -> Date? {
    (self[column] as Int64?).map(Date.init(milliseconds:))
  }
  package func count(_ column: Int) -> Int { Self.count(self[column]) }
}

extension Row {
  /// The first column: the key of a row of a damaged file, whatever its name.
  var firstColumn: Int64 { self[0] }
}

extension ListKey {
  /// Reads the first two columns: date and key.
  package init(_ row: Row) { self.init(sortDate: row[0], id: row[1]) }

  /// Reads the third column: the canonical article of a duplicate.
  static func canonical(_ row: Row) -> Int64? { row[2] }
}

extension ArticleList {
  private enum Position {
    static let id = 0, feed = 1, feedName = 2, title = 3, url = 4, sortDate = 5, isRead = 6
    static let isStarred = 7, hasEnclosure = 8, highlight = 9, isHidden = 10
    static let snoozedUntil = 11, isLater = 12, words = 13, seen = 14
  }

  package static func row(_ id: Int64, _ db: Database) throws -> ArticleRow? {
    try db.first(
      """
      SELECT s.articleID, s.feedID, \(SQLText.feedName), a.title, a.url, s.sortDate, s.isRead,
        s.isStarred, a.hasEnclosure, s.highlight, s.isHidden, z.until,
        s.laterAt IS NOT NULL, a.words,
        (SELECT p.seen FROM readingPosition p WHERE p.articleID = s.articleID)
      FROM articleStatus s JOIN article a ON a.id = s.articleID JOIN feed f ON f.id = s.feedID
        LEFT JOIN snooze z ON z.articleID = s.articleID
      WHERE s.articleID = ?
      """, [id], row)
  }

  package static func row(_ row: Row) -> ArticleRow {
    ArticleRow(
      id: ArticleID(rawValue: row[Position.id]), feed: FeedID(rawValue: row[Position.feed]),
      feedName: row[Position.feedName],
      title: row[Position.title], url: row[Position.url],
      sortDate: Date(milliseconds: row[Position.sortDate]),
      status: ArticleStatus(
        isRead: row[Position.isRead], isStarred: row[Position.isStarred],
        isLater: row[Position.isLater]),
      hasEnclosure: row[Position.hasEnclosure],
      highlight: row[Position.highlight],
      isHiddenByRule: (row[Position.isHidden] as Int64) & HiddenReason.rule != 0,
      snoozedUntil: row.date(Position.snoozedUntil),
      words: row.count(Position.words), seen: row[Position.seen])
  }
}

/// The columns of an article that rules read.
package struct JudgedColumns {
  /// The order of `names`.
  private enum Position {
    static let id = 0, title = 1, author = 2, tags = 3, language = 4, hasEnclosure = 5
    static let hasPicture = 6, hasDiscussion = 7, isRead = 8, isStarred = 9, isCopy = 10
    static let sortDate = 11, isSnoozed = 12, isLater = 13, words = 14
  }

  package static let names = """
    a.id, a.title, a.author, b.tags, b.language, a.hasEnclosure, b.imageURL IS NOT NULL,
    b.commentsURL IS NOT NULL, s.isRead, s.isStarred, s.duplicateOf IS NOT NULL,
    s.sortDate, s.isHidden & 8, s.laterAt IS NOT NULL, a.words
    """

  package let id: Int64
  package let title: String
  package let author, tags, language: String?
  package let hasEnclosure, hasPicture, hasDiscussion, isRead, isStarred, isCopy: Bool
  package let isSnoozed, isLater: Bool
  package let words: Int
  package let sortDate: Int64

  package init(_ row: Row) {
    (id, title, author, tags, language) = (
      row[Position.id], row[Position.title], row[Position.author], row[Position.tags],
      row[Position.language]
    )
    (hasEnclosure, hasPicture, hasDiscussion) = (
      row[Position.hasEnclosure], row[Position.hasPicture], row[Position.hasDiscussion]
    )
    (isRead, isStarred, isCopy) = (
      row[Position.isRead], row[Position.isStarred], row[Position.isCopy]
    )
    (sortDate, isSnoozed, isLater) = (
      row[Position.sortDate], row[Position.isSnoozed], row[Position.isLater]
    )
    words = row.count(Position.words)
  }
}

extension FeedRows {
  private enum Position {
    static let id = 0, url = 1, title = 2, userTitle = 3, homePageURL = 4, folder = 5
    static let position = 6, isPaused = 7, total = 8, unread = 9, starred = 10, phase = 11
    static let phaseOwner = 12, succeededAt = 13, checkedAt = 14, nextCheckAt = 15
    static let nextCheckReason = 16, movedTo = 17, isGone = 18, failureKind = 19
    static let failureStatus = 20, failureDetail = 21, failureSince = 22, failureCount = 23
    static let fetchesPages = 24, account = 25, isList = 26, priority = 27, snoozedUntil = 28
  }

  package static func all(
    _ db: Database, _ conditions: String, _ arguments: StatementArguments
  ) throws -> [Feed] {
    // Each process is checked once, not once per row.
    var living: [String: Bool] = [:]
    return try db.all(
      """
      SELECT f.id, f.url, f.title, f.userTitle, f.homePageURL, f.folderID, f.position, f.isPaused,
        c.total, c.unread, c.starred, x.phase, x.phaseOwner, x.succeededAt, x.checkedAt,
        x.nextCheckAt, x.nextCheckReason, x.movedTo, x.isGone, x.failureKind, x.failureStatus,
        x.failureDetail, x.failureSince, x.failureCount, f.fetchesPages, f.accountID,
        f.isList, f.priority, f.asleepUntil
      FROM feed f JOIN feedFetch x ON x.feedID = f.id JOIN feedCounter c ON c.feedID = f.id
      \(conditions)
      """, arguments
    ) { row in
      var phase = RefreshPhase(rawValue: row[Position.phase]) ?? .idle
      if phase != .idle {
        let owner: String = row[Position.phaseOwner] ?? ""
        let isAlive = living[owner] ?? ProcessOwner.isAlive(owner)
        living[owner] = isAlive
        if !isAlive { phase = .idle }
      }
      let isPaused: Bool = row[Position.isPaused]
      let isGone: Bool = row[Position.isGone]
      let account = (row[Position.account] as Int64?).map(AccountID.init(rawValue:))
      let isScheduled = !isPaused && !isGone && account == nil
      var feed = Feed(id: FeedID(rawValue: row[Position.id]), url: row[Position.url])
      feed.state.phase = phase
      feed.state.succeededAt = row.date(Position.succeededAt)
      feed.state.checkedAt = row.date(Position.checkedAt)
      if row[Position.failureKind] as String? != nil {
        feed.state.failure = FetchRows.failure(row)
      }
      feed.state.movedTo = (row[Position.movedTo] as String?).map(WebAddress.withoutUserInfo)
      if isScheduled {
        feed.state.nextCheckAt = row.date(Position.nextCheckAt)
        feed.state.setCheckReasons(row[Position.nextCheckReason])
      }
      (feed.title, feed.userTitle) = (row[Position.title], row[Position.userTitle])
      feed.homePageURL = row[Position.homePageURL]
      feed.folder = (row[Position.folder] as Int64?).map(FolderID.init(rawValue:))
      (feed.position, feed.isPaused) = (row[Position.position], isPaused)
      feed.fetchesFullText = row[Position.fetchesPages] as Bool? ?? false
      feed.counts = ArticleCounts(
        total: row.count(Position.total), unread: row.count(Position.unread),
        starred: row.count(Position.starred))
      (feed.account, feed.isList) = (account, row[Position.isList])
      feed.priority = FeedPriority(rawValue: row[Position.priority]) ?? .normal
      feed.snoozedUntil = row.date(Position.snoozedUntil)
      return feed
    }
  }
}

extension FetchRows {
  private enum Position {
    static let id = 0, url = 1, name = 2, isPaused = 3, etag = 4, lastModified = 5
    static let validatorsURL = 6, bodyHash = 7, hasBeenFetched = 8, succeededAt = 9
    static let nextCheckAt = 10, notBefore = 11, failureKind = 12, failureStatus = 13
    static let failureDetail = 14, failureSince = 15, failureCount = 16, movedTo = 17
    static let movedSince = 18, isGone = 19, updateHints = 20, isList = 21, listURL = 22
    static let listServer = 23, recentArticles = 24, lastDuration = 25, documentAt = 26
    static let options = 27
  }

  /// Recent articles of `feed f`, without older posts that the user requested.
  private static let arrivals = """
    FROM articleStatus s INDEXED BY list_all_feed WHERE s.isHidden = 0 AND s.feedID = f.id
      AND s.sortDate >= ? AND s.articleID NOT IN (SELECT articleID FROM olderPost)
    """

  package static func all(
    _ db: Database, now: Date, _ conditions: String, _ arguments: StatementArguments
  ) throws -> [FetchRecord] {
    try db.all(
      """
      SELECT f.id, f.url, \(SQLText.feedName), f.isPaused, x.etag, x.lastModified, x.validatorsURL,
        x.bodyHash, x.hasBeenFetched, x.succeededAt, x.nextCheckAt, x.notBefore, x.failureKind,
        x.failureStatus, x.failureDetail, x.failureSince, x.failureCount, x.movedTo, x.movedSince,
        x.isGone, x.updateHints, f.isList,
        \(list),
        (SELECT y.privateServer FROM listFeed m JOIN feedFetch y ON y.feedID = m.listID
          WHERE f.importedFrom IS NULL AND m.feedID = f.id AND m.isAdded = 1 LIMIT 1),
        (SELECT count(*) \(arrivals)), x.lastDuration, x.documentAt, \(OptionRows.columns)
      FROM feedFetch x JOIN feed f ON f.id = x.feedID \(conditions)
      """, [now.milliseconds - recent] + arguments
    ) { row in
      let asked = asked(row[Position.updateHints])
      var record = FetchRecord(
        feed: FeedID(rawValue: row[Position.id]), url: row[Position.url], name: row[Position.name],
        etag: row[Position.etag],
        lastModified: row[Position.lastModified], validatorsURL: row[Position.validatorsURL],
        bodyHash: row[Position.bodyHash], hasBeenFetched: row[Position.hasBeenFetched],
        succeededAt: row.date(Position.succeededAt), nextCheckAt: row.date(Position.nextCheckAt),
        notBefore: row.date(Position.notBefore),
        failure: row[Position.failureKind] as String? == nil ? nil : failure(row),
        movedTo: row[Position.movedTo],
        movedSince: row.date(Position.movedSince), isGone: row[Position.isGone],
        isPaused: row[Position.isPaused], updateHints: asked.hints,
        freshFor: asked.freshFor, recentArticles: row[Position.recentArticles],
        options: OptionRows.options(row, from: Position.options))
      (record.isList, record.listURL, record.listServer) = (
        row[Position.isList], row[Position.listURL], row[Position.listServer]
      )
      record.documentAt = row.date(Position.documentAt)
      record.lastDuration = .seconds(row[Position.lastDuration] as Double)
      return record
    }
  }
}

extension OptionRows {
  /// The order of `columns`.
  private enum Position {
    static let interval = 0, userAgent = 1, proxy = 2, headers = 3, cookies = 4, keepArticles = 5
    static let keepDays = 6, fullText = 7, sort = 8, markRead = 9, latestDownloads = 10
  }

  /// - Parameter first: the index of the first of `columns`.
  package static func options(_ row: Row, from first: Int) -> FeedOptions {
    var options = FeedOptions()
    options.interval = (row[first + Position.interval] as Int64?).map { .seconds($0) }
    options.userAgent = row[first + Position.userAgent]
    options.proxy = row[first + Position.proxy]
    options.headers = row[first + Position.headers]
    options.cookies = row[first + Position.cookies]
    options.keepArticles = row[first + Position.keepArticles]
    options.keepDays = row[first + Position.keepDays]
    options.fullText = row[first + Position.fullText]
    options.sort = (row[first + Position.sort] as String?).flatMap(ArticleOrder.init)
    options.markRead = (row[first + Position.markRead] as String?).flatMap(MarkPolicy.init)
    options.latestDownloads = row[first + Position.latestDownloads]
    return options
  }
}
