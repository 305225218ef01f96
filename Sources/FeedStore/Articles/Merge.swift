import FeedModel
import Foundation
import GRDB

extension EngineCache {
  /// Writes the outcomes of refreshes in one transaction: articles, fetch bookkeeping, progress of
  /// the requests that cover them. Never un-reads, never duplicates, never deletes. A feed that was
  /// unsubscribed meanwhile, or has another address than the one that was asked, takes nothing.
  /// - Returns: one outcome for each result, in their order.
  public func merge(_ results: [RefreshResult]) async throws(StoreError) -> [MergeOutcome] {
    let most = database.options.maximumNewArticles
    return try await database.write(.engine) { db in
      try results.map { try Merge(db: db, result: $0, maximumNew: most).run() }
    }
  }
}

/// One refresh's way into the cache.
struct Merge {
  let db: Database
  let result: RefreshResult
  let maximumNew: Int

  private var feed: Int64 { result.feed.rawValue }

  func run() throws -> MergeOutcome {
    var outcome = MergeOutcome(feed: result.feed)
    let row = try db.first(
      "SELECT isLocal, url FROM feed WHERE id = ? AND removedAt IS NULL", [feed]
    ) { ($0["isLocal"] as Bool, $0["url"] as String) }
    guard let (isLocal, url) = row else { return outcome }
    if let asked = result.askedURL, asked != url {
      // Who waits for this feed waits on, for the answer of its new address.
      try db.run("UPDATE feedFetch SET phase = 0, phaseOwner = NULL WHERE feedID = ?", [feed])
      return outcome
    }
    let hasMoved = try moveToNewURL()
    var hasFailed = false
    switch result.outcome {
    case .parsed(let document, let bodyHash):
      try take(document, isWhole: true, &outcome)
      try succeeded()
      try db.run(
        """
        UPDATE feedFetch SET bodyHash = ?, hasBeenFetched = 1, updateHints = ? WHERE feedID = ?
        """, [bodyHash, FetchRows.text(document.updateHints, result.freshFor), feed])
    case .unchanged:
      try succeeded()
      try keepFreshness()
    case .failed(let kind, let status, let detail):
      hasFailed = true
      if let document = result.partial { try take(document, isWhole: false, &outcome) }
      try FailureColumns.add(
        (kind.rawValue, status, detail), since: result.at.milliseconds, to: "feedFetch",
        where: "feedID", feed, db)
    case .postponed(let kind, let status, let detail):
      hasFailed = true
      try postpone(kind, status, detail)
    }
    if case .postponed = result.outcome {} else { try keepBooks(isLocal: isLocal, hasMoved) }
    try RequestRows.advance(
      db, feed: feed, hasFailed: hasFailed,
      isUnchanged: !hasFailed && outcome.added.isEmpty && outcome.updated == 0,
      newArticles: outcome.added.count, bytes: result.bytes, at: result.at)
    return outcome
  }

  /// - Parameter isWhole: what it does not say is not in the feed any more.
  private func take(
    _ document: ParsedFeed, isWhole: Bool, _ outcome: inout MergeOutcome
  ) throws {
    if isWhole || !document.title.isEmpty { try describe(document) }
    (outcome.added, outcome.updated) = try merge(document.items, isWhole: isWhole)
    try FullTextRows.ask(for: outcome.added, of: feed, at: result.at, db)
  }

  // MARK: Feed

  /// Only where it differs: a row that is written again wakes those who watch.
  private func describe(_ document: ParsedFeed) throws {
    let title = ItemText.cut(document.title, ItemText.Limit.title)
    let values: [(any DatabaseValueConvertible)?] = [
      title, ItemText.address(document.homePageURL), ItemText.address(document.iconURL),
      ItemText.address(document.faviconURL),
      document.language.map(ItemText.label),
    ]
    try db.run(
      """
      UPDATE feed SET title = ?1, homePageURL = ifnull(?2, homePageURL), iconURL = ?3,
        faviconURL = ?4, language = ?5
      WHERE id = ?6 AND (title IS NOT ?1 OR homePageURL IS NOT ifnull(?2, homePageURL)
        OR iconURL IS NOT ?3 OR faviconURL IS NOT ?4 OR language IS NOT ?5)
      """, StatementArguments(values + [feed]))
  }

  /// Where another subscription has the address already, this one stays where it is: false.
  private func moveToNewURL() throws -> Bool {
    guard let url = result.newURL else { return false }
    try db.run(
      """
      UPDATE OR IGNORE feed SET url = ?1 WHERE id = ?2 AND url <> ?1
      """, [url, feed])
    return try db.value("SELECT url = ? FROM feed WHERE id = ?", [url, feed])
      ?? false
  }

  // MARK: Bookkeeping

  private func succeeded() throws {
    try db.run(
      "UPDATE feedFetch SET succeededAt = ?, \(FailureColumns.cleared) WHERE feedID = ?",
      [result.at.milliseconds, feed])
  }

