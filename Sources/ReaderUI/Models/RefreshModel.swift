import FeedModel
import FeedStore
import Foundation

/// Where refreshes and the engine stand, and what came of those that this screen asked for.
final class RefreshModel {
  private let store: FeedStore
  private(set) var status = SyncStatus()
  /// Requests under way, of this process and others, oldest first.
  private(set) var active: [RefreshRequest] = []
  /// The newest result for the list that asked, until it is put away.
  private(set) var result: RefreshRequest?
  private var asked: Set<Int64> = []

  init(store: FeedStore) {
    self.store = store
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

  /// What a request still waits for: a feed's name, and how many there are beside it.
  func waitsFor(_ request: RefreshRequest) -> (name: String, others: Int)? {
    guard let pending = try? store.pendingFeeds(of: request.id), let first = pending.first else {
      return nil
    }
    return (first.name, pending.count - 1)
  }

  /// Reads anew; returns the requests of this screen that have ended since the
  /// last time, and whether anything that is shown has changed.
  func modelUpdated(_ change: StoreChange) -> (finished: [RefreshRequest], hasChanged: Bool) {
    guard !change.isDisjoint(with: [.requests, .syncStatus]) else { return ([], false) }
    let (oldStatus, oldActive) = (status, active)
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
    return (finished, status != oldStatus || active != oldActive || !finished.isEmpty)
  }

  private func read() {
    if let status = try? store.syncStatus() { self.status = status }
    if let active = try? store.refreshRequests(finishedSince: .distantFuture) {
      self.active = active.filter { !$0.isFinished }
    }
  }
}
