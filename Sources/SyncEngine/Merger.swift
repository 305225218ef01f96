import FeedModel
import FeedStore

/// Writes what refreshes bring: one transaction at a time, and in each whatever waits by then, so
/// that a sync of thousands costs few commits; as much of it as is written within a short time, so
/// that none keeps the user's own writes waiting.
actor Merger {
  /// What another writer may have to wait for.
  private static let transaction = Duration.milliseconds(20)
  /// Between the beginnings of two transactions while so few wait that more should join them: each
  /// commit writes pages anew that the one before wrote, and wakes who observes the cache.
  private static let spacing = Duration.milliseconds(50)
  /// Articles that are worth a transaction, about as many as fill its time.
  private static let worthwhile = 400
  /// The most results of one transaction.
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
  /// The pause in which more results may join those that wait.
  private var gathering: Task<Void, Never>?

  /// - Parameter expectsMore: whether further results are on their way.
  init(store: EngineCache, expectsMore: @escaping @Sendable () -> Bool) {
    (self.store, self.expectsMore) = (store, expectsMore)
  }

  /// Returns once the result is committed.
  func merge(_ result: RefreshResult) async throws(StoreError) -> MergeOutcome {
    let written = await withCheckedContinuation { continuation in
      waiting.append(Entry(result: result, continuation: continuation))
      if let gathering, !expectsMore() { gathering.cancel() }
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
      await gather()
      beganAt = .now
      let group = Array(waiting.prefix(Self.resultsAtOnce))
      waiting.removeFirst(group.count)
      do {
        let outcomes = try await store.merge(group.map(\.result), within: Self.transaction)
        for (entry, outcome) in zip(group, outcomes) {
          entry.continuation.resume(returning: .success(outcome))
        }
        waiting.insert(contentsOf: group.dropFirst(outcomes.count), at: 0)
      } catch  where group.count > 1 {
        // One that the cache refuses must not take the others with it.
        for entry in group { await writeAlone(entry) }
      } catch {
        for entry in group { entry.continuation.resume(returning: .failure(error)) }
      }
    }
    isWriting = false
  }

  /// Waits for more if there is little, the last transaction has only just begun, and more is on
  /// its way.
  private func gather() async {
    guard let next = beganAt.map({ $0 + Self.spacing }), next > .now else { return }
    let items = waiting.reduce(0) { $0 + $1.items }
    guard items < Self.worthwhile, expectsMore() else { return }
    let pause = Task { _ = try? await Task.sleep(until: next) }
    gathering = pause
    await pause.value
    gathering = nil
  }

  private func writeAlone(_ entry: Entry) async {
    do {
      let outcome = try await store.merge([entry.result]).first
      entry.continuation.resume(
        returning: .success(outcome ?? MergeOutcome(feed: entry.result.feed)))
    } catch {
      entry.continuation.resume(returning: .failure(error))
    }
  }
}
