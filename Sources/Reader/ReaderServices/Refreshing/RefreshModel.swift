package import Foundation

extension SyncStatus {
  /// Returns the status for a process that may have no engine. The row of an idle engine is old or
  /// belongs to another process.
  package func seen(isOffline: Bool) -> SyncStatus {
    guard isOffline, !isRunning else { return self }
    var status = self
    status.quality = .offline
    return status
  }
}

/// The state of refreshes and the engine, and the results of this screen's requests.
package final class RefreshModel {
  private let store: ReaderCache
  private let isOffline: Bool
  package private(set) var failure: StoreError?
  package private(set) var status = SyncStatus()
  package private(set) var pauses: Set<SyncPause.Scope> = []
  /// Unfinished requests of this process and others, oldest first.
  package private(set) var active: [RefreshRequest] = []
  private var asked: Set<Int64> = []
  private let now: () -> Date
  /// The time when the connection was lost; `nil` if that was not observed.
  package private(set) var offlineSince: Date?
  private var progressedAt: Date?
  /// Seconds without progress after which the screen names the host that a sync waits for.
  private static let stallDelay = 3.0

  package init(store: ReaderCache, isOffline: Bool = false, now: @escaping () -> Date) {
    self.now = now
    self.store = store
    self.isOffline = isOffline
    read()
  }

  /// Returns the running request for exactly this scope. Reads it again, because it may have ended
  /// since the last change was shown.
  func request(for scope: RefreshScope) -> RefreshRequest? {
    guard let shown = active.first(where: { $0.scope == scope }),
      let request = read(try store.requests.refreshRequest(shown.id)) ?? nil, !request.isFinished
    else { return nil }
    return request
  }

  package func isRefreshing(_ feed: FeedID) -> Bool { status.refreshing.contains(feed) }

  func track(_ request: RefreshRequest) {
    asked.insert(request.id)
    if request.isFinished { return }
    if !active.contains(where: { $0.id == request.id }) { active.append(request) }
  }

  func waitsFor(_ request: RefreshRequest) -> (host: String?, count: Int)? {
    guard let waits = read(try store.requests.waits(of: request.id)), waits.count > 0 else {
      return nil
    }
    return (waits.first.first.map { $0.host.isEmpty ? $0.name : $0.host }, waits.count)
  }

  /// Returns the host that a sync near its end waits for, and the seconds of that wait; `nil` while
  /// the sync makes progress.
  package func waiting(at now: Date) -> (host: String, seconds: Double)? {
    guard status.isRunning, !pauses.contains(.everything), let progressedAt,
      now.timeIntervalSince(progressedAt) >= Self.stallDelay,
      let host = active.lazy.compactMap({ self.waitsFor($0)?.host }).first ?? firstBusyHost
    else { return nil }
    return (host, now.timeIntervalSince(progressedAt))
  }

  /// The host for which an automatic refresh waits.
  private var firstBusyHost: String? {
    guard active.isEmpty, let first = read(try store.requests.waits(of: nil))?.first.first else {
      return nil
    }
    return first.host.isEmpty ? first.name : first.host
  }

  /// Returns the remaining time of the running sync, in the words of the console.
  package func timeLeft(at now: Date) -> String? {
    SyncWording.timeLeft(
      done: status.done, total: status.total, since: status.startedAt,
      silence: progressedAt.map(now.timeIntervalSince) ?? 0, now: now)
  }

  /// Numbers of finished and of all refreshes of the running sync, or of the waiting requests.
  package var progress: (done: Int, total: Int) {
    if status.isRunning, status.total > 0 { return (status.done, status.total) }
    return (active.reduce(0) { $0 + $1.done }, active.reduce(0) { $0 + $1.total })
  }

  /// Reads again. Returns this screen's requests that have ended since the last call, and true if
  /// anything visible has changed.
  package func modelUpdated(_ change: StoreChange) -> (finished: [RefreshRequest], hasChanged: Bool)
  {
    guard !change.isDisjoint(with: [.requests, .syncStatus, .steering]) else { return ([], false) }
    let (oldStatus, oldActive, oldPauses) = (status, active, pauses)
    failure = nil
    read()
    var finished: [RefreshRequest] = []
    for id in asked.sorted() {
      // A row that cannot be read now is read after the next change.
      guard let answer = read(try store.requests.refreshRequest(id)) ?? nil else {
        if active.allSatisfy({ $0.id != id }) { asked.remove(id) }
        continue
      }
      guard answer.isFinished else { continue }
      asked.remove(id)
      finished.append(answer)
    }
    return (
      finished,
      status != oldStatus || active != oldActive || pauses != oldPauses || !finished.isEmpty
    )
  }

  private func read<Value>(_ value: @autoclosure () throws(StoreError) -> Value) -> Value? {
    do throws(StoreError) {
      return try value()
    } catch {
      failure = error
      return nil
    }
  }

  private func read() {
    if let status = read(try store.requests.syncStatus())?.seen(isOffline: isOffline),
      status != self.status
    {
      if status.quality != .offline {
        offlineSince = nil
      } else if let grade = self.status.quality, grade != .offline {
        offlineSince = now()
      }
      if status.done != self.status.done || !self.status.isRunning { progressedAt = now() }
      self.status = status
    }
    if let pauses = read(try store.requests.syncPauses()) { self.pauses = Set(pauses.map(\.scope)) }
    if let active = read(try store.requests.refreshRequests(finishedSince: .distantFuture)) {
      self.active = active.filter { !$0.isFinished }
    }
  }
}
