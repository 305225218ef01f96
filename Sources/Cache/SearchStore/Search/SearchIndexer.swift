import Foundation
import Synchronization

/// The background job that updates the search index. Sleeps while nothing arrives, and works in
/// steps of some milliseconds, each followed by a pause of the same length.
///
/// Several processes may run it at the same time, because each step is a transaction that continues
/// the last one. Release the indexer to end the job.
public final class SearchIndexer: Sendable {
  /// Longest wait of a writer of another process; writers of this process end the step. Longer
  /// steps are cheaper, because each step leaves a part of the index to be merged.
  private static let step = Duration.milliseconds(20)
  private static let shortestPause = Duration.milliseconds(6)
  /// Wait after a step that failed (a full disk, a lock held for long).
  private static let rest = Duration.seconds(30)

  private let task: Task<Void, Never>
  private let observation: StoreObservation

  /// Starts the job at once, at background priority.
  public init(_ search: SearchCache) {
    let database = search.database
    let (stream, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A full text arrives as the answer to a request.
    observation = database.core.hub.add([.articles, .requests]) { _ in signal.yield() }
    signal.yield()
    task = Task(priority: .background) { [weak database] in
      for await _ in stream {
        guard let search = database.map(SearchCache.init),
          (try? search.isIndexBehind()) ?? true
        else { continue }
        while await Self.work(search), !Task.isCancelled {}
        await search.database.core.releaseMemory()
      }
    }
  }

  deinit { cancel() }

  /// Ends the job after the running step.
  public func cancel() {
    observation.cancel()
    task.cancel()
  }

  /// Runs one step and its pause. Returns `false` if nothing is left.
  private static func work(_ search: SearchCache) async -> Bool {
    let start = ContinuousClock.now
    do throws(StoreError) {
      guard try await search.indexSome(within: step) else { return false }
      let pause = max(shortestPause, ContinuousClock.now - start)
      try? await Task.sleep(for: pause)
    } catch {
      try? await Task.sleep(for: rest)
    }
    return !Task.isCancelled
  }
}
