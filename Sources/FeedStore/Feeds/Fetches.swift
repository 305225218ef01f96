public import FeedModel
public import Foundation
import GRDB

// Fetch bookkeeping as the engine reads it. What it writes comes with a merge.

extension FeedStore {
  /// Feeds whose time has come, longest overdue first; without paused and gone ones.
  public func dueFeeds(at now: Date, limit: Int) throws(StoreError) -> [FetchRecord] {
    try read { db in
      try FetchRows.all(
        db, now: now,
        """
        WHERE x.nextCheckAt <= ? AND \(FetchRows.isScheduled) ORDER BY x.nextCheckAt, f.id LIMIT ?
        """, [now.milliseconds, limit])
    }
  }

  /// When the next feed becomes due.
  public func nextDueDate() throws(StoreError) -> Date? {
    try read { db in
      try db.first(
        """
        SELECT x.nextCheckAt FROM feedFetch x JOIN feed f ON f.id = x.feedID
        WHERE x.nextCheckAt IS NOT NULL AND \(FetchRows.isScheduled)
        ORDER BY x.nextCheckAt LIMIT 1
        """
      ) { Date(milliseconds: $0[0]) }
    }
  }

  /// Feeds that may not be asked yet: what is known of busy hosts outlives a process in these rows.
  public func waitingFeeds(at now: Date) throws(StoreError) -> [FetchRecord] {
    try read { db in
      try FetchRows.all(
        db, now: now, "WHERE x.notBefore > ? AND f.removedAt IS NULL ORDER BY f.id",
        [now.milliseconds])
    }
  }

  /// The last good answer of each feed that gave one since the first refusal of those that wait: what
  /// tells a host that refuses some of its feeds from one that refuses all.
  public func goodAnswers(sinceRefusalsOf waiting: [FetchRecord]) throws(StoreError) -> [GoodAnswer]
  {
    guard let since = waiting.compactMap(\.failure?.since).min() else { return [] }
    return try read { db in
      try db.all(
        """
        SELECT f.url, x.succeededAt FROM feedFetch x JOIN feed f ON f.id = x.feedID
        WHERE x.succeededAt >= ? AND f.removedAt IS NULL ORDER BY f.id
        """, [since.milliseconds]
      ) { GoodAnswer(url: $0[0], at: Date(milliseconds: $0[1])) }
    }
  }

  /// Plans checks anew that were not made when their time had come.
  public func planChecks(
    _ plans: [(feed: FeedID, at: Date, reason: String)]
  ) async throws(StoreError) {
    try await write(.engine) { db in
      for plan in plans {
        try db.run(
          "UPDATE feedFetch SET nextCheckAt = ?, nextCheckReason = ? WHERE feedID = ?",
          [plan.at.milliseconds, plan.reason, plan.feed.rawValue])
      }
    }
  }

  public func fetchRecord(_ feed: FeedID) throws(StoreError) -> FetchRecord? {
    try read { db in
      try FetchRows.all(
        db, now: options.now(), "WHERE f.id = ? AND f.removedAt IS NULL", [feed.rawValue]
      ).first
    }
  }

  /// Marks where refreshes stand, for the screens. It lasts no longer than this store is open: the
  /// phases of a process that died read as idle.
  public func setPhase(_ phase: RefreshPhase, of feeds: [FeedID]) async throws(StoreError) {
    let owner = phase == .idle ? nil : owner.text
    try await write(.engine) { db in
      for feed in feeds {
        try db.run(
          """
          UPDATE feedFetch SET phase = ?1, phaseOwner = ?2
          WHERE feedID = ?3 AND (phase <> ?1 OR phaseOwner IS NOT ?2)
          """, [phase.rawValue, owner, feed.rawValue])
      }
    }
  }
}

/// What the last refresh of a feed cost.
public struct FetchCost: Sendable, Equatable {
  /// As transferred.
  public var bytes: Int64
  /// Seconds.
  public var duration: Double
  /// Seconds until the next one.
  public var interval: Double

  /// Bytes a day, were every refresh like this one.
  public var bytesPerDay: Double { Double(bytes) * 86_400 / max(interval, 60) }
}

extension FeedStore {
  /// What each feed's last refresh cost; without feeds that are not scheduled.
  public func fetchCosts() throws(StoreError) -> [FeedID: FetchCost] {
    try read { db in
      let costs: [(FeedID, FetchCost)] = try db.all(
        """
        SELECT f.id, x.lastBytes, x.lastDuration, x.nextCheckAt - x.checkedAt
        FROM feedFetch x JOIN feed f ON f.id = x.feedID
        WHERE \(FetchRows.isScheduled) AND x.checkedAt IS NOT NULL AND x.nextCheckAt IS NOT NULL
        """
      ) { row in
        (
          FeedID(rawValue: row[0]),
          FetchCost(bytes: row[1], duration: row[2], interval: (row[3] as Double) / 1_000)
        )
      }
      return Dictionary(costs, uniquingKeysWith: { first, _ in first })
    }
  }
}

