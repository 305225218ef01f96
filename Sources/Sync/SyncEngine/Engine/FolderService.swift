public import FeedStore

/// Exchanges with the shared folder while a reader that does not use the network is open. Another
/// program carries the folder, so that the exchange itself needs no network.
public final class FolderService: Sendable {
  private let runner: FolderRunner
  private let task: Task<Void, Never>?

  /// Begins to exchange.
  /// - Parameter report: receives failures of the database.
  public init(
    store: EngineCache, configuration: SyncConfiguration, clock: EngineClock = .system,
    report: @escaping @Sendable (StoreError) -> Void
  ) {
    runner = FolderRunner(
      store: store, interval: configuration.folderInterval, clock: clock, report: report)
    task = runner.start { true }
  }

  /// Writes what waits. Returns when that is done, or after `deadline`.
  public func stop(deadline: Duration) async {
    guard let task else { return }
    task.cancel()
    let runner = runner
    await Task { await runner.finish() }.end(atMost: deadline)
  }
}

extension Task where Success == Void, Failure == Never {
  /// Returns when the task has ended, or after `deadline`.
  func end(atMost deadline: Duration) async {
    let ended = AsyncStream<Void>.makeStream()
    let watch = Task {
      await value
      ended.continuation.finish()
    }
    let timer = Task {
      try? await Task<Never, Never>.sleep(for: deadline)
      ended.continuation.finish()
    }
    for await _ in ended.stream {}
    watch.cancel()
    timer.cancel()
  }
}
