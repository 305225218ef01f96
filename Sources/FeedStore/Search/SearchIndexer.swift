import Foundation
import Synchronization

/// The background job that keeps the search index up with the cache: asleep while nothing arrives,
/// in steps of some milliseconds while it catches up, with a pause after each that is as long as
/// the step.
///
/// Any process may run it, several at once too: each step is a transaction that begins where the
/// last one ended. Release it to end it.
public final class SearchIndexer: Sendable {
  /// What a writer of another process may have to wait for; those of this one end the step. Longer
  /// steps are cheaper: each leaves a part of the index that is merged with others later.
  private static let step = Duration.milliseconds(20)
  private static let shortestPause = Duration.milliseconds(6)
  /// After a step that the cache refused (a full disk, a lock held for long).
  private static let rest = Duration.seconds(30)

  private let task: Task<Void, Never>
  private let observation: StoreObservation

  /// Begins at once, at background priority.
  public init(_ search: SearchCache) {
    let database = search.database
    let (stream, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A full text arrives as the answer to a request.
    observation = database.hub.add([.articles, .requests]) { _ in signal.yield() }
    signal.yield()
    task = Task(priority: .background) { [weak database] in
      for await _ in stream {
        guard let search = database.map(SearchCache.init),
          (try? search.isIndexBehind()) ?? true
        else { continue }
        while await Self.work(search), !Task.isCancelled {}
      }
    }
  }

  deinit { cancel() }

  /// Ends it after the step that is under way.
  public func cancel() {
    observation.cancel()
    task.cancel()
  }

  /// One step and its pause. False if there is nothing left.
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
