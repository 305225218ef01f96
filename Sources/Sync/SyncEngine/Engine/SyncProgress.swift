import Foundation

/// A pure value that counts the work of one sync, from the first operation until none is left.
struct SyncProgress: Sendable, Equatable {
  private(set) var isRunning = false
  private(set) var total = 0
  private(set) var counts = SyncCounts()
  /// Bytes of the transfers of this sync, of unfinished ones too.
  var receivedBytes: Int64 = 0
  private(set) var startedAt: Date?
  private(set) var endedAt: Date?

  /// - Returns: true if this began a sync.
  mutating func enqueued(at now: Date) -> Bool {
    let begins = !isRunning
    if begins {
      self = SyncProgress()
      isRunning = true
      startedAt = now
    }
    total += 1
    return begins
  }

  mutating func ended(_ report: RefreshReport) { counts += report }

  /// Removes work that ended without a result.
  mutating func withdrawn() { total = max(counts.done, total - 1) }

  mutating func finished(at now: Date) {
    isRunning = false
    endedAt = now
  }
}
