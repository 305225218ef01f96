import FeedModel
import FeedStore
import Foundation
import Wording

extension SyncStatus {
  /// As a process sees it that may have no engine: the row of an engine that rests is another's, or
  /// old.
  func seen(isOffline: Bool) -> SyncStatus {
    guard isOffline, !isRunning else { return self }
    var status = self
    status.quality = .offline
    return status
  }
}

/// The state of refreshes and of the engine, and the results of those that this screen asked for.
final class RefreshModel {
  private let store: ReaderCache
  private let isOffline: Bool
  private(set) var status = SyncStatus()
  /// Bytes a second as the running sync published them, oldest first.
  private(set) var rates: [Double] = []
  /// As many are kept.
  private static let ratesKept = 8
  /// What the user has paused, in this process or another.
  private(set) var pauses: Set<SyncPause.Scope> = []
  /// Requests under way, of this process and others, oldest first.
  private(set) var active: [RefreshRequest] = []
  private var asked: Set<Int64> = []
  private let now: () -> Date
  /// When the connection was lost, as far as this was seen.
  private(set) var offlineSince: Date?
  /// When a refresh of the running sync ended last.
  private var progressedAt: Date?
  /// Nobody asks what a sync waits for that goes on this fast, in seconds.
  private static let patience = 3.0

  /// - Parameter isOffline: see `ReaderConfiguration`.
  init(store: ReaderCache, isOffline: Bool = false, now: @escaping () -> Date) {
    self.now = now
    self.store = store
    self.isOffline = isOffline
    read()
  }

  /// The request that runs for exactly this scope.
  func request(for scope: RefreshScope) -> RefreshRequest? {
    active.first { $0.scope == scope }
  }

  /// Remembers that this screen waits for the request.
  func track(_ request: RefreshRequest) {
    asked.insert(request.id)
    if request.isFinished { return }
    if !active.contains(where: { $0.id == request.id }) { active.append(request) }
  }

  /// What a request still waits for: a host that is being asked, and how many feeds are not done.
  func waitsFor(_ request: RefreshRequest) -> (host: String?, count: Int)? {
    guard let waits = try? store.waits(of: request.id), waits.count > 0 else { return nil }
    return (waits.first.first.map { $0.host.isEmpty ? $0.name : $0.host }, waits.count)
  }

  /// The host that a sync near its end waits for, and for how many seconds; nil: it goes on.
  func waiting(at now: Date) -> (host: String, seconds: Double)? {
    guard status.isRunning, !pauses.contains(.everything), let progressedAt,
      now.timeIntervalSince(progressedAt) >= Self.patience,
      let host = active.lazy.compactMap({ self.waitsFor($0)?.host }).first ?? firstBusyHost
    else { return nil }
    return (host, now.timeIntervalSince(progressedAt))
  }

  /// The host that an automatic refresh waits for.
  private var firstBusyHost: String? {
    guard active.isEmpty, let first = (try? store.waits(of: nil))?.first.first else { return nil }
    return first.host.isEmpty ? first.name : first.host
  }

  /// How long the running sync will go on, as the console says it.
  func timeLeft(at now: Date) -> String? {
    SyncWording.timeLeft(
      done: status.done, total: status.total, since: status.startedAt,
      silence: progressedAt.map(now.timeIntervalSince) ?? 0, now: now)
  }

  /// How many refreshes of the running sync are done, or of the requests that wait for one.
  var progress: (done: Int, total: Int) {
    if status.isRunning, status.total > 0 { return (status.done, status.total) }
    return (active.reduce(0) { $0 + $1.done }, active.reduce(0) { $0 + $1.total })
  }

  /// Reads anew; returns the requests of this screen that have ended since the
  /// last time, and whether anything that is shown has changed.
  func modelUpdated(_ change: StoreChange) -> (finished: [RefreshRequest], hasChanged: Bool) {
    guard !change.isDisjoint(with: [.requests, .syncStatus, .steering]) else { return ([], false) }
    let (oldStatus, oldActive, oldPauses) = (status, active, pauses)
    read()
    var finished: [RefreshRequest] = []
    for id in asked.sorted() {
      // A row that cannot be read now is asked for again at the next change.
      guard let answer = try? store.refreshRequest(id) else {
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

  private func read() {
    if let status = (try? store.syncStatus())?.seen(isOffline: isOffline), status != self.status {
      if status.quality != .offline {
        offlineSince = nil
      } else if let grade = self.status.quality, grade != .offline {
        offlineSince = now()
      }
      if status.done != self.status.done || !self.status.isRunning { progressedAt = now() }
      if status.startedAt != self.status.startedAt || !status.isRunning { rates = [] }
      if status.isRunning { rates = rates.suffix(Self.ratesKept - 1) + [status.rate] }
      self.status = status
    }
    if let pauses = try? store.syncPauses() { self.pauses = Set(pauses.map(\.scope)) }
    if let active = try? store.refreshRequests(finishedSince: .distantFuture) {
      self.active = active.filter { !$0.isFinished }
    }
  }
}
