public import FeedModel
public import FeedStore
public import Foundation

/// What the engine does, as it does it: for logs, `weir sync` and tests. Screens observe the cache.
public enum SyncEvent: Sendable {
  case becameEngine
  case standingBy
  /// The first operation of a sync is about to start.
  case syncStarted
  case refreshStarted(feed: FeedID, url: String, OperationPriority)
  case refreshEnded(RefreshReport)
  /// The work went back into the queue: the network failed, not the feed.
  case refreshPostponed(feed: FeedID)
  case discoveryEnded(Discovery)
  case accountEnded(AccountReport)
  /// The concurrency limit or the connection quality has changed.
  case limitChanged(ConnectionQuality?, limit: Int, reason: LimitReason)
  /// The cache did not take what was learned; the engine rests and tries again.
  case storeFailed(StoreError)
  case syncEnded(SyncStatus)
}

/// The events of an engine. Events that are not read are dropped, oldest first.
final class EventStream: Sendable {
  let stream: AsyncStream<SyncEvent>
  private let continuation: AsyncStream<SyncEvent>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4_096))
  }

  func emit(_ event: SyncEvent) { continuation.yield(event) }
  func finish() { continuation.finish() }
}

/// What one refresh came to.
public struct RefreshReport: Sendable, Equatable {
  /// What the refresh came to.
  public enum Outcome: Sendable, Equatable {
    /// A document with this many new and changed articles.
    case refreshed(added: Int, updated: Int)
    case unchanged
    /// It failed, with the status of the answer where there was one.
    case failed(RefreshFailure.Kind, status: Int?, detail: String?)
    /// Not asked: the host is in back-off until then.
    case postponed(until: Date)
  }
  public var feed: FeedID
  public var name: String
  public var url: String
  public var outcome: Outcome
  /// Bytes off the socket.
  public var bytes: Int64
  /// A followed list may have added feeds, which are due.
  public var mayAddFeeds = false

  /// - Parameter bytes: off the socket.
  public init(feed: FeedID, name: String, url: String, outcome: Outcome, bytes: Int64 = 0) {
    self.feed = feed
    self.name = name
    self.url = url
    self.outcome = outcome
    self.bytes = bytes
  }
}

/// What sending to an account's server, and asking it, came to.
public struct AccountReport: Sendable, Equatable {
  public var account: AccountID
  public var title: String
  public var sent = 0
  public var waiting = 0
  public var refused = 0
  /// The server was found to take no tags: they stay here.
  public var refusesTags = false
  /// Articles that were not here before.
  public var newArticles = 0
  /// Subscriptions with starred articles that were ended at the server.
  public var ended: [EndedSubscription] = []
  /// The server's state is here as a whole.
  public var hasPulled = false
  /// Why the server could not be asked; nil: it could.
  public var failure: AccountFailure?
  /// Why it did not take what was sent, though it may have answered what it was asked; nil: it did.
  public var sendFailure: AccountFailure?

  public init(account: AccountID, title: String) {
    self.account = account
    self.title = title
  }
}

/// What a run until idle came to.
public struct SyncSummary: Sendable, Equatable {
  public var done = 0
  /// Those of `done` that failed or were put off.
  public var failed = 0
  /// Those of `done` that answered and had nothing new.
  public var unchanged = 0
  /// Articles that were not here before, those of accounts included.
  public var newArticles = 0
  /// One for each account that was sent to or asked.
  public var accounts: [AccountReport] = []
  /// Bytes off the socket.
  public var bytes: Int64 = 0
  /// From the first turn to the end.
  public var duration = Duration.zero
  /// The network did not work: what was asked for waits in the cache.
  public var isOffline = false
  /// Somebody has paused the sync: what was asked for waits in the cache.
  public var isPaused = false
  /// Another process is the engine and did the work: the figures are those of its requests.
  public var wasServedElsewhere = false
  /// Another process is the engine and does nothing, as one that was stopped: what was asked for
  /// waits.
  public var isUnserved = false
  /// The cache refused a write; what was not written is still due.
  public var storeFailure: StoreError?
  /// The run ended because it was cancelled.
  public var wasCancelled = false
  public init() {}
}

extension RefreshReport {
  init(_ result: RefreshResult, _ record: FetchRecord, _ merged: MergeOutcome) {
    let outcome: Outcome =
      switch result.outcome {
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
  mutating func add(_ report: RefreshReport) {
    done += 1
    bytes += report.bytes
    switch report.outcome {
    case .refreshed(let added, _): newArticles += added
    case .unchanged: unchanged += 1
    case .failed, .postponed: failed += 1
    }
  }

  /// - Parameter report: all of an account in this run.
  mutating func set(_ report: AccountReport) {
    let index = accounts.firstIndex { $0.account == report.account }
    newArticles += report.newArticles - (index.map { accounts[$0].newArticles } ?? 0)
    if let index { accounts[index] = report } else { accounts.append(report) }
  }
}
