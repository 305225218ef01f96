package import Foundation
package import GRDB

// The only file that reads columns by position. A name costs a lookup in a dictionary for each
// value: the sidebar of 1,000 feeds reads 29,000 values before the first screen, marking a million
// articles read needs 2,000,000 values, and rules read 15 values of each article. All other code
// reads by name.

/// The columns of a row, read one after another in the order of the statement.
package struct Columns {
  private let row: Row
  package private(set) var place: Int

  package init(_ row: Row, from place: Int = 0) { (self.row, self.place) = (row, place) }

  package mutating func next<Stored: DatabaseValueConvertible & StatementColumnConvertible>()
    -> Stored?
  {
    defer { place += 1 }
    return row[place]
  }

  /// Reads NULL as blank, where GRDB's subscript ends the program.
  package mutating func next<
    Stored: DatabaseValueConvertible & StatementColumnConvertible & Blank
  >() -> Stored {
    (next() as Stored?) ?? .blank
  }

  package mutating func date() -> Date? { (next() as Int64?).map(Date.init(milliseconds:)) }
  package mutating func count() -> Int { Row.count(next()) }
  package mutating func id<ID: RawRepresentable<Int64>>() -> ID? {
    (next() as Int64?).flatMap(ID.init(rawValue:))
  }
}

extension Row {
  /// The first column: the key of a row of a damaged file, whatever its name.
  var firstColumn: Int64 {
    var columns = Columns(self)
    return columns.next()
  }
}

extension ListKey {
  /// Reads the first two columns: date and key.
  package init(_ row: Row) {
    var columns = Columns(row)
    self.init(sortDate: columns.next(), id: columns.next())
  }

  /// Reads the third column: the canonical article of a duplicate.
  static func canonical(_ row: Row) -> Int64? {
    var columns = Columns(row, from: 2)
    return columns.next()
  }
}

extension ArticleList {
  package static func row(_ id: Int64, _ db: Database) throws -> ArticleRow? {
    try db.first(
      """
      SELECT s.articleID, s.feedID, \(SQLText.feedName), a.title, a.url, s.sortDate, s.isRead,
        s.isStarred, s.laterAt IS NOT NULL, a.hasEnclosure, s.highlight,
        s.isHidden & \(HiddenReason.rule), z.until, a.words,
        (SELECT p.seen FROM readingPosition p WHERE p.articleID = s.articleID)
      FROM articleStatus s JOIN article a ON a.id = s.articleID JOIN feed f ON f.id = s.feedID
        LEFT JOIN snooze z ON z.articleID = s.articleID
      WHERE s.articleID = ?
      """, [id]
    ) { row in
      var columns = Columns(row)
      return ArticleRow(
        id: ArticleID(rawValue: columns.next()), feed: FeedID(rawValue: columns.next()),
        feedName: columns.next(), title: columns.next(), url: columns.next(),
        sortDate: Date(milliseconds: columns.next()),
        status: ArticleStatus(
          isRead: columns.next(), isStarred: columns.next(), isLater: columns.next()),
        hasEnclosure: columns.next(), highlight: columns.next(), isHiddenByRule: columns.next(),
        snoozedUntil: columns.date(), words: columns.count(), seen: columns.next())
    }
  }
}

extension ArticleIdentity.Known {
  static let columns = """
    a.id, a.identity, a.fingerprint, a.title, a.link, b.itemID, b.publishedAt, b.updatedAt
    """

  init(_ row: Row) {
    var columns = Columns(row)
    (id, identity, fingerprint) = (columns.next(), columns.next(), columns.next())
    title = FoldedTitle.text(columns.next())
    link = columns.next() ?? 1
    (itemID, published) = (columns.next(), columns.next())
    dates = [published, columns.next()].compactMap { $0.map(Self.seconds) }
  }
}

/// The columns of an article that rules read.
package struct JudgedColumns {
  package static let names = """
    a.id, a.title, a.author, b.tags, b.language, a.hasEnclosure, b.imageURL IS NOT NULL,
    b.commentsURL IS NOT NULL, s.isRead, s.isStarred, s.laterAt IS NOT NULL,
    s.duplicateOf IS NOT NULL, s.isHidden & \(HiddenReason.snoozed), a.words, s.sortDate
    """

  package let id: Int64
  package let title: String
  package let author, tags, language: String?
  package let hasEnclosure, hasPicture, hasDiscussion, isRead, isStarred, isLater, isCopy: Bool
  package let isSnoozed: Bool
  package let words: Int
  package let sortDate: Int64

  package init(_ row: Row) {
    var columns = Columns(row)
    (id, title) = (columns.next(), columns.next())
    (author, tags, language) = (columns.next(), columns.next(), columns.next())
    (hasEnclosure, hasPicture, hasDiscussion) = (columns.next(), columns.next(), columns.next())
    (isRead, isStarred, isLater) = (columns.next(), columns.next(), columns.next())
    (isCopy, isSnoozed) = (columns.next(), columns.next())
    (words, sortDate) = (columns.count(), columns.next())
  }
}

