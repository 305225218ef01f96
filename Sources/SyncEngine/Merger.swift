import FeedModel
import FeedStore

/// Writes what refreshes bring: one transaction at a time, and in each whatever waits by then,
/// within bounds, so that a sync of thousands costs few commits and none keeps the user's own
/// writes waiting.
actor Merger {
  /// Bounds of one transaction: some 20 ms of writing.
  private static let resultsAtOnce = 32
  private static let itemsAtOnce = 400

  private struct Entry {
    var result: RefreshResult
    var continuation: CheckedContinuation<Result<MergeOutcome, StoreError>, Never>
  }

  private let store: EngineCache
  private var waiting: [Entry] = []
  private var isWriting = false

  init(store: EngineCache) { self.store = store }

  /// Returns once the result is committed.
  func merge(_ result: RefreshResult) async throws(StoreError) -> MergeOutcome {
    let written = await withCheckedContinuation { continuation in
      waiting.append(Entry(result: result, continuation: continuation))
      if !isWriting {
        isWriting = true
        // Not the caller's task: its cancelling must not lose what others wait for.
        Task { await write() }
      }
    }
    return try written.get()
  }

  private func write() async {
    while !waiting.isEmpty {
      let group = nextGroup()
      do {
        let outcomes = try await store.merge(group.map(\.result))
        answer(group, outcomes)
      } catch  where group.count > 1 {
        // One that the cache refuses must not take the others with it.
        for entry in group { await writeAlone(entry) }
      } catch {
        for entry in group { entry.continuation.resume(returning: .failure(error)) }
      }
    }
    isWriting = false
  }

  private func writeAlone(_ entry: Entry) async {
    do {
      answer([entry], try await store.merge([entry.result]))
    } catch {
      entry.continuation.resume(returning: .failure(error))
    }
  }

  private func answer(_ group: [Entry], _ outcomes: [MergeOutcome]) {
    let byFeed = Dictionary(outcomes.map { ($0.feed, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in group {
      // Unsubscribed in the meantime: nothing was written, and nothing is wrong.
      let outcome = byFeed[entry.result.feed] ?? MergeOutcome(feed: entry.result.feed)
      entry.continuation.resume(returning: .success(outcome))
    }
  }

  private func nextGroup() -> [Entry] {
    var items = 0
    var count = 0
    for entry in waiting.prefix(Self.resultsAtOnce) {
      if case .parsed(let feed, _) = entry.result.outcome { items += feed.items.count }
      items += entry.result.partial?.items.count ?? 0
      if count > 0, items > Self.itemsAtOnce { break }
      count += 1
    }
    let group = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    return group
  }
}
