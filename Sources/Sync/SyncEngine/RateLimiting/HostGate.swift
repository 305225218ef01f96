import Foundation
import Synchronization

/// Limits the concurrent exchanges with each host across all operations, including redirects and
/// discoveries.
///
/// An exchange holds one permit and never waits for another, so crossing redirects cannot deadlock.
/// Waiters are served in order and never starve.
final class HostGate: Sendable {
  private struct Waiter {
    var id: Int
    var origin: String?
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var inUse: [String: Int] = [:]
    /// Hosts at their limit when the newest exchange began: all answers of that round count as
    /// answers at the limit.
    var full: Set<String> = []
    var waiters: [String: [Waiter]] = [:]
    /// The multiplexing origins of each host.
    var multiplexing: [String: Set<String>] = [:]
    var measured: [String: HostConcurrency] = [:]
    /// Hosts with unsaved measurements.
    var learned: Set<String> = []
    var nextID = 0
    /// Waiters cancelled before they began to wait.
    var gone: Set<Int> = []

    func hasRoom(_ host: String, _ origin: String?, _ limits: HostLimits) -> Bool {
      let isMultiplexing = origin.map { multiplexing[host]?.contains($0) ?? false } ?? false
      let limit = isMultiplexing ? limits.perMultiplexingHost : single(host, limits).limit
      return (inUse[host] ?? 0) < limit
    }

    /// Returns the limit of exchanges that have a connection each, and its reason.
    func single(_ host: String, _ limits: HostLimits) -> (limit: Int, reason: HostLimitReason) {
      guard limits.isMeasured, host != LocalSource.hostKey else {
        return (limits.perHost, limits.isMeasured ? .usual : .configured)
      }
      let host = measured[host] ?? HostConcurrency()
      return (host.limit, host.reason)
    }

    mutating func begin(_ host: String, _ limits: HostLimits) {
      let count = (inUse[host] ?? 0) + 1
      inUse[host] = count
      if count >= single(host, limits).limit { full.insert(host) } else { full.remove(host) }
    }

    /// Admits waiters of the host while there is room for the first.
    mutating func admit(_ host: String, _ limits: HostLimits) -> [Waiter] {
      var admitted: [Waiter] = []
      while let first = waiters[host]?.first, hasRoom(host, first.origin, limits) {
        waiters[host]?.removeFirst()
        begin(host, limits)
        admitted.append(first)
      }
      if waiters[host]?.isEmpty == true { waiters[host] = nil }
      return admitted
    }
  }

  private let limits: HostLimits
  private let state = Mutex(State())

  init(limits: HostLimits) { self.limits = limits }

  /// Returns the limit of concurrent exchanges with this host, by its most capable origin.
  func limit(of host: String) -> Int { limitAndReason(of: host).limit }

  func limitAndReason(of host: String) -> (limit: Int, reason: HostLimitReason) {
    state.withLock { state in
      guard state.multiplexing[host] != nil else { return state.single(host, limits) }
      return (limits.perMultiplexingHost, limits.isMeasured ? .multiplexing : .configured)
    }
  }

  // MARK: Measuring

  /// Records the end of an exchange that still holds its permit.
  /// - Parameter latency: `nil` if there was no answer.
  func measured(
    _ host: String, _ result: Result<HTTPResponse, TransportError>, latency: HostLatency?,
    at now: Date
  ) {
    guard limits.isMeasured else { return }
    change(host) { state in
      var measured = state.measured[host] ?? HostConcurrency()
      let before = measured
      let inUse = state.inUse[host] ?? 0
      let isFull = inUse >= measured.limit || state.full.contains(host)
      switch result {
      case .success(let response) where HTTPResponse.asksToWait(response.status):
        measured.refused(at: now)
      case .success:
        measured.answered(latency: latency, isFull: isFull, at: now)
      case .failure(let error):
        switch error.kind {
        // A single exchange says more about the network than about the host.
        case .connectionRefused, .connectionLost: if inUse > 1 { measured.refused(at: now) }
        case .stalled, .connectTimedOut: measured.slowed(at: now)
        default: break
        }
      }
      guard measured != before else { return }
      state.measured[host] = measured
      if measured.limit > before.limit { state.full.remove(host) }
      if measured.until != before.until { state.learned.insert(host) }
    }
  }

  /// Loads the limits measured by earlier processes.
  func remember(_ stored: [HostLimit]) {
    state.withLock { state in
      for limit in stored { state.measured[limit.host] = HostConcurrency(limit) }
    }
  }

  func drainLearned() -> [HostLimit] {
    state.withLock { state in
      guard !state.learned.isEmpty else { return [] }
      defer { state.learned = [] }
      return state.learned.sorted().compactMap { host in
        guard let measured = state.measured[host], let until = measured.until else { return nil }
        return HostLimit(
          host: host, atOnce: measured.limit, reason: measured.reason, until: until)
      }
    }
  }

  // MARK: Permits

  /// Records whether an origin multiplexes. Other programs may serve a host's other origins.
  func setMultiplexing(_ origin: String, of host: String, _ isMultiplexing: Bool = true) {
    change(host) { state in
      if isMultiplexing {
        state.multiplexing[host, default: []].insert(origin)
      } else {
        state.multiplexing[host]?.remove(origin)
        if state.multiplexing[host]?.isEmpty == true { state.multiplexing[host] = nil }
      }
    }
  }

  /// Runs `body` with a permit for the host. Returns `nil` if the task was cancelled while waiting.
  /// - Parameter origin: the requested origin, if any.
  func withPermit<T: Sendable>(
    _ host: String, origin: String? = nil, _ body: () async -> T
  ) async -> T? {
    guard await acquire(host, origin) else { return nil }
    defer { release(host) }
    return await body()
  }

  private func acquire(_ host: String, _ origin: String?) async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let acquired = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.gone.contains(id) { return false }
          if state.waiters[host]?.isEmpty ?? true, state.hasRoom(host, origin, limits) {
            state.begin(host, limits)
            return true
          }
          state.waiters[host, default: []].append(
            Waiter(id: id, origin: origin, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters[host]?.firstIndex(where: { $0.id == id }) else {
          // The waiter has its permit, or does not wait yet and will find its number in `gone`.
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
    change(host) { state in
      let left = (state.inUse[host] ?? 1) - 1
      state.inUse[host] = left > 0 ? left : nil
    }
  }

  /// Admits the waiters for whom the change makes room.
  private func change(_ host: String, _ body: (inout State) -> Void) {
    let admitted = state.withLock { state in
      body(&state)
      return state.admit(host, limits)
    }
    for waiter in admitted { waiter.continuation.resume(returning: true) }
  }
}
