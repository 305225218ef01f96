import FeedModel
import FeedStore
import Foundation

extension SyncStatus {
  /// As a process sees it that may have no engine: the row of an engine that rests is another's, or old.
  func seen(isOffline: Bool) -> SyncStatus {
    guard isOffline, !isRunning else { return self }
    var status = self
    status.grade = .offline
    return status
  }
}

/// Where refreshes and the engine stand, and what came of those that this screen asked for.
final class RefreshModel {
  private let store: FeedStore
  private let isOffline: Bool
  private(set) var status = SyncStatus()
  /// Bytes a second as the running sync told them, oldest first.
  private(set) var rates: [Double] = []
  /// As many are kept.
  private static let ratesKept = 8
  /// What the user has paused, in this process or another.
  private(set) var pauses: Set<SyncPause.Scope> = []
  /// Requests under way, of this process and others, oldest first.
  private(set) var active: [RefreshRequest] = []
  /// The newest result for the list that asked, until it is put away.
  private(set) var result: RefreshRequest?
  private var asked: Set<Int64> = []

  /// - Parameter isOffline: see `ReaderConfiguration`.
  init(store: FeedStore, isOffline: Bool = false) {
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

  /// Puts the result line away. True where there was one.
  func dismissResult() -> Bool {
    guard result != nil else { return false }
    result = nil
    return true
  }

  /// What a request still waits for: a host that is being asked, and how many feeds are not done.
  func waitsFor(_ request: RefreshRequest) -> (host: String?, count: Int)? {
    guard let waits = try? store.waits(of: request.id), waits.count > 0 else { return nil }
    return (waits.fetching.first.map { $0.host.isEmpty ? $0.name : $0.host }, waits.count)
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
    if let last = finished.last { result = last }
    return (
      finished,
      status != oldStatus || active != oldActive || pauses != oldPauses || !finished.isEmpty
    )
  }

  private func read() {
    if let status = (try? store.syncStatus())?.seen(isOffline: isOffline), status != self.status {
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
