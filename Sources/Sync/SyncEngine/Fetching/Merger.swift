/// Writes the results of refreshes in shared transactions, so that a sync of thousands costs few
/// commits. Transactions are short, so that the user's writes do not wait.
actor Merger {
  /// The maximum time that another writer waits.
  private static let transaction = Duration.milliseconds(20)
  /// The minimum time between transactions while few results wait, because each commit rewrites
  /// pages and wakes the cache's observers.
  private static let spacing = Duration.milliseconds(50)
  /// The approximate number of articles that fill a transaction's time.
  private static let worthwhile = 400
  private static let resultsAtOnce = 256

  private struct Entry {
    var result: RefreshResult
    var continuation: CheckedContinuation<Result<MergeOutcome, StoreError>, Never>

    var items: Int {
      guard case .parsed(let feed, _) = result.outcome else {
        return result.partial?.items.count ?? 0
      }
      return feed.items.count
    }
  }

  private let store: EngineCache
  private let expectsMore: @Sendable () -> Bool
  private var waiting: [Entry] = []
  private var isWriting = false
  private var beganAt: ContinuousClock.Instant?
  /// The pause in which more results may arrive.
  private var gathering: Task<Void, Never>?

  /// - Parameter expectsMore: returns true if further results are on their way.
  init(store: EngineCache, expectsMore: @escaping @Sendable () -> Bool) {
    (self.store, self.expectsMore) = (store, expectsMore)
  }

  /// Merges a result and returns once it is committed.
  func merge(_ result: RefreshResult) async throws(StoreError) -> MergeOutcome {
    let written = await withCheckedContinuation { continuation in
      waiting.append(Entry(result: result, continuation: continuation))
      if let gathering, !expectsMore() { gathering.cancel() }
      if !isWriting {
        isWriting = true
        // Cancelling the caller must not lose other results.
        Task { await write() }
      }
    }
    return try written.get()
  }

  private func write() async {
    while !waiting.isEmpty {
      await gather()
      beganAt = .now
      let group = Array(waiting.prefix(Self.resultsAtOnce))
      waiting.removeFirst(group.count)
      do {
        let outcomes = try await store.fetches.merge(group.map(\.result), within: Self.transaction)
        for (entry, outcome) in zip(group, outcomes) {
          entry.continuation.resume(returning: .success(outcome))
        }
        waiting.insert(contentsOf: group.dropFirst(outcomes.count), at: 0)
      } catch {
        // A refused result must not fail the others.
        for entry in group {
          let written = await Result { [store] () async throws(StoreError) in
            try await store.fetches.mergeAccepted(entry.result)
          }
          entry.continuation.resume(returning: written)
        }
      }
    }
    isWriting = false
  }

  /// Waits for more results if few wait, the last transaction has just begun, and more are
  /// expected.
  private func gather() async {
    guard let next = beganAt.map({ $0 + Self.spacing }), next > .now else { return }
    let items = waiting.reduce(0) { $0 + $1.items }
    guard items < Self.worthwhile, expectsMore() else { return }
    let pause = Task { _ = try? await Task.sleep(until: next) }
    gathering = pause
    await pause.value
    gathering = nil
  }
}
