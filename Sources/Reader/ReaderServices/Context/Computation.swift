import Synchronization

/// Computes a value outside the main actor. Returns `nil` as soon as the task is cancelled, so that
/// quitting does not wait for a layout. The abandoned computation runs until the process ends, so
/// it must hold nothing that has to be closed.
package nonisolated func computed<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) async -> Value? {
  let handover = Handover<Value>()
  Task.detached { handover.end(with: body()) }
  return await withTaskCancellationHandler {
    await handover.value
  } onCancel: {
    handover.end(with: nil)
  }
}

/// Passes one value from one task to another; later values are ignored.
private nonisolated final class Handover<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case open
    case awaited(CheckedContinuation<Value?, Never>)
    case ended(Value?)
  }
  private let state = Mutex(State.open)

  func end(with value: Value?) {
    let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      switch state {
      case .ended: return nil
      case .open:
        state = .ended(value)
        return nil
      case .awaited(let continuation):
        state = .ended(nil)
        return continuation
      }
    }
    continuation?.resume(returning: value)
  }

  /// The passed value. Must be read only once.
  var value: Value? {
    get async {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          if case .ended = state { return false }
          state = .awaited(continuation)
          return true
        }
        guard !isWaiting else { return }
        let value: Value? = state.withLock { state in
          if case .ended(let value) = state { value } else { nil }
        }
        continuation.resume(returning: value)
      }
    }
  }
}
