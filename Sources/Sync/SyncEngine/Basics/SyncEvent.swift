public import Foundation

/// The engine's activity for logs, `weir sync` and tests. Screens observe the cache.
public enum SyncEvent: Sendable {
  case becameEngine
  case standingBy
  case syncStarted
  case refreshStarted(feed: FeedID, url: String, OperationPriority)
  case refreshEnded(RefreshReport)
  /// The work returned to the queue, because the network failed, not the feed.
  case refreshPostponed(feed: FeedID)
  case discoveryEnded(Discovery)
  case accountEnded(AccountReport)
  /// The concurrency limit or the connection quality has changed.
  case limitChanged(ConnectionQuality?, limit: Int, reason: LimitReason)
  /// A write to the cache failed; the engine waits and tries again.
  case storeFailed(StoreError)
  case syncEnded(SyncStatus)
}

/// The result of one refresh.
public struct RefreshReport: Sendable, Equatable {
  /// The outcome of a refresh.
  public enum Outcome: Sendable, Equatable {
    /// A document with the given numbers of new and changed articles.
    case refreshed(added: Int, updated: Int)
    case unchanged
    /// A failure; `status` is that of the answer, if any.
    case failed(RefreshFailure.Kind, status: Int?, detail: String?)
    /// No request was sent, because the host is in back-off.
    case postponed(until: Date)
  }
  public var feed: FeedID
  public var name: String
  public var url: String
  public var outcome: Outcome
  public var bytes: Int64 = 0
  /// True if a followed list may have added feeds, which are due.
  public var mayAddFeeds = false
}

/// The result of sending to an account's server and fetching from it.
public struct AccountReport: Sendable, Equatable {
  public var account: AccountID
  public var title: String
  public var sent = 0
  public var waiting = 0
  public var refused = 0
  /// True if the server accepts no tags, which then stay in the cache.
  public var refusesTags = false
  public var newArticles = 0
  /// Subscriptions with starred articles that were ended at the server.
  public var ended: [EndedSubscription] = []
  /// True if the server's whole state is in the cache.
  public var hasPulled = false
  public var failure: AccountFailure?
  /// A failure to send, which does not exclude a successful pull.
  public var sendFailure: AccountFailure?

  public init(account: AccountID, title: String) { (self.account, self.title) = (account, title) }
}

/// The sum of what refreshes did.
public struct SyncCounts: Sendable, Equatable {
  public var done = 0
  /// The part of `done` that failed or was postponed.
  public var failed = 0
  /// The part of `done` that brought nothing new.
  public var unchanged = 0
  public var newArticles = 0
  public var bytes: Int64 = 0

  static func += (counts: inout SyncCounts, report: RefreshReport) {
    counts.done += 1
    counts.bytes += report.bytes
    switch report.outcome {
    case .refreshed(let added, _): counts.newArticles += added
    case .unchanged: counts.unchanged += 1
    case .failed, .postponed: counts.failed += 1
    }
  }
}

/// The result of a run until idle.
@dynamicMemberLookup
public struct SyncSummary: Sendable, Equatable {
  /// The sum of refreshes; new articles include those of accounts.
  public var counts = SyncCounts()
  public var accounts: [AccountReport] = []
  public var duration = Duration.zero
  /// True if the network failed; requests wait in the cache.
  public var isOffline = false
  /// True if the sync is paused; requests wait in the cache.
  public var isPaused = false
  /// True if another process is the engine; the figures are those of its requests.
  public var wasServedElsewhere = false
  /// True if another process is the engine but does nothing; requests wait.
  public var isUnserved = false
  /// The error of the cache; unwritten results are still due.
  public var storeFailure: StoreError?
  public init() {}

  public subscript<Value>(dynamicMember key: KeyPath<SyncCounts, Value>) -> Value {
    counts[keyPath: key]
  }
}

extension RefreshReport {
  init(_ result: RefreshResult, _ record: FetchRecord, _ merged: MergeOutcome) {
    let outcome: Outcome =
      switch result.outcome {
      case _ where merged.refusal != nil: .failed(.storage, status: nil, detail: merged.refusal)
      case .parsed: .refreshed(added: merged.added.count, updated: merged.updated)
      case .unchanged: .unchanged
      case .failed(let kind, let status, let detail): .failed(kind, status: status, detail: detail)
      case .postponed: .postponed(until: result.notBefore ?? result.at)
      }
    self.init(
      feed: record.feed, name: record.name, url: record.url, outcome: outcome,
      bytes: result.bytes)
  }
}

extension SyncSummary {
  mutating func set(_ report: AccountReport) {
    let index = accounts.firstIndex { $0.account == report.account }
    counts.newArticles += report.newArticles - (index.map { accounts[$0].newArticles } ?? 0)
    if let index { accounts[index] = report } else { accounts.append(report) }
  }
}

/// The work of a run until idle, such as that of `weir sync`.
public enum SyncWork: Sendable {
  case dueAndRequested
  case requested
  case push
  /// Completes the pack that was begun, and nothing else.
  case pack
}

enum RunMode: Sendable, Equatable {
  case serving
  case untilIdle(SyncWork)

  var isServing: Bool { self == .serving }
}
