public import Foundation
package import GRDB

/// Data for refreshing a feed: its address, the origin's last answer, and its history.
public struct FetchRecord: Sendable, Equatable {
  public var feed: FeedID
  public var url: String
  public var name: String
  public var etag: String?
  public var lastModified: String?
  /// Address that gave the validators; they are void for other addresses.
  public var validatorsURL: String?
  /// Hexadecimal hash of the last parsed body.
  public var bodyHash: String?
  /// True if a document was merged.
  public var hasBeenFetched: Bool = false
  public var succeededAt: Date?
  /// Last answer with a document.
  public var documentAt: Date?
  public var nextCheckAt: Date?
  /// End of the address's back-off after a 429, a 503, or a 403 that means 429, with or without
  /// `Retry-After`. No request is sent before it, even by the user.
  public var notBefore: Date?
  /// Newest failure since the last success.
  public var failure: RefreshFailure?
  /// Target of a permanent redirect that is not confirmed yet.
  public var movedTo: String?
  public var movedSince: Date?
  /// True if the origin answered 410 and has given no good answer since. No check is planned.
  public var isGone: Bool = false
  public var isPaused: Bool = false
  public var updateHints: UpdateHints?
  /// Seconds that the document stays fresh, as the origin said.
  public var freshFor: Double?
  /// Articles of the last 28 days, for the learned cadence.
  public var recentArticles: Int = 0
  /// Duration of the newest complete answer; zero if there is none.
  public var lastDuration = Duration.zero
  public var options: FeedOptions = FeedOptions()
  public var isList = false
  /// The list on the web from which the feed comes; `nil` if the user added it.
  public var listURL: String?
  /// See `RefreshResult.privateServer`.
  public var listServer: String?
}

/// A good answer of a feed's origin.
public struct GoodAnswer: Sendable, Equatable {
  public var url: String
  public var at: Date
}

/// The five columns of a failure in feeds, accounts, pages and files.
package enum FailureColumns {
  package static let all = "failureKind, failureStatus, failureDetail, failureSince, failureCount"
  package static let cleared = """
    failureKind = NULL, failureStatus = NULL, failureDetail = NULL, failureSince = NULL,
    failureCount = 0
    """

  /// Records a failure and counts it; `since` is stored only for the first of several in a row.
  package static func add<Kind: RawRepresentable<String>>(
    _ failure: StoredFailure<Kind>, since: Int64, to table: String, where key: String = "id",
    _ id: Int64, _ db: Database
  ) throws {
    try db.run(
      """
      UPDATE \(table) SET failureKind = ?, failureStatus = ?, failureDetail = ?,
        failureSince = ifnull(failureSince, ?), failureCount = failureCount + 1
      WHERE \(key) = ?
      """, [failure.kind.rawValue, failure.status, failure.detail.map(ItemText.label), since, id])
  }
}
