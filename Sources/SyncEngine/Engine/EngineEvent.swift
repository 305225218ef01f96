import FeedModel
import FeedStore
import Foundation
import NetworkMeasurement

/// What happens to the engine.
enum EngineEvent: Sendable {
  case began(RunMode)
  /// Rows were found that wait for the network.
  case found([OperationEntry])
  /// The refresh requests that are open, and the work of those that were not known.
  case requests(open: Set<Int64>, new: [(id: Int64, work: [OperationEntry])])
  case due(DueWork)
  /// Of this kind, only these rows are still wanted.
  case wanted(kind: Int, rows: Set<Int64>)
  /// What is on screen.
  case attention([OperationKey])
  case paused(Set<SyncPause.Scope>)
  case cancelled([SyncCancellation])
  /// The cache holds these for wanted no longer.
  case cancellationsSettled(Set<OperationKey>)
  case subscriptionsChanged
  /// Somebody wants something now, and the cache has taken that.
  case asked
  case transferred([TransferMonitor.Sample])
  case tick
  case fetched(OperationID, FetchEnd)
  case ended(OperationID, OperationResult)
  case probed(reached: Bool)
  /// The wall clock was set back: the plans of a clock that ran ahead are corrected in the cache.
  case clockSetBack
  case plansCorrected
  case flushBegan
  case flushEnded(StoreError?, phases: [OperationKey: RefreshPhase])
  case storeFailed(StoreError)
}

extension NetworkController {
  /// What a run is to do before it ends.
  public enum Work: Sendable {
    /// Feeds whose time has come, and what was asked for.
    case dueAndRequested
    /// Only what was asked for (refresh requests, discoveries).
    case requested
    /// Only what is to be sent to the servers of accounts.
    case push
  }
}

/// What a run of the engine is to do.
enum RunMode: Sendable, Equatable {
  case serving
  case untilIdle(NetworkController.Work)

  var isServing: Bool { self == .serving }
}

/// Feeds that are due.
struct DueWork: Sendable {
  var work: [OperationEntry]
  /// Of them, those whose time came in hours that their publishers want left out.
  var late: [(feed: FeedID, at: Date, reasons: [CheckReason])] = []
  /// When the next feed becomes due.
  var next: Date?
}

/// How the part of an operation on the network ended.
struct FetchEnd: Sendable {
  /// What it says about the network; nil: nothing.
  var end: OperationEnd?
  /// Where it went first, on the web.
  var address: String?
  /// How many operations may be on its host at once from now on.
  var hostLimit: Int
}

/// How an operation ended.
enum OperationResult: Sendable {
  case stored([SyncEvent])
  /// Cancelled, or its row is gone: nothing was written.
  case dropped
  case failed(StoreError)
}

/// What is to be done because of an event.
enum EngineAction: Sendable {
  case start(OperationEntry, ConnectionTimeouts)
  case cancel(OperationID)
  /// Its fetch is over: it goes on to be parsed and stored.
  case proceed(OperationID)
  case setReading(OperationID, Bool)
  /// Answers that come too slowly are ended, or are not.
  case enforceMinimumRate(Bool)
  /// Connects to this address, or to that of this operation.
  case probe(String?, OperationKey?)
  case settle([SyncCancellation], Set<OperationKey>)
  case plan([(feed: FeedID, at: Date, reasons: [CheckReason])])
  case correctPlans
  /// Finds out whether the cache takes writes again.
  case testStore
  /// The network is back: what happened at accounts' servers meanwhile is fetched.
  case refreshAccounts
  /// What accounts have to do is looked at anew.
  case reloadAccounts
  case emit(SyncEvent)
  /// Looks at everything anew.
  case reload
  case wake
}
