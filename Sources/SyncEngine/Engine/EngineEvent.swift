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
  /// Only these rows of this kind are still wanted.
  case wanted(kind: Int, rows: Set<Int64>)
  /// Whether work ahead of need is loaded from now on; what of it waits is withdrawn where not.
  case prefetches(Bool)
  /// What an earlier process measured of the network a short time ago; nil: nothing.
  case expect(ConnectionQuality?)
  case attention([OperationKey])
  case paused(Set<SyncPause.Scope>)
  case cancelled([SyncCancellation])
  /// The cache no longer marks these as wanted.
  case cancellationsSettled(Set<OperationKey>)
  case subscriptionsChanged
  /// The user asked for something, and that was written to the cache.
  case asked
  case transferred([TransferMonitor.Sample])
  case tick
  case fetched(OperationID, FetchEnd)
  case ended(OperationID, OperationResult)
  case probed(reached: Bool)
  /// The wall clock was set back; plans made with the wrong time must be corrected.
  case clockSetBack
  case plansCorrected
  case flushBegan
  case flushEnded(StoreError?, phases: [OperationKey: RefreshPhase])
  case storeFailed(StoreError)
}

extension NetworkController {
  /// What a run is to do before it ends.
  public enum Work: Sendable {
    case dueAndRequested
    case requested
    case push
    /// Makes the pack that was begun, and nothing else.
    case pack
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
  /// Those of them that became due in hours that their publishers exclude.
  var late: [(feed: FeedID, at: Date, reasons: [CheckReason])] = []
  var next: Date?
}

/// How the network part of an operation ended.
struct FetchEnd: Sendable {
  /// What it tells about the network; nil: nothing.
  var end: OperationEnd?
  var address: String?
  /// How many operations its host may have at once from now on.
  var hostLimit: Int
}

/// How an operation ended.
enum OperationResult: Sendable {
  case stored([SyncEvent])
  /// Cancelled, or its row is gone: nothing was written.
  case dropped
  case failed(StoreError)
}

/// An effect that the state asks for.
enum EngineAction: Sendable {
  case start(OperationEntry, ConnectionTimeouts)
  case cancel(OperationID)
  case proceed(OperationID)
  case setReading(OperationID, Bool)
  case enforceMinimumRate(Bool)
  /// Connects to this address, or to that of this operation.
  case probe(String?, OperationKey?)
  case settle([SyncCancellation], Set<OperationKey>)
  case plan([(feed: FeedID, at: Date, reasons: [CheckReason])])
  case correctPlans
  case testStore
  case refreshAccounts
  case reloadAccounts
  case emit(SyncEvent)
  case reload
  case wake
}
