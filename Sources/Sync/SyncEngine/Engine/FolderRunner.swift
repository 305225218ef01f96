/// Exchanges with the shared folder while the reader is open: soon after a change here or in the
/// folder, and at intervals, because not every file system reports changes.
struct FolderRunner: Sendable {
  /// The least time between two files of this device, since small files sync slowly.
  private static let pause = Duration.seconds(60)
  /// The time without a change after which changes are exchanged.
  private static let quiet = Duration.seconds(2)
  /// The longest time that a series of changes waits for the quiet.
  private static let longestSeries = Duration.seconds(30)
  /// Kinds of changes here that may have entries.
  private static let interest: StoreChange = [.journal, .subscriptions, .rules]

  private enum Signal { case changed, due }

  let store: EngineCache
  /// The longest time between two exchanges; `nil` to exchange nothing.
  let interval: Duration?
  let clock: EngineClock
  let report: @Sendable (StoreError) -> Void
  private var exchange: FolderExchange { FolderExchange(store.sharedFolder, report: report) }

  /// Exchanges until the task is cancelled; returns `nil` if that is disabled.
  /// - Parameter isElected: returns false while another process exchanges.
  func start(isElected: @escaping @Sendable () async -> Bool) -> Task<Void, Never>? {
    guard let interval else { return nil }
    let (signals, continuation) = AsyncStream<Signal>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let observation = store.observe(Self.interest) { _ in continuation.yield(.changed) }
    return Task {
      defer { observation.cancel() }
      let watch = FolderWatch { continuation.yield(.changed) }
      var (changedAt, wroteAt): (Instant?, Instant?) = (nil, nil)
      var timer: Task<Void, Never>?
      func wake(at moment: Instant) {
        timer?.cancel()
        timer = Task {
          guard (try? await clock.sleep(moment)) != nil else { return }
          continuation.yield(.due)
        }
      }
      continuation.yield(.due)
      for await signal in signals {
        let now = clock.now()
        if signal == .changed {
          let first = changedAt ?? now
          changedAt = first
          wake(at: min(now + Self.quiet, first + Self.longestSeries))
          continue
        }
        changedAt = nil
        var next = now + interval
        do throws(StoreError) {
          if await isElected() {
            let mayWrite = wroteAt.map { now - $0 >= Self.pause } ?? true
            if try await run(writes: mayWrite) { wroteAt = now }
            if let watch { try exchange.add(to: watch) }
          }
          if let wroteAt, try store.sharedFolder.waiting() > 0 {
            next = min(next, max(wroteAt + Self.pause, now + Self.quiet))
          }
        } catch {
          report(error)
        }
        wake(at: next)
      }
      timer?.cancel()
    }
  }

  /// Returns true if a file was written.
  private func run(writes: Bool) async throws(StoreError) -> Bool {
    let written = try store.sharedFolder.lastWritten()
    try await exchange.run(writes: writes)
    return try store.sharedFolder.lastWritten() > written
  }

  var hasUnsent: Bool {
    do throws(StoreError) {
      return try store.sharedFolder.hasUnsent()
    } catch {
      report(error)
      return false
    }
  }

  /// Writes pending entries before the program ends, after an exchange that is running.
  func finish() async {
    guard interval != nil else { return }
    let (exchange, report) = (exchange, report)
    // Runs in another task, because this one is cancelled and the store would throw.
    await Task {
      do throws(StoreError) {
        try await exchange.run(waits: true)
      } catch {
        report(error)
      }
    }.value
  }
}

/// Exchanges with the shared folder while a reader that does not use the network is open. Another
/// program carries the folder, so that the exchange itself needs no network.
public final class FolderService: Sendable {
  private let runner: FolderRunner
  private let task: Task<Void, Never>?

  /// Begins to exchange.
  /// - Parameter report: receives failures of the database.
  package init(
    store: EngineCache, configuration: SyncConfiguration, clock: EngineClock = .system,
    report: @escaping @Sendable (StoreError) -> Void
  ) {
    runner = FolderRunner(
      store: store, interval: configuration.folderInterval, clock: clock, report: report)
    task = runner.start { true }
  }

  /// Writes what waits. Returns when that is done, after `deadline` if nothing waits, and otherwise
  /// after some seconds.
  public func stop(deadline: Duration) async {
    guard let task else { return }
    task.cancel()
    let runner = runner
    let atMost = runner.hasUnsent ? max(deadline, NetworkController.sendingDeadline) : deadline
    await Task { await runner.finish() }.end(atMost: atMost)
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