extension FeedRows {
  package static func all(
    _ db: Database, _ conditions: String, _ arguments: StatementArguments
  ) throws -> [Feed] {
    try db.all(
      """
      SELECT f.id, f.url, f.title, f.userTitle, f.homePageURL, f.folderID, f.position, f.isPaused,
        f.fetchesPages, f.accountID, f.isList, f.priority, f.asleepUntil, c.total, c.unread,
        c.starred, x.succeededAt, x.checkedAt, x.movedTo, x.isGone, x.nextCheckAt,
        x.nextCheckReason, x.failureKind, x.failureStatus, x.failureDetail, x.failureSince,
        x.failureCount
      FROM feed f JOIN feedFetch x ON x.feedID = f.id JOIN feedCounter c ON c.feedID = f.id
      \(conditions)
      """, arguments
    ) { row in
      var columns = Columns(row)
      var feed = Feed(id: FeedID(rawValue: columns.next()), url: columns.next())
      (feed.title, feed.userTitle) = (columns.next(), columns.next())
      (feed.homePageURL, feed.folder) = (columns.next(), columns.id())
      (feed.position, feed.isPaused) = (columns.next(), columns.next())
      feed.fetchesFullText = columns.next() as Bool? ?? false
      (feed.account, feed.isList) = (columns.id(), columns.next())
      feed.priority = FeedPriority(rawValue: columns.next()) ?? .normal
      feed.snoozedUntil = columns.date()
      feed.counts = ArticleCounts(
        total: columns.count(), unread: columns.count(), starred: columns.count())
      (feed.state.succeededAt, feed.state.checkedAt) = (columns.date(), columns.date())
      feed.state.movedTo = (columns.next() as String?).map(WebAddress.withoutUserInfo)
      let isGone: Bool = columns.next()
      let (nextCheckAt, reasons): (Date?, String?) = (columns.date(), columns.next())
      if !feed.isPaused, !isGone, feed.account == nil {
        feed.state.nextCheckAt = nextCheckAt
        feed.state.setCheckReasons(reasons)
      }
      if columns.next() as String? != nil { feed.state.failure = FetchRows.failure(row) }
      return feed
    }
  }
}

extension FetchRows {
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
      SELECT f.id, f.url, \(SQLText.feedName), x.etag, x.lastModified, x.validatorsURL, x.bodyHash,
        x.hasBeenFetched, x.succeededAt, x.documentAt, x.nextCheckAt, x.notBefore, x.movedTo,
        x.movedSince, x.isGone, f.isPaused, x.updateHints, (SELECT count(*) \(arrivals)),
        x.lastDuration, f.isList, \(list),
        (SELECT y.privateServer FROM listFeed m JOIN feedFetch y ON y.feedID = m.listID
          WHERE f.importedFrom IS NULL AND m.feedID = f.id AND m.isAdded = 1 LIMIT 1),
        x.failureKind, \(OptionRows.columns), x.failureStatus, x.failureDetail, x.failureSince,
        x.failureCount
      FROM feedFetch x JOIN feed f ON f.id = x.feedID \(conditions)
      """, [now.milliseconds - recent] + arguments
    ) { row in
      var columns = Columns(row)
      var record = FetchRecord(
        feed: FeedID(rawValue: columns.next()), url: columns.next(), name: columns.next(),
        etag: columns.next(), lastModified: columns.next(), validatorsURL: columns.next(),
        bodyHash: columns.next(), hasBeenFetched: columns.next(), succeededAt: columns.date(),
        documentAt: columns.date(), nextCheckAt: columns.date(), notBefore: columns.date(),
        movedTo: columns.next(), movedSince: columns.date(), isGone: columns.next(),
        isPaused: columns.next())
      (record.updateHints, record.freshFor) = asked(columns.next())
      record.recentArticles = columns.next()
      record.lastDuration = .seconds(columns.next() as Double)
      (record.isList, record.listURL) = (columns.next(), columns.next())
      record.listServer = columns.next()
      if columns.next() as String? != nil { record.failure = failure(row) }
      record.options = OptionRows.options(row, from: columns.place)
      return record
    }
  }
}

extension OptionRows {
  /// Reads `columns`.
  /// - Parameter first: the index of the first of them.
  package static func options(_ row: Row, from first: Int) -> FeedOptions {
    var columns = Columns(row, from: first)
    var options = FeedOptions()
    options.interval = (columns.next() as Int64?).map { .seconds($0) }
    (options.userAgent, options.proxy) = (columns.next(), columns.next())
    (options.headers, options.cookies) = (columns.next(), columns.next())
    (options.keepArticles, options.keepDays) = (columns.next(), columns.next())
    options.fullText = columns.next()
    options.sort = (columns.next() as String?).flatMap(ArticleOrder.init)
    options.markRead = (columns.next() as String?).flatMap(MarkPolicy.init)
    options.latestDownloads = columns.next()
    return options
  }
}
