import TerminalViews

/// The screens' work outside the main thread: queued writes to the cache, and concurrent reads and
/// waits. The end of each is an event of the reader.
package final class WorkQueue {
  private let store: ReaderCache
  private let links: ReaderLinks
  private var last: Task<Void, Never>?
  private var count = 0
  private var beside: [Int: Task<Void, Never>] = [:]
  private var lastNumber = 0

  init(store: ReaderCache, links: ReaderLinks) { (self.store, self.links) = (store, links) }

  /// True if every queued write has ended.
  package var isIdle: Bool { count == 0 }

  /// Queues a write to the cache and returns at once.
  /// - Parameter failed: Called before the failed write is drawn.
  func write<Result: Sendable>(
    isSeen: Bool, _ body: @escaping @Sendable (ReaderCache) async throws -> Result,
    then: @escaping (Result) -> Void, failed: @escaping (StoreError) -> Void
  ) {
    add { [store, links] in
      do {
        then(try await body(store))
        if isSeen { links.events?.written() }
      } catch {
        failed(StoreError(error))
        links.events?.written()
      }
    }
  }

  /// Runs a slow read. Releasing the token cancels the read and drops its result.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (ReaderCache) async throws -> Result?,
    then: @escaping (Result) -> Void, failed: @escaping (StoreError) -> Void
  ) -> TimerToken {
    TimerToken(
      start { [store] in
        do {
          let result = try await body(store)
          if let result, !Task.isCancelled { then(result) }
        } catch {
          if !Task.isCancelled { failed(StoreError(error)) }
        }
      })
  }

  func perform(_ body: @escaping () async -> Void) {
    add { [links] in
      await body()
      links.events?.written()
    }
  }

  /// Starts work that blocks neither keys nor writes.
  @discardableResult
  func start(_ body: @escaping () async -> Void) -> Task<Void, Never> {
    lastNumber += 1
    let number = lastNumber
    let task = Task { [weak self] in
      await body()
      self?.beside[number] = nil
      self?.links.events?.readEnded()
    }
    beside[number] = task
    return task
  }

  private func add(_ body: @escaping () async -> Void) {
    let previous = last
    count += 1
    last = Task {
      await previous?.value
      await body()
      count -= 1
    }
  }

  /// Cancels all work except writes.
  package func cancelReads() { for task in beside.values { task.cancel() } }

  /// Returns when all work started so far has ended.
  package func finish() async {
    while let current = last {
      await current.value
      if current == last { last = nil }
    }
    while let task = beside.values.first { await task.value }
  }
}
