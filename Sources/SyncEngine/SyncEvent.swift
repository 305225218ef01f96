public import FeedModel
public import FeedStore
public import Foundation

/// What the engine does, as it does it: for logs, `weir sync` and tests. Screens observe the cache.
public enum SyncEvent: Sendable {
  /// This process serves the cache from now on.
  case becameEngine
  /// Another process does.
  case standingBy
  case syncStarted
  case refreshStarted(feed: FeedID, url: String, WorkClass)
  case refreshEnded(RefreshReport)
  /// The work went back into the queue: the line failed, not the feed.
  case refreshPostponed(feed: FeedID)
  case discoveryEnded(Discovery)
  case accountEnded(AccountReport)
  case line(LineGrade?, width: Int, reason: String)
  /// The cache did not take what was learned; the engine rests and tries again.
  case storeFailed(StoreError)
  case syncEnded(SyncStatus)
}

/// What one refresh came to.
public struct RefreshReport: Sendable, Equatable {
  public enum Outcome: Sendable, Equatable {
    /// A document with this many new and changed articles.
    case refreshed(added: Int, updated: Int)
    case unchanged
    case failed(RefreshFailure.Kind, status: Int?, detail: String?)
    /// Not asked: the origin wants to be left alone until then.
    case postponed(until: Date)
  }
  public var feed: FeedID
  public var name: String
  public var url: String
  public var outcome: Outcome
  /// Bytes off the socket.
  public var bytes: Int64
  /// Seconds.
  public var duration: Double

  public init(
    feed: FeedID, name: String, url: String, outcome: Outcome, bytes: Int64 = 0,
    duration: Double = 0
  ) {
    self.feed = feed
    self.name = name
    self.url = url
    self.outcome = outcome
    self.bytes = bytes
    self.duration = duration
  }
}

/// What sending to an account's server, and asking it, came to.
public struct AccountReport: Sendable, Equatable {
  public var account: AccountID
  public var title: String
  /// Changes that the server took.
  public var sent = 0
  /// Changes that are still to be sent.
  public var waiting = 0
  /// Changes that were set aside.
  public var refused = 0
  public var newArticles = 0
  /// The server's state is here as a whole.
  public var hasPulled = false
  public var failure: AccountFailure?

  public init(account: AccountID, title: String) {
    self.account = account
    self.title = title
  }
}

/// What a run until idle came to.
public struct SyncSummary: Sendable, Equatable {
  /// Refreshes that ended, well or not.
  public var done = 0
  public var failed = 0
  public var unchanged = 0
  public var newArticles = 0
  /// One for each account that was sent to or asked.
  public var accounts: [AccountReport] = []
  /// Bytes off the socket.
  public var bytes: Int64 = 0
  /// Seconds.
  public var duration = 0.0
  /// The line was dead: what was asked for waits in the cache.
  public var isOffline = false
  /// Somebody has paused the sync: what was asked for waits in the cache.
  public var isPaused = false
  /// Another process is the engine and did the work: the figures are those of its requests.
  public var wasServedElsewhere = false
  /// Another process is the engine and does nothing, as one that was stopped: what was asked for waits.
  public var isUnserved = false
  /// The cache refused a write; what was not written is still due.
  public var storeFailure: StoreError?
  /// The run ended because it was cancelled.
  public var wasCancelled = false
  public init() {}
}