  /// Beside what the document asks, which stays as it was.
  private func keepFreshness() throws {
    let asked = try db.first("SELECT updateHints FROM feedFetch WHERE feedID = ?", [feed]) {
      FetchRows.asked($0["updateHints"])
    }
    guard let asked, asked.freshFor != result.freshFor else { return }
    try db.run(
      "UPDATE feedFetch SET updateHints = ? WHERE feedID = ?",
      [FetchRows.text(asked.hints ?? UpdateHints(), result.freshFor), feed])
  }

  private func postpone(_ kind: RefreshFailure.Kind, _ status: Int?, _ detail: String?) throws {
    try db.run(
      """
      UPDATE feedFetch SET failureKind = ?, failureStatus = ?, failureDetail = ?, failureSince = ?
      WHERE feedID = ? AND failureKind IS NULL
      """,
      [
        kind.rawValue, status, detail.map(ItemText.label),
        result.at.milliseconds, feed,
      ])
    try db.run(
      """
      UPDATE feedFetch SET nextCheckAt = ?, nextCheckReason = ?, notBefore = ?, phase = 0,
        phaseOwner = NULL
      WHERE feedID = ?
      """,
      [
        result.nextCheckAt?.milliseconds, CheckReason.text(result.nextCheckReasons),
        result.notBefore?.milliseconds, feed,
      ])
  }

  private func keepBooks(isLocal: Bool, _ hasMoved: Bool) throws {
    let moved = hasMoved && result.moved?.to == result.newURL ? nil : result.moved
    try db.run(
      """
      UPDATE feedFetch SET checkedAt = ?, nextCheckAt = ?, nextCheckReason = ?, notBefore = ?,
        movedTo = ?, movedSince = ?, isGone = ?, phase = 0, phaseOwner = NULL, lastBytes = ?,
        lastDuration = ?
      WHERE feedID = ?
      """,
      [
        result.at.milliseconds, isLocal ? nil : result.nextCheckAt?.milliseconds,
        CheckReason.text(result.nextCheckReasons), result.notBefore?.milliseconds,
        ItemText.address(moved?.to), moved?.since.milliseconds, result.isGone,
        result.bytes, result.duration, feed,
      ])
    if let validators = result.validators {
      try db.run(
        "UPDATE feedFetch SET etag = ?, lastModified = ?, validatorsURL = ? WHERE feedID = ?",
        [validators.etag, validators.lastModified, validators.url, feed])
    } else if result.dropsValidators {
      try db.run(
        """
        UPDATE feedFetch SET etag = NULL, lastModified = NULL, validatorsURL = NULL
        WHERE feedID = ?
        """, [feed])
    }
  }

  // MARK: Items

  /// A clock that says less is wrong: there was no Weir then.
  private static let firstLight: Int64 = 1_767_225_600_000

  struct Arrival {
    var item: ParsedItem
    var identity: Int64
    var fingerprint: Int64
    var link: Int64
    var sortDate: Int64

    init(_ item: ParsedItem, _ identity: Int64, _ fingerprint: Int64, firstSeen: Int64) {
      self.item = item
      self.identity = identity
      self.fingerprint = fingerprint
      link = Link.hash(
        url: ItemText.address(item.url), title: ItemText.title(item), fingerprint: fingerprint)
      // Atom need not say when an entry was published, only when it changed (RFC 4287, 4.1.2).
      let published = (item.datePublished ?? item.dateModified)?.milliseconds ?? firstSeen
      // A date in the future cannot sit on top for years.
      sortDate =
        firstSeen < Merge.firstLight
        ? published : min(published, firstSeen + Duration.days(1).milliseconds)
    }
  }

  private func merge(
    _ items: [ParsedItem], isWhole: Bool
  ) throws -> (added: [ArticleID], updated: Int) {
    let statement = try db.cachedStatement(
      sql: "SELECT id, fingerprint FROM article WHERE feedID = ? AND identity = ?")
    var seen = Set<Int64>(minimumCapacity: items.count)
    var arrivals: [Arrival] = []
    var updated = 0
    var known = 0
    let firstSeen = result.at.milliseconds
    for item in items {
      let identity = Fingerprint.identity(item.id)
      guard seen.insert(identity).inserted else { continue }
      let fingerprint = Fingerprint.content(item)
      let rows = try Row.fetchCursor(statement, arguments: [feed, identity])
      if let row = try rows.next() {
        let (id, old): (Int64, Int64) = (row["id"], row["fingerprint"])
        known += 1
        guard old != fingerprint else { continue }
        try update(id, item, fingerprint)
        updated += 1
      } else {
        arrivals.append(Arrival(item, identity, fingerprint, firstSeen: firstSeen))
      }
    }
    let renamed = try Renaming(db: db, feed: feed, seen: seen, known: known)
      .match(arrivals.map { ($0.item, $0.link, $0.fingerprint) })
    for (index, match) in renamed.enumerated().reversed() {
      guard let match else { continue }
      let arrival = arrivals.remove(at: index)
      guard case .article(let id, let fingerprint) = match else { continue }
      try Renaming.rename(id, to: arrival.identity, itemID: arrival.item.id, db)
      guard fingerprint != arrival.fingerprint else { continue }
      try update(id, arrival.item, arrival.fingerprint)
      updated += 1
    }
    if isWhole { try Tombstones.keepUp(feed, listed: seen, at: firstSeen, db) }
    if arrivals.count > maximumNew {
      // Sorting is stable: of equal dates the document's first are kept.
      arrivals.sort { $0.sortDate > $1.sortDate }
      arrivals.removeLast(arrivals.count - maximumNew)
    }
    // From the end, so that of equal dates the document's first has the largest key: documents
    // begin with their newest, and so do lists.
    var added: [ArticleID] = []
    added.reserveCapacity(arrivals.count)
    for arrival in arrivals.reversed() {
      if let id = try insert(arrival, firstSeen: firstSeen) { added.append(id) }
    }
    return (added, updated)
  }

