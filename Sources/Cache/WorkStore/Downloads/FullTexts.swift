package import Foundation
package import GRDB

// Texts of articles' pages, requested by a screen or a feed's setting, fetched by the engine.

/// A page that the engine is to fetch.
public struct FullTextTask: WorkTask, Equatable {
  public var article: ArticleID
  /// http or https.
  public var url: String
  public var referrers: AddressReferrers
  /// True if the user requested the page, false if a setting of the feed did.
  public var isWanted: Bool
  package var id: Int64 { article.rawValue }
}

extension FullTextCache where Side == ReaderCache {
  /// Requests the full text, again after a failure. If the full text was fetched, switches between
  /// the full text and the feed's text.
  /// - Returns: `nil` if the article has no web page.
  public func turnFullText(_ article: ArticleID) async throws(StoreError) -> FullText? {
    let (id, now) = (article.rawValue, database.now.milliseconds)
    return try await database.write(.user) { db in
      try db.run(
        """
        INSERT INTO fullText (articleID, askedAt, isWanted)
        SELECT a.id, ?2, 1 FROM article a JOIN articleBody b ON b.articleID = a.id
        WHERE a.id = ?1 AND \(FullTextRows.page) LIKE 'http%'
        ON CONFLICT (articleID) DO UPDATE SET
          askedAt = ?2, isWanted = 1, isWaiting = html IS NULL,
          isShown = CASE WHEN html IS NULL THEN 1 ELSE 1 - isShown END
        """, [id, now])
      return try FullTextRows.all(db, "t.articleID = ?", [id]).first
    }
  }

  public func cancelFullText(_ article: ArticleID) async throws(StoreError) {
    try await database.run(
      .user, "DELETE FROM fullText WHERE articleID = ? AND isWaiting = 1", [article.rawValue])
  }
}

extension FullTextCache {
  /// Returns the full text of an article; `nil` if it was never requested.
  public func fullText(_ article: ArticleID) throws(StoreError) -> FullText? {
    let id = article.rawValue
    return try database.read { db in try FullTextRows.all(db, "t.articleID = ?", [id]).first }
  }
}

extension FullTextCache: WorkFacet where Side == EngineCache {
  /// Pages that the user requested come first.
  package static var table: WorkTable<FullTextTask> {
    WorkTable(
      """
      SELECT t.articleID, \(FullTextRows.page) AS page, b.itemID, \(FetchRows.referrers), t.isWanted
      """,
      from: """
        fullText t CROSS JOIN article a ON a.id = t.articleID
        CROSS JOIN articleBody b ON b.articleID = a.id CROSS JOIN feed f ON f.id = a.feedID
        """,
      waiting: "t.isWaiting = 1 AND \(ArchivedArticles.isListed(article: "a", feed: "f"))",
      queue: "ORDER BY t.isWanted DESC, t.askedAt, t.articleID LIMIT 500", key: "t.articleID",
      name: "a.title"
    ) { row in
      FullTextTask(
        article: row.id("articleID"), url: row["page"] ?? "",
        referrers: FetchRows.referrers(row, page: row["page"]), isWanted: row["isWanted"])
    }
  }

  /// Stores the outcome of a page, and facts about the article that its feed lacks, unless the
  /// request was cancelled.
  public func finishFullText(
    _ article: ArticleID, _ outcome: FullTextOutcome
  ) async throws(StoreError) {
    let (id, now) = (article.rawValue, database.now.milliseconds)
    let plainText = database.options.plainText
    try await database.write(.engine) { db in
      guard try db.exists("SELECT 1 FROM fullText WHERE articleID = ?", [id]) else { return }
      try FullTextRows.finish(id, outcome, db, at: now, plainText: plainText)
    }
  }
}

