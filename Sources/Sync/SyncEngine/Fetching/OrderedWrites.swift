import FeedStore

/// Runs writes one after another. `add` returns at once, so that callbacks can call it.
struct OrderedWrites: Sendable {
  typealias Write = @Sendable () async throws(StoreError) -> Void

  private let queue: AsyncStream<Write>.Continuation
  private let consumer: Task<Result<Void, StoreError>, Never>

  init() {
    let (writes, queue) = AsyncStream<Write>.makeStream()
    self.queue = queue
    // The task is not cancelled with the operation, because received bytes count.
    consumer = Task {
      await Result { () async throws(StoreError) in for await write in writes { try await write() }
      }
    }
  }

  func add(_ write: @escaping Write) { queue.yield(write) }

  /// Waits for the writes that were added. Later ones are dropped.
  /// - Throws: the first error, after which nothing was written.
  func end() async throws(StoreError) {
    queue.finish()
    try await consumer.value.get()
  }
}
