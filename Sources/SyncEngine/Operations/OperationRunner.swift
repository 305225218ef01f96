import FeedModel
import FeedStore
import NetworkMeasurement
import Networking
import RateLimiting
import Synchronization

/// Runs operations through their stages, and cancels, pauses and resumes them. `EngineState`
/// decides what follows when a fetch has ended.
final class OperationRunner: Sendable {
  private struct Run {
    var task: Task<Void, Never>
    let token: PauseToken
    let proceed: AsyncStream<Void>.Continuation
    let finishesAtEnd: Bool
  }

  private let runs = Mutex<[OperationID: Run]>([:])

  /// - Parameter report: called at the end of the fetch and at the end of the operation.
  func start(
    _ entry: OperationEntry, _ patience: ConnectionTimeouts, _ context: OperationContext,
    report: @escaping @Sendable (EngineEvent) async -> Void
  ) {
    guard let kind = context.kind(entry.key) else { return }
    let (proceeds, proceed) = AsyncStream<Void>.makeStream()
    let token = PauseToken()
    let fetcher = context.fetcher(for: entry.id, patience: patience, token: token)
    runs.withLock { runs in
      let task = Task {
        let result = await self.run(kind, entry, fetcher, context, proceeds, report)
        context.transfers.close(entry.id)
        await report(.ended(entry.id, result))
        self.runs.withLock { _ = $0.removeValue(forKey: entry.id) }
      }
      runs[entry.id] = Run(
        task: task, token: token, proceed: proceed, finishesAtEnd: kind.kind.finishesAtEnd)
    }
  }

  private func run<Operation: SyncOperation>(
    _ kind: Operation.Type, _ entry: OperationEntry, _ fetcher: Fetcher,
    _ context: OperationContext, _ proceeds: AsyncStream<Void>,
    _ report: @Sendable (EngineEvent) async -> Void
  ) async -> OperationResult {
    let (id, transfer) = (entry.id, context.transfers.entry(of: entry.id))
    do throws(StoreError) {
      guard let operation = try Operation(row: entry.key.row, fetcher: fetcher, context: context),
        !Task.isCancelled
      else { return .dropped }
      var outcome: Operation.Outcome?
      switch try operation.preflight() {
      case .unneeded: return .dropped
      case .known(let known):
        outcome = known
        await report(.fetched(id, FetchEnd(hostLimit: context.gate.limit(of: entry.host))))
      case .fetch:
        if let event = operation.started(entry.priority) { context.emit(event) }
        let answer: Operation.Answer
        do throws(StoreError) {
          answer = try await operation.fetch()
        } catch {
          await afterCancelling { await operation.abandon() }
          throw error
        }
        let end = operation.networkEnd(of: answer)
        if end != .cancelled {
          await report(
            .fetched(
              id,
              FetchEnd(
                end: end, address: end == .answered ? operation.address : nil,
                hostLimit: context.gate.limit(of: entry.host))))
          transfer.reaches(.parsing)
          // A cancelled operation ends the stream without an element.
          for await _ in proceeds {
            outcome = await operation.digest(answer)
            break
          }
        }
        if outcome == nil || Task.isCancelled {
          await afterCancelling { await operation.abandon() }
          return .dropped
        }
      }
      guard let outcome else { return .dropped }
      transfer.reaches(.storing)
      return .stored(try await operation.store(outcome))
    } catch {
      return .failed(error)
    }
  }

  /// Runs in a new task, as this one may be cancelled and the store would throw.
  private func afterCancelling(_ body: @escaping @Sendable () async -> Void) async {
    await Task { await body() }.value
  }

  func proceed(_ id: OperationID) {
    runs.withLock { $0[id]?.proceed }?.yield()
  }

  func cancel(_ id: OperationID) { runs.withLock { $0[id]?.task }?.cancel() }

  func setReading(_ id: OperationID, _ reads: Bool) {
    guard let token = runs.withLock({ $0[id]?.token }) else { return }
    if reads { token.resume() } else { token.pause() }
  }

  /// Cancels operations that need not finish when the engine stops, and waits for them.
  /// - Returns: the operations that are to finish.
  func end() async -> [Task<Void, Never>] {
    let left = runs.withLock { Array($0.values) }
    for run in left where !run.finishesAtEnd { run.task.cancel() }
    for run in left where !run.finishesAtEnd { await run.task.value }
    return left.filter(\.finishesAtEnd).map(\.task)
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
