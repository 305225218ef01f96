import Foundation
package import GRDB

extension FetchWork {
  /// Writes the outcomes of refreshes in one transaction: articles, fetch bookkeeping, progress of
  /// the requests that cover them. Never marks articles unread, duplicates or deletes them. Skips
  /// feeds that were unsubscribed meanwhile or have another address than was requested.
  /// - Parameter duration: the time after which remaining results are not written; the first always
  ///   is. `nil` writes all.
  /// - Returns: one outcome for each result that was written, in their order.
  public func merge(
    _ results: [RefreshResult], within duration: Duration? = nil
  ) async throws(StoreError) -> [MergeOutcome] {
    try await merging { _, merge in
      let end = duration.map { ContinuousClock.now + $0 }
      var outcomes: [MergeOutcome] = []
      for result in results {
        if let end, !outcomes.isEmpty, ContinuousClock.now >= end { break }
        outcomes.append(try merge(result).run())
      }
      return outcomes
    }
  }

  /// Runs a transaction, and passes a function that prepares the merge of a result to `body`.
  func merging<T: Sendable>(
    _ body: @escaping @Sendable (Database, (RefreshResult) throws -> Merge) throws -> T
  ) async throws(StoreError) -> T {
    try await database.change(.engine) { [options = database.options] transaction in
      let statements = try ArticleStatements(transaction.db)
      let handlers = try transaction.arrivalHandlers()
      return try body(transaction.db) { result in
        try Merge(
          transaction, result: result, maximumNew: options.maximumNewArticles,
          statements: statements, handlers: handlers, listNotice: options.listNotice)
      }
    }
  }

  /// Writes a refresh; if SQLite refuses a value, the items that it accepts, and a failure with the
  /// reason.
  public func mergeAccepted(_ result: RefreshResult) async throws(StoreError) -> MergeOutcome {
    try await merging { db, merge in
      var whole = MergeOutcome(feed: result.feed)
      let refusal = try db.writeAccepted([result][...]) { _ in whole = try merge(result).run() }
      guard let reason = refusal?.failure.code else { return whole }
      var failed = result
      failed.outcome = .failed(.storage, status: nil, detail: reason)
      (failed.validators, failed.newURL, failed.moved) = (nil, nil, nil)
      if case .parsed(let document, _) = result.outcome { failed.partial = document }
      guard var document = failed.partial else { return try merge(failed).run() }
      if let entries = result.list,
        try db.exists(
          "SELECT 1 FROM feed WHERE id = ? AND removedAt IS NULL", [result.feed.rawValue])
      {
        try merge(result).update(with: entries, &document)
      }
      var accepted = document
      (accepted.title, accepted.items) = ("", [])
      // Without a title, the row of the feed stays as it is.
      let parts: [(title: String, items: [ParsedItem])] =
        [(document.title, [])] + document.items.map { ("", [$0]) }
      _ = try db.writeAccepted(parts[...]) { parts in
        var (trial, part) = (failed, document)
        (part.title, part.items) = (parts.map(\.title).joined(), parts.flatMap(\.items))
        trial.partial = part
        try db.inSavepoint {
          _ = try merge(trial).run()
          return .rollback
        }
        accepted.title += part.title
        accepted.items += part.items
      }
      failed.partial = accepted
      var outcome = try merge(failed).run()
      outcome.refusal = reason
      return outcome
    }
  }
}