  /// Nil where the item was deleted and must not return.
  func insert(_ arrival: Arrival, firstSeen: Int64) throws -> ArticleID? {
    let item = arrival.item
    let original = try Deduplication.original(of: arrival.link, feed: feed, db)
    let inserted = try db.run(
      """
      INSERT INTO article (feedID, identity, fingerprint, title, author, url, firstSeenAt,
        hasEnclosure, link)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
      WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE feedID = ?1 AND identity = ?2)
      """,
      [
        feed, arrival.identity, arrival.fingerprint, ItemText.title(item), Self.byline(item),
        ItemText.address(item.url), firstSeen, !item.enclosures.isEmpty, arrival.link,
      ])
    guard inserted > 0 else { return nil }
    let id = db.lastInsertedRowID
    try db.run(
      """
      INSERT INTO articleBody (articleID, html, summary, externalURL, commentsURL, imageURL,
        language, authors, tags, publishedAt, updatedAt, itemID)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      StatementArguments(
        [id] + Self.body(item) + [ItemText.cut(item.id, ItemText.Limit.identifier)]))
    try insertEnclosures(item.enclosures, id)
    try db.run(
      """
      INSERT INTO articleStatus (articleID, feedID, sortDate, isRead, isStarred, copyOf)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        id, feed, arrival.sortDate, original?.isRead ?? false, original?.isStarred ?? false,
        original?.id,
      ])
    if let original { try Deduplication.separate(id, from: original, db) }
    return ArticleID(rawValue: id)
  }

  /// The article's place and state stay as they are.
  func update(_ id: Int64, _ item: ParsedItem, _ fingerprint: Int64) throws {
    let title = ItemText.title(item)
    let url = ItemText.address(item.url)
    let link = Link.hash(url: url, title: title, fingerprint: fingerprint)
    let old: Int64? =
      try db.value("SELECT link FROM article WHERE id = ?", [id])
    try Revisions.keep(id, title: title, html: ItemText.body(item), at: result.at, db)
    try db.run(
      """
      UPDATE article SET fingerprint = ?, title = ?, author = ?, url = ?, hasEnclosure = ?, link = ?
      WHERE id = ?
      """,
      [
        fingerprint, title, Self.byline(item), url, !item.enclosures.isEmpty, link, id,
      ])
    if link != old { try Deduplication.refold(id, db) }
    try db.run(
      """
      UPDATE articleBody SET html = ?, summary = ?, externalURL = ?, commentsURL = ?, imageURL = ?,
        language = ?, authors = ?, tags = ?, publishedAt = ?, updatedAt = ?
      WHERE articleID = ?
      """, StatementArguments(Self.body(item) + [id]))
    try db.run("DELETE FROM enclosure WHERE articleID = ?", [id])
    try insertEnclosures(item.enclosures, id)
  }

  private func insertEnclosures(_ enclosures: [Enclosure], _ id: Int64) throws {
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

  private static func byline(_ item: ParsedItem) -> String? {
    let names = item.authors.prefix(ItemText.mostParts).compactMap(\.name)
    return names.isEmpty
      ? nil : ItemText.cut(names.joined(separator: ", "), ItemText.Limit.label)
  }

  private static func body(_ item: ParsedItem) -> [(any DatabaseValueConvertible)?] {
    let authors = item.authors.prefix(ItemText.mostParts).map { author in
      Author(
        name: author.name.map(ItemText.label),
        url: ItemText.address(author.url))
    }
    let tags = item.tags.prefix(ItemText.mostParts).map(ItemText.label)
    return [
      ItemText.body(item), item.summary.map { ItemText.cut($0, ItemText.Limit.summary) },
      ItemText.address(item.externalURL), ItemText.address(item.commentsURL),
      ItemText.address(item.imageURL), item.language.map(ItemText.label),
      StringList.text(authors), StringList.text(tags), item.datePublished?.milliseconds,
      item.dateModified?.milliseconds,
    ]
  }
}
