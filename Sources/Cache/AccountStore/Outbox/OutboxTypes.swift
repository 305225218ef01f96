public import Foundation

/// Numbers of changes for an account's server.
public struct OutboxCounts: Sendable, Equatable {
  public var pending: Int
  public var failed: Int
  /// Changes that the server rejected for good.
  public var refused: Int
  /// Time of the next attempt; `nil` if nothing waits or it is due as soon as possible.
  public var nextTry: Date?
  public var waiting: Int { pending + failed }

  public init(pending: Int = 0, failed: Int = 0, refused: Int = 0, nextTry: Date? = nil) {
    (self.pending, self.failed, self.refused, self.nextTry) = (pending, failed, refused, nextTry)
  }
}

/// Due times of an account.
public struct AccountWork: Sendable, Equatable {
  public var account: Account
  /// Time to send changes; `nil` if there are none.
  public var pushAt: Date?
  /// Time to fetch the server's state; `nil` if only on request.
  public var pullAt: Date?
  /// The time at which the first change that waits for a possible undo may be sent; `nil` if none
  /// waits.
  public var heldUntil: Date?
}

/// Articles with changes that are due.
public struct DueArticles: Sendable {
  /// The articles that arrived last.
  public var newest: [KnownArticle]
  public var count: Int
  /// The newest change, by `seq`.
  public var last: Int64
}

/// Changes that can be sent in one request.
public struct OutboxBatch: Sendable, Equatable {
  /// A change of one article, feed or folder.
  public struct Row: Sendable, Equatable {
    public var seq: Int64
    /// Server's ID of an article, key of a feed, or name of a folder.
    public var item: String
    /// If there were any, the server may have accepted the change or an earlier one.
    public var attempts: Int
  }
  /// The change of all rows; a tag has the server's name of its label.
  public var change: OutboxEntry.Change
  /// The feed of a change of a subscription.
  public var feed: OutboxFeed?
  /// Rows with the fewest attempts first, then the oldest first. A change of a subscription or
  /// folder has one row.
  public var rows: [Row]
}

/// A feed whose subscription is to change at its account's server.
public struct OutboxFeed: Sendable, Equatable {
  /// Server's ID; `nil` if unknown.
  public var remoteID: String?
  public var url: String
  public var title: String?
  /// Name of the folder; empty for none.
  public var folder: String = ""
  public var remoteFolder: String = ""
}

/// The outcome of a run of an account's operations.
public struct AccountOutcome: Sendable {
  /// Start of the run, which fulfils earlier requests; `.distantPast` if it fulfils none.
  public var began: Date
  /// True if the server's whole state was fetched.
  public var hasPulled: Bool
  /// Failure to store; `nil` clears the stored one.
  public var failure: AccountFailure?
  /// Time of the next sync; `nil` if the account is synced only on request.
  public var nextSyncAt: Date?
  /// End of the back-off; `nil` if the server accepts requests.
  public var pausedUntil: Date?

  public init(
    began: Date, hasPulled: Bool, failure: AccountFailure?, nextSyncAt: Date?,
    pausedUntil: Date? = nil
  ) {
    (self.began, self.hasPulled, self.failure) = (began, hasPulled, failure)
    (self.nextSyncAt, self.pausedUntil) = (nextSyncAt, pausedUntil)
  }
}