package struct Merge {
  package let transaction: Transaction
  package let db: Database
  package let result: RefreshResult
  package let maximumNew: Int
  package let statements: ArticleStatements
  /// Empty for imports, which no other store processes.
  package let handlers: [ArrivalHandler]
  let listNotice: (ListChange) -> ListNotice

  package init(
    _ transaction: Transaction, result: RefreshResult, maximumNew: Int,
    statements: ArticleStatements? = nil, handlers: [ArrivalHandler] = [],
    listNotice: @escaping (ListChange) -> ListNotice = ListNotice.init
  ) throws {
    self.listNotice = listNotice
    (self.transaction, self.result, self.maximumNew) = (transaction, result, maximumNew)
    (db, self.handlers) = (transaction.db, handlers)
    self.statements = try statements ?? ArticleStatements(db)
  }

  /// Creates a merge that only inserts and updates single articles.
  package init(adding feed: FeedID, _ transaction: Transaction) throws {
    try self.init(
      transaction, result: RefreshResult(feed: feed, at: transaction.now, outcome: .unchanged),
      maximumNew: .max)
  }

  package var feed: Int64 { result.feed.rawValue }

  package func run() throws -> MergeOutcome {
    var outcome = MergeOutcome(feed: result.feed)
    let row = try db.first(
      "SELECT isLocal, url FROM feed WHERE id = ? AND removedAt IS NULL", [feed]
    ) { ($0["isLocal"] as Bool, $0["url"] as String) }
    guard let (isLocal, url) = row else { return outcome }
    // Requests for this feed stay open until its new address answers.
    if let asked = result.askedURL, asked != url { return outcome }
    // False too if another subscription has the address, so that the feed keeps its own.
    let hasMoved = try result.newURL.map { try FetchRows.move(feed, to: $0, db) } ?? false
    var hasFailed = false
    switch result.outcome {
    case .parsed(var document, let bodyHash):
      if let entries = result.list, let refusal = try update(with: entries, &document) {
        throw StoreError.refusedValue(detail: refusal)
      }
      try apply(document, isWhole: result.list == nil, &outcome)
      try db.run(
        """
        UPDATE feedFetch SET bodyHash = ?, hasBeenFetched = 1, updateHints = ? WHERE feedID = ?
        """, [bodyHash, FetchRows.text(document.updateHints, result.freshFor), feed])
    case .unchanged:
      // Stores the seconds that the document stays fresh, if they have changed.
      let asked = try db.first("SELECT updateHints FROM feedFetch WHERE feedID = ?", [feed]) {
        FetchRows.asked($0["updateHints"])
      }
      if let asked, asked.freshFor != result.freshFor {
        try db.run(
          "UPDATE feedFetch SET updateHints = ? WHERE feedID = ?",
          [FetchRows.text(asked.hints ?? UpdateHints(), result.freshFor), feed])
      }
    case .failed(let kind, let status, let detail):
      hasFailed = true
      if let document = result.partial { try apply(document, isWhole: false, &outcome) }
      let failure = RefreshFailure(kind: kind, status: status, detail: detail, since: result.at)
      try FailureColumns.add(
        failure, since: result.at.milliseconds, to: "feedFetch", where: "feedID", feed, db)
    case .postponed(let kind, let status, let detail):
      hasFailed = true
      try db.run(
        """
        UPDATE feedFetch SET nextCheckAt = ?1, nextCheckReason = ?2, notBefore = ?3,
          failureKind = ifnull(failureKind, ?4),
          failureStatus = iif(failureKind IS NULL, ?5, failureStatus),
          failureDetail = iif(failureKind IS NULL, ?6, failureDetail),
          failureSince = iif(failureKind IS NULL, ?7, failureSince)
        WHERE feedID = ?8
        """,
        [
          result.nextCheckAt?.milliseconds, CheckReason.text(result.nextCheckReasons),
          result.notBefore?.milliseconds, kind.rawValue, status, detail.map(ItemText.label),
          result.at.milliseconds, feed,
        ])
    }
    if case .postponed = result.outcome {
    } else {
      try recordFetch(isLocal: isLocal, hasMoved, hasFailed: hasFailed)
    }
    try RequestProgress.advance(
      db, feed: feed, hasFailed: hasFailed,
      isUnchanged: !hasFailed && outcome.added.isEmpty && outcome.updated == 0,
      newArticles: outcome.added.count, bytes: result.bytes, at: result.at)
    return outcome
  }

  /// - Parameter isWhole: true if items that the document does not list have left the feed.
  private func apply(
    _ document: ParsedFeed, isWhole: Bool, _ outcome: inout MergeOutcome
  ) throws {
    if isWhole || !document.title.isEmpty { try describe(document) }
    (outcome.added, outcome.updated) = try merge(document.items, isWhole: isWhole)
  }

  // MARK: Feed

  /// Stores title, addresses and the like; only if they differ, because writes notify observers. A
  /// name from an imported list that is the feed's first title was not chosen by the user.
  private func describe(_ document: ParsedFeed) throws {
    let title = ItemText.cut(document.title, ItemText.Limit.title)
    let values: [(any DatabaseValueConvertible)?] = [
      title, ItemText.address(document.homePageURL), ItemText.address(document.iconURL),
      ItemText.address(document.faviconURL),
      document.language.map(ItemText.label),
      document.summary.map { ItemText.cut($0, ItemText.Limit.title) },
    ]
    try db.run(
      """
      UPDATE feed SET title = ?1, homePageURL = ifnull(?2, homePageURL), iconURL = ?3,
        userTitle = iif(title = '' AND accountID IS NULL, nullif(userTitle, ?1), userTitle),
        faviconURL = ?4, language = ?5, summary = ?6
      WHERE id = ?7 AND (title IS NOT ?1 OR homePageURL IS NOT ifnull(?2, homePageURL)
        OR iconURL IS NOT ?3 OR faviconURL IS NOT ?4 OR language IS NOT ?5
        OR summary IS NOT ?6)
      """, StatementArguments(values + [feed]))
  }

  // MARK: Bookkeeping

  /// Columns that every answer changes, in one statement because most answers bring nothing new.
  private static let bookkeeping = """
    checkedAt = ?1, nextCheckAt = ?2, nextCheckReason = ?3, notBefore = ?4, movedTo = ?5,
    movedSince = ?6, isGone = ?7, lastBytes = ?8, lastDuration = ?9
    """
  private static let failed = "UPDATE feedFetch SET \(bookkeeping) WHERE feedID = ?10"
  private static let succeeded = """
    UPDATE feedFetch SET \(bookkeeping), succeededAt = ?1, \(FailureColumns.cleared), privateServer = ?11,
      documentAt = iif(?12, ?1, documentAt)
    WHERE feedID = ?10
    """

  private func recordFetch(isLocal: Bool, _ hasMoved: Bool, hasFailed: Bool) throws {
    let moved = hasMoved && result.moved?.to == result.newURL ? nil : result.moved
    try db.run(
      hasFailed ? Self.failed : Self.succeeded,
      [
        result.at.milliseconds, isLocal ? nil : result.nextCheckAt?.milliseconds,
        CheckReason.text(result.nextCheckReasons), result.notBefore?.milliseconds,
        ItemText.address(moved?.to), moved?.since.milliseconds, result.isGone,
        result.bytes, result.duration, feed,
      ] + (hasFailed ? [] : [result.privateServer, result.hasDocument]))
    let validators = result.validators
    guard validators != nil || result.dropsValidators else { return }
    try db.run(
      "UPDATE feedFetch SET etag = ?, lastModified = ?, validatorsURL = ? WHERE feedID = ?",
      [validators?.etag, validators?.lastModified, validators?.url, feed])
  }

  // MARK: Items

  /// Earlier timestamps mean that the clock was not set.
  private static let earliestClock: Int64 = 1_767_225_600_000

  /// An item that may become an article. Refers to the item by index, because copying an item
  /// changes a dozen reference counts.
  package struct Arrival {
    /// Index in the items of its document.
    package var place: Int
    package var title: String
    package var identity: Int64
    package var fingerprint: Int64
    package var link: Int64
    /// The date of the item in milliseconds since 1970. Atom requires only the date of the last
    /// change, not of publication (RFC 4287, 4.1.2).
    package var date: Int64?
    package var sortDate: Int64

    /// The hash by which its tombstone is found under another ID.
    package var similarityHash: Int64 { Link.similarityHash(link, title: title, date: date) }

    package init(
      _ item: ParsedItem, at place: Int = 0, _ identity: Int64, _ fingerprint: Int64,
      firstSeen: Int64
    ) {
      self.place = place
      self.identity = identity
      self.fingerprint = fingerprint
      title = ItemText.title(item)
      link = Link.hash(url: ItemText.address(item.url), title: title, fingerprint: fingerprint)
      date = (item.datePublished ?? item.dateModified)?.milliseconds
      let published = date ?? firstSeen
      // An article with a date in the future must not stay on top for years.
      sortDate =
        firstSeen < Merge.earliestClock
        ? published : min(published, firstSeen + Duration.days(1).milliseconds)
    }
  }

  private func merge(
    _ items: [ParsedItem], isWhole: Bool
  ) throws -> (added: [ArticleID], updated: Int) {
    let firstSeen = result.at.milliseconds
    let identity = try ArticleIdentity(of: items, feed: feed, firstSeen: firstSeen, statements, db)
    var updated: [Int64] = []
    for known in identity.changed {
      let item = items[known.place]
      if let identity = known.identity {
        try ArticleIdentity.rename(known.article, to: identity, itemID: item.id, db)
      }
      guard known.isEdited else { continue }
      try update(known.article, item, known.fingerprint)
      updated.append(known.article)
    }
    if isWhole { try Tombstones.update(feed, listed: identity.identities, at: firstSeen, db) }
    var arrivals = identity.new
    // Items without dates may be of any age when a feed is read first: they follow today's.
    let isFirst: Bool =
      try db.value("SELECT NOT hasBeenFetched FROM feedFetch WHERE feedID = ?", [feed]) ?? false
    for place in arrivals.indices where isFirst && arrivals[place].date == nil {
      arrivals[place].sortDate -= Duration.days(1).milliseconds
    }
    if arrivals.count > maximumNew {
      // The sort is stable, so of items with equal dates the first in the document stay.
      arrivals.sort { $0.sortDate > $1.sortDate }
      arrivals.removeLast(arrivals.count - maximumNew)
    }
    // Reverses the order, so that of items with equal dates the first in the document gets the
    // largest key: documents list the newest first, and so do screens.
    arrivals.reverse()
    let added = try insert(arrivals, of: items, firstSeen: firstSeen, mayBeBuried: false)
    for (arrival, id) in zip(arrivals, added) {
      guard let former = identity.former[arrival.identity] else { continue }
      try Revisions.copy(of: former, to: id.rawValue, at: result.at, db)
    }
    let outcome = Arrivals(
      feed: feed, added: added.map(\.rawValue), updated: updated, at: result.at)
    for handle in handlers { try handle(outcome) }
    return (added, updated.count)
  }

  /// Writes new content. Keeps the article's sort date and status, and also a title, an author and
  /// a date that its page gave and the item lacks.
  package func update(_ id: Int64, _ item: ParsedItem, _ fingerprint: Int64) throws {
    let (arrival, html) = (Arrival(item, 0, fingerprint, firstSeen: 0), ItemText.body(item))
    let old: Int64? = try db.value("SELECT link FROM article WHERE id = ?", [id])
    try Revisions.record(id, title: arrival.title, html: html, at: result.at, db)
    try ArticleColumns.update(id, arrival, item, html, statements.article)
    if arrival.link != old { try Deduplication.regroup(id, db) }
    try BodyColumns.write(item, html, of: id, isNew: false, statements.body)
    try db.run("DELETE FROM enclosure WHERE articleID = ?", [id])
    try insertEnclosures(item.enclosures, id)
    if item.chaptersURL == nil { try db.run("DELETE FROM chapters WHERE articleID = ?", [id]) }
    try setChapters(item.chaptersURL, id)
  }

  /// Subscribes to the feeds that the list names, and adds an article about the changes to its
  /// document.
  /// - Returns: the reason of a feed that SQLite refuses.
  @discardableResult
  package func update(
    with entries: [OutlineEntry], _ document: inout ParsedFeed
  ) throws -> StoreError.Detail? {
    document.items = []
    var update = try ListUpdate(
      list: feed, title: document.title,
      Transaction(db: db, now: result.at, participants: transaction.participants))
    let refusal = try update.run(entries)
    guard !update.change.isEmpty else { return refusal }
    let notice = listNotice(update.change)
    document.items = [
      ParsedItem(
        id: "weir:list-change-\(result.at.milliseconds)", title: notice.title,
        contentHTML: notice.html, datePublished: result.at)
    ]
    return refusal
  }
}
