package import CacheCore
package import FeedModel
package import Foundation
package import GRDB

// The only file that reads columns by position. A name costs a lookup in a dictionary for each
// value: the sidebar of 1,000 feeds reads 29,000 values before the first screen, marking a million
// articles read needs 2,000,000 values, and rules read 16 values of each article. All other code
// reads by name.

extension Row {
  /// Replaces GRDB's subscript for these types, which ends the program if a value is missing.
  package subscript<Value: DatabaseValueConvertible & StatementColumnConvertible & Blank>(
    _ column: Int
  ) -> Value {
    (self[column] as Value?) ?? .blank
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

  /// Reads the third column: the article of which the row's article is a copy.
  static func original(_ row: Row) -> Int64? { row[2] }
}

extension ArticleList {
  package static func row(_ id: Int64, _ db: Database) throws -> ArticleRow? {
    try db.first(
      """
      SELECT s.articleID, s.feedID, \(SQLText.feedName), a.title, a.url, s.sortDate, s.isRead,
        s.isStarred, a.hasEnclosure, s.score, s.highlight, s.isHidden, z.until,
        s.laterAt IS NOT NULL, a.words,
        (SELECT p.seen FROM readingPosition p WHERE p.articleID = s.articleID)
      FROM articleStatus s JOIN article a ON a.id = s.articleID JOIN feed f ON f.id = s.feedID
        LEFT JOIN snooze z ON z.articleID = s.articleID
      WHERE s.articleID = ?
      """, [id], row)
  }

  package static func row(_ row: Row) -> ArticleRow {
    ArticleRow(
      id: ArticleID(rawValue: row[0]), feed: FeedID(rawValue: row[1]), feedName: row[2],
      title: row[3], url: row[4], sortDate: Date(milliseconds: row[5]),
      status: ArticleStatus(isRead: row[6], isStarred: row[7], isLater: row[13]),
      hasEnclosure: row[8],
      score: row[9], highlight: row[10],
      isHiddenByRule: (row[11] as Int64) & HiddenReason.rule != 0, asleepUntil: row.date(12),
      words: row.count(14), seen: row[15])
  }
}

/// The columns of an article that rules read.
package struct JudgedColumns {
  package static let names = """
    a.id, a.title, a.author, b.tags, b.language, a.hasEnclosure, b.imageURL IS NOT NULL,
    b.commentsURL IS NOT NULL, s.isRead, s.isStarred, s.duplicateOf IS NOT NULL, s.score,
    s.sortDate, s.isHidden & 8, s.laterAt IS NOT NULL, a.words
    """

  package let id: Int64
  package let title: String
  package let author, tags, language: String?
  package let hasEnclosure, hasPicture, hasDiscussion, isRead, isStarred, isCopy: Bool
  package let isAsleep, isLater: Bool
  package let score, words: Int
  package let sortDate: Int64

  package init(_ row: Row) {
    (id, title, author, tags, language) = (row[0], row[1], row[2], row[3], row[4])
    (hasEnclosure, hasPicture, hasDiscussion) = (row[5], row[6], row[7])
    (isRead, isStarred, isCopy) = (row[8], row[9], row[10])
    (score, sortDate, isAsleep, isLater) = (row[11], row[12], row[13], row[14])
    words = row.count(15)
  }
}

extension FeedRows {
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
        f.isList, f.listing, f.asleepUntil
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
      var state = FeedState(
        phase: phase, succeededAt: row.date(13), checkedAt: row.date(14),
        nextCheckAt: isScheduled ? row.date(15) : nil,
        failure: row[19] as String? == nil ? nil : FetchRows.failure(row),
        movedTo: (row[17] as String?).map(WebAddress.withoutUserInfo))
      if isScheduled { state.setCheckReasons(row[16]) }
      var feed = Feed(
        id: FeedID(rawValue: row[0]), url: row[1], title: row[2], userTitle: row[3],
        homePageURL: row[4], folder: (row[5] as Int64?).map(FolderID.init(rawValue:)),
        position: row[6], isPaused: isPaused, fetchesFullText: row[24] as Bool? ?? false,
        counts: ArticleCounts(total: row.count(8), unread: row.count(9), starred: row.count(10)),
        state: state, account: account, isList: row[26])
      feed.listing = FeedListing(rawValue: row[27]) ?? .normal
      feed.asleepUntil = row.date(28)
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
    let scores = FolderScores(db)
    return try db.all(
      """
      SELECT f.id, f.url, \(SQLText.feedName), f.isPaused, x.etag, x.lastModified, x.validatorsURL,
        x.bodyHash, x.hasBeenFetched, x.succeededAt, x.nextCheckAt, x.notBefore, x.failureKind,
        x.failureStatus, x.failureDetail, x.failureSince, x.failureCount, x.movedTo, x.movedSince,
        x.isGone, x.updateHints, f.isList,
        \(list),
        (SELECT y.privateServer FROM listFeed m JOIN feedFetch y ON y.feedID = m.listID
          WHERE f.importedFrom IS NULL AND m.feedID = f.id AND m.isAdded = 1 LIMIT 1),
        (SELECT count(*) \(arrivals)),
        (SELECT avg(score) FROM (SELECT s.score \(arrivals)
          ORDER BY s.sortDate DESC LIMIT \(scored))),
        f.score, f.folderID, x.lastDuration, \(OptionRows.columns)
      FROM feedFetch x JOIN feed f ON f.id = x.feedID \(conditions)
      """, [now.milliseconds - recent, now.milliseconds - recent] + arguments
    ) { row in
      let asked = asked(row[20])
      var record = FetchRecord(
        feed: FeedID(rawValue: row[0]), url: row[1], name: row[2], etag: row[4],
        lastModified: row[5], validatorsURL: row[6], bodyHash: row[7], hasBeenFetched: row[8],
        succeededAt: row.date(9), nextCheckAt: row.date(10), notBefore: row.date(11),
        failure: row[12] as String? == nil ? nil : failure(row), movedTo: row[17],
        movedSince: row.date(18), isGone: row[19], isPaused: row[3], updateHints: asked.hints,
        freshFor: asked.freshFor, recentArticles: row[24],
        options: OptionRows.options(row, from: 29))
      (record.isList, record.listURL, record.listServer) = (row[21], row[22], row[23])
      record.lastDuration = .seconds(row[28] as Double)
      let mean: Double? = row[25]
      record.score =
        try mean.map { Int($0.rounded()) } ?? Int(row[26] as Int64 + scores.around(row[27]))
      return record
    }
  }
}

extension OptionRows {
  /// - Parameter first: the index of the first of `columns`.
  package static func options(_ row: Row, from first: Int) -> FeedOptions {
    var options = FeedOptions()
    options.interval = (row[first] as Int64?).map { .seconds($0) }
    options.userAgent = row[first + 1]
    options.proxy = row[first + 2]
    options.headers = row[first + 3]
    options.cookies = row[first + 4]
    options.keepArticles = row[first + 5]
    options.keepDays = row[first + 6]
    options.fullText = row[first + 7]
    options.sort = (row[first + 8] as String?).flatMap(ArticleOrder.init)
    options.markRead = (row[first + 9] as String?).flatMap(MarkPolicy.init)
    options.latestDownloads = row[first + 10]
    return options
  }
}
