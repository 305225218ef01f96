public import Foundation
package import GRDB

// Fetch bookkeeping that the engine reads. A merge writes it.

extension FetchWork {
  /// Returns due feeds, longest overdue first, without paused and gone ones.
  public func dueFeeds(at now: Date, limit: Int) throws(StoreError) -> [FetchRecord] {
    try database.records(
      "WHERE x.nextCheckAt <= ? AND \(FetchRows.isScheduled) ORDER BY x.nextCheckAt, f.id LIMIT ?",
      [now.milliseconds, limit], at: now)
  }

  /// Returns the feeds of high priority, which are refreshed first.
  public func highFeeds() throws(StoreError) -> [FeedID] {
    try database.read { db in
      try FolderTree.feeds(of: .high, db).map(FeedID.init(rawValue:))
    }
  }

  /// Returns the time at which the next feed becomes due; `nil` if none is scheduled.
  public func nextDueDate() throws(StoreError) -> Date? {
    try database.first(
      """
      SELECT x.nextCheckAt FROM feedFetch x JOIN feed f ON f.id = x.feedID
      WHERE x.nextCheckAt IS NOT NULL AND \(FetchRows.isScheduled)
      ORDER BY x.nextCheckAt LIMIT 1
      """
    ) { Date(milliseconds: $0["nextCheckAt"]) }
  }

  /// Returns feeds in back-off, which show busy hosts after a restart.
  public func waitingFeeds(at now: Date) throws(StoreError) -> [FetchRecord] {
    try database.records(
      "WHERE x.notBefore > ? AND f.removedAt IS NULL ORDER BY f.id", [now.milliseconds], at: now)
  }

  /// Returns the last good answer of each feed since the first refusal of the given feeds. Good
  /// answers show whether a host refuses all of its feeds.
  public func goodAnswers(sinceRefusalsOf waiting: [FetchRecord]) throws(StoreError) -> [GoodAnswer]
  {
    guard let since = waiting.compactMap(\.failure?.since).min() else { return [] }
    return try database.all(
      """
      SELECT f.url, x.succeededAt FROM feedFetch x JOIN feed f ON f.id = x.feedID
      WHERE x.succeededAt >= ? AND f.removedAt IS NULL ORDER BY f.id
      """, [since.milliseconds]
    ) { GoodAnswer(url: $0["url"], at: Date(milliseconds: $0["succeededAt"])) }
  }

  /// Reschedules checks that were not made in time.
  public func planChecks(
    _ plans: [(feed: FeedID, at: Date, reasons: [CheckReason])]
  ) async throws(StoreError) {
    try await database.write(.engine) { db in
      for plan in plans {
        try db.run(
          "UPDATE feedFetch SET nextCheckAt = ?, nextCheckReason = ? WHERE feedID = ?",
          [plan.at.milliseconds, CheckReason.text(plan.reasons), plan.feed.rawValue])
      }
    }
  }

  public func fetchRecord(_ feed: FeedID) throws(StoreError) -> FetchRecord? {
    try database.records("WHERE f.id = ? AND f.removedAt IS NULL", [feed.rawValue]).first
  }

  /// Returns `true` for an address that runs no program, and for a program that the user allowed
  /// on this machine.
  public func mayRun(_ address: String) -> Bool {
    AllowedPrograms.command(of: address).map(database.allowedPrograms.contains) ?? true
  }

