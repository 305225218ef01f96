import Foundation

enum EngineEvent: Sendable {
  case began(RunMode)
  case found([OperationEntry])
  case requests(open: Set<Int64>, new: [(id: Int64, work: [OperationEntry])])
  case due(DueWork)
  case wanted(kind: OperationKind, rows: Set<Int64>)
  /// True if prefetching is allowed; otherwise, waiting prefetches are withdrawn.
  case prefetches(Bool)
  /// A recent measurement of the network by an earlier process, if any.
  case expect(ConnectionQuality?)
  case visibleFeeds([OperationKey])
  case paused(Set<SyncPause.Scope>)
  case cancelled([SyncCancellation])
  /// The cache no longer marks these operations as wanted.
  case cancellationsCompleted(Set<OperationKey>)
  case feedSettingsChanged
  /// A request of the user was written to the cache.
  case asked
  case reported([TransferMonitor.Note])
  case tick
  case fetched(OperationID, FetchEnd)
  case ended(OperationID, OperationResult)
  case probed(reached: Bool)
  /// The wall clock was set back; plans made with the wrong time must be corrected.
  case clockSetBack
  case plansCorrected
  case flushBegan
  case flushEnded(StoreError?)
  case storeFailed(StoreError)
}

struct DueWork: Sendable {
  var work: [OperationEntry]
  /// Feeds that became due in hours that their publishers exclude.
  var late: [(feed: FeedID, at: Date, reasons: [CheckReason])] = []
  var next: Date?
}

/// The end of an operation's network part.
struct FetchEnd: Sendable {
  /// The change of the network's state; `nil` for other events.
  var end: OperationEnd?
  var address: String?
  var hostLimit: Int
}

enum OperationResult: Sendable {
  case stored([SyncEvent])
  /// The operation was cancelled or has no row; nothing was written.
  case dropped
  case failed(StoreError)
}

/// An effect that the state requests.
enum EngineAction: Sendable {
  case start(OperationEntry, ConnectionTimeouts)
  case cancel(OperationID)
  case proceed(OperationID)
  case setReading(OperationID, Bool)
  case enforceMinimumRate(Bool)
  /// Connects to this address, or to that of this operation.
  case probe(String?, OperationKey?)
  case completeCancellations([SyncCancellation], Set<OperationKey>)
  case plan([(feed: FeedID, at: Date, reasons: [CheckReason])])
  case correctPlans
  case testStore
  case refreshAccounts
  case reloadAccounts
  case emit(SyncEvent)
  case reload
  case wake
}
