import FeedModel
public import Foundation

/// Numbers of changes for an account's server.
public struct OutboxCounts: Sendable, Equatable {
  public var pending: Int
  public var failed: Int
  /// Changes that the server rejected for good.
  public var refused: Int
  /// `nil` if nothing waits or it is sent as soon as possible.
  public var nextTry: Date?
  public var waiting: Int { pending + failed }

  public init(pending: Int = 0, failed: Int = 0, refused: Int = 0, nextTry: Date? = nil) {
    self.pending = pending
    self.failed = failed
    self.refused = refused
    self.nextTry = nextTry
  }
}

/// Due times of an account.
public struct AccountWork: Sendable, Equatable {
  public var account: Account
  /// When changes are to be sent; `nil` if there are none.
  public var pushAt: Date?
  /// When the server's state is to be fetched; `nil`: only on request.
  public var pullAt: Date?
  /// When confirmed changes are to be read back; `nil` if there are none.
  public var readBackAt: Date?
  /// When the first change that is held for undo may be sent; `nil` if none is held.
  public var heldUntil: Date?
}

/// Confirmed changes of an account that no pull has shown yet.
public struct ConfirmedStates: Sendable, Equatable {
  /// Server's IDs of the articles.
  public var articles: [String]
  /// Only the list of all subscriptions shows changes of subscriptions.
  public var hasSubscriptions: Bool
}

/// Changes that can go in one request.
public struct OutboxBatch: Sendable, Equatable {
  /// One change of one article, feed or folder.
  public struct Row: Sendable, Equatable {
    public var seq: Int64
    /// Server's ID of an article, key of a feed, or name of a folder.
    public var item: String
    public var attempts: Int
    /// It was sent and no answer came: the server may have accepted it.
    public var isUnanswered: Bool
    /// A pull has shown the state that it changes.
    public var isKnown = true
  }
  /// The change of all rows of a batch.
  public enum Content: Sendable, Equatable {
    case read(Bool)
    case starred(Bool)
    /// Server's name of a label, and whether the articles are to have it.
    case label(String, Bool)
    /// One row.
    case subscription(OutboxEntry.Change, OutboxFeed)
    /// One row, and the name of its folder.
    case folder(OutboxEntry.Change, String)
  }
  public var content: Content
  /// Fewest attempts first, then oldest first.
  public var rows: [Row]
}

/// A feed whose subscription is to change at its account's server.
public struct OutboxFeed: Sendable, Equatable {
  /// Server's ID; `nil` if unknown.
  public var remoteID: String?
  public var url: String
  public var title: String?
  /// Empty: no folder.
  public var folder: String = ""
  public var remoteFolder: String = ""
}

/// The outcome of a run of an account's operations.
public struct AccountOutcome: Sendable {
  /// Start of the run. Requests made before are done; `.distantPast`: none are.
  public var began: Date
  /// The server's whole state was fetched.
  public var hasPulled: Bool
  /// `nil` clears the stored failure.
  public var failure: AccountFailure?
  /// `nil`: only on request.
  public var nextSyncAt: Date?
  /// `nil`: the server may be asked.
  public var pausedUntil: Date?

  public init(
    began: Date, hasPulled: Bool, failure: AccountFailure?, nextSyncAt: Date?,
    pausedUntil: Date? = nil
  ) {
    self.began = began
    self.hasPulled = hasPulled
    self.failure = failure
    self.nextSyncAt = nextSyncAt
    self.pausedUntil = pausedUntil
  }
}
