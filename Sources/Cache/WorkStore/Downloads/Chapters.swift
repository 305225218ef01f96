import GRDB

// Files of chapters, requested when an article is opened or its sound is downloaded, and fetched by
// the engine. Never requested for a whole feed, which may have hundreds.

/// A file of chapters that the engine is to fetch.
public struct ChapterTask: WorkTask {
  public var id: Int64
  public var url: String
  public var referrers: AddressReferrers
}

/// Files of chapters that wait for the engine.
public struct ChapterWork: WorkFacet {
  public let database: StoreDatabase
  package init(database: StoreDatabase) { self.database = database }

  package static let table = WorkTable(
    "SELECT c.articleID, c.url, \(FetchRows.referrers)",
    from: """
      chapters c CROSS JOIN article a ON a.id = c.articleID CROSS JOIN feed f ON f.id = a.feedID
      """,
    waiting: "c.state = 1 AND \(ArchivedArticles.isListed(article: "a", feed: "f"))",
    queue: "ORDER BY c.articleID DESC LIMIT 100", key: "c.articleID", name: "a.title"
  ) { ChapterTask(id: $0["articleID"], url: $0["url"], referrers: FetchRows.referrers($0)) }

  /// Stores the outcome, unless the feed has named another file meanwhile. After a failure the next
  /// opening of the article requests the file again, unless it is gone or too large.
  /// - Parameter outcome: returns the list below a text; empty if the text has it.
  public func finish(
    _ article: Int64, _ outcome: Result<@Sendable (_ text: String) -> String, RefreshFailure>
  ) async throws(StoreError) {
    try await database.write(.engine) { db, now in
      var (state, html) = (2, String?.none)
      switch outcome {
      case .success(let list):
        let text: String? = try db.value(
          "SELECT iif(html = '', summary, html) FROM articleBody WHERE articleID = ?", [article])
        html = list(text ?? "")
      case .failure(let failure):
        let isFinal = [404, 410].contains(failure.status) || failure.kind == .tooLarge
        if !isFinal { state = 0 }
        try FailureColumns.add(
          failure, since: now.milliseconds, to: "chapters", where: "articleID", article, db)
      }
      try db.run(
        "UPDATE chapters SET state = ?, html = ifnull(?, html) WHERE articleID = ? AND state = 1",
        [state, html, article])
    }
  }
}