enum FetchRows {
  static let isScheduled =
    "f.removedAt IS NULL AND f.isPaused = 0 AND f.isLocal = 0 AND f.accountID IS NULL AND x.isGone = 0"

  /// What counts for a feed's learned cadence: 28 days.
  private static let recent: Int64 = 28 * 86_400_000

  static func all(
    _ db: Database, now: Date, _ conditions: String, _ arguments: StatementArguments
  ) throws -> [FetchRecord] {
    try db.all(
      """
      SELECT f.id, f.url, \(SQLText.feedName), f.isPaused, x.etag, x.lastModified, x.validatorsURL,
        x.bodyHash, x.hasBeenFetched, x.succeededAt, x.nextCheckAt, x.notBefore, x.failureKind,
        x.failureStatus, x.failureDetail, x.failureSince, x.failureCount, x.movedTo, x.movedSince,
        x.isGone, x.updateHints,
        (SELECT count(*) FROM articleStatus s INDEXED BY list_all_feed
          WHERE s.isHidden = 0 AND s.feedID = f.id AND s.sortDate >= ?)
      FROM feedFetch x JOIN feed f ON f.id = x.feedID \(conditions)
      """, [now.milliseconds - recent] + arguments
    ) { row in
      let asked = asked(row[20])
      return FetchRecord(
        feed: FeedID(rawValue: row[0]), url: row[1], name: row[2], etag: row[4],
        lastModified: row[5], validatorsURL: row[6], bodyHash: row[7], hasBeenFetched: row[8],
        succeededAt: row.date(9), nextCheckAt: row.date(10), notBefore: row.date(11),
        failure: failure(row, 12), movedTo: row[17], movedSince: row.date(18), isGone: row[19],
        isPaused: row[3], updateHints: asked.hints, freshFor: asked.freshFor,
        recentArticles: row[21])
    }
  }

  /// The user gave the feed another address: it is due at once. What the old one gave is void for the
  /// new one: validators (RFC 9110, section 13), failures and the time to wait, what the schedule is asked.
  static func forgetAddress(of feed: FeedID, _ db: Database, at now: Int64) throws {
    try db.run(
      """
      UPDATE feedFetch SET etag = NULL, lastModified = NULL, validatorsURL = NULL, bodyHash = NULL,
        nextCheckAt = ?, nextCheckReason = NULL, notBefore = NULL, failureKind = NULL,
        failureStatus = NULL, failureDetail = NULL, failureSince = NULL, failureCount = 0,
        movedTo = NULL, movedSince = NULL, isGone = 0, updateHints = NULL
      WHERE feedID = ?
      """, [now, feed.rawValue])
  }

  /// Five columns from `column` on: kind, status, detail, since, count.
  static func failure(_ row: Row, _ column: Int) -> RefreshFailure? {
    guard let kind = row[column] as String? else { return nil }
    return RefreshFailure(
      // A kind that this version does not know can only be a newer one's.
      kind: RefreshFailure.Kind(rawValue: kind) ?? .storage, status: row[column + 1],
      detail: row[column + 2], since: row.date(column + 3) ?? Date(milliseconds: 0),
      count: row[column + 4])
  }

  /// `feedFetch.updateHints`: what the document asks of the schedule and, in one more member, for how long
  /// the headers of its answer said that it stays fresh.
  static func text(_ hints: UpdateHints, _ freshFor: Double?) throws -> String? {
    guard hints != UpdateHints() || freshFor != nil else { return nil }
    let asked = Asked(
      interval: hints.interval, skipHours: hints.skipHours, skipDays: hints.skipDays,
      freshFor: freshFor)
    return String(decoding: try JSONEncoder().encode(asked), as: UTF8.self)
  }

  static func asked(_ text: String?) -> (hints: UpdateHints?, freshFor: Double?) {
    let asked = text.flatMap { try? JSONDecoder().decode(Asked.self, from: Data($0.utf8)) }
    let hints = asked.map {
      UpdateHints(interval: $0.interval, skipHours: $0.skipHours, skipDays: $0.skipDays)
    }
    return (hints, asked?.freshFor)
  }

  private struct Asked: Codable {
    var interval: Double?
    var skipHours: [Int]
    var skipDays: [Int]
    var freshFor: Double?
  }
}
