import FeedModel
import FeedStore
import RateLimiting

/// What the engine has learned and screens or its next run are to know: limits of hosts, and what
/// holds downloads back.
struct EngineNews: Sendable {
  private let store: EngineCache
  private let limits: [HostLimit]
  private let hold: DownloadHold??

  /// Nil if there is nothing new.
  init?(draining context: OperationContext) {
    store = context.store
    limits = context.gate.drainLearned()
    hold = context.downloads.drainHold()
    if limits.isEmpty, hold == nil { return nil }
  }

  func write() async throws(StoreError) {
    if !limits.isEmpty { try await store.setHostLimits(limits) }
    if let hold { try await store.setDownloadHold(hold) }
  }
}
