import FeedModel
import FeedStore

/// New host limits and download holds, for screens and the next run.
struct EngineNews: Sendable {
  private let store: EngineCache
  private let limits: [HostLimit]
  private let hold: DownloadHold??

  /// Returns `nil` if there is nothing new.
  init?(draining context: OperationContext) {
    store = context.store
    limits = context.gate.drainLearned()
    hold = context.downloads.drainHold()
    if limits.isEmpty, hold == nil { return nil }
  }

  func write() async throws(StoreError) {
    if !limits.isEmpty { try await store.requests.setHostLimits(limits) }
    if let hold { try await store.downloads.setDownloadHold(hold) }
  }
}