  /// Corrects dates that were written while the clock was in the future: each feed waits for the
  /// planned time from `now` on, instead of until a date years away.
  public func rebaseChecks(at now: Date) async throws(StoreError) {
    // Past events may lie a little ahead, by the clock of another process or a correction of the
    // clock; plans a week, plus the delay that spreads checks.
    let now = now.milliseconds
    let latestNote = now + Duration.minutes(1).milliseconds
    let latestPlan = now + Duration.days(8).milliseconds
    try await database.write(.engine) { db in
      try db.run(
        """
        UPDATE feedFetch SET nextCheckAt = ?1 + max(0, nextCheckAt - checkedAt),
          notBefore = ?1 + max(0, notBefore - checkedAt), checkedAt = ?1,
          succeededAt = min(succeededAt, ?1), failureSince = min(failureSince, ?1)
        WHERE checkedAt > ?2
        """, [now, latestNote])
      // Corrects the plans of feeds that were added or postponed under that clock, but not checked.
      try db.run(
        """
        UPDATE feedFetch SET nextCheckAt = iif(nextCheckAt > ?2, ?1, nextCheckAt),
          notBefore = iif(notBefore > ?2, ?1, notBefore)
        WHERE nextCheckAt > ?2 OR notBefore > ?2
        """, [now, latestPlan])
      try db.run(
        """
        UPDATE account SET requestedAt = min(requestedAt, ?1), syncedAt = min(syncedAt, ?1),
          nextSyncAt = iif(nextSyncAt > ?3, ?1, nextSyncAt),
          pausedUntil = iif(pausedUntil > ?3, NULL, pausedUntil)
        WHERE requestedAt > ?2 OR syncedAt > ?2 OR nextSyncAt > ?3 OR pausedUntil > ?3
        """, [now, latestNote, latestPlan])
      try db.run(
        """
        UPDATE outbox SET changedAt = min(changedAt, ?1), confirmedAt = min(confirmedAt, ?1),
          nextTry = iif(nextTry > ?3, ?1, nextTry), heldUntil = min(heldUntil, ?1)
        WHERE changedAt > ?2 OR confirmedAt > ?2 OR nextTry > ?3
        """, [now, latestNote, latestPlan])
    }
  }
}

/// The cost of a feed's last refresh.
public struct FetchCost: Sendable, Equatable {
  /// Bytes as transferred.
  public var bytes: Int64
  /// Seconds.
  public var duration: Double
  /// Seconds until the next refresh.
  public var interval: Double

  /// Bytes per day if every refresh costs as much.
  public var bytesPerDay: Double { Double(bytes) * .days(1) / max(interval, 60) }
}

extension FeedCache {
  /// Returns the cost of each scheduled feed's last refresh.
  public func fetchCosts() throws(StoreError) -> [FeedID: FetchCost] {
    try database.read { db in
      try db.dictionary(
        """
        SELECT f.id, x.lastBytes, x.lastDuration,
          (x.nextCheckAt - x.checkedAt) / 1000.0 AS interval
        FROM feedFetch x JOIN feed f ON f.id = x.feedID
        WHERE \(FetchRows.isScheduled) AND x.checkedAt IS NOT NULL AND x.nextCheckAt IS NOT NULL
        """
      ) {
        (
          $0.id("id"),
          FetchCost(bytes: $0["lastBytes"], duration: $0["lastDuration"], interval: $0["interval"])
        )
      }
    }
  }
}