package enum FullTextRows {
  /// Largest number of pages that a feed's setting requests per refresh, so that the whole past of
  /// a feed is not fetched.
  static let mostAtOnce = 30

  /// The address of the page of `article a` and `articleBody b`.
  static let page = "coalesce(a.url, b.externalURL)"

  static func all(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [FullText] {
    try db.all(
      """
      SELECT t.articleID, \(page) AS page, t.isShown, t.isWaiting, t.html, \(FailureColumns.all)
      FROM fullText t JOIN article a ON a.id = t.articleID
        JOIN articleBody b ON b.articleID = a.id
      WHERE \(condition)
      """, arguments
    ) { row in
      FullText(
        article: row.id("articleID"), url: row["page"] ?? "", state: state(row),
        isShown: row["isShown"],
        obstacle: row["html"] == nil
          ? nil : (row["failureDetail"] as String?).map(FailureDetail.init))
    }
  }

  private static func state(_ row: Row) -> FullText.State {
    if let html = row["html"] as String? { return .found(html: html) }
    let isWaiting: Bool = row["isWaiting"]
    guard !isWaiting, let failure = FetchRows.failure(row) else { return .waiting }
    return .failed(failure)
  }

  /// Stores the result of a page; its request need not exist. If the page has only the beginning of
  /// the article, the feed's text stays shown if it is longer.
  static func finish(
    _ article: Int64, _ outcome: FullTextOutcome, _ db: Database, at now: Int64,
    plainText: (String) -> [UInt8]
  ) throws {
    try db.run(
      """
      INSERT INTO fullText (articleID, askedAt, isWanted, isWaiting) VALUES (?1, ?2, 0, 0)
      ON CONFLICT (articleID) DO UPDATE SET isWaiting = 0
      """, [article, now])
    switch outcome {
    case .found(let content):
      let obstacle = content.obstacle?.code
      let isShorter =
        try obstacle != nil
        && plainText(content.html).count
          < plainText(
            db.value("SELECT html FROM articleBody WHERE articleID = ?", [article]) ?? ""
          ).count
      try db.run(
        """
        UPDATE fullText SET isShown = iif(html IS NULL AND ?, 0, isShown), html = ?,
          pages = ifnull(?, pages), \(FailureColumns.cleared), failureDetail = ?
        WHERE articleID = ?
        """, [isShorter, content.html, StringList.text(content.pages), obstacle, article])
      if !isShorter {
        try db.run(
          "UPDATE article SET words = ? WHERE id = ?",
          [ReadingTime.words(in: content.html), article])
      }
      try fillGaps(of: article, from: content, db, at: now)
    case .failed(let failure):
      try FailureColumns.add(failure, since: now, to: "fullText", where: "articleID", article, db)
    }
  }

  /// Stores the title, author and date of an article's page if its feed has none. An item without a
  /// title may have its address or its ID as the title.
  private static func fillGaps(
    of article: Int64, from content: MainContent, _ db: Database, at now: Int64
  ) throws {
    if let title = content.title.map({ ItemText.cut($0, ItemText.Limit.title) }), !title.isEmpty {
      try db.run(
        """
        UPDATE article SET title = ? WHERE id = ? AND (title IN ('·', url)
          OR title = (SELECT itemID FROM articleBody WHERE articleID = article.id))
        """, [title, article])
    }
    if let author = content.author.map(ItemText.label), !author.isEmpty {
      try db.run(
        "UPDATE article SET author = ? WHERE id = ? AND author IS NULL", [author, article])
      try db.run(
        "UPDATE articleBody SET authors = ? WHERE articleID = ? AND authors IS NULL",
        [StringList.text([Author(name: author)]), article])
    }
    if let date = content.published?.milliseconds, date <= now {
      try db.run(
        "UPDATE articleBody SET publishedAt = ? WHERE articleID = ? AND publishedAt IS NULL",
        [date, article])
    }
  }

  /// Requests the pages of articles that have a web page.
  /// - Parameter isWanted: true if the user waits for them.
  package static func ask(
    forPages articles: [Int64], isWanted: Bool = false, at now: Date, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO fullText (articleID, askedAt, isWanted)
      SELECT a.id, ?, ? FROM article a JOIN articleBody b ON b.articleID = a.id
      WHERE a.id IN (SELECT value FROM json_each(?)) AND \(page) LIKE 'http%'
      """, [now.milliseconds, isWanted, SQLText.json(articles)])
  }
}
