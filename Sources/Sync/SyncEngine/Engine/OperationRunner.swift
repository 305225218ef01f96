import Synchronization

/// Runs operations through their stages, and cancels, pauses and resumes them. After a fetch, an
/// operation is suspended until `EngineState` decides how it continues.
final class OperationRunner: Sendable {
  typealias Report = @Sendable (EngineEvent) async -> Void

  private struct Run {
    var task: Task<Void, Never>
    let token: PauseToken
    let finishesAtEnd: Bool
    /// The rest of the operation, while it is suspended after its fetch.
    var rest: (@Sendable () async -> Void)?

    /// Continues a suspended operation.
    mutating func proceed() {
      guard let rest else { return }
      self.rest = nil
      task = Task(operation: rest)
    }

    /// Ends the operation, even if it is suspended: its rest is cancelled before it runs, as it
    /// would otherwise store what the network has failed to bring.
    mutating func cancel() {
      guard let rest else { return task.cancel() }
      self.rest = nil
      task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await rest()
      }
    }
  }

  private let runs = Mutex<[OperationID: Run]>([:])

  /// - Parameter report: called at the end of the fetch and at the end of the operation.
  func start(
    _ entry: OperationEntry, _ timeouts: ConnectionTimeouts, _ context: OperationContext,
    report: @escaping Report
  ) {
    guard let kind = context.kind(entry.key) else { return }
    let token = PauseToken()
    let fetcher = context.fetcher(for: entry.id, timeouts: timeouts, token: token)
    runs.withLock { runs in
      let task = Task { await self.run(kind, entry, fetcher, context, report) }
      runs[entry.id] = Run(task: task, token: token, finishesAtEnd: kind.policy.finishesAtEnd)
    }
  }

  private func run<Operation: SyncOperation>(
    _ kind: Operation.Type, _ entry: OperationEntry, _ fetcher: Fetcher,
    _ context: OperationContext, _ report: @escaping Report
  ) async {
    let id = entry.id
    let end: @Sendable (OperationResult) async -> Void = { result in
      context.transfers.close(id)
      await report(.ended(id, result))
      self.runs.withLock { _ = $0.removeValue(forKey: id) }
    }
    do throws(StoreError) {
      guard let operation = try Operation(row: entry.key.row, fetcher: fetcher, context: context),
        !Task.isCancelled
      else { return await end(.dropped) }
      if let outcome = try operation.preflight() {
        await report(.fetched(id, FetchEnd(hostLimit: context.gate.limit(of: entry.host))))
        return await end(await store(outcome, of: operation, fetcher))
      }
      if let event = operation.started(entry.priority) { context.emit(event) }
      let answer: Operation.Answer
      do throws(StoreError) {
        answer = try await operation.fetch()
      } catch {
        _ = await dropped(operation)
        return await end(await failed(error, operation))
      }
      let networkEnd = operation.networkEnd(of: answer)
      // Given away once, so that no body is held while its articles wait to be stored.
      let answers = Mutex<Operation.Answer?>(answer)
      let isSuspended =
        networkEnd != .cancelled
        && suspend(id) {
          await end(
            await self.finish(operation, fetcher) {
              guard let answer = answers.withLock({ $0.take() }) else { return nil }
              return await operation.digest(answer)
            })
        }
      guard isSuspended else { return await end(await dropped(operation)) }
      await report(
        .fetched(
          id,
          FetchEnd(
            end: networkEnd, address: networkEnd == .answered ? operation.address : nil,
            hostLimit: context.gate.limit(of: entry.host))))
    } catch {
      await end(.failed(error))
    }
  }

  /// Suspends the rest of the operation until `proceed` or `cancel`.
  /// - Returns: `false` if the operation was cancelled before.
  private func suspend(_ id: OperationID, _ rest: @escaping @Sendable () async -> Void) -> Bool {
    runs.withLock { runs in
      guard !Task.isCancelled else { return false }
      runs[id]?.rest = rest
      return true
    }
  }

  private func finish<Operation: SyncOperation>(
    _ operation: Operation, _ fetcher: Fetcher, digest: () async -> Operation.Outcome?
  ) async -> OperationResult {
    fetcher.transfer?.reaches(.parsing)
    guard !Task.isCancelled, let outcome = await digest() else {
      return await dropped(operation)
    }
    return await store(outcome, of: operation, fetcher)
  }

  private func store<Operation: SyncOperation>(
    _ outcome: Operation.Outcome, of operation: Operation, _ fetcher: Fetcher
  ) async -> OperationResult {
    guard !Task.isCancelled else { return await dropped(operation) }
    fetcher.transfer?.reaches(.storing)
    do throws(StoreError) {
      return .stored(try await operation.store(outcome))
    } catch {
      return await failed(error, operation)
    }
  }

  /// Stores a refused value as a failure of the operation, so that other work goes on.
  private func failed<Operation: SyncOperation>(
    _ error: StoreError, _ operation: Operation
  ) async -> OperationResult {
    guard let refusal = error.refusal.flatMap({ operation.refusal($0.failure) }) else {
      return .failed(error)
    }
    do throws(StoreError) {
      return .stored(try await operation.store(refusal))
    } catch {
      return .failed(error)
    }
  }

  /// Abandons an operation in a new task, because this one may be cancelled and the store would
  /// throw.
  private func dropped(_ operation: some SyncOperation) async -> OperationResult {
    await Task { await operation.abandon() }.value
    return .dropped
  }

  func proceed(_ id: OperationID) { runs.withLock { $0[id]?.proceed() } }

  func cancel(_ id: OperationID) { runs.withLock { $0[id]?.cancel() } }

  func setReading(_ id: OperationID, _ reads: Bool) {
    guard let token = runs.withLock({ $0[id]?.token }) else { return }
    if reads { token.resume() } else { token.pause() }
  }

  /// Cancels operations that need not finish when the engine stops, and waits for them.
  func end() async {
    let ids = runs.withLock { Array($0.filter { !$0.value.finishesAtEnd }.keys) }
    for id in ids { cancel(id) }
    await wait(for: ids)
  }

  /// Waits for the remaining operations. Cancels them if the current task is cancelled.
  @Sendable func finish() async {
    let ids = runs.withLock { Array($0.keys) }
    await withTaskCancellationHandler {
      await wait(for: ids)
    } onCancel: {
      for id in ids { cancel(id) }
    }
  }

  /// Waits for operations. An operation that was suspended has a second task.
  private func wait(for ids: [OperationID]) async {
    for id in ids {
      while let task = runs.withLock({ $0[id]?.task }) {
        await task.value
        proceed(id)
      }
    }
  }
}

/// Small writes outside of operations, which the engine awaits before it ends.
final class BackgroundTasks: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
  }
  private let state = Mutex(State())

  func add(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      let id = state.next
      state.next += 1
      state.tasks[id] = Task {
        await body()
        self.state.withLock { _ = $0.tasks.removeValue(forKey: id) }
      }
    }
  }

  func end() async {
    let left = state.withLock { Array($0.tasks.values) }
    for task in left { task.cancel() }
    for task in left { await task.value }
  }
}