package enum FetchRows {
  static let isScheduled =
    "f.removedAt IS NULL AND f.isPaused = 0 AND f.isLocal = 0 AND f.accountID IS NULL AND x.isGone = 0"

  /// Period of the learned cadence, in milliseconds.
  package static let recent = Duration.days(28).milliseconds

  /// The address of the list or account from which `feed f` came.
  package static let list = """
    ifnull(f.importedFrom, ifnull(
      (SELECT l.url FROM listFeed m JOIN feed l ON l.id = m.listID
        WHERE m.feedID = f.id AND m.isAdded = 1 LIMIT 1),
      (SELECT url FROM account WHERE id = f.accountID)))
    """

  /// Columns of `feed f` for `AddressReferrers`.
  package static let referrers = """
    f.url AS feedURL, \(list) AS listURL,
    (SELECT privateServer FROM feedFetch WHERE feedID = f.id) AS feedServer
    """

  /// - Parameters:
  ///   - pages: a column with a JSON array.
  ///   - page: the address of an article's page; the column `itemID` is then required.
  package static func referrers(
    _ row: Row, pages: String? = nil, page: String? = nil
  ) -> AddressReferrers {
    var referrers = AddressReferrers(
      feed: row["feedURL"], list: row["listURL"],
      pages: pages.map { StringList.strings(row[$0]) } ?? [], server: row["feedServer"])
    // The ID of the item shows that the user named this page, and not a document.
    if let page, referrers.feed == FeedRows.savedPages, (row["itemID"] as String?) == page {
      referrers.feed = page
    }
    return referrers
  }

  /// Makes a feed with a new address due at once, and discards the data of the old address:
  /// validators (RFC 9110, section 13), failures, back-off, and hints for the schedule.
  package static func forgetAddress(of feed: FeedID, _ db: Database, at now: Int64) throws {
    try db.run(
      """
      UPDATE feedFetch SET etag = NULL, lastModified = NULL, validatorsURL = NULL, bodyHash = NULL,
        nextCheckAt = ?, nextCheckReason = NULL, notBefore = NULL, \(FailureColumns.cleared),
        movedTo = NULL, movedSince = NULL, isGone = 0, updateHints = NULL, privateServer = NULL
      WHERE feedID = ?
      """, [now, feed.rawValue])
  }

  /// Stands in `feed.importedFrom` for the folder that devices share.
  package static let sharedFolder = "weir:folder"

  /// Stores an address that the user did not enter. At another origin the feed loses its headers,
  /// cookies and proxy, gets no credentials, and reaches no private network.
  /// - Parameter source: what named the address; `nil` for the server of the former one.
  /// - Returns: false if another subscription has the address.
  package static func move(
    _ feed: Int64, to url: String, by source: String? = nil, _ db: Database
  ) throws -> Bool {
    let old: String? = try db.value("SELECT url FROM feed WHERE id = ?", [feed])
    guard let old, old != url else { return old == url }
    guard try db.run("UPDATE OR IGNORE feed SET url = ? WHERE id = ?", [url, feed]) > 0 else {
      return false
    }
    let former = LocalSource.webAddress(of: old)
    guard LocalSource.webAddress(of: url).isOtherOrigin(than: former) else { return true }
    try db.run(
      """
      UPDATE feed SET headers = NULL, cookies = NULL, proxy = NULL,
        importedFrom = coalesce(?, importedFrom, ?) WHERE id = ?
      """, [source, old, feed])
    try db.run("UPDATE feedFetch SET privateServer = NULL WHERE feedID = ?", [feed])
    return true
  }

  /// Reads the columns of a failure; `nil` if there is none.
  /// - Parameter unknown: stands for a kind that only a newer version knows.
  package static func failure<Kind>(
    _ row: Row, unknown: Kind = RefreshFailure.Kind.storage
  ) -> StoredFailure<Kind>? {
    guard let kind = row["failureKind"] as String? else { return nil }
    return StoredFailure(
      kind: Kind(rawValue: kind) ?? unknown, status: row["failureStatus"],
      detail: row["failureDetail"],
      since: row.date("failureSince") ?? Date(milliseconds: 0), count: row["failureCount"])
  }

  /// Encodes `feedFetch.updateHints`: the document's hints for the schedule, and the time for which
  /// the header fields declare the document fresh.
  package static func text(_ hints: UpdateHints, _ freshFor: Double?) -> String? {
    guard hints != UpdateHints() || freshFor != nil else { return nil }
    var members = ["\"skipHours\":\(hints.skipHours)", "\"skipDays\":\(hints.skipDays)"]
    if let interval = hints.interval { members.append("\"interval\":\(interval)") }
    if let freshFor { members.append("\"freshFor\":\(freshFor)") }
    return "{\(members.joined(separator: ","))}"
  }

  /// Decodes without Foundation's decoder, which takes as long as everything else for a 304.
  package static func asked(_ text: String?) -> (hints: UpdateHints?, freshFor: Double?) {
    guard let object = text.flatMap({ JSONValue($0.utf8) }), object.members != nil else {
      return (nil, nil)
    }
    func numbers(_ name: String) -> [Double] {
      (object[name].map { $0.elements ?? [$0] } ?? [])
        .compactMap { $0.scalar.flatMap(Double.init) }.filter(\.isFinite)
    }
    let hints = UpdateHints(
      interval: numbers("interval").first,
      skipHours: numbers("skipHours").compactMap(Int.init(exactly:)),
      skipDays: numbers("skipDays").compactMap(Int.init(exactly:)))
    return (hints, numbers("freshFor").first)
  }
}

extension StoreDatabase {
  package var allowedPrograms: AllowedPrograms {
    AllowedPrograms(directory: FilePath.folder(of: path))
  }
}
