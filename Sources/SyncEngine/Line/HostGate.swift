import Synchronization

/// Keeps exchanges with one host at its cap, whoever makes them: a redirect leads to a host that the
/// queue did not know of, a discovery reads several feeds of one site.
///
/// A permit is held for one exchange only, never while waiting for another, so two redirects that
/// cross cannot wait for each other.
final class HostGate: Sendable {
  private struct Waiter {
    var id: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var inUse: [String: Int] = [:]
    var waiters: [String: [Waiter]] = [:]
    var multiplexing: Set<String> = []
    var nextID = 0
    /// Cancelled before they began to wait.
    var gone: Set<Int> = []

    mutating func popWaiter(_ host: String) -> Waiter? {
      guard waiters[host]?.isEmpty == false else { return nil }
      let waiter = waiters[host]?.removeFirst()
      if waiters[host]?.isEmpty == true { waiters[host] = nil }
      return waiter
    }
  }

  private let limits: SyncQueueState.Limits
  private let state = Mutex(State())

  init(limits: SyncQueueState.Limits) { self.limits = limits }

  /// Whether one connection was seen to carry several requests to this host.
  func isMultiplexing(_ host: String) -> Bool {
    state.withLock { $0.multiplexing.contains(host) }
  }

  func setMultiplexing(host: String) {
    let freed = state.withLock { state -> [Waiter] in
      guard state.multiplexing.insert(host).inserted else { return [] }
      var freed: [Waiter] = []
      while (state.inUse[host] ?? 0) < limits.perMultiplexingHost,
        let waiter = state.popWaiter(host)
      {
        state.inUse[host, default: 0] += 1
        freed.append(waiter)
      }
      return freed
    }
    for waiter in freed { waiter.continuation.resume(returning: true) }
  }

  /// Runs `body` with a permit for the host. Nil: the task was cancelled while it waited.
  func withPermit<T: Sendable>(_ host: String, _ body: () async -> T) async -> T? {
    guard await acquire(host) else { return nil }
    defer { release(host) }
    return await body()
  }

  private func acquire(_ host: String) async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let acquired = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.gone.contains(id) { return false }
          let cap =
            state.multiplexing.contains(host) ? limits.perMultiplexingHost : limits.perHost
          if (state.inUse[host] ?? 0) < cap {
            state.inUse[host, default: 0] += 1
            return true
          }
          state.waiters[host, default: []].append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters[host]?.firstIndex(where: { $0.id == id }) else {
          // Has its permit, or does not wait yet; the latter finds its number here.
          state.gone.insert(id)
          return nil
        }
        return state.waiters[host]?.remove(at: index)
      }
      waiter?.continuation.resume(returning: false)
    }
    if Task.isCancelled { state.withLock { _ = $0.gone.remove(id) } }
    return acquired
  }

  private func release(_ host: String) {
    let waiter = state.withLock { state -> Waiter? in
      if let waiter = state.popWaiter(host) { return waiter }
      let left = (state.inUse[host] ?? 1) - 1
      state.inUse[host] = left > 0 ? left : nil
      return nil
    }
    waiter?.continuation.resume(returning: true)
  }
}
