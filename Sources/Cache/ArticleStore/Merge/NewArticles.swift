package import GRDB

/// Statements that a merge runs for each article.
package struct ArticleStatements {
  /// `feedID`, `identity` → `id`, `fingerprint`.
  let known: DirectStatement
  let candidates: DirectStatement
  let article: DirectStatement
  let newArticle: DirectStatement
  let body: DirectStatement
  let newBody: DirectStatement
  /// Insertions of 1, 2, 4, … rows.
  private let statuses: [DirectStatement]

  /// Statements for many rows at once. Before a statement that may be undone alone (because it has
  /// triggers and a row may be refused), SQLite copies each page that it changes, about eight of
  /// 16 kB. `OR FAIL` and a foreign key that is checked at the end of the transaction spare that: a
  /// refused row throws, and the whole transaction is undone.
  private static let insertStatuses = (0...5).map { power in
    """
    INSERT OR FAIL INTO articleStatus (articleID, feedID, sortDate) VALUES
    """ + " " + Array(repeating: "(?, ?, ?)", count: 1 << power).joined(separator: ", ")
  }

  /// Returns the statement that inserts the most statuses at once, and their number.
  func statuses(atMost count: Int) -> (count: Int, statement: DirectStatement) {
    var power = 0
    while power + 1 < statuses.count, 2 << power <= count { power += 1 }
    return (1 << power, statuses[power])
  }

  package init(_ db: Database) throws {
    known = try DirectStatement(
      "SELECT id, fingerprint FROM article WHERE feedID = ? AND identity = ?", db)
    candidates = try Deduplication.candidates(db)
    article = try DirectStatement(ArticleColumns.update, db)
    newArticle = try DirectStatement(ArticleColumns.insertion, db)
    body = try DirectStatement(BodyColumns.update, db)
    newBody = try DirectStatement(BodyColumns.insertion, db)
    statuses = try Self.insertStatuses.map { try DirectStatement($0, db) }
  }
}

// Insertion of new articles, which runs once for each of them.
extension Merge {
  /// Inserts an article; returns `nil` if the item was deleted and must not return.
  package func insert(_ arrival: Arrival, _ item: ParsedItem, firstSeen: Int64) throws -> ArticleID?
  {
    try insert([arrival], of: [item], firstSeen: firstSeen, mayBeBuried: true).first
  }

  /// Inserts articles, except for items that were deleted and must not return.
  package func insert(
    _ arrivals: [Arrival], of items: [ParsedItem], firstSeen: Int64, mayBeBuried: Bool
  ) throws -> [ArticleID] {
    var added: [ArticleID] = []
    var statuses: [(id: Int64, sortDate: Int64)] = []
    var duplicates: [(article: Int64, other: Int64)] = []
    // A link that one feed uses twice does not identify an article. The table does not contain the
    // links of this call yet.
    var links: Set<Int64> = []
    added.reserveCapacity(arrivals.count)
    statuses.reserveCapacity(arrivals.count)
    for arrival in arrivals {
      if mayBeBuried,
        try db.exists(
          "SELECT 1 FROM tombstone WHERE feedID = ? AND identity = ?", [feed, arrival.identity])
      {
        continue
      }
      let item = items[arrival.place]
      let other =
        try links.insert(arrival.link).inserted
        ? Deduplication.other(
          of: arrival.link, title: arrival.title, feed: feed, statements.candidates, db
        ) { ItemText.body(item) } : nil
      let id = try insertTexts(of: arrival, item, firstSeen: firstSeen)
      added.append(ArticleID(rawValue: id))
      statuses.append((id, arrival.sortDate))
      if let other { duplicates.append((id, other)) }
    }
    try insert(statuses)
    for (article, other) in duplicates { try Deduplication.join(article, to: other, db) }
    return added
  }

  private func insertTexts(
    of arrival: Arrival, _ item: ParsedItem, firstSeen: Int64
  ) throws -> Int64 {
    let html = ItemText.body(item)
    try ArticleColumns.insert(
      arrival, item, html, feed: feed, firstSeen: firstSeen, statements.newArticle)
    let id = db.lastInsertedRowID
    try BodyColumns.write(item, html, of: id, isNew: true, statements.newBody)
    try insertEnclosures(item.enclosures, id)
    try setChapters(item.chaptersURL, id)
    return id
  }

  private func insert(_ statuses: [(id: Int64, sortDate: Int64)]) throws {
    var rest = statuses[...]
    while !rest.isEmpty {
      let (count, statement) = statements.statuses(atMost: rest.count)
      for (row, status) in rest.prefix(count).enumerated() {
        let place = Int32(row * 3)
        try statement.bind(status.id, at: place + 1)
        try statement.bind(feed, at: place + 2)
        try statement.bind(status.sortDate, at: place + 3)
      }
      try statement.run()
      rest = rest.dropFirst(count)
    }
  }

  func insertEnclosures(_ enclosures: [Enclosure], _ id: Int64) throws {
    for (position, enclosure) in enclosures.prefix(ItemText.mostParts).enumerated() {
      guard let url = ItemText.address(enclosure.url) else { continue }
      try db.run(
        """
        INSERT INTO enclosure (articleID, position, url, mimeType, title, size, duration)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          id, position, url, ItemText.cut(enclosure.mimeType, ItemText.Limit.label),
          enclosure.title.map { ItemText.cut($0, ItemText.Limit.title) }, enclosure.size,
          enclosure.duration,
        ])
    }
  }

  /// Stores the address of a file of chapters. The list of a former file stays until the next one
  /// is there.
  func setChapters(_ url: String?, _ id: Int64) throws {
    guard let url = ItemText.address(url) else { return }
    try db.run(
      """
      INSERT INTO chapters (articleID, url) VALUES (?, ?)
      ON CONFLICT (articleID) DO UPDATE SET
        url = excluded.url, state = 0, \(FailureColumns.cleared)
      WHERE url <> excluded.url
      """, [id, url])
  }
}
